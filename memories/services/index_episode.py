"""Makes what was said recallable: chunks, vectors and postings of turns and documents (R16)."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.core.policy import Policy
from memories.core.text.chunks import chunk
from memories.models import Episode, Status
from memories.services.embedding import embed_passages
from memories.services.jobs import enqueue
from memories.services.limits import clean
from memories.services.policies import policy_of
from memories.services.screen import screen
from memories.services.store_vectors import store_vectors
from memories.store.index import Indexed, put_postings, remove_from_index
from memories.store.locks import lock_subject
from memoryhub.common.db import tenant_transaction

MAX_PARTS = 2_000


@dataclass(frozen=True, slots=True)
class Said:
    """One thing said or handed over; `source_id` names the turn (or document) and `seq` its place in the session."""

    source_kind: str
    source_id: uuid.UUID
    text: str
    role: str
    said_at: datetime
    speaker: str = ""
    session_id: uuid.UUID | None = None
    seq: int = 0
    agent_id: uuid.UUID | None = None

    @property
    def key(self) -> tuple[str, uuid.UUID]:
        return self.source_kind, self.source_id


def index_episode(
    *,
    actor: Actor,
    subject_id: uuid.UUID,
    source_kind: str,
    source_id: uuid.UUID,
    text: str,
    role: str,
    speaker: str,
    said_at: datetime,
    session_id: uuid.UUID | None,
    seq: int,
    agent_id: uuid.UUID | None = None,
    unless: Callable[[], bool] | None = None,
    likely_new: bool = False,
) -> int:
    """Number of parts of it that stand in the index: pieces of a long text, else one, none for a blank one.

    `unless` is asked under the subject's lock: where it says yes (the text is another by now) nothing is stored.
    `likely_new`: it is embedded without looking first whether it stands there already, which is looked at under the lock.
    """
    said = Said(source_kind, source_id, text, role, said_at, speaker, session_id, seq, agent_id)
    return index_episodes(
        actor=actor, subject_id=subject_id, items=[said], unless=unless, likely_new=likely_new
    )


def index_episodes(
    *,
    actor: Actor,
    subject_id: uuid.UUID,
    items: Sequence[Said],
    unless: Callable[[], bool] | None = None,
    likely_new: bool = False,
) -> int:
    """The same for many at once: one call of the embedder, a few statements. Returns the number of parts of all of them.

    Idempotent by (source_kind, source_id, part): what stands there with the same text stays, with its hits; what has
    another text is replaced. Without an embedder the postings alone are stored and the vectors are made later.
    """
    actor.require_subject(subject_id, write=True)
    policy, _ = policy_of(actor.tenant_id)
    wanted = {said.key: (said, _parts(said, policy)) for said in items}
    standing: Standing = {}
    if not likely_new or not any(texts for _, texts in wanted.values()):
        with tenant_transaction(actor.tenant_id):
            standing = _standing(subject_id, wanted)
    fresh = [
        (said, at, text)
        for key, (said, texts) in wanted.items()
        for at, text in enumerate(texts)
        if standing.get((*key, at)) != text
    ]
    total = sum(len(texts) for _, texts in wanted.values())
    extra = any(at >= len(wanted[kind, source][1]) for kind, source, at in standing)
    if not fresh and not extra:
        return total
    embedded = embed_passages([text for _, _, text in fresh], policy)
    now = get_clock().now()
    with tenant_transaction(actor.tenant_id):
        lock_subject(subject_id)
        if unless is not None and unless():
            return 0
        known = _standing(subject_id, wanted)
        _drop(subject_id, wanted, known)
        rows: list[Episode] = []
        at_vector: list[int] = []
        for number, (said, at, text) in enumerate(fresh):
            if known.get((*said.key, at)) == text:
                continue  # Another worker was first.
            rows.append(_episode(subject_id, said, at, text, now))
            at_vector.append(number)
        Episode.objects.bulk_create(rows)
        index = [Indexed("episode", row.id, subject_id, row.text, row.speaker) for row in rows]
        put_postings(index, fresh=True)
        if embedded is not None:
            store_vectors(embedded.space_id, index, embedded.vectors[at_vector])
        elif index:
            enqueue(kind="index_pending", key="index_pending")
    return total


def _parts(said: Said, policy: Policy) -> list[str]:
    """The pieces of the text; a turn was screened when it was stored, other texts are screened here."""
    text = clean(said.text)
    if said.source_kind != "turn":
        text = screen(text, policy).text_masked
    size = (policy.integer("chunk.min_tokens"), policy.integer("chunk.max_tokens"))
    return [piece.text for piece in chunk(text, size=size, overlap=policy.number("chunk.overlap"))][
        :MAX_PARTS
    ]


Wanted = dict[tuple[str, uuid.UUID], tuple[Said, list[str]]]
Standing = dict[tuple[str, uuid.UUID, int], str]


def _standing(subject_id: uuid.UUID, wanted: Wanted) -> Standing:
    rows = Episode.objects.of(subject_id).filter(source_id__in=[source for _, source in wanted])
    found = rows.values_list("source_kind", "source_id", "part", "text")
    return {(kind, source, part): text for kind, source, part, text in found if (kind, source) in wanted}


def _drop(subject_id: uuid.UUID, wanted: Wanted, known: Standing) -> None:
    """Parts whose text is another one now, and those beyond the new number of parts."""
    for kind, source, part in list(known):
        texts = wanted[kind, source][1]
        if part < len(texts) and texts[part] == known[kind, source, part]:
            continue
        rows = Episode.objects.of(subject_id).filter(source_kind=kind, source_id=source, part=part)
        remove_from_index(list(rows.values_list("id", flat=True)))
        rows.delete()
        del known[kind, source, part]


def _episode(subject_id: uuid.UUID, said: Said, part: int, text: str, now: datetime) -> Episode:
    return Episode(
        subject_id=subject_id,
        agent_id=said.agent_id,
        session_id=said.session_id,
        source_kind=said.source_kind,
        source_id=said.source_id,
        part=part,
        seq=said.seq,
        role=said.role,
        speaker=said.speaker[:200],
        said_at=said.said_at,
        text=text,
        status=Status.CURRENT,
        created_at=now,
    )
