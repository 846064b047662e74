"""Which turns an item of recall points at: none out of which something was taken, none that says what does not hold any more."""

from __future__ import annotations

import uuid

import pytest

from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.ports import FixedClock
from memories.services.forget import forget
from memories.services.index_episode import index_episode
from memories.services.recall import recall
from memoryhub.common.ids import uuid7
from tests.memories.services.helpers import current, say

pytestmark = pytest.mark.django_db


def told(actor: Actor, subject_id: uuid.UUID, text: str) -> uuid.UUID:
    """A turn that is indexed and learnt from."""
    turn_id = uuid7()
    index_episode(
        actor=actor, subject_id=subject_id, source_kind="turn", source_id=turn_id, text=text, role="user", speaker="",
        said_at=get_clock().now(), session_id=None, seq=1,
    )  # fmt: skip
    say(actor, subject_id, text, turn_id=turn_id)
    return turn_id


def sources(actor: Actor, subject_id: uuid.UUID, query: str, word: str, **fields: object) -> list[uuid.UUID]:
    """The turns that the first memory with the word points at."""
    found = recall(actor=actor, subject_id=subject_id, query=query, **fields)  # type: ignore[arg-type]
    return next(item.source_ids for item in found.items if item.kind != "turn" and word in item.text)


def test_a_turn_out_of_which_something_was_forgotten_is_not_pointed_at(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    both = told(user, subject_id, "My sister Odile plays the harp. My badge number is KX-7731.")
    before = clock.now()
    clock.advance(days=1)
    assert both in sources(user, subject_id, "who plays the harp", "Odile")
    [badge] = [one for one in current(user, subject_id) if "KX-7731" in one.content]
    forget(actor=user, memory_id=badge.id)
    assert sources(user, subject_id, "who plays the harp", "Odile") == []
    assert sources(user, subject_id, "who plays the harp", "Odile", as_of=before) == []


def test_a_turn_that_also_says_what_was_replaced_is_pointed_at_for_want_of_another(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    both = told(user, subject_id, "My sister Odile plays the harp. I live in Ghent.")
    clock.advance(days=1)
    moved = told(user, subject_id, "I moved to Bruges.")
    assert sources(user, subject_id, "who plays the harp", "Odile") == [both]
    assert sources(user, subject_id, "where do I live", "Bruges") == [moved]
    clock.advance(days=1)
    again = told(user, subject_id, "My sister Odile plays the harp.")
    assert sources(user, subject_id, "who plays the harp", "Odile") == [again]
