"""The one writer of memories: places statements among what is known and stores them, one transaction a batch."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from accounts import audit
from accounts.actor import Actor
from memories.core.outcomes import Reason
from memories.core.placement.lifting import place_lift
from memories.core.placement.placing import Place, Placement, SlotRules, place
from memories.core.policy import Policy
from memories.core.statement import Statement
from memories.models import Memory
from memories.services.batch import Batch
from memories.services.contradictions import kept_pairs
from memories.services.embedding import Embedded, embed_passages
from memories.services.entities import resolve_entities
from memories.services.fingerprints import claim_print, everything_print, fact_print, statement_print
from memories.services.forget_rules import forbidding, statement_prints
from memories.services.known_memories import load_known, slots_of
from memories.services.outcome import Outcome
from memories.services.standing import rules_over
from memories.store.locks import lock_subject
from memoryhub.common.db import tenant_transaction

Unsaid = Callable[[Sequence[Statement]], frozenset[int]]
"""The places of those statements that must not be stored any more; asked under the subject's lock."""


def write_statements(
    *,
    actor: Actor,
    subject_id: uuid.UUID,
    statements: Sequence[Statement],
    policy: Policy,
    now: datetime,
    unsaid: Unsaid | None = None,
) -> list[Outcome]:
    """One Outcome a statement, in order. Permission, limits, screening and the gate are the caller's.

    `unsaid` says, under the subject's lock, which statements their source does not say any more: they are not stored.

    The embedder works before the transaction. Inside it one writer a subject decides and stores, so that two equal
    concurrent writes become one memory with two pieces of evidence, and of two values of a slot the later stands.
    """
    if not statements:
        return []
    embedded = embed_passages([statement.content for statement in statements], policy)
    with tenant_transaction(actor.tenant_id):
        return store_embedded(
            actor=actor,
            subject_id=subject_id,
            statements=statements,
            policy=policy,
            now=now,
            embedded=embedded,
            unsaid=unsaid,
        )


def store_embedded(
    *,
    actor: Actor,
    subject_id: uuid.UUID,
    statements: Sequence[Statement],
    policy: Policy,
    now: datetime,
    embedded: Embedded | None,
    approved: Memory | None = None,
    unsaid: Unsaid | None = None,
) -> list[Outcome]:
    """The same inside an open tenant transaction, for callers whose own rows must stand or fall with the memories.

    `embedded` are the statements' vectors, made before the transaction; None leaves them to be embedded later. With
    `approved`, a locked row that waited, the only statement is what it says after the yes: it takes its place among the
    others as if it were said, in that row, and no earlier wish to forget stands against the yes.
    """
    lock_subject(subject_id)
    gone = unsaid(statements) if unsaid is not None else frozenset()
    statements = resolve_entities(subject_id, statements, now)
    tenant_id = actor.tenant_id
    prints = [statement_print(tenant_id, subject_id, one) for one in statements]
    claims = [claim_print(tenant_id, subject_id, one) for one in statements]
    facts = [fact_print(tenant_id, subject_id, one.fact) if one.fact else None for one in statements]
    everything = everything_print(tenant_id, subject_id)
    about = [statement_prints(tenant_id, subject_id, one) for one in statements]
    rules, standing = rules_over(
        subject_id, {everything, *prints, *[one for one in facts if one], *frozenset().union(*about)}
    )
    known = load_known(subject_id, statements, set(prints), {one for one in claims if one})
    if approved is not None:
        known = [one for one in known if one.id != approved.id]
    slot_rules = SlotRules.of(policy, kept_pairs(subject_id, slots_of(statements)))
    batch = Batch(actor=actor, subject_id=subject_id, policy=policy, now=now, approved=approved)
    outcomes: list[Outcome] = []
    for at, statement in enumerate(statements):
        if at in gone:
            outcomes.append(
                Outcome(
                    Reason.NOT_WORTH_KEEPING,
                    kind=statement.kind,
                    rule="forget.meanwhile",
                    reasons=("its source does not say it any more",),
                )
            )
            continue
        own = {one for one in (everything, prints[at], facts[at], *about[at]) if one}
        blocked = forbidding(rules, statement.said_at, own)
        lasting = blocked is None and standing.forbids(statement)
        if approved is None and (blocked is not None or lasting):
            redacted = lasting and standing.redacts(statement)
            if lasting and not redacted:
                standing.note_names(statement)
            outcomes.append(
                Outcome(
                    Reason.NOT_WORTH_KEEPING,
                    kind=statement.kind,
                    rule=f"forget.{blocked.kind}"
                    if blocked is not None
                    else "redacted"
                    if redacted
                    else "forget.standing",
                    reasons=("it was redacted" if redacted else "asked to forget it",),
                )
            )
            continue
        if statement.lifts:
            placement = place_lift(statement, known)
            if placement.place is Place.SUPERSEDE:
                # It stands where the rule stood, so that the rule, said again, takes its place.
                statement = replace(statement, key=placement.targets[0].key)
        else:
            placement = place(statement, prints[at], known, slot_rules, claims[at])
        vector = embedded.vectors[at] if embedded is not None else None
        outcome = batch.take(statement, prints[at], placement, vector, known, claims[at])
        _record(actor, subject_id, outcome, placement)
        outcomes.append(outcome)
    batch.save(space_id=embedded.space_id if embedded is not None else None)
    return outcomes


_QUIET = frozenset({Place.SAME_TURN, Place.WAITING, Place.REFUSE})


def _record(actor: Actor, subject_id: uuid.UUID, outcome: Outcome, placement: Placement) -> None:
    """The audit entry of one write; what changed nothing leaves none."""
    if placement.place in _QUIET or outcome.memory_id is None:
        return
    detail: dict[str, object] = {"rule": outcome.rule}
    if outcome.replaced_id:
        detail["replaced"] = outcome.replaced_id
    audit.record(
        actor,
        f"memory.{outcome.code.value}",
        target_kind="memory",
        target_id=outcome.memory_id,
        subject_id=subject_id,
        **detail,
    )
