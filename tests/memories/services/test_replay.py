"""A past recall replays to the same ranking, whatever was written, swept or forgotten since (decision 15)."""

from __future__ import annotations

import uuid

import pytest

from accounts.actor import Actor
from memories.core.policy import Policy
from memories.models import RecallTrace
from memories.ports import FixedClock
from memories.services import policies
from memories.services.edit import edit
from memories.services.forget import forget
from memories.services.policies import set_policy
from memories.services.recall import recall
from memories.services.replay_trace import replay_trace
from memories.services.sweep import sweep
from memoryhub.common.db import tenant_transaction
from tests.memories.services.helpers import keep
from tests.memories.services.test_recall import say_turn
from tests.support.people import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def trace_id(system: Actor, subject_id: uuid.UUID) -> uuid.UUID:
    """A recall of eight memories and two turns, four of them used."""
    for at in range(8):
        keep(system, subject_id, f"tea number {at} of the garden", kind="todo" if at % 2 else "fact")
    for at in range(2):
        say_turn(system, subject_id, f"we drank tea number {at}", seq=at)
    result = recall(actor=system, subject_id=subject_id, query="tea number of the garden", k=4)
    assert result.trace_id is not None
    return result.trace_id


def test_updates_sweeps_and_forgetting_change_no_place(
    acme: House, system: Actor, subject_id: uuid.UUID, clock: FixedClock, trace_id: uuid.UUID
) -> None:
    before = replay_trace(actor=system, trace_id=trace_id)
    texts = [row.text for row in before.rows]
    assert before.exact
    assert [row.place_now for row in before.rows] == list(range(1, len(before.rows) + 1))
    assert sum(row.used for row in before.rows) == 4
    assert before.redacted == 0

    memories = [row.item_id for row in before.rows if row.item_kind == "memory"]
    clock.advance(hours=1)
    edit(actor=system, memory_id=memories[0], content="something else altogether")
    forget(actor=system, memory_id=memories[1])
    keep(system, subject_id, "tea number 99 of the garden, the best of all", importance=1.0)
    set_policy(actor=acme.actor("admin"), overrides={"recall.weight.similarity": 0.1})
    policies.forget_cached()
    clock.advance(days=60)
    sweep(actor=system)

    after = replay_trace(actor=system, trace_id=trace_id)
    assert [(row.item_id, row.score_now, row.used) for row in after.rows] == [
        (row.item_id, row.score_then, row.used) for row in before.rows
    ]
    assert after.exact
    assert after.redacted == 1
    gone = [row for row in after.rows if row.gone]
    assert [(row.item_id, row.text) for row in gone] == [(memories[1], "")]
    # The words of then, not those of now.
    assert [row.text for row in after.rows if not row.gone] == [
        text for row, text in zip(before.rows, texts, strict=True) if row.item_id != memories[1]
    ]


def test_another_policy_ranks_the_same_rows_anew(system: Actor, trace_id: uuid.UUID) -> None:
    plain = replay_trace(actor=system, trace_id=trace_id)
    other = Policy.from_overrides({"recall.weight.similarity": 0.0, "recall.memory_bonus": 0.0})
    changed = replay_trace(actor=system, trace_id=trace_id, policy=other)
    assert {row.item_id for row in changed.rows} == {row.item_id for row in plain.rows}
    scores = [row.score_now for row in changed.rows]
    assert scores == sorted(scores, reverse=True)
    assert scores != [row.score_then for row in changed.rows]


def test_a_score_that_does_not_follow_from_its_parts_is_told(system: Actor, trace_id: uuid.UUID) -> None:
    with tenant_transaction(system.tenant_id):
        trace = RecallTrace.objects.get(id=trace_id)
        trace.considered[0]["score"] += 0.5
        trace.save(update_fields=["considered"])
    assert not replay_trace(actor=system, trace_id=trace_id).exact
