"""Two writers at once, each in a thread with a connection of its own."""

from __future__ import annotations

import contextlib
import threading
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from importlib import import_module
from itertools import count
from typing import Any

import pytest
from django.db import OperationalError, connection, connections, transaction

from accounts.actor import Actor, system_actor
from memories.core.decay import Hit
from memories.core.errors import MemoryGone
from memories.models import Evidence, Memory, MemoryVersion, Tombstone
from memories.ports import FixedClock
from memories.services.pin import pin
from memories.services.policies import set_policy
from memories.services.reinforce import reinforce
from memories.services.sweep import sweep
from memoryhub.common.db import tenant_transaction
from memoryhub.common.ids import uuid7
from tests.memories.services.helpers import keep, memory_of, say
from tests.support.people import House

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """The results of all calls, started together; an error in one is raised here."""
    barrier = threading.Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        try:
            connection.ensure_connection()
            barrier.wait(timeout=10)
            return call()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return [one.result(timeout=60) for one in [pool.submit(run, call) for call in calls]]


def test_equal_concurrent_writes_yield_one_memory_with_an_evidence_each(
    user: Actor, subject_id: uuid.UUID
) -> None:
    outcomes = at_once(
        *[lambda: keep(user, subject_id, "The gate code is K-5518", turn_id=uuid7()) for _ in range(6)]
    )
    assert sorted(one.code for one in outcomes) == ["duplicate"] * 5 + ["stored"]
    assert len({one.memory_id for one in outcomes}) == 1
    with tenant_transaction(user.tenant_id):
        [memory] = Memory.objects.all()
        assert memory.hits == 5
        assert Evidence.objects.filter(memory_id=memory.id).count() == 6
        assert MemoryVersion.objects.filter(memory_id=memory.id).count() == 1


def test_concurrent_values_of_one_slot_leave_one_current(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    say(user, subject_id, "I live in Leeds.")
    later = clock.now() + timedelta(days=1)
    towns = ("Bristol", "Cardiff", "Dover", "Exeter")
    calls = [
        lambda town=town, at=at: say(
            user, subject_id, f"I moved to {town}.", said_at=later + timedelta(minutes=at)
        )
        for at, town in enumerate(towns)
    ]
    at_once(*calls)
    with tenant_transaction(user.tenant_id):
        assert Memory.objects.count() == 5
        [memory] = Memory.objects.current()
        assert "Exeter" in memory.content
        assert (
            Memory.objects.filter(
                status="superseded", superseded_by__isnull=False, valid_to__isnull=False
            ).count()
            == 4
        )


def test_no_hit_is_lost_between_concurrent_recalls(user: Actor, subject_id: uuid.UUID) -> None:
    ids = [keep(user, subject_id, f"Shelf {number} holds paint").memory_id for number in range(12)]
    orders = [ids, ids[::-1], ids[6:] + ids[:6], ids[::2] + ids[1::2]]
    at_once(
        *[
            lambda order=order: [
                reinforce(actor=user, subject_id=subject_id, ids=order, event=Hit.RETRIEVED, turn_id=uuid7())
                for _ in range(5)
            ]
            for order in orders
        ]
    )
    with tenant_transaction(user.tenant_id):
        assert set(Memory.objects.values_list("hits", flat=True)) == {20}
        assert set(Memory.objects.values_list("strength", flat=True)) == {5.0}


def test_two_sweeps_at_once_take_each_memory_once(
    acme: House, user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    set_policy(actor=acme.actor("admin"), overrides={"sweep.batch": 10})
    for number in range(40):
        keep(user, subject_id, f"Note {number} about the yard", expires_at=clock.now() + timedelta(days=1))
    clock.advance(days=2)
    runs = at_once(*[lambda: sweep(actor=system_actor(acme.id)) for _ in range(3)])
    taken = sum(run.counts["rules"].get("sweep.ttl", {}).get("fact", 0) for run in runs)
    with tenant_transaction(acme.id):
        left = Memory.objects.current().count()
        assert taken + left == 40
        assert Tombstone.objects.count() == taken
    sweep(actor=system_actor(acme.id))
    with tenant_transaction(acme.id):
        assert Memory.objects.filter(status="expired").count() == 40
        assert Tombstone.objects.count() == 40


def test_policy_versions_have_no_gap_and_no_double(acme: House) -> None:
    admin = acme.actor("admin")
    rows = at_once(*[lambda k=k: set_policy(actor=admin, overrides={"recall.k": k}) for k in range(2, 8)])
    assert sorted(row.number for row in rows) == [1, 2, 3, 4, 5, 6]


def test_concurrent_forget_and_repeat_end_in_one_of_the_two_orders(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    from memories.services.forget import forget

    first = keep(user, subject_id, "The spare key is under the pot")
    later = clock.now() + timedelta(minutes=1)
    assert first.memory_id is not None
    memory_id = first.memory_id
    _, again = at_once(
        lambda: forget(actor=user, memory_id=memory_id),
        lambda: keep(user, subject_id, "The spare key is under the pot", said_at=later),
    )
    assert memory_of(user, first.memory_id).status == "forgotten"
    assert again.code in {"stored", "duplicate"}
    assert (again.memory_id == first.memory_id) == (again.code == "duplicate")


Between = Callable[..., None]
SAVING, DECIDING = "memories.services.changes.version_row", "memories.services.write_memory.place"


@pytest.fixture
def between(user: Actor, monkeypatch: pytest.MonkeyPatch) -> Between:
    """`between(step, act)`: another connection tries `act` just before a write's step; what must wait is done after it."""

    def arrange(step: str, act: Callable[[], Any], *, nth: int = 1) -> None:
        def attempt() -> bool:
            try:
                with tenant_transaction(user.tenant_id), connection.cursor() as cursor:
                    cursor.execute("SET LOCAL lock_timeout = '200ms'")
                    act()
            except OperationalError:
                return False
            finally:
                connections.close_all()
            return True

        calls, tried = count(1), list[bool]()
        module, _, name = step.rpartition(".")
        real = getattr(import_module(module), name)

        def hooked(*args: Any, **kwargs: Any) -> Any:
            if next(calls) == nth:
                with ThreadPoolExecutor(1) as pool:
                    tried.append(pool.submit(attempt).result(timeout=30))
                if not tried[0]:
                    transaction.on_commit(act)
            return real(*args, **kwargs)

        monkeypatch.setattr(step, hooked)

    return arrange


def test_a_recalls_hit_between_reading_and_saving_a_repeat_is_not_lost(
    user: Actor, subject_id: uuid.UUID, between: Between
) -> None:
    first = keep(user, subject_id, "The spare key is under the pot", source="assistant")
    assert first.memory_id is not None
    ids = [first.memory_id]
    between(SAVING, lambda: reinforce(actor=user, subject_id=subject_id, ids=ids, event=Hit.RETRIEVED))
    keep(user, subject_id, "The spare key is under the pot")
    memory = memory_of(user, first.memory_id)
    assert (memory.hits, memory.strength) == (2, 2.5)


def test_a_pin_while_the_memory_is_superseded_breaks_neither(
    user: Actor, subject_id: uuid.UUID, between: Between
) -> None:
    [first] = say(user, subject_id, "I live in Leeds.")
    assert first.memory_id is not None
    memory_id = first.memory_id

    def pin_it() -> None:
        with contextlib.suppress(MemoryGone):
            pin(actor=user, memory_id=memory_id, pinned=True)

    between(SAVING, pin_it, nth=2)  # The first version row is the new memory's own.
    [second] = say(user, subject_id, "I moved to Bristol.")
    assert second.code == "superseded"
    memory = memory_of(user, memory_id)
    assert memory.status == "superseded"
    with tenant_transaction(user.tenant_id):
        numbers = MemoryVersion.objects.filter(memory_id=memory_id).values_list("number", flat=True)
        assert sorted(numbers) == list(range(1, memory.version + 1))


def test_a_sweep_does_not_take_what_a_repeat_is_about_to_confirm(
    acme: House, user: Actor, subject_id: uuid.UUID, clock: FixedClock, between: Between
) -> None:
    first = keep(user, subject_id, "The shed door sticks")
    clock.advance(days=400)
    between(DECIDING, lambda: sweep(actor=system_actor(acme.id)))
    again = keep(user, subject_id, "The shed door sticks")
    assert again.code == "duplicate"
    assert memory_of(user, first.memory_id).status == "current"
