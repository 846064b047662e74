"""Editing, pinning, forgetting, restoring, judging and purging one memory."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest

from accounts.actor import Actor, system_actor
from accounts.models import AuditEntry
from memories.core.errors import MemoryGone, MemoryNotFound, NotPinnable, NotUndoable, SensitiveBlocked
from memories.models import Episode, Fact, ForgetRule, Memory, MemoryVersion, Posting, Tombstone
from memories.ports import FixedClock
from memories.services.approve import decide_approval, waiting_approvals
from memories.services.browse_memories import browse_memories
from memories.services.edit import edit
from memories.services.feedback import give_feedback
from memories.services.forget import forget
from memories.services.get_memory import get_memory
from memories.services.index_episode import index_episode
from memories.services.pin import pin
from memories.services.purge import purge
from memories.services.reinforce import reinforce
from memories.services.restore import restore
from memories.services.versions import versions
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict, Invalid, NotFound, PermissionDenied
from memoryhub.common.ids import uuid7
from tests.memories.services.helpers import current, indexed, keep, memory_of, say
from tests.support.people import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def memory_id(user: Actor, subject_id: uuid.UUID) -> uuid.UUID:
    outcome = keep(user, subject_id, "The boiler was serviced in March", kind="fact")
    assert outcome.memory_id is not None
    return outcome.memory_id


def test_an_edit_is_a_new_version_with_a_new_index(user: Actor, memory_id: uuid.UUID) -> None:
    memory = edit(actor=user, memory_id=memory_id, content="The boiler was serviced in April", tags=["home"])
    assert (memory.version, memory.content, memory.tags) == (2, "The boiler was serviced in April", ["home"])
    with tenant_transaction(user.tenant_id):
        terms = set(Posting.objects.filter(item_id=memory_id).values_list("term", flat=True))
    assert "april" in terms and "march" not in terms
    assert [one.content for one in versions(actor=user, memory_id=memory_id)] == [
        "The boiler was serviced in March",
        "The boiler was serviced in April",
    ]


def test_an_edit_that_changes_nothing_makes_no_version(user: Actor, memory_id: uuid.UUID) -> None:
    assert edit(actor=user, memory_id=memory_id, content="The boiler was serviced in March").version == 1


def test_an_edit_of_an_old_version_is_a_conflict(user: Actor, memory_id: uuid.UUID) -> None:
    edit(actor=user, memory_id=memory_id, importance=0.9, expected_version=1)
    with pytest.raises(Conflict):
        edit(actor=user, memory_id=memory_id, importance=0.2, expected_version=1)


def test_an_edit_replaces_the_structured_fact(user: Actor, subject_id: uuid.UUID) -> None:
    [outcome] = say(user, subject_id, "我住在苏州")
    assert outcome.memory_id is not None
    edit(actor=user, memory_id=outcome.memory_id, content="我住在无锡")
    with tenant_transaction(user.tenant_id):
        assert list(Fact.objects.filter(memory_id=outcome.memory_id).values_list("value", flat=True)) == [
            "无锡"
        ]


def test_an_edit_into_another_memorys_words_is_a_conflict(
    user: Actor, subject_id: uuid.UUID, memory_id: uuid.UUID
) -> None:
    keep(user, subject_id, "The boiler is new")
    with pytest.raises(Conflict):
        edit(actor=user, memory_id=memory_id, content="the boiler is new.")


def test_an_edit_may_not_bring_a_secret_in(user: Actor, memory_id: uuid.UUID) -> None:
    with pytest.raises(SensitiveBlocked):
        edit(actor=user, memory_id=memory_id, content="my password is hunter2-Zx9!")


@pytest.mark.parametrize(
    "given", [{"tags": ["password: hunter2xyz"]}, {"metadata": {"door": {"password": "hunter2xyz"}}}]
)
def test_nor_may_its_tags_or_metadata(user: Actor, memory_id: uuid.UUID, given: dict[str, Any]) -> None:
    with pytest.raises(SensitiveBlocked):
        edit(actor=user, memory_id=memory_id, importance=0.9, **given)
    assert memory_of(user, memory_id).version == 1


def test_a_card_number_is_masked_in_edited_metadata(user: Actor, memory_id: uuid.UUID) -> None:
    memory = edit(actor=user, memory_id=memory_id, metadata={"card": 4111111111111111, "floor": 3})
    assert memory.metadata == {"card": "[card ••1111]", "floor": 3}


def test_an_end_can_be_set_and_taken_away(user: Actor, memory_id: uuid.UUID, clock: FixedClock) -> None:
    end = clock.now() + timedelta(days=3)
    assert edit(actor=user, memory_id=memory_id, expires_at=end).expires_at == end
    assert edit(actor=user, memory_id=memory_id, tags=["x"]).expires_at == end
    assert edit(actor=user, memory_id=memory_id, expires_at=None).expires_at is None


def test_pinning_is_versioned_and_idempotent(user: Actor, memory_id: uuid.UUID) -> None:
    assert pin(actor=user, memory_id=memory_id, pinned=True).pinned
    pin(actor=user, memory_id=memory_id, pinned=True)
    assert [one.change for one in versions(actor=user, memory_id=memory_id)] == ["created", "pinned"]


def test_the_sensitive_kind_is_never_pinned(user: Actor, subject_id: uuid.UUID) -> None:
    outcome = keep(user, subject_id, "Blood pressure is high lately", kind="sensitive")
    assert outcome.memory_id is not None
    with pytest.raises(NotPinnable):
        pin(actor=user, memory_id=outcome.memory_id, pinned=True)


def test_forgetting_takes_it_out_of_everything_at_once_and_restoring_brings_it_back(
    user: Actor, subject_id: uuid.UUID, memory_id: uuid.UUID
) -> None:
    stone = forget(actor=user, memory_id=memory_id, reason="asked in chat")
    assert (stone.previous_status, stone.cause, stone.actor_id) == ("current", "user", user.id)
    assert indexed(user, memory_id) == (False, False)
    assert current(user, subject_id) == []
    assert forget(actor=user, memory_id=memory_id).id == stone.id
    memory = restore(actor=user, memory_id=memory_id)
    assert memory.status == "current"
    assert indexed(user, memory_id) == (True, True)
    with tenant_transaction(user.tenant_id):
        assert not Tombstone.objects.filter(restored_at__isnull=True).exists()
        assert not ForgetRule.objects.filter(removed_at__isnull=True).exists()
        actions = list(AuditEntry.objects.order_by("seq").values_list("action", flat=True))
    assert actions[-2:] == ["memory.forgotten", "memory.restored"]
    assert [one.change for one in versions(actor=user, memory_id=memory_id)] == [
        "created",
        "forgotten",
        "restored",
    ]


def test_the_turn_that_said_only_this_stops_answering_too(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    short, long = uuid7(), uuid7()
    chat = "我喜欢吃榴莲"
    story = "今天公司开会讨论了很多事情,预算、招聘、搬迁都谈了,散会以后大家去吃饭。我喜欢吃榴莲。回家路上下雨了,堵车很久才到家,累坏了。"
    for seq, (turn_id, text) in enumerate([(short, chat), (long, story)]):
        index_episode(
            actor=user, subject_id=subject_id, source_kind="turn", source_id=turn_id, text=text, role="user", speaker="",
            said_at=clock.now(), session_id=None, seq=seq,
        )  # fmt: skip
    [first] = say(user, subject_id, chat, turn_id=short)
    say(user, subject_id, story, turn_id=long)
    assert first.memory_id is not None
    forget(actor=user, memory_id=first.memory_id)
    with tenant_transaction(user.tenant_id):
        left = Episode.objects.current().values_list("source_id", flat=True)
        assert list(left) == [long], "the other turn holds more than this"
    restore(actor=user, memory_id=first.memory_id)
    with tenant_transaction(user.tenant_id):
        assert Episode.objects.current().count() == 2


def test_a_restore_refuses_when_something_newer_says_the_same(
    user: Actor, subject_id: uuid.UUID, memory_id: uuid.UUID, clock: FixedClock
) -> None:
    forget(actor=user, memory_id=memory_id)
    clock.advance(hours=1)
    newer = keep(user, subject_id, "The boiler was serviced in March")
    assert newer.code == "stored"
    with pytest.raises(NotUndoable) as caught:
        restore(actor=user, memory_id=memory_id)
    assert str(newer.memory_id) in caught.value.hint


def test_what_waited_for_a_yes_waits_for_it_again(user: Actor, subject_id: uuid.UUID) -> None:
    outcome = keep(user, subject_id, "I have asthma", kind="sensitive", infer=True)
    assert outcome.code == "needs_approval" and outcome.memory_id is not None
    forget(actor=user, memory_id=outcome.memory_id)
    assert waiting_approvals(actor=user, subject_id=subject_id) == []
    assert restore(actor=user, memory_id=outcome.memory_id).status == "pending"
    [approval] = waiting_approvals(actor=user, subject_id=subject_id)
    assert decide_approval(actor=user, approval_id=approval.id, approve=True).status == "current"


def test_an_operator_may_restore_but_not_edit(acme: House, user: Actor, memory_id: uuid.UUID) -> None:
    forget(actor=user, memory_id=memory_id)
    operator = acme.actor("operator", "admin")
    assert restore(actor=operator, memory_id=memory_id).status == "current"
    with pytest.raises(NotFound):
        edit(actor=operator, memory_id=memory_id, importance=0.1)


def test_past_the_retention_a_memory_is_purged_with_all_that_hangs_on_it(
    user: Actor, acme: House, memory_id: uuid.UUID, clock: FixedClock
) -> None:
    forget(actor=user, memory_id=memory_id)
    clock.advance(days=29)
    assert purge(actor=system_actor(acme.id))["memories"] == 0
    clock.advance(days=2)
    with pytest.raises(MemoryGone):
        restore(actor=user, memory_id=memory_id)
    assert purge(actor=system_actor(acme.id))["memories"] == 1
    with tenant_transaction(acme.id):
        for model in (Memory, MemoryVersion, Fact, Tombstone):
            assert not model.objects.exists()
        assert ForgetRule.objects.exists(), "its turns are not to be learnt anew"
    with pytest.raises(MemoryNotFound):
        get_memory(actor=user, memory_id=memory_id)


def test_purging_needs_the_capability(user: Actor) -> None:
    with pytest.raises(PermissionDenied):
        purge(actor=user)


def test_strength_grows_by_use_up_to_the_cap_and_decays_between(
    user: Actor, subject_id: uuid.UUID, memory_id: uuid.UUID, clock: FixedClock
) -> None:
    def hit(event: str, turn_id: uuid.UUID | None = None) -> float:
        reinforce(actor=user, subject_id=subject_id, ids=[memory_id], event=event, turn_id=turn_id)
        return memory_of(user, memory_id).strength

    assert hit("retrieved") == pytest.approx(1.5)
    assert hit("cited") == pytest.approx(2.5)
    clock.advance(days=14)
    assert hit("retrieved") == pytest.approx(2.5 / 2 + 0.5)
    for _ in range(8):
        hit("confirmed")
    assert memory_of(user, memory_id).strength == 5.0
    assert hit("wrong") == 2.5


def test_an_identical_recall_within_one_turn_counts_once(
    user: Actor, subject_id: uuid.UUID, memory_id: uuid.UUID
) -> None:
    turn, other = uuid7(), uuid7()
    counted = [
        reinforce(actor=user, subject_id=subject_id, ids=[memory_id], event=event, turn_id=turn_id)
        for event, turn_id in [
            ("retrieved", turn),
            ("retrieved", turn),
            ("cited", turn),
            ("retrieved", turn),
            ("cited", turn),
            ("retrieved", other),
        ]
    ]
    assert counted == [1, 0, 1, 0, 0, 1]
    assert memory_of(user, memory_id).hits == 3


def test_a_verdict_confirms_or_halves(user: Actor, subject_id: uuid.UUID, memory_id: uuid.UUID) -> None:
    give_feedback(actor=user, subject_id=subject_id, verdict="right", memory_id=memory_id)
    assert memory_of(user, memory_id).strength == pytest.approx(2.0)
    give_feedback(actor=user, subject_id=subject_id, verdict="wrong", memory_id=memory_id)
    assert memory_of(user, memory_id).strength == pytest.approx(1.0)
    give_feedback(actor=user, subject_id=subject_id, verdict="irrelevant", memory_id=memory_id)
    assert memory_of(user, memory_id).strength == pytest.approx(1.0)
    with pytest.raises(Invalid):
        give_feedback(actor=user, subject_id=subject_id, verdict="meh", memory_id=memory_id)


def test_a_search_is_a_part_of_the_text_in_any_case(user: Actor, subject_id: uuid.UUID) -> None:
    for number in range(7):
        keep(user, subject_id, f"Box {number} holds cables")
    page = browse_memories(actor=user, subject_id=subject_id, query="BOX 3")
    assert [item.memory.content for item in page.items] == ["Box 3 holds cables"]


def test_another_tenant_or_colleague_gets_nothing(acme: House, globex: House, memory_id: uuid.UUID) -> None:
    subject_id = acme.subjects["user"]
    for stranger in (
        acme.actor("other"),
        globex.actor("user"),
        globex.actor("admin"),
        system_actor(globex.id),
    ):
        for call in (
            lambda a=stranger: get_memory(actor=a, memory_id=memory_id),
            lambda a=stranger: edit(actor=a, memory_id=memory_id, importance=0.0),
            lambda a=stranger: pin(actor=a, memory_id=memory_id, pinned=True),
            lambda a=stranger: forget(actor=a, memory_id=memory_id),
            lambda a=stranger: restore(actor=a, memory_id=memory_id),
            lambda a=stranger: versions(actor=a, memory_id=memory_id),
        ):
            with pytest.raises(NotFound):
                call()
    assert browse_memories(actor=system_actor(globex.id), subject_id=subject_id).items == []
    assert (
        reinforce(actor=system_actor(globex.id), subject_id=subject_id, ids=[memory_id], event="cited") == 0
    )
    memory = memory_of(acme.actor(), memory_id)
    assert (memory.status, memory.version, memory.hits) == ("current", 1, 0)
