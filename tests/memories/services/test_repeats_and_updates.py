"""What a later statement does to an earlier one: repeat, revive, supersede, contradict (R17, R18)."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest

from accounts.actor import Actor
from memories.models import Contradiction, Evidence, Fact, Memory, MemoryVersion, Tombstone
from memories.ports import FixedClock
from memories.services.forget import forget
from memories.services.sweep import sweep
from memoryhub.common.db import tenant_transaction
from memoryhub.common.ids import uuid7
from tests.memories.services.helpers import current, indexed, keep, memory_of, say

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The parcel code is AB-1204", "the parcel code is AB-1204!"),
        ("接头暗号是三角梅", "接头暗号是三角梅。"),
    ],
)
def test_a_trivially_different_repeat_reinforces_with_second_evidence(
    user: Actor, subject_id: uuid.UUID, first: str, second: str, clock: FixedClock
) -> None:
    one = keep(user, subject_id, first, turn_id=uuid7())
    clock.advance(hours=1)
    two = keep(user, subject_id, second, turn_id=uuid7())
    assert (two.code, two.memory_id) == ("duplicate", one.memory_id)
    [memory] = current(user, subject_id)
    assert memory.strength > 1.9
    assert memory.hits == 1
    with tenant_transaction(user.tenant_id):
        assert Evidence.objects.filter(memory_id=memory.id).count() == 2


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("I like tea from the corner shop", "I don't like tea from the corner shop"),
        ("会议三点开始,别迟到", "会议四点开始,别迟到"),
    ],
)
def test_opposite_or_different_values_are_never_merged(
    user: Actor, subject_id: uuid.UUID, one: str, two: str, clock: FixedClock
) -> None:
    first = keep(user, subject_id, one)
    clock.advance(minutes=1)
    second = keep(user, subject_id, two)
    assert second.code != "duplicate"
    assert first.memory_id != second.memory_id


def test_learning_the_same_turn_again_changes_nothing(user: Actor, subject_id: uuid.UUID) -> None:
    turn_id = uuid7()
    first = say(user, subject_id, "我对花生过敏", turn_id=turn_id)
    before = memory_of(user, first[0].memory_id)
    again = say(user, subject_id, "我对花生过敏", turn_id=turn_id)
    assert [one.rule for one in again] == ["dedup.same_turn"]
    after = memory_of(user, first[0].memory_id)
    assert (after.strength, after.hits, after.version) == (before.strength, before.hits, before.version)
    with tenant_transaction(user.tenant_id):
        assert Evidence.objects.count() == 1


def test_the_same_fact_in_other_words_reinforces(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    [first] = say(user, subject_id, "我住在苏州")
    clock.advance(days=1)
    [second] = say(user, subject_id, "我现在住在苏州")
    assert (second.code, second.rule, second.memory_id) == ("duplicate", "dedup.fact", first.memory_id)


def test_a_later_address_supersedes_the_old_one(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    [first] = say(user, subject_id, "我住在苏州")
    moved_at = clock.advance(days=20)
    [second] = say(user, subject_id, "我搬到上海了")
    assert (second.code, second.replaced_id) == ("superseded", first.memory_id)
    old, new = memory_of(user, first.memory_id), memory_of(user, second.memory_id)
    assert (old.status, old.superseded_by_id, old.valid_to) == ("superseded", new.id, moved_at)
    assert new.status == "current"
    assert indexed(user, old.id) == (True, True), "a recall of the past finds it"
    assert indexed(user, new.id) == (True, True)
    with tenant_transaction(user.tenant_id):
        assert [one.change for one in MemoryVersion.objects.filter(memory_id=old.id).order_by("number")] == [
            "created",
            "superseded",
        ]
        [fact] = Fact.objects.filter(memory_id=old.id)
        assert fact.valid_to == moved_at


def test_in_english_too(user: Actor, subject_id: uuid.UUID, clock: FixedClock) -> None:
    [first] = say(user, subject_id, "I live in Leeds.")
    clock.advance(days=20)
    [second] = say(user, subject_id, "I moved to Bristol.")
    assert (second.code, second.replaced_id) == ("superseded", first.memory_id)


def test_moving_back_is_a_new_memory_and_history_stays(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    [first] = say(user, subject_id, "I live in Leeds.")
    clock.advance(days=20)
    [second] = say(user, subject_id, "I moved to Bristol.")
    clock.advance(days=20)
    [third] = say(user, subject_id, "I live in Leeds.")
    assert (third.code, third.replaced_id) == ("superseded", second.memory_id)
    assert third.memory_id != first.memory_id
    assert [memory.id for memory in current(user, subject_id)] == [third.memory_id]
    assert memory_of(user, first.memory_id).superseded_by_id == second.memory_id


def test_an_older_statement_that_comes_late_becomes_history(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    [now] = say(user, subject_id, "I live in Bristol.")
    [late] = say(user, subject_id, "I live in Leeds.", said_at=clock.now() - timedelta(days=400))
    assert (late.code, late.rule) == ("superseded", "slot.older")
    assert [memory.id for memory in current(user, subject_id)] == [now.memory_id]
    assert indexed(user, late.memory_id) == (True, True), "a recall of the past finds it"


def test_an_assistants_words_never_replace_a_persons(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    first = keep(user, subject_id, "I live in Leeds.", kind="profile")
    clock.advance(days=1)
    second = keep(user, subject_id, "You live in Bristol.", kind="profile", source="assistant")
    assert second.code in {"contradiction", "stored"}
    assert memory_of(user, first.memory_id).status == "current"


def test_another_persons_value_is_no_contradiction(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    say(user, subject_id, "I live in Leeds.")
    clock.advance(days=1)
    outcomes = say(user, subject_id, "My sister lives in Bristol.")
    assert {one.code for one in outcomes} == {"stored"}
    assert len(current(user, subject_id)) == 2


def test_an_unclear_other_value_of_a_third_person_opens_a_contradiction(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    [first] = say(user, subject_id, "My sister lives in Leeds.")
    clock.advance(days=1)
    [second] = say(user, subject_id, "My sister lives in Bristol.")
    assert (second.code, second.replaced_id) == ("contradiction", first.memory_id)
    assert len(current(user, subject_id)) == 2
    with tenant_transaction(user.tenant_id):
        [row] = Contradiction.objects.all()
        assert (row.older_id, row.newer_id, row.state) == (first.memory_id, second.memory_id, "open")


def test_a_clear_later_statement_settles_an_open_contradiction(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    for town in ("Leeds", "Bristol"):
        say(user, subject_id, f"My sister lives in {town}.")
        clock.advance(days=1)
    [third] = say(user, subject_id, "My sister moved to Dover.")
    assert third.code == "superseded"
    assert [memory.id for memory in current(user, subject_id)] == [third.memory_id]
    with tenant_transaction(user.tenant_id):
        assert not Contradiction.objects.filter(state="open").exists()


def test_a_constraint_with_the_same_key_replaces_the_old_one(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    first = keep(user, subject_id, "Answer in at most 100 words", kind="constraint", key="length")
    clock.advance(days=1)
    second = keep(user, subject_id, "Answer in at most 50 words", kind="constraint", key="length")
    assert (second.code, second.replaced_id) == ("superseded", first.memory_id)
    assert [memory.id for memory in current(user, subject_id)] == [second.memory_id]


def test_a_repeat_revives_what_had_expired(user: Actor, subject_id: uuid.UUID, clock: FixedClock) -> None:
    first = keep(user, subject_id, "The lift is out of order", expires_at=clock.now() + timedelta(days=1))
    clock.advance(days=3)
    sweep(actor=_system(user))
    assert memory_of(user, first.memory_id).status == "expired"
    second = keep(user, subject_id, "The lift is out of order")
    assert (second.memory_id, second.rule) == (first.memory_id, "dedup.revive.expired")
    memory = memory_of(user, first.memory_id)
    assert (memory.status, memory.expires_at) == ("current", None)
    assert indexed(user, memory.id) == (True, True)
    with tenant_transaction(user.tenant_id):
        assert not Tombstone.objects.filter(restored_at__isnull=True).exists()


def test_what_was_forgotten_is_not_learnt_from_before_but_from_after(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    said_at = clock.now()
    [first] = say(user, subject_id, "我喜欢吃榴莲")
    clock.advance(hours=1)
    assert first.memory_id is not None
    forget(actor=user, memory_id=first.memory_id)
    clock.advance(hours=1)
    [again] = say(user, subject_id, "我喜欢吃榴莲", said_at=said_at)
    assert (again.code, again.rule) == ("not_worth_keeping", "forget.text")
    [other_words] = say(user, subject_id, "我很喜欢吃榴莲", said_at=said_at)
    assert other_words.code == "not_worth_keeping"
    [later] = say(user, subject_id, "我喜欢吃榴莲")
    assert later.code == "stored"
    assert later.memory_id != first.memory_id


def test_an_assistants_echo_does_not_strengthen(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    first = keep(user, subject_id, "The tent is in the attic")
    clock.advance(hours=1)
    keep(user, subject_id, "The tent is in the attic", source="assistant")
    assert memory_of(user, first.memory_id).hits == 0


def test_a_persons_word_raises_what_only_the_assistant_had_said(user: Actor, subject_id: uuid.UUID) -> None:
    first = keep(user, subject_id, "The tent is in the attic", source="assistant")
    assert memory_of(user, first.memory_id).credibility == pytest.approx(0.4)
    keep(user, subject_id, "The tent is in the attic")
    memory = memory_of(user, first.memory_id)
    assert (memory.source, memory.credibility, memory.version) == ("user", 1.0, 2)


def test_other_reach_is_another_memory(user: Actor, subject_id: uuid.UUID) -> None:
    one = keep(user, subject_id, "Use the short form here", kind="procedure")
    two = keep(
        user, subject_id, "Use the short form here", kind="procedure", scope="session", session_id=uuid7()
    )
    assert one.memory_id != two.memory_id
    assert two.code == "stored"


def _system(user: Actor) -> Actor:
    from accounts.actor import system_actor

    return system_actor(user.tenant_id)


def test_every_memory_has_a_version_and_evidence_from_its_first_write_on(
    user: Actor, subject_id: uuid.UUID
) -> None:
    say(user, subject_id, "我叫林小满,我住在苏州,我喜欢喝美式咖啡")
    with tenant_transaction(user.tenant_id):
        memories = list(Memory.objects.all())
        assert len(memories) >= 2
        for memory in memories:
            assert MemoryVersion.objects.filter(memory_id=memory.id, number=1).count() == 1
            assert Evidence.objects.filter(memory_id=memory.id, turn_id__isnull=False).count() == 1
