"""Recall and list of the past: what was replaced stays out of the present, and as_of answers as it was answered then."""

from __future__ import annotations

import random
import uuid
from datetime import datetime, timedelta

import pytest

from accounts.actor import Actor
from memories.models import Contradiction, Fact, Memory, MemoryVersion, Status
from memories.ports import FixedClock
from memories.services.browse_memories import browse_memories
from memories.services.edit import edit
from memories.services.forget import forget
from memories.services.recall import recall
from memories.services.recall_result import RecallItem
from memories.services.sweep import sweep
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid
from tests.memories.services.helpers import keep, say
from tests.memories.services.test_recall import say_turn

pytestmark = pytest.mark.django_db


def asked(actor: Actor, subject_id: uuid.UUID, query: str, **fields: object) -> list[RecallItem]:
    result = recall(actor=actor, subject_id=subject_id, query=query, reinforce=False, trace=False, **fields)  # type: ignore[arg-type]
    return result.items


def tell(actor: Actor, subject_id: uuid.UUID, clock: FixedClock, text: str) -> uuid.UUID:
    """Said in a turn that can be recalled and is learnt from; a minute passes."""
    clock.advance(minutes=1)
    turn_id = say_turn(actor, subject_id, text)
    say(actor, subject_id, text, turn_id=turn_id)
    return turn_id


MOVES = pytest.mark.parametrize(
    ("old", "new", "now", "before", "place"),
    [
        ("我住在洛阳", "我搬到开封了", "我住在哪里?", "我以前住在哪里?", "洛阳"),
        ("I live in Turin.", "I moved to Bergamo.", "Where do I live?", "Where did I live before?", "Turin"),
    ],
)


@MOVES
def test_a_replaced_statement_is_out_of_the_present_with_its_turn(
    user: Actor,
    subject_id: uuid.UUID,
    clock: FixedClock,
    old: str,
    new: str,
    now: str,
    before: str,
    place: str,
) -> None:
    first = tell(user, subject_id, clock, old)
    second = tell(user, subject_id, clock, new)
    items = asked(user, subject_id, now)
    assert items[0].source_ids == [second]
    assert not any(first in item.source_ids or place in item.text for item in items)


@MOVES
def test_a_question_about_the_past_gets_it_marked_with_its_end(
    user: Actor,
    subject_id: uuid.UUID,
    clock: FixedClock,
    old: str,
    new: str,
    now: str,
    before: str,
    place: str,
) -> None:
    first = tell(user, subject_id, clock, old)
    tell(user, subject_id, clock, new)
    moved = clock.now()
    marked = [item for item in asked(user, subject_id, before) if place in item.text]
    assert {item.item_kind for item in marked} == {"memory", "episode"}
    assert all(item.superseded and item.holding == "superseded" for item in marked)
    assert all(item.valid_to == moved for item in marked)
    assert all(first in item.source_ids for item in marked)
    unasked = asked(user, subject_id, before, past=False)
    assert not any(place in item.text for item in unasked)


def test_the_newest_evidence_comes_first(user: Actor, subject_id: uuid.UUID, clock: FixedClock) -> None:
    turns = [tell(user, subject_id, clock, "My phone number is 0391-4471820.") for _ in range(3)]
    [memory] = [
        item for item in asked(user, subject_id, "what is my phone number?") if item.item_kind == "memory"
    ]
    assert memory.source_ids == turns[::-1]


def test_both_sides_of_a_contradiction_come_marked_with_each_other(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    one = keep(user, subject_id, "the boat house is painted green").memory_id
    other = keep(user, subject_id, "its walls shine in plain yellow").memory_id
    with tenant_transaction(user.tenant_id):
        Contradiction.objects.create(
            subject_id=subject_id, older_id=one, newer_id=other, opened_at=clock.now()
        )
    items = {item.id: item for item in asked(user, subject_id, "the painted green boat house")}
    assert one is not None and other is not None
    assert items[one].contradicts == [other] and items[other].contradicts == [one]
    assert items[one].contradicted and items[other].contradicted
    assert list(items)[:2] == [one, other]
    assert [item.id for item in asked(user, subject_id, "the painted green boat house", k=2)] == [one, other]


@pytest.mark.parametrize(
    ("fields", "state"),
    [
        ({"valid_to": timedelta(days=-1)}, "ended"),
        ({"valid_from": timedelta(days=9)}, "upcoming"),
        ({"valid_from": timedelta(days=-9), "valid_to": timedelta(days=9)}, ""),
    ],
)
def test_what_does_not_hold_now_is_not_given_as_if_it_did(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock, fields: dict[str, timedelta], state: str
) -> None:
    kept = keep(user, subject_id, "the tent is lent to the rowing club")
    keep(user, subject_id, "the tent is kept in the dry cellar")
    with tenant_transaction(user.tenant_id):
        times = {name: clock.now() + offset for name, offset in fields.items()}
        Memory.objects.filter(id=kept.memory_id).update(**times)
    items = asked(user, subject_id, "the tent is lent to the rowing club")
    found = {item.id: item for item in items}
    assert kept.memory_id is not None
    assert found[kept.memory_id].holding == state
    assert (found[kept.memory_id].parts["stale"] > 0) == bool(state)


def test_a_fact_that_ended_alone_is_no_slot_of_the_present(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    say(user, subject_id, "My phone number is 0391-4471820.")
    [before] = [
        item for item in asked(user, subject_id, "what is my phone number?") if item.item_kind == "memory"
    ]
    with tenant_transaction(user.tenant_id):
        assert Fact.objects.filter(memory_id=before.id).update(valid_to=clock.now()) == 1
    [after] = [
        item for item in asked(user, subject_id, "what is my phone number?") if item.item_kind == "memory"
    ]
    assert (before.parts["slot"], after.parts["slot"]) == (1.0, 0.0)


def listed(actor: Actor, subject_id: uuid.UUID, as_of: datetime | None = None) -> dict[uuid.UUID, str]:
    page = browse_memories(actor=actor, subject_id=subject_id, limit=100, as_of=as_of)
    return {row.memory.pk: row.memory.content for row in page.items}


def found(actor: Actor, subject_id: uuid.UUID, as_of: datetime | None = None) -> dict[uuid.UUID, str]:
    items = asked(actor, subject_id, "the tea of the garden", k=100, as_of=as_of, past=False)
    return {item.id: item.text for item in items}


@pytest.mark.parametrize("seed", range(5))
def test_as_of_answers_what_recall_and_list_answered_then(
    system: Actor, subject_id: uuid.UUID, clock: FixedClock, seed: int
) -> None:
    """Random writes, updates, edits, ends, sweeps and requests to forget, with what was answered after each."""
    chance = random.Random(seed)
    seen: list[tuple[datetime, dict[uuid.UUID, str], dict[uuid.UUID, str]]] = []
    known: list[uuid.UUID] = []
    for step in range(14):
        clock.advance(hours=chance.randint(1, 40))
        act = chance.choice(["keep", "keep", "turn", "update", "edit", "end", "sweep", "forget"])
        if act == "keep" or not known:
            kind = chance.choice(["fact", "todo", "preference"])
            made = keep(system, subject_id, f"tea number {step} of the garden", kind=kind).memory_id
            assert made is not None
            known.append(made)
        elif act == "turn":
            say_turn(system, subject_id, f"we had tea {step} in the garden")
        elif act == "update":
            value = chance.choice(["mint", "fennel", "nettle", "lemon"])
            say(system, subject_id, f"My favorite garden tea is {value} tea.", role="user")
        elif act == "sweep":
            clock.advance(days=chance.choice([3, 60]))
            sweep(actor=system)
        else:
            one = chance.choice(known)
            with tenant_transaction(system.tenant_id):
                if Memory.objects.get(id=one).status != Status.CURRENT:
                    continue
            if act == "edit":
                edit(actor=system, memory_id=one, content=f"tea reworded {step} of the garden")
            elif act == "end":
                edit(actor=system, memory_id=one, expires_at=clock.now() + timedelta(hours=30))
            else:
                forget(actor=system, memory_id=one)
        seen.append((clock.now(), found(system, subject_id), listed(system, subject_id)))
    with tenant_transaction(system.tenant_id):
        gone = set(Memory.objects.filter(status=Status.FORGOTTEN).values_list("id", flat=True))
    assert len({frozenset(answer.items()) for _, answer, _ in seen}) > 5
    for at, recalled, shown in seen:
        assert found(system, subject_id, as_of=at) == {k: v for k, v in recalled.items() if k not in gone}
        assert listed(system, subject_id, as_of=at) == {k: v for k, v in shown.items() if k not in gone}


def test_as_of_finds_what_was_archived_since_by_the_words_of_then(
    system: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    kept = keep(system, subject_id, "return the drill to the neighbour", kind="todo")
    then = clock.now() + timedelta(hours=1)
    assert kept.memory_id is not None
    clock.advance(hours=2)
    edit(actor=system, memory_id=kept.memory_id, content="hand the saw back to the school")
    clock.advance(days=90)
    sweep(actor=system)
    assert asked(system, subject_id, "return the drill to the neighbour") == []
    [item] = asked(system, subject_id, "return the drill to the neighbour", as_of=then)
    assert (item.id, item.text) == (kept.memory_id, "return the drill to the neighbour")


def test_as_of_before_anything_was_said_is_empty(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    before = clock.now() - timedelta(seconds=1)
    tell(user, subject_id, clock, "My phone number is 0391-4471820.")
    assert asked(user, subject_id, "what is my phone number?", as_of=before) == []
    assert listed(user, subject_id, as_of=before) == {}


def test_asking_about_the_past_strengthens_nothing(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    kept = keep(user, subject_id, "green tea in the morning")
    clock.advance(days=1)
    assert recall(actor=user, subject_id=subject_id, query="green tea", as_of=clock.now()).items
    with tenant_transaction(user.tenant_id):
        assert Memory.objects.get(id=kept.memory_id).last_hit_at is None


def test_a_list_pages_and_searches_as_of_then(user: Actor, subject_id: uuid.UUID, clock: FixedClock) -> None:
    for at in range(7):
        kept = keep(user, subject_id, f"box {at} stands in the attic")
        clock.advance(minutes=1)
    then = clock.now()
    clock.advance(minutes=1)
    assert kept.memory_id is not None
    edit(actor=user, memory_id=kept.memory_id, content="the seventh box was sold", pinned=True)
    pages, cursor = [], ""
    while True:
        page = browse_memories(
            actor=user, subject_id=subject_id, query="attic", limit=3, cursor=cursor, as_of=then
        )
        pages.append([row.memory.content for row in page.items])
        cursor = page.cursor
        if not cursor:
            break
    assert [len(one) for one in pages] == [3, 3, 1]
    assert pages[0][0] == "box 6 stands in the attic"
    with pytest.raises(Invalid):
        browse_memories(actor=user, subject_id=subject_id, as_of=datetime(2026, 1, 1))  # noqa: DTZ001


def test_every_memory_has_a_version_from_its_first_moment(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    """What as_of rests on."""
    tell(user, subject_id, clock, "我住在洛阳")
    tell(user, subject_id, clock, "我搬到开封了")
    keep(user, subject_id, "green tea in the morning")
    with tenant_transaction(user.tenant_id):
        for memory in Memory.objects.all():
            first = MemoryVersion.objects.filter(memory=memory).order_by("number").first()
            assert first is not None
            assert first.at == memory.created_at


def test_the_turn_of_what_ended_is_stale_before_anybody_settles_it(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    lent, kept_dry = "the tent is lent to the rowing club", "the tent is kept in the dry cellar"
    turns = {text: say_turn(user, subject_id, text, seq=at) for at, text in enumerate((lent, kept_dry))}
    kept = keep(user, subject_id, lent, turn_id=turns[lent])
    with tenant_transaction(user.tenant_id):
        Memory.objects.filter(id=kept.memory_id).update(valid_to=clock.now() - timedelta(days=1))
    found = asked(user, subject_id, "where is the tent?")
    stale = {item.text: item.parts["stale"] for item in found if item.item_kind == "episode"}
    assert stale == {lent: 0.5, kept_dry: 0.0}
