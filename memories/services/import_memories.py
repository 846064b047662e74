"""Import: many memories at once, kept as given, with vectors that the caller may bring along (R13)."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accounts import audit
from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.core.decay import starting_strength
from memories.core.kinds import Kind, Source
from memories.core.outcomes import Reason
from memories.core.policy import Policy
from memories.core.statement import Statement
from memories.core.text import lexical
from memories.core.text.language import detect
from memories.services import limits
from memories.services.embedding import Embedded, embed_passages
from memories.services.embedding_space import active_space
from memories.services.fingerprints import claim_print, everything_print, statement_print
from memories.services.forget_rules import forbidding
from memories.services.jobs import enqueue
from memories.services.learn import blocked
from memories.services.limits import Checks, clean
from memories.services.outcome import Outcome
from memories.services.policies import policy_of
from memories.services.screen import screen, screen_values
from memories.services.standing import rules_over
from memories.services.store_vectors import store_vectors
from memories.services.subjects import subject_to_write
from memories.store.bulk import RULE, Bulk, insert_memories, standing_as
from memories.store.index import Indexed, put_postings
from memories.store.locks import lock_subject
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid
from memoryhub.common.ids import uuid7

BATCH = 500
"""Memories of one transaction: other writers of the subject wait for no more than that."""


_STANDS = frozenset({"keep", "mask"})


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
    """What became of them: stored anew, known already, refused as sensitive, or forbidden by an earlier wish to forget.

    `outcomes` tells it of each, in the order given, as every write does: stored, duplicate (with the memory that says it
    already; nothing is reinforced), blocked_sensitive, or not_worth_keeping (forgotten, or redacted).
    """

    stored: int = 0
    known: int = 0
    sensitive: int = 0
    forbidden: int = 0
    outcomes: list[Outcome] = field(default_factory=list)

    def add(self, outcomes: Sequence[Outcome]) -> None:
        """Those of one batch, once it is committed."""
        for one in outcomes:
            match one.code:
                case Reason.STORED:
                    self.stored += 1
                case Reason.DUPLICATE:
                    self.known += 1
                case Reason.BLOCKED_SENSITIVE:
                    self.sensitive += 1
                case _:
                    self.forbidden += 1
        self.outcomes += outcomes


@dataclass(slots=True)
class _Ready:
    """A batch as far as it can be made without the database: `rows` are those that may be kept, with their place in it."""

    outcomes: list[Outcome | None]
    rows: list[tuple[int, Bulk]] = field(default_factory=list)
    masked: list[int] = field(default_factory=list)
    """Places in `rows` of texts that are not stored as they were given."""
    terms: list[Mapping[str, int]] = field(default_factory=list)


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
    it stand, and may be given again: what is there is told as known.
    """
    subject_to_write(actor, subject_id)
    if vectors is not None and len(vectors) != len(memories):
        raise Invalid(
            "one vector a memory is needed", fields={"vectors": f"{len(vectors)} for {len(memories)}"}
        )
    policy, _ = policy_of(actor.tenant_id)
    now = get_clock().now()
    done = Imported()
    for start, ready in _prepared(actor.tenant_id, subject_id, memories, policy, now):
        own = None if vectors is None else vectors[start : start + BATCH]
        done.add(_write(actor, subject_id, ready, own, policy, now))
    return done


def _prepared(
    tenant_id: uuid.UUID, subject_id: uuid.UUID, memories: Sequence[Given], policy: Policy, now: datetime
) -> Iterator[tuple[int, _Ready]]:
    """Each batch with its start. The next one is screened while the database writes this one: neither needs the other's core."""
    starts = range(0, len(memories), BATCH)
    if len(starts) < 2:
        for start in starts:
            yield start, _prepare(tenant_id, subject_id, memories, policy, now)
        return
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="import") as ahead:
        parts = (memories[start : start + BATCH] for start in starts)
        waiting = ahead.submit(_prepare, tenant_id, subject_id, next(parts), policy, now)
        for start in starts:
            ready = waiting.result()
            if (part := next(parts, None)) is not None:
                waiting = ahead.submit(_prepare, tenant_id, subject_id, part, policy, now)
            yield start, ready


def _prepare(
    tenant_id: uuid.UUID, subject_id: uuid.UUID, memories: Sequence[Given], policy: Policy, now: datetime
) -> _Ready:
    """Screening, prints and terms. It asks the database nothing, so that it may run beside it."""
    ready = _Ready([None] * len(memories))
    places: list[int] = []
    statements: list[Statement] = []
    for at, one in enumerate(memories):
        statement = _statement(one, policy, now)
        if isinstance(statement, Outcome):
            ready.outcomes[at] = statement
            continue
        if statement.content != one.content.strip():
            ready.masked.append(len(statements))
        places.append(at)
        statements.append(statement)
    # One thing after the other over all of them: their tables of patterns would drive each other out of the cache.
    prints = [statement_print(tenant_id, subject_id, one) for one in statements]
    claims = [claim_print(tenant_id, subject_id, one) for one in statements]
    ready.terms = [lexical.terms(one.content) for one in statements]
    made = zip(places, statements, prints, claims, strict=True)
    ready.rows = [(at, Bulk(uuid7(), one, print_, claim)) for at, one, print_, claim in made]
    return ready


def _write(
    actor: Actor,
    subject_id: uuid.UUID,
    ready: _Ready,
    vectors: NDArray[np.float32] | None,
    policy: Policy,
    now: datetime,
) -> list[Outcome]:
    """One batch in its transaction; what became of each of it."""
    outcomes = ready.outcomes
    embedded = _embedded(ready, vectors, policy)
    if ready.rows:
        with tenant_transaction(actor.tenant_id):
            lock_subject(subject_id)
            made = _insert(actor, subject_id, ready, policy, now)
            items = [
                Indexed("memory", row.id, subject_id, row.statement.content, row.statement.speaker)
                for _, row in (ready.rows[at] for at in made)
            ]
            put_postings(items, fresh=True, counted=[ready.terms[at] for at in made])
            if embedded is not None:
                whole = len(made) == len(embedded.vectors)
                store_vectors(embedded.space_id, items, embedded.vectors if whole else embedded.vectors[made])
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
    return [one for one in outcomes if one is not None]


def _insert(actor: Actor, subject_id: uuid.UUID, ready: _Ready, policy: Policy, now: datetime) -> list[int]:
    """Insert what may be kept and is not known; the places in `ready.rows` of what is new. Fills in the outcomes."""
    allowed, repeats = _allowed(actor.tenant_id, subject_id, ready)
    new = insert_memories(
        subject_id,
        [ready.rows[at][1] for at in allowed],
        actor_kind=actor.kind,
        actor_id=actor.id,
        credibility={source.value: policy.number(f"credibility.{source.value}") for source in Source},
        strength={kind.value: starting_strength(policy, kind=kind.value) for kind in Kind},
        now=now,
    )
    made: list[int] = []
    known: list[int] = list(repeats)
    for at in allowed:
        place, row = ready.rows[at]
        if row.id in new:
            made.append(at)
            ready.outcomes[place] = Outcome(
                Reason.STORED, row.id, row.statement.kind, RULE, ("kept as given",)
            )
        else:
            known.append(at)
    if known:
        holders = standing_as(subject_id, [ready.rows[at][1].fingerprint for at in known])
        for at in known:
            place, row = ready.rows[at]
            ready.outcomes[place] = Outcome(
                Reason.DUPLICATE, holders.get(row.fingerprint), row.statement.kind, RULE, ("known already",)
            )
    return made


def _allowed(tenant_id: uuid.UUID, subject_id: uuid.UUID, ready: _Ready) -> tuple[list[int], list[int]]:
    """The places in `ready.rows` of each text once, without what the subject asked to forget or never to keep; and of repeats."""
    everything = everything_print(tenant_id, subject_id)
    # A given memory states no facts: rules over slots and entities come to their words, which the standing ones look at.
    rules, standing = rules_over(subject_id, {everything, *(row.fingerprint for _, row in ready.rows)})
    first: dict[bytes, int] = {}
    repeats: list[int] = []
    for at, (place, row) in enumerate(ready.rows):
        statement = row.statement
        rule = forbidding(rules, statement.said_at, (everything, row.fingerprint)) if rules else None
        if rule is not None or standing.forbids(statement):
            redacted = rule is None and standing.redacts(statement)
            name = (
                f"forget.{rule.kind}" if rule is not None else "redacted" if redacted else "forget.standing"
            )
            reason = "it was redacted" if redacted else "asked to forget it"
            ready.outcomes[place] = Outcome(
                Reason.NOT_WORTH_KEEPING, kind=statement.kind, rule=name, reasons=(reason,)
            )
        elif row.fingerprint in first:
            repeats.append(at)
        else:
            first[row.fingerprint] = at
    return list(first.values()), repeats


def _statement(one: Given, policy: Policy, now: datetime) -> Statement | Outcome:
    """The memory screened; what it is refused with where the policy does not let it stand in the clear."""
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
    if found.blocked or refused:
        return replace(blocked(_refused(found.types, policy) | refused), kind=one.kind)
    if found.needs_encryption or found.needs_consent:
        return Outcome(
            Reason.BLOCKED_SENSITIVE,
            kind=one.kind,
            rule="pii.import",
            reasons=("kept one by one, by remember", *sorted(_refused(found.types, policy))),
        )
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


def _refused(types: frozenset[str], policy: Policy) -> frozenset[str]:
    """Those of the types that may not simply stand there, masked or not; a tenant's own ones have no rule of the table."""
    return frozenset(
        one for one in types if one.startswith("own:") or policy.choice(f"pii.action.{one}") not in _STANDS
    )


def _embedded(ready: _Ready, vectors: NDArray[np.float32] | None, policy: Policy) -> Embedded | None:
    """A row for each of `ready.rows`; None where the embedder is needed and down. It may work before the transaction only."""
    if not ready.rows:
        return None
    if vectors is None:
        return embed_passages([row.statement.content for _, row in ready.rows], policy)
    if len(ready.rows) < len(vectors):
        vectors = vectors[[place for place, _ in ready.rows]]
    if not ready.masked:
        return Embedded(active_space(), vectors)
    anew = embed_passages([ready.rows[at][1].statement.content for at in ready.masked], policy)
    if anew is None:
        return None
    vectors = vectors.copy()
    vectors[ready.masked] = anew.vectors
    return Embedded(anew.space_id, vectors)
