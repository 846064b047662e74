"""What the pages of contradictions show: both sides with their evidence, and what has relied on either of them."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.admin.memory_links import answers_citing
from memories.admin.memory_words import link
from memories.admin.showing import SEALED, shown, with_sensitivity
from memories.core.decay import half_life_days, strength_at
from memories.core.scoring import credibility
from memories.models import Contradiction, Evidence, Memory
from memories.services.policies import policy_of
from memories.status_words import STATUSES
from memories.store.considered import LOOKED_THROUGH, uses_of

QUOTES, TRACES = 5, 10
BLAST_DAYS = 30


@dataclass(frozen=True)
class Side:
    """One memory of the two, as this reader may see it."""

    memory: Memory
    text: str
    masked: bool
    status: Any
    quotes: list[dict[str, Any]]
    credibility: float
    strength: float
    url: str


@dataclass(frozen=True)
class Blast:
    """What used either side lately: contexts that had one in them, answers that cite one, and the newest of those recalls."""

    contexts: int
    answers: int
    recalls: list[tuple[datetime, str, bool]]
    days: int = BLAST_DAYS
    looked_through: int = LOOKED_THROUGH


def found(ids: Sequence[uuid.UUID]) -> list[Contradiction]:
    """The tenant's contradictions with these ids, in that order, with both sides; in the open transaction."""
    rows = {
        one.pk: one
        for one in Contradiction.objects.filter(pk__in=ids)
        .select_related("older", "newer")
        .defer("older__content_encrypted", "newer__content_encrypted")
    }
    return [rows[one] for one in ids if one in rows]


def sides(rows: Sequence[Contradiction], actor: Actor) -> dict[uuid.UUID, Side]:
    """Both memories of each, by their ids, in three statements."""
    memories = {one.pk: one for row in rows for one in (row.older, row.newer)}
    sealed = set(
        with_sensitivity(Memory.objects.filter(pk__in=memories))
        .filter(**{SEALED: True})
        .values_list("pk", flat=True)
    )
    quotes: dict[uuid.UUID, list[Evidence]] = {}
    for one in Evidence.objects.filter(memory_id__in=memories).order_by("-said_at", "-id")[: QUOTES * 400]:
        quotes.setdefault(one.memory_id, []).append(one)
    policy, _number = policy_of(actor.tenant_id)
    now = get_clock().now()

    def side(memory: Memory) -> Side:
        masked = memory.pk in sealed

        def show(text: str, *, excerpt: bool = False) -> str:
            return shown(
                text,
                actor=actor,
                sensitive=masked,
                kind=memory.kind,
                language=memory.language,
                excerpt=excerpt,
            )

        half_life = half_life_days(policy, memory.kind, memory.importance_level or None)
        text = show(memory.content)
        return Side(
            memory=memory,
            text=text,
            masked=text != memory.content,
            status=STATUSES.get(memory.status, memory.status),
            quotes=[
                {
                    "row": one,
                    "quote": show(one.quote),
                    "speaker": show(one.speaker),
                    "url": link("sessions_app_turn_change", one.turn_id) if one.turn_id else "",
                }
                for one in quotes.get(memory.pk, [])[:QUOTES]
            ],
            credibility=credibility(policy, memory.source),
            strength=strength_at(
                strength=memory.strength,
                last_hit_at=memory.last_hit_at,
                created_at=memory.created_at,
                now=now,
                half_life_days=half_life,
            ),
            url=link("memories_memory_change", memory.pk),
        )

    return {pk: side(memory) for pk, memory in memories.items()}


def blast(row: Contradiction) -> Blast:
    """Of the newest traces of the person; two statements."""
    items = [row.older_id, row.newer_id]
    uses = uses_of(row.subject_id, items, since=get_clock().now() - timedelta(days=BLAST_DAYS))
    used = [one for one in uses if one.used]
    turns = [one.turn_id for one in used if one.turn_id]
    return Blast(
        contexts=len(used),
        answers=answers_citing(turns, items) if turns else 0,
        recalls=[
            (one.at, link("memories_recalltrace_change", one.trace_id), bool(one.used))
            for one in uses[:TRACES]
        ],
    )
