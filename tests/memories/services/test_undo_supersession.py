"""A replacement taken back: the old memory is current as it was, what replaced it is history, and back again (R18, R19)."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest

from accounts.actor import Actor
from memories.core.errors import NotUndoable
from memories.models import Fact, Memory, MemoryVersion
from memories.ports import FixedClock
from memories.services.forget import forget
from memories.services.undo_supersession import undo_supersession
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import NotFound
from memoryhub.common.ids import uuid7
from tests.memories.services.helpers import current, keep, memory_of, say
from tests.support.people import House

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("I live in Leeds.", "I moved to Bristol."),
        ("我住在苏州", "我搬到上海了"),
        ("我的电话是13912345678", "我的手机号换成13987654321了"),
    ],
)
def test_the_old_memory_is_as_it_was_and_its_successor_is_history(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock, first: str, second: str
) -> None:
    [one] = say(user, subject_id, first)
    before = memory_of(user, one.memory_id)
    clock.advance(days=3)
    two = next(outcome for outcome in say(user, subject_id, second) if outcome.code == "superseded")
    clock.advance(days=1)
    assert one.memory_id is not None
    back = undo_supersession(actor=user, memory_id=one.memory_id)
    assert (back.status, back.superseded_by_id, back.valid_to) == ("current", None, before.valid_to)
    new = memory_of(user, two.memory_id)
    assert (new.status, new.superseded_by_id) == ("superseded", one.memory_id)
    with tenant_transaction(user.tenant_id):
        assert not Fact.objects.filter(memory_id=one.memory_id, valid_to__isnull=False).exists()
        changes = list(
            MemoryVersion.objects.filter(memory_id=one.memory_id)
            .order_by("number")
            .values_list("change", flat=True)
        )
    assert changes == ["created", "superseded", "undone"]


def test_an_undo_can_be_undone(user: Actor, subject_id: uuid.UUID, clock: FixedClock) -> None:
    [one] = say(user, subject_id, "I live in Leeds.")
    clock.advance(days=3)
    [two] = say(user, subject_id, "I moved to Bristol.")
    assert one.memory_id
    assert two.memory_id
    undo_supersession(actor=user, memory_id=one.memory_id)
    clock.advance(days=1)
    undo_supersession(actor=user, memory_id=two.memory_id)
    [now] = current(user, subject_id)
    assert (now.id, now.valid_to) == (two.memory_id, None)
    assert memory_of(user, one.memory_id).superseded_by_id == two.memory_id


def test_the_turn_of_what_was_taken_back_does_not_teach_it_again(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    [one] = say(user, subject_id, "I live in Leeds.")
    clock.advance(days=3)
    turn_id, said_at = uuid7(), clock.now()
    say(user, subject_id, "I moved to Bristol.", turn_id=turn_id)
    clock.advance(days=1)
    assert one.memory_id
    undo_supersession(actor=user, memory_id=one.memory_id)
    for text in ("I moved to Bristol.", "I live in Bristol now."):
        [again] = say(user, subject_id, text, turn_id=turn_id, said_at=said_at)
        assert again.rule == "dedup.same_turn"
    [later] = say(user, subject_id, "I moved to Bristol.")
    assert later.code == "superseded", "a later restatement is learnt"


def test_it_refuses_when_something_newer_stands_in_the_way_and_says_what(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    outcomes = []
    for text in ("I live in Leeds.", "I moved to Bristol.", "I moved to Dover."):
        outcomes += say(user, subject_id, text)
        clock.advance(days=3)
    first, _, third = (outcome.memory_id for outcome in outcomes)
    assert first
    assert third
    with pytest.raises(NotUndoable, match=str(third)):
        undo_supersession(actor=user, memory_id=first)
    with pytest.raises(NotUndoable):
        undo_supersession(actor=user, memory_id=third)
    assert [memory.id for memory in current(user, subject_id)] == [third]


def test_a_forgotten_successor_stays_forgotten(user: Actor, subject_id: uuid.UUID, clock: FixedClock) -> None:
    [one] = say(user, subject_id, "I live in Leeds.")
    clock.advance(days=3)
    [two] = say(user, subject_id, "I moved to Bristol.")
    assert one.memory_id
    assert two.memory_id
    forget(actor=user, memory_id=two.memory_id)
    undo_supersession(actor=user, memory_id=one.memory_id)
    assert [memory.id for memory in current(user, subject_id)] == [one.memory_id]
    assert memory_of(user, two.memory_id).status == "forgotten"


def test_a_replaced_constraint_comes_back(user: Actor, subject_id: uuid.UUID, clock: FixedClock) -> None:
    first = keep(user, subject_id, "Answer in at most 100 words", kind="constraint", key="length")
    clock.advance(days=1)
    second = keep(user, subject_id, "Answer in at most 50 words", kind="constraint", key="length")
    assert first.memory_id
    undo_supersession(actor=user, memory_id=first.memory_id)
    assert [memory.id for memory in current(user, subject_id)] == [first.memory_id]
    assert memory_of(user, second.memory_id).status == "superseded"


def test_history_from_the_first_is_not_a_replacement(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    say(user, subject_id, "I live in Bristol.")
    [late] = say(user, subject_id, "I live in Leeds.", said_at=clock.now() - timedelta(days=400))
    assert late.memory_id
    with pytest.raises(NotUndoable):
        undo_supersession(actor=user, memory_id=late.memory_id)


def test_nobody_else_may(
    acme: House, globex: House, user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    [one] = say(user, subject_id, "I live in Leeds.")
    clock.advance(days=3)
    say(user, subject_id, "I moved to Bristol.")
    assert one.memory_id
    for stranger in (acme.actor("other"), globex.actor("admin")):
        with pytest.raises(NotFound):
            undo_supersession(actor=stranger, memory_id=one.memory_id)
    with tenant_transaction(user.tenant_id):
        assert Memory.objects.get(id=one.memory_id).status == "superseded"
