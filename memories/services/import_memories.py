"""Import: many memories at once, kept as given, with vectors that the caller may bring along (R13)."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accounts import audit
from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.core.decay import starting_strength
from memories.core.kinds import Kind, Source
from memories.core.policy import Policy
from memories.core.statement import Statement
from memories.core.text.language import detect
from memories.services import limits
from memories.services.embedding import Embedded, embed_passages
from memories.services.embedding_space import active_space
from memories.services.fingerprints import claim_print, everything_print, statement_print
from memories.services.forget_rules import forbidding, statement_prints
from memories.services.jobs import enqueue
from memories.services.limits import Checks, clean
from memories.services.policies import policy_of
from memories.services.screen import screen, screen_values
from memories.services.standing import rules_over
from memories.services.store_vectors import store_vectors
from memories.services.subjects import subject_to_write
from memories.store.bulk import Bulk, insert_memories
from memories.store.index import Indexed, put_postings
from memories.store.locks import lock_subject
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid
from memoryhub.common.ids import uuid7

BATCH = 500
"""Memories of one transaction: other writers of the subject wait for no more than that."""


@dataclass(frozen=True, slots=True)
class Given:
    """One memory to import; `said_at` None is now."""

    content: str
    kind: str = Kind.FACT.value
    source: str = Source.IMPORT.value
    speaker: str = ""
    said_at: datetime | None = None
    importance: float = 0.5
    tags: Sequence[str] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Imported:
    """What became of them: stored anew, known already, refused as sensitive, or forbidden by an earlier wish to forget."""

    stored: int = 0
    known: int = 0
    sensitive: int = 0
    forbidden: int = 0


def import_memories(
    *,
    actor: Actor,
    subject_id: uuid.UUID,
    memories: Sequence[Given],
    vectors: NDArray[np.float32] | None = None,
) -> Imported:
    """Keep them as they are, in transactions of BATCH: screened, deduplicated by their words, never what was forgotten.

    Nothing is gated, read for facts or put in another's place: that is what `remember` does. What the policy blocks, encrypts
    or asks about is left out and counted. `vectors` are unit rows in the active space, one a memory (shape (n, dim)); rows
    whose text was masked are embedded anew, as is everything without them. Invalid names what does not fit; batches before
    it stand.
    """
    subject_to_write(actor, subject_id)
    if vectors is not None and len(vectors) != len(memories):
        raise Invalid(
            "one vector a memory is needed", fields={"vectors": f"{len(vectors)} for {len(memories)}"}
        )
    policy, _ = policy_of(actor.tenant_id)
    done = Imported()
    for start in range(0, len(memories), BATCH):
        part = memories[start : start + BATCH]
        own = None if vectors is None else vectors[start : start + BATCH]
        _batch(actor, subject_id, part, own, policy, done)
    return done


def _batch(
    actor: Actor,
    subject_id: uuid.UUID,
    memories: Sequence[Given],
    vectors: NDArray[np.float32] | None,
    policy: Policy,
    done: Imported,
) -> None:
    now = get_clock().now()
    statements: list[Statement] = []
    kept: list[int] = []
    masked: list[int] = []
    for at, one in enumerate(memories):
        statement = _statement(one, policy, now)
        if statement is None:
            done.sensitive += 1
            continue
        if statement.content != one.content.strip():
            masked.append(len(kept))
        statements.append(statement)
        kept.append(at)
    if not statements:
        return
    embedded = _embedded(statements, None if vectors is None else vectors[kept], masked, policy)
    with tenant_transaction(actor.tenant_id):
        lock_subject(subject_id)
        rows = _allowed(actor, subject_id, statements, done)
        places = {row.id: at for at, row in rows}
        new = insert_memories(
            subject_id,
            [row for _, row in rows],
            actor_kind=actor.kind,
            actor_id=actor.id,
            credibility={source.value: policy.number(f"credibility.{source.value}") for source in Source},
            strength={kind.value: starting_strength(policy, kind=kind.value) for kind in Kind},
            now=now,
        )
        made = [(places[row.id], row) for _, row in rows if row.id in new]
        done.stored += len(made)
        done.known += len(rows) - len(made)
        items = [
            Indexed("memory", row.id, subject_id, row.statement.content, row.statement.speaker)
            for _, row in made
        ]
        put_postings(items, fresh=True)
        if embedded is not None:
            store_vectors(embedded.space_id, items, embedded.vectors[[at for at, _ in made]])
        elif items:
            enqueue(kind="index_pending", key="index_pending")
        if items:
            audit.record(
                actor,
                "memory.imported",
                target_kind="subject",
                target_id=subject_id,
                subject_id=subject_id,
                stored=len(items),
            )


def _statement(one: Given, policy: Policy, now: datetime) -> Statement | None:
    """The memory screened; None where the policy does not let it stand in the clear."""
    content = clean(one.content)
    checks = Checks()
    checks.content(content)
    checks.kind(one.kind)
    checks.source(one.source)
    checks.importance(one.importance)
    checks.tags(one.tags)
    checks.metadata(one.metadata)
    checks.short("speaker", one.speaker, limits.MAX_SPEAKER)
    checks.time("said_at", one.said_at)
    if one.kind in {Kind.SENSITIVE, Kind.CONSTRAINT}:
        checks.problems["kind"] = f"a memory of the kind {one.kind} is kept one by one, by remember"
    checks.done()
    found = screen(content, policy)
    beside: list[Any] = [[clean(tag) for tag in one.tags], dict(one.metadata), clean(one.speaker)]
    refused: frozenset[str] = frozenset()
    if any(beside):
        beside, refused = screen_values(beside, policy)
    if found.blocked or refused or found.needs_encryption or found.needs_consent:
        return None
    return Statement(
        content=found.text_masked,
        kind=one.kind,
        source=one.source,
        said_at=one.said_at or now,
        language=detect(content),
        speaker=beside[2],
        quote=found.text_masked,
        importance=one.importance,
        explicit=True,
        tags=tuple(beside[0]),
        metadata=beside[1],
    )


def _embedded(
    statements: Sequence[Statement],
    vectors: NDArray[np.float32] | None,
    masked: Sequence[int],
    policy: Policy,
) -> Embedded | None:
    if vectors is None:
        return embed_passages([one.content for one in statements], policy)
    if not masked:
        return Embedded(active_space(), vectors)
    anew = embed_passages([statements[at].content for at in masked], policy)
    if anew is None:
        return None
    vectors = vectors.copy()
    vectors[list(masked)] = anew.vectors
    return Embedded(anew.space_id, vectors)


def _allowed(
    actor: Actor, subject_id: uuid.UUID, statements: Sequence[Statement], done: Imported
) -> list[tuple[int, Bulk]]:
    """The rows with their places, each text once, without what the subject asked to forget or never to keep."""
    tenant_id = actor.tenant_id
    prints = [statement_print(tenant_id, subject_id, one) for one in statements]
    everything = everything_print(tenant_id, subject_id)
    about = [statement_prints(tenant_id, subject_id, one) for one in statements]
    rules, standing = rules_over(subject_id, {everything, *prints, *frozenset().union(*about)})
    rows: dict[bytes, tuple[int, Bulk]] = {}
    for at, statement in enumerate(statements):
        own = {everything, prints[at], *about[at]}
        if forbidding(rules, statement.said_at, own) is not None or standing.forbids(statement):
            done.forbidden += 1
        elif prints[at] in rows:
            done.known += 1
        else:
            claim = claim_print(tenant_id, subject_id, statement)
            rows[prints[at]] = (at, Bulk(uuid7(), statement, prints[at], claim))
    return list(rows.values())
