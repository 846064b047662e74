"""Learn: what a turn says that is worth keeping, found, gated and written (R13, R14)."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import datetime

from accounts import audit
from accounts.actor import Actor
from accounts.models import Subject
from accounts.models.subject import OF_TENANT
from memories.adapters.factory import get_clock
from memories.core.extraction.engine import extract
from memories.core.gate import judge
from memories.core.outcomes import Reason
from memories.core.policy import Policy
from memories.core.statement import Statement
from memories.services.anchor import anchored
from memories.services.learn_with_model import ask_later
from memories.services.limits import MAX_STATEMENTS, Checks, clean
from memories.services.outcome import Outcome
from memories.services.policies import policy_of
from memories.services.screen import screen
from memories.services.statements import Origin, of_candidate, sealed
from memories.services.subjects import subject_to_write, zone_of
from memories.services.write_memory import write_statements
from memoryhub.common.db import tenant_transaction


def learn(
    *,
    actor: Actor,
    subject_id: uuid.UUID,
    text: str,
    role: str,
    speaker: str,
    said_at: datetime,
    turn_id: uuid.UUID | None,
    session_id: uuid.UUID | None,
    agent_id: uuid.UUID | None = None,
    source: str = "user",
    asked: str = "",
    subject: Subject | None = None,
) -> list[Outcome]:
    """One Outcome a statement found, and at least one in all: `not_worth_keeping` when nothing was.

    `role` is user, assistant or tool; `speaker` is "" for the person whose memory it is, else the name of who spoke.
    `asked` is what the other one said just before, so that a short answer is read with its question.
    `source` tells a user's own words from imported ones. `subject` is the row, where the caller has just read it and
    checked that the actor may write it. Learning the same turn again changes nothing. Raises NotFound
    for a subject that is not the actor's to write, Invalid for a time without a zone.
    """
    checks = Checks()
    origin_source = role if role in {"assistant", "tool"} else source
    checks.source(origin_source)
    checks.time("said_at", said_at)
    checks.done()
    if subject is None or subject.kind == OF_TENANT:
        subject = subject_to_write(actor, subject_id)
    text = clean(text)
    if not text:
        return [Outcome(Reason.NOT_WORTH_KEEPING, rule="learn.empty", reasons=("the text is empty",))]
    if subject.memory_paused:
        return [Outcome(Reason.NOT_WORTH_KEEPING, rule="subject.paused", reasons=("memory is paused",))]
    policy, _ = policy_of(actor.tenant_id)
    found = screen(text, policy)
    if found.blocked:
        return [block(actor, subject_id, found.types)]
    origin = Origin(origin_source, said_at, speaker, turn_id, session_id, agent_id)
    # Masked for good before it is read; what is to be encrypted is read in the clear and sealed statement by statement.
    seals = found.needs_encryption or found.needs_consent
    readable = text if seals else found.text_masked
    candidates = extract(
        readable, role=origin_source, speaker=speaker, said_at=said_at, tz=zone_of(subject), asked=asked
    )
    slots: list[Outcome | Statement] = []
    for candidate in candidates[:MAX_STATEMENTS]:
        decision = judge(candidate, policy)
        if decision.outcome == Reason.STORED:
            statement = with_reasons(of_candidate(candidate, origin), decision.reasons)
            slots.append(sealed(statement, policy) if seals else statement)
        else:
            slots.append(
                Outcome(Reason.NOT_WORTH_KEEPING, None, candidate.kind.value, decision.rule, decision.reasons)
            )
    if len(candidates) > MAX_STATEMENTS:
        slots.append(over_budget(len(candidates)))
    if not slots:
        nothing = ("it states nothing to keep",)
        slots.append(Outcome(Reason.NOT_WORTH_KEEPING, rule="extract.nothing", reasons=nothing))
    outcomes = write_between(actor, subject_id, slots, policy)
    ask_later(
        tenant_id=actor.tenant_id, subject_id=subject_id, turn_id=turn_id, text=text, source=origin_source
    )
    return outcomes


def write_between(
    actor: Actor, subject_id: uuid.UUID, slots: list[Outcome | Statement], policy: Policy
) -> list[Outcome]:
    """The outcomes in the order of the text, with each statement's place taken by what became of it."""
    said = [slot for slot in slots if isinstance(slot, Statement)]
    placed = anchored(actor, subject_id, said, policy)
    statements = [one.statement for one in placed if one.statement is not None]
    written = iter(
        write_statements(
            actor=actor, subject_id=subject_id, statements=statements, policy=policy, now=get_clock().now()
        )
    )
    each = iter(placed)
    return [
        (next(written) if (one := next(each)).statement is not None else _unmeant(one.candidates))
        if isinstance(slot, Statement)
        else slot
        for slot in slots
    ]


def _unmeant(candidates: int) -> Outcome:
    """The answer for a correction of bare values where no known fact has the old one, or several do."""
    if candidates:
        return Outcome(
            Reason.NOT_WORTH_KEEPING,
            rule="anchor.ambiguous",
            reasons=(f"{candidates} facts have that value; say which",),
        )
    return Outcome(Reason.NOT_WORTH_KEEPING, rule="anchor.unknown", reasons=("no known fact has that value",))


def block(actor: Actor, subject_id: uuid.UUID, types: frozenset[str]) -> Outcome:
    """Nothing is kept of a text that holds what the policy refuses; that it was refused is audited."""
    with tenant_transaction(actor.tenant_id):
        audit.record(
            actor,
            "memory.blocked_sensitive",
            target_kind="subject",
            subject_id=subject_id,
            types=sorted(types),
        )
    return blocked(types)


def blocked(types: frozenset[str]) -> Outcome:
    """The answer for a text that holds what the policy refuses."""
    return Outcome(
        Reason.BLOCKED_SENSITIVE, rule="pii.block", reasons=tuple(f"holds {name}" for name in sorted(types))
    )


def over_budget(found: int) -> Outcome:
    """The answer for the statements of one text beyond the limit."""
    return Outcome(
        Reason.BUDGET, rule="write.statements", reasons=(f"{found} statements, {MAX_STATEMENTS} are kept",)
    )


def with_reasons(statement: Statement, reasons: tuple[str, ...]) -> Statement:
    """The statement with the gate's reasons put before its own."""
    return replace(statement, reasons=(*reasons, *statement.reasons))
