"""Fifty writers at once, mixed with forgetting, settling and undoing: one memory, one winner, no deadlock, no lost version."""

from __future__ import annotations

import random
import uuid
from collections import Counter
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from accounts import audit
from accounts.actor import Actor
from memories.models import Contradiction, Evidence, Fact, Memory, MemoryVersion
from memories.ports import FixedClock
from memories.services.forget import forget
from memories.services.merge_confirmations import merge_confirmations
from memories.services.merge_memories import merge_memories, unmerge
from memories.services.resolve import resolve
from memories.services.undo_resolution import undo_resolution
from memories.services.undo_supersession import undo_supersession
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict, DomainError
from memoryhub.common.ids import uuid7
from tests.memories.services.helpers import say
from tests.support.factories import make_memory
from tests.support.threads import all_at_once

pytestmark = pytest.mark.django_db(transaction=True)
WRITERS = 50


def no_lost_version(actor: Actor) -> None:
    """Every memory has each of its versions, and the newest one tells how it stands."""
    with tenant_transaction(actor.tenant_id):
        for memory in Memory.objects.all():
            versions = list(MemoryVersion.objects.filter(memory_id=memory.id).order_by("number"))
            assert [version.number for version in versions] == list(range(1, memory.version + 1))
            assert versions[-1].state["status"] == memory.status


def only_domain_errors(results: list[Any]) -> None:
    broken = [one for one in results if isinstance(one, Exception) and not isinstance(one, DomainError)]
    assert broken == []


def test_equal_statements_of_fifty_writers_are_one_memory_with_fifty_pieces_of_evidence(
    user: Actor, subject_id: uuid.UUID
) -> None:
    results = all_at_once(
        [partial(say, user, subject_id, "I live in Leeds.", turn_id=uuid7()) for _ in range(WRITERS)]
    )
    codes = Counter(str(outcome.code) for [outcome] in results)
    assert codes == {"stored": 1, "duplicate": WRITERS - 1}
    with tenant_transaction(user.tenant_id):
        [memory] = Memory.objects.all()
        assert Evidence.objects.filter(memory_id=memory.id).count() == WRITERS
        assert Evidence.objects.values("turn_id").distinct().count() == WRITERS
        assert Fact.objects.count() == 1
        assert memory.hits == WRITERS - 1
    no_lost_version(user)


def test_contradicting_statements_of_fifty_writers_leave_one_winner_and_all_versions(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    towns = [f"{name}{suffix}" for name in ("Bel", "Mar", "Nor", "Sel", "Tor") for suffix in
             ("ton", "wick", "ford", "ham", "bury", "mouth", "stead", "dale", "field", "worth")]  # fmt: skip
    assert len(towns) == WRITERS
    start = clock.now()
    calls = [
        partial(say, user, subject_id, f"I moved to {town}.", said_at=start + timedelta(minutes=at))
        for at, town in enumerate(towns)
    ]
    random.Random(7).shuffle(calls)
    results = all_at_once(calls)
    only_domain_errors(results)
    with tenant_transaction(user.tenant_id):
        [winner] = Memory.objects.current()
        assert towns[-1] in winner.content, "the last said stands, whoever came last"
        rows = list(Memory.objects.order_by("valid_from"))
        assert len(rows) == WRITERS
        assert [memory.said_at for memory in rows] == [start + timedelta(minutes=at) for at in range(WRITERS)]
        assert [memory.valid_to for memory in rows] == [*(memory.valid_from for memory in rows[1:]), None]
        assert not Contradiction.objects.exists()
    no_lost_version(user)


def test_two_who_settle_at_once_are_one_winner_and_one_conflict(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    for town in ("Leeds", "Bristol"):
        say(user, subject_id, f"My sister lives in {town}.")
        clock.advance(days=1)
    with tenant_transaction(user.tenant_id):
        row = Contradiction.objects.get()
    results = all_at_once(
        [
            partial(resolve, actor=user, contradiction_id=row.id, resolution=resolution)
            for resolution in ("keep_new", "keep_old", "keep_both", "keep_new", "keep_old")
        ]
    )
    lost = [one for one in results if isinstance(one, Conflict)]
    assert (len(results) - len(lost), len(lost)) == (1, 4)
    [won] = [one for one in results if isinstance(one, Contradiction)]
    with tenant_transaction(user.tenant_id):
        assert Contradiction.objects.get().resolution == won.resolution
        assert Memory.objects.current().count() == (2 if won.resolution == "keep_both" else 1)
    undone = all_at_once([partial(undo_resolution, actor=user, contradiction_id=row.id) for _ in range(4)])
    assert sum(isinstance(one, Conflict) for one in undone) == 3
    no_lost_version(user)


def test_writing_forgetting_settling_undoing_and_merging_at_once_end_without_deadlock(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    for town in ("Leeds", "Bristol"):
        say(user, subject_id, f"My sister lives in {town}.")
        clock.advance(days=1)
    [home] = say(user, subject_id, "I live in Leeds.")
    clock.advance(days=1)
    [moved] = say(user, subject_id, "I moved to Dover.")
    [key] = say(user, subject_id, "Remember: the spare key is under the blue pot.")
    clock.advance(days=1)
    with tenant_transaction(user.tenant_id):
        dispute = Contradiction.objects.get()
    assert home.memory_id
    assert moved.memory_id
    assert key.memory_id
    calls: list[Any] = []
    for at in range(10):
        later = clock.now() + timedelta(minutes=at)
        calls += [
            partial(say, user, subject_id, "Remember: the spare key is under the blue pot.", said_at=later),
            partial(say, user, subject_id, f"I moved to Town{at}ham.", said_at=later),
            partial(say, user, subject_id, "My sister moved to Exeter.", said_at=later),
            partial(undo_supersession, actor=user, memory_id=home.memory_id),
        ]
    calls += [partial(forget, actor=user, memory_id=key.memory_id) for _ in range(3)]
    calls += [
        partial(resolve, actor=user, contradiction_id=dispute.id, resolution="keep_new") for _ in range(3)
    ]
    calls += [partial(undo_resolution, actor=user, contradiction_id=dispute.id) for _ in range(2)]
    calls += [partial(merge_confirmations, actor=user, subject_id=subject_id) for _ in range(2)]
    random.Random(3).shuffle(calls)
    results = all_at_once(calls)
    only_domain_errors(results)
    no_lost_version(user)
    with tenant_transaction(user.tenant_id):
        open_ones = Contradiction.objects.filter(state="open")
        assert not open_ones.exclude(older__status="current", newer__status="current").exists()
        homes = Memory.objects.current().filter(facts__slot_key="user|home")
        assert homes.count() == 1, "one home holds"
        superseded = Memory.objects.filter(status="superseded")
        assert not superseded.filter(superseded_by__isnull=True).exists()
        assert [breach.problem for breach in audit.verify()] == []


def test_merging_unmerging_and_repeating_at_once_lose_nothing(user: Actor, subject_id: uuid.UUID) -> None:
    """Three memories that say the same, as an older release left them; each call finds the others' work done or undone."""
    with tenant_transaction(user.tenant_id):
        ids = [
            make_memory(subject_id, text, importance=0.4 + number / 10, hits=number).pk
            for number, text in enumerate(
                (
                    "The shed is locked at night",
                    "The shed is indeed locked at night",
                    "the shed really is locked at night",
                )
            )
        ]
        for memory in Memory.objects.filter(id__in=ids):
            MemoryVersion.objects.create(
                memory=memory, number=1, change="created", content=memory.content, state={"status": "current"},
                actor_kind="system", at=memory.created_at,
            )  # fmt: skip
            Evidence.objects.create(
                memory=memory,
                quote=memory.content,
                role="user",
                said_at=memory.said_at,
                created_at=memory.created_at,
            )
    merge = partial(merge_memories, actor=user, survivor_id=ids[0], merged_ids=ids[1:])
    calls: list[Any] = [merge] * 8 + [partial(unmerge, actor=user, memory_id=one) for one in ids[1:]] * 6
    random.Random(3).shuffle(calls)
    results = all_at_once(calls)
    only_domain_errors(results)
    assert any(isinstance(one, Memory) for one in results)
    no_lost_version(user)
    for one in ids[1:]:
        with suppress(DomainError):
            unmerge(actor=user, memory_id=one)
    with tenant_transaction(user.tenant_id):
        rows = {memory.pk: memory for memory in Memory.objects.all()}
        assert {memory.status for memory in rows.values()} == {"current"}
        assert [(rows[one].hits, round(rows[one].importance, 3)) for one in ids] == [
            (0, 0.4),
            (1, 0.5),
            (2, 0.6),
        ]
        assert sorted(Evidence.objects.values_list("memory_id", flat=True)) == sorted(ids)
