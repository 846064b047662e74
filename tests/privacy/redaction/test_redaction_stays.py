"""What was redacted stays so: no undo, no late job, no import and no compaction brings it back; what is said again is another thing."""

from __future__ import annotations

import uuid

import pytest

from memories.core.errors import MemoryGone, SensitiveBlocked
from memories.models import (
    Episode,
    Evidence,
    Fact,
    ForgetRequest,
    Memory,
    MemoryVersion,
    Redaction,
    Tombstone,
)
from memories.services.edit import edit
from memories.services.forget import forget
from memories.services.forget_by_words import forget_by_words
from memories.services.import_memories import Given, import_memories
from memories.services.lift_redaction import lift_redaction
from memories.services.policies import set_policy
from memories.services.preview_redaction import preview_redaction
from memories.services.redact import redact
from memories.services.remember import remember
from memories.services.restore import restore
from memories.services.undo_request import undo_request
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid, NotFound, PermissionDenied
from sessions_app.models import Turn
from sessions_app.services.flush_answer import flush_answer
from sessions_app.services.learn_turn import learn_turn
from tests.privacy.redaction.world import VALUE, everywhere, me, redacted
from tests.sessions_app.conftest import Chat
from tests.support.people import House, make_house

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    ("said", "request_", "words", "left"),
    [
        ("My locker code is QX-7731 and it is blue.", "forget my locker code", "QX-7731", "[redacted]"),
        ("我的工号是QX-7731，门是蓝色的。", "忘掉我的工号", "QX-7731", "[已删除]"),
    ],
)
def test_an_undo_brings_back_everything_but_what_was_redacted(
    chat: Chat, house: House, said: str, request_: str, words: str, left: str
) -> None:
    turn = chat.post(said).user_turn
    chat.work()
    chat.clock.advance(minutes=1)
    forget_by_words(actor=chat.actor, subject_id=me(chat), text=request_)
    with tenant_transaction(house.id):
        request = ForgetRequest.objects.get()
        assert words not in Turn.objects.get(pk=turn.pk).content
    assert everywhere(house, words), "it is kept for the undo"
    redacted(house, subject_id=me(chat), words=[words])
    assert everywhere(house, words) == {}
    undo_request(actor=chat.actor, request_id=request.id)
    chat.work()
    assert everywhere(house, words) == {}
    with tenant_transaction(house.id):
        assert Turn.objects.get(pk=turn.pk).content == said.replace(words, left)


def test_a_span_across_the_edge_of_what_was_taken_is_gone_on_both_sides(chat: Chat, house: House) -> None:
    turn = chat.post("My boss is Ann Lee from Ghent.").user_turn
    forget_by_words(actor=chat.actor, subject_id=me(chat), text="forget my boss")
    with tenant_transaction(house.id):
        request = ForgetRequest.objects.get()
    redacted(house, subject_id=me(chat), words=["Ann Lee", "Ghent"])
    undo_request(actor=chat.actor, request_id=request.id)
    with tenant_transaction(house.id):
        assert Turn.objects.get(pk=turn.pk).content == "My boss is [redacted] from [redacted]."
    assert everywhere(house, "Ann Lee", "Ghent") == {}


def test_a_whole_memory_goes_with_what_says_it(chat: Chat, house: House) -> None:
    set_policy(actor=house.actor("admin", "admin"), overrides={"pii.action.phone": "encrypt"})
    turn = chat.post("My phone number is 13800138000.").user_turn
    chat.post("Lunch was nice today, we had noodles.")
    chat.work()
    with tenant_transaction(house.id):
        memory = Memory.objects.exclude(content_encrypted=None).get()
    shown = preview_redaction(actor=house.actor("operator", "admin"), memory_id=memory.pk)
    assert shown.counts["versions"] >= 1 and shown.counts["memories"] >= 1
    redacted(house, memory_id=memory.pk)
    assert everywhere(house, "13800138000") == {}
    with tenant_transaction(house.id):
        gone = Memory.objects.get(pk=memory.pk)
        assert (gone.status, gone.content, gone.content_encrypted) == ("redacted", "[redacted]", None)
        assert not Fact.objects.filter(memory_id=memory.pk).exists()
        assert set(Evidence.objects.filter(memory_id=memory.pk).values_list("quote", flat=True)) <= {""}
        assert not MemoryVersion.objects.filter(memory_id=memory.pk).exclude(content="[redacted]").exists()
        assert Turn.objects.filter(content__contains="noodles").exists()
        Turn.objects.filter(pk=turn.pk).update(learned_at=None)
    with pytest.raises(MemoryGone):
        redacted(house, memory_id=memory.pk)
    with pytest.raises(MemoryGone):
        restore(actor=chat.actor, memory_id=memory.pk)


def test_a_forgotten_memory_can_be_redacted_and_cannot_come_back(chat: Chat, house: House) -> None:
    [made] = remember(
        actor=chat.actor, subject_id=me(chat), content=f"The box opens with {VALUE}.", infer=False
    )
    assert made.memory_id is not None
    forget(actor=chat.actor, memory_id=made.memory_id)
    redacted(house, memory_id=made.memory_id)
    assert everywhere(house, VALUE) == {}
    with pytest.raises(MemoryGone):
        restore(actor=chat.actor, memory_id=made.memory_id)
    with tenant_transaction(house.id):
        assert not Tombstone.objects.filter(restored_at__isnull=True).exists()


def test_what_is_left_of_a_forgotten_memory_can_come_back_without_the_words(chat: Chat, house: House) -> None:
    [made] = remember(
        actor=chat.actor,
        subject_id=me(chat),
        content=f"The box opens with {VALUE} and is green.",
        infer=False,
    )
    assert made.memory_id is not None
    forget(actor=chat.actor, memory_id=made.memory_id)
    redacted(house, subject_id=me(chat), words=[VALUE])
    assert (
        restore(actor=chat.actor, memory_id=made.memory_id).content
        == "The box opens with [redacted] and is green."
    )
    assert everywhere(house, VALUE) == {}


def test_what_was_said_before_teaches_it_to_nobody_and_what_is_said_again_is_learnt(
    chat: Chat, house: House
) -> None:
    said = chat.clock.now()
    chat.post(f"My contract number is {VALUE}.")
    old = chat.say(f"Also note: contract {VALUE} is for the flat in Ghent.")
    redacted(house, subject_id=me(chat), words=[VALUE])
    with tenant_transaction(house.id):
        # As a worker that read the turn before the redaction would write it.
        Turn.objects.filter(pk=old.pk).update(content=f"My contract number is {VALUE}.", learned_at=None)
    assert {one.rule for one in learn_turn(actor=chat.actor, turn_id=old.pk)} == {"redacted"}
    given = Given(f"The contract is {VALUE}.", said_at=said)
    done = import_memories(actor=chat.actor, subject_id=me(chat), memories=[given])
    assert (done.stored, done.forbidden) == (0, 1)
    with tenant_transaction(house.id):
        assert not Memory.objects.filter(content__contains=VALUE).exists()
        assert not Episode.objects.filter(text__contains=VALUE).exists()
    chat.clock.advance(minutes=1)
    chat.post(f"My contract number is {VALUE}.")
    with tenant_transaction(house.id):
        assert Memory.objects.filter(content__contains=VALUE, status="current").count() == 1


def test_what_stands_is_not_learnt_until_it_is_lifted(chat: Chat, house: House) -> None:
    chat.post(f"My contract number is {VALUE}.")
    made = redacted(house, subject_id=me(chat), words=[VALUE], standing=True)
    with tenant_transaction(house.id):
        memory = Memory.objects.get(status="current")
    with pytest.raises(SensitiveBlocked):
        edit(actor=chat.actor, memory_id=memory.pk, content=f"My contract is {VALUE}.")
    assert [one.rule for one in chat.post(f"My contract number is {VALUE}.").outcomes] == ["redacted"]
    chat.work()
    with tenant_transaction(house.id):
        assert not Memory.objects.filter(content__contains=VALUE).exists()
        assert not Episode.objects.filter(text__contains=VALUE).exists()
    lift_redaction(actor=house.actor("operator", "admin"), redaction_id=made.pk)
    chat.post(f"My contract number is {VALUE}.")
    with tenant_transaction(house.id):
        assert Memory.objects.filter(content__contains=VALUE, status="current").count() == 1


def test_an_answer_that_streams_does_not_bring_it_back(chat: Chat, house: House) -> None:
    chat.post(f"My contract number is {VALUE}.")
    posted = chat.post("Tell me what you know")
    owner = posted.answer_turn.lease_owner
    said = f"Your contract number is {VALUE}. The weather is mild."
    assert flush_answer(actor=chat.actor, turn_id=posted.answer_turn.pk, owner=owner, text=said)
    redacted(house, subject_id=me(chat), words=[VALUE])
    assert flush_answer(actor=chat.actor, turn_id=posted.answer_turn.pk, owner=owner, text=said)
    assert everywhere(house, VALUE) == {}
    with tenant_transaction(house.id):
        assert Turn.objects.get(pk=posted.answer_turn.pk).content.endswith("[redacted]. The weather is mild.")


def test_who_may_not_and_what_may_not(chat: Chat, house: House) -> None:
    chat.post(f"My contract number is {VALUE}.")
    for who in ("user", "other"):
        with pytest.raises(PermissionDenied):
            redact(
                actor=house.actor(who),
                subject_id=me(chat),
                words=[VALUE],
                reason="because",
                confirmation="redact",
            )
    foreign = make_house("globex").actor("operator", "admin")
    for call in (
        lambda: preview_redaction(actor=foreign, subject_id=me(chat), words=[VALUE]),
        lambda: redact(
            actor=foreign, subject_id=me(chat), words=[VALUE], reason="because", confirmation="redact"
        ),
        lambda: preview_redaction(actor=foreign, memory_id=uuid.uuid4()),
    ):
        with pytest.raises(NotFound):
            call()
    for field, wrong in {
        "reason": {"reason": " "},
        "confirmation": {"confirmation": "yes"},
        "words": {"words": ["x"]},
        "pattern": {"words": [], "pattern": "a+"},
        "standing": {"words": [], "pattern": VALUE, "standing": True},
    }.items():
        with pytest.raises(Invalid) as refused:
            redacted(house, **{"subject_id": me(chat), "words": [VALUE], **wrong})
        assert field in refused.value.fields
    with pytest.raises(Invalid) as refused:
        redacted(house, subject_id=me(chat), words=[VALUE], reason=f"it is {VALUE}")
    assert "reason" in refused.value.fields
    with pytest.raises(Invalid):
        redacted(house, subject_id=me(chat), words=["never said"])
    assert everywhere(house, VALUE)
    with tenant_transaction(house.id):
        assert not Redaction.objects.exists()


def test_a_pattern_takes_out_what_it_matches_and_numbers_go_however_they_are_written(
    chat: Chat, house: House
) -> None:
    chat.post("Order AB-1234 and order CD-9876 are late.")
    chat.post("Call 139-0013-8000 or 13900138000.")
    redacted(house, subject_id=me(chat), pattern=r"\b[A-Z]{2}-\d{4}\b")
    redacted(house, subject_id=me(chat), words=["13900138000"])
    assert everywhere(house, "AB-1234", "CD-9876", "139-0013-8000", "13900138000") == {}
