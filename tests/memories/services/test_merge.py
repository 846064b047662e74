"""Many confirmations of one claim become one stable memory, and come apart again; what differs never merges (R17, R20)."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.actor import Actor, system_actor
from memories.core.errors import NotUndoable
from memories.core.placement.confirmations import Confirmable, groups
from memories.core.statement import FactPart
from memories.models import Evidence, Job, Memory, MemoryVersion
from memories.ports import FixedClock
from memories.services.merge_confirmations import ask_for_all, merge_confirmations
from memories.services.merge_memories import merge_memories, unmerge
from memories.services.pin import pin
from memories.services.policies import forget_cached, set_policy
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict, Invalid, NotFound
from tests.memories.services.helpers import current, keep, memory_of
from tests.support.people import House

T0 = datetime(2026, 1, 1, tzinfo=UTC)
names = st.text(alphabet="abcdefghij苏州南京", min_size=3, max_size=6)


def one(content: str, *, fact: FactPart | None = None, **changes: object) -> Confirmable:
    values: dict[str, object] = {
        "id": uuid.uuid4(), "kind": "fact", "content": content, "reach": ("user", None, None), "said_at": T0,
        "claim": None if fact else b"claim", "facts": (fact,) if fact else (), **changes,
    }  # fmt: skip
    return Confirmable(**values)  # type: ignore[arg-type]


@given(value=names, other=names, entity=names)
def test_only_the_same_entity_value_and_polarity_are_one_group(value: str, other: str, entity: str) -> None:
    fact = FactPart("user", "pet", value)
    rows = [one(value, fact=fact), one(value, fact=fact)]
    apart = [
        one(value, fact=FactPart(f"user:{entity}", "pet", value)),
        one(value, fact=FactPart("user", "pet", value, negated=True)),
    ]
    if value.casefold() != other.casefold():
        apart.append(one(other, fact=FactPart("user", "pet", other)))
    [group] = groups([*rows, *apart], least=2)
    assert {group.survivor, *group.merged} == {row.id for row in rows}


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("swims on Mondays", "swims on Tuesdays"),
        ("the gate opens at 3pm", "the gate opens at 4pm"),
        ("will es", "will es nicht, not"),
        ("门三点开", "门四点开"),
        ("喜欢跑步", "不喜欢跑步"),
        ("met Amy Jones", "met Bob Smith"),
    ],
)
def test_a_number_a_time_a_name_or_a_negation_keeps_claims_apart(text: str, other: str) -> None:
    assert groups([one(text), one(other)], least=2) == []
    assert groups([one(text, event_start=T0), one(text, event_start=T0 + timedelta(days=7))], least=2) == []
    assert len(groups([one(text), one(text)], least=2)) == 1


def test_pins_stay_and_the_best_proven_survives() -> None:
    weak, proven, pinned, also = (
        one("a b"),
        one("a b", proofs=4),
        one("a b", pinned=True),
        one("a b", pinned=True),
    )
    [group] = groups([weak, proven], least=2)
    assert group.survivor == proven.id
    [group] = groups([weak, proven, pinned, also], least=2)
    assert group.survivor in {pinned.id, also.id}
    assert set(group.merged) == {weak.id, proven.id}


@pytest.fixture
def confirmations(user: Actor, subject_id: uuid.UUID, clock: FixedClock) -> list[uuid.UUID]:
    """Three memories of one claim, as they come from times before claims were compared at the write."""
    ids: list[uuid.UUID] = []
    for text in (
        "The shed is locked at night",
        "The shed is indeed locked at night",
        "the shed really is locked at night",
    ):
        outcome = keep(user, subject_id, text)
        if outcome.code == "duplicate":
            # The write merges by itself; make the row that an older release would have made.
            with tenant_transaction(user.tenant_id):
                row = Memory.objects.get(id=ids[0])
                row.pk, row.content, row.fingerprint, row._state.adding = (
                    uuid.uuid4(),
                    text,
                    uuid.uuid4().bytes,
                    True,
                )
                row.save(force_insert=True)
                MemoryVersion.objects.create(
                    memory_id=row.id,
                    number=row.version,
                    change="created",
                    content=text,
                    state={},
                    actor_kind="system",
                    at=row.created_at,
                )
                newest = Evidence.objects.filter(memory_id=ids[0]).latest("id")
                Evidence.objects.filter(id=newest.id).update(memory_id=row.id)
            ids.append(row.id)
        else:
            assert outcome.memory_id
            ids.append(outcome.memory_id)
        clock.advance(days=1)
    return ids


@pytest.mark.django_db
def test_confirmations_become_one_memory_and_come_apart_as_they_were(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock, confirmations: list[uuid.UUID]
) -> None:
    keep(user, subject_id, "The shed is not locked at night")
    with tenant_transaction(user.tenant_id):
        for number, memory in enumerate(Memory.objects.filter(id__in=confirmations).order_by("id")):
            memory.importance, memory.strength, memory.hits = 0.3 + number / 10, 1.0 + number, number
            memory.valid_from = clock.now() - timedelta(days=number)
            memory.save()
    columns = (
        "id", "content", "status", "superseded_by_id", "valid_from", "valid_to", "pinned", "strength", "importance",
        "hits", "said_at",
    )  # fmt: skip
    with tenant_transaction(user.tenant_id):
        before = set(Memory.objects.values_list(*columns))
        proofs = set(Evidence.objects.values_list("id", "memory_id"))
    assert merge_confirmations(actor=user, subject_id=subject_id) == 2
    assert merge_confirmations(actor=user, subject_id=subject_id) == 0
    assert len(current(user, subject_id)) == 2, "the opposite stays"
    with tenant_transaction(user.tenant_id):
        [survivor] = Memory.objects.current().filter(id__in=confirmations)
        assert Evidence.objects.filter(memory_id=survivor.id).count() == 3
        assert (survivor.strength, survivor.importance, survivor.hits) == (3.0, 0.5, 3)
        merged = list(Memory.objects.filter(status="merged"))
        assert {memory.superseded_by_id for memory in merged} == {survivor.id}
        for memory in merged:
            assert MemoryVersion.objects.filter(memory_id=memory.id, change="merged").count() == 1
    for memory in merged:
        unmerge(actor=user, memory_id=memory.id)
    with tenant_transaction(user.tenant_id):
        assert set(Memory.objects.values_list(*columns)) == before
        assert set(Evidence.objects.values_list("id", "memory_id")) == proofs


@pytest.mark.django_db
def test_a_repeat_of_a_merged_memory_strengthens_the_survivor(
    user: Actor, subject_id: uuid.UUID, confirmations: list[uuid.UUID]
) -> None:
    merge_memories(actor=user, survivor_id=confirmations[2], merged_ids=confirmations[:2])
    again = keep(user, subject_id, "The shed is locked at night")
    assert (again.code, again.memory_id) == ("duplicate", confirmations[2])


@pytest.mark.django_db
def test_pins_disputes_and_other_peoples_memories_are_refused(
    acme: House, user: Actor, subject_id: uuid.UUID, confirmations: list[uuid.UUID]
) -> None:
    first, second, third = confirmations
    pin(actor=user, memory_id=second, pinned=True)
    with pytest.raises(Conflict, match="pinned"):
        merge_memories(actor=user, survivor_id=first, merged_ids=[second])
    with pytest.raises(NotFound):
        merge_memories(actor=acme.actor("other"), survivor_id=first, merged_ids=[third])
    with pytest.raises(Invalid):
        merge_memories(actor=user, survivor_id=first, merged_ids=[first])
    assert merge_confirmations(actor=user, subject_id=subject_id) == 2
    assert memory_of(user, second).status == "current", "a pin is never merged away"


@pytest.mark.django_db
def test_unmerging_what_was_not_merged_is_refused(user: Actor, confirmations: list[uuid.UUID]) -> None:
    with pytest.raises(NotUndoable):
        unmerge(actor=user, memory_id=confirmations[0])


@pytest.mark.django_db
def test_a_tenant_may_switch_it_off(
    acme: House, user: Actor, subject_id: uuid.UUID, confirmations: list[uuid.UUID]
) -> None:
    set_policy(actor=acme.actor("admin"), overrides={"merge.enabled": "off"})
    forget_cached()
    assert merge_confirmations(actor=user, subject_id=subject_id) == 0
    assert len(current(user, subject_id)) == 3


@pytest.mark.django_db
def test_the_nightly_run_asks_once_a_person_whose_memories_changed(
    acme: House, user: Actor, clock: FixedClock, confirmations: list[uuid.UUID]
) -> None:
    system = system_actor(acme.id)
    assert ask_for_all(actor=system, since=clock.now() - timedelta(days=9)) == 1
    assert ask_for_all(actor=system, since=clock.now() - timedelta(days=9)) == 1
    with tenant_transaction(acme.id):
        assert Job.objects.filter(kind="merge_confirmations").count() == 1
    assert ask_for_all(actor=system, since=clock.now() + timedelta(days=1)) == 0


def test_a_night_asks_for_everybody_page_by_page(
    acme: House, system: Actor, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    for each in acme.subjects.values():
        keep(system, each, "The kettle is new")
    monkeypatch.setattr("memories.services.merge_confirmations.PAGE", 1)
    people = set(acme.subjects.values())
    assert ask_for_all(actor=system, since=clock.now() - timedelta(days=9)) == len(people)
    with tenant_transaction(acme.id):
        asked = Job.objects.filter(kind="merge_confirmations").values_list("subject_id", flat=True)
        assert set(asked) == people
