"""Feeds an evaluation conversation to the real services, turn by turn, with the clock set to when each was said."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

from accounts.actor import Actor
from accounts.models import Subject
from memories.core.names import LENGTH_TERM
from memories.evaluation.datasets import Conversation
from memories.evaluation.suites import CannotMeasure
from memories.models import Embedding, Posting
from memories.ports import FixedClock
from memories.services.index_episode import Said, index_episodes
from memories.services.learn import learn
from memoryhub.common.db import tenant_transaction

BATCH = 64
"""Turns indexed at once: one call of the embedder."""
_NAMES = uuid.UUID("6f0d3a52-0d4f-4b67-9c5e-1f1f6a6e6c11")


@dataclass(frozen=True, slots=True)
class Ingested:
    """A conversation as one subject's memory; `turn_ids` maps the stored turns back to the set's ids."""

    subject_id: uuid.UUID
    turn_ids: dict[uuid.UUID, str]
    sources: dict[str, uuid.UUID]
    ended_at: datetime


def ingest(actor: Actor, clock: FixedClock, conversation: Conversation) -> Ingested:
    """Index every turn and learn from it, as a session does after storing one."""
    with tenant_transaction(actor.tenant_id):
        subject_id = Subject.objects.create(external_id=conversation.id, display_name="").id
    sources = {turn.id: _id(subject_id, "turn", turn.id) for turn in conversation.turns}
    places: dict[str, int] = {}
    for start in range(0, len(conversation.turns), BATCH):
        turns = conversation.turns[start : start + BATCH]
        clock.at = max(clock.at, turns[-1].time)
        said = []
        for turn in turns:
            places[turn.session] = places.get(turn.session, 0) + 1
            session_id, place = _id(subject_id, "session", turn.session), places[turn.session]
            said.append(
                Said("turn", sources[turn.id], turn.text, turn.role, turn.time, turn.name, session_id, place)
            )
        index_episodes(actor=actor, subject_id=subject_id, items=said)
        for turn in turns:
            clock.at = max(clock.at, turn.time)
            learn(
                actor=actor,
                subject_id=subject_id,
                text=turn.text,
                role=turn.role,
                speaker=turn.name,
                said_at=turn.time,
                turn_id=sources[turn.id],
                session_id=_id(subject_id, "session", turn.session),
            )
    _check_complete(actor, subject_id)
    last = max((turn.time for turn in conversation.turns), default=clock.now())
    return Ingested(
        subject_id, {value: key for key, value in sources.items()}, sources, last + timedelta(days=1)
    )


def _check_complete(actor: Actor, subject_id: uuid.UUID) -> None:
    """CannotMeasure when items have no vector: what search would reach without them is not what was asked."""
    with tenant_transaction(actor.tenant_id):
        items = Posting.objects.filter(subject_id=subject_id, term=LENGTH_TERM).count()
        vectors = Embedding.objects.filter(subject_id=subject_id).count()
    if vectors < items:
        raise CannotMeasure(
            f"the embedder was down or overloaded: {items - vectors} of {items} items have no vector"
        )


def _id(subject_id: uuid.UUID, kind: str, name: str) -> uuid.UUID:
    return uuid.uuid5(_NAMES, f"{subject_id}/{kind}/{name}")
