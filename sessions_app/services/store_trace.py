"""Stores what a context was made of beside the recall's trace: sections, entries and turns by id, budget and gate (R6)."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from memories.models import RecallTrace
from memories.services.policies import InForce
from memories.services.recall_result import RecallResult
from memories.services.traces import gone_by
from sessions_app.core.gates import Gate
from sessions_app.core.pieces import Assembled
from sessions_app.models import ChatSession


def store_trace(
    *,
    session: ChatSession,
    turn_id: uuid.UUID | None,
    question: str,
    found: RecallResult | None,
    assembled: Assembled,
    gate: Gate,
    budget: int,
    in_force: InForce,
    now: datetime,
) -> uuid.UUID:
    """The trace's id, in the open tenant transaction. A turn that skipped recall gets a trace of its own, so that this can be explained, too.

    The context is kept as ids: their words are looked up, so forgetting reaches old traces.
    """
    fields: dict[str, Any] = {
        "session_id": session.pk,
        "turn_id": turn_id,
        "sections": {**assembled.sections, "left_out": assembled.left_out, "gate_rule": gate.rule},
        "context": _context(assembled),
        "budget_tokens": budget,
        "used_tokens": assembled.tokens,
        "gate": gate.name,
    }
    trace = found.unstored if found is not None else None
    if trace is None:
        trace = RecallTrace(subject_id=session.subject_id, query=question, at=now, **gone_by(in_force))
    _mark_used(trace, assembled)
    for name, value in fields.items():
        setattr(trace, name, value)
    trace.save(force_insert=True)
    made: uuid.UUID = trace.pk
    return made


def _context(assembled: Assembled) -> list[dict[str, Any]]:
    entries = [
        {
            "section": numbered.section,
            "number": numbered.number,
            "id": str(numbered.entry.id),
            "item_kind": numbered.entry.item_kind,
            "shortened": numbered.text != numbered.entry.text,
        }
        for numbered in assembled.numbered
    ]
    return [*entries, *({"section": "turns", "id": str(turn_id)} for turn_id in assembled.turn_ids)]


def _mark_used(trace: RecallTrace, assembled: Assembled) -> None:
    """`used` is the number under which a considered item stands in the context, 0 when it does not."""
    numbers = {str(numbered.entry.id): numbered.number for numbered in assembled.numbered}
    trace.considered = [{**item, "used": numbers.get(item.get("id", ""), 0)} for item in trace.considered]
