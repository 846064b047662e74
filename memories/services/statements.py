"""Turns candidates and given texts into statements that may be written: screened again, with their fact and times."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, replace
from datetime import datetime

from memories.core.extraction.candidate import Candidate
from memories.core.kinds import Kind
from memories.core.policy import Policy
from memories.core.statement import FactPart, Statement
from memories.core.values.normalise import canonical
from memories.services.screen import screen

SENSITIVE_RULE, ASK_RULE = "approval.sensitive", "pii.ask"
SEALED = "[sensitive]"
"""Stands for a sensitive text in which the detector finds no single value to mask."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a text was said, the same for all statements in it."""

    source: str
    said_at: datetime
    speaker: str = ""
    turn_id: uuid.UUID | None = None
    session_id: uuid.UUID | None = None
    agent_id: uuid.UUID | None = None
    scope: str = "user"


def of_candidate(candidate: Candidate, origin: Origin) -> Statement:
    """The statement of a candidate; `sealed` goes over it where the text was read unmasked."""
    happens = candidate.kind in {Kind.EVENT, Kind.TODO}
    # What is said for a while belongs to the session in which that while passes; without one there is none to count by.
    passing = origin.session_id is not None and (
        candidate.expires_with_session or candidate.expires_after_turns is not None
    )
    return Statement(
        content=candidate.content,
        kind=candidate.kind.value,
        source=origin.source,
        said_at=origin.said_at,
        language=candidate.language,
        speaker=origin.speaker,
        quote=candidate.quote,
        rule=candidate.rule,
        importance=candidate.importance,
        explicit=candidate.explicit,
        update=candidate.update,
        correction=candidate.correction,
        confirms=candidate.confirms,
        replaces=candidate.replaces,
        amends=candidate.amends,
        open=candidate.open,
        around=candidate.around,
        delta=candidate.delta,
        fact=fact_of(candidate),
        key=candidate.key or "",
        scope="session" if passing else origin.scope,
        agent_id=origin.agent_id,
        session_id=origin.session_id,
        turn_id=origin.turn_id,
        valid_from=None if happens else candidate.valid_from,
        valid_to=None if happens else candidate.valid_to,
        event_start=candidate.valid_from if happens else None,
        event_end=(candidate.due or candidate.valid_to) if happens else None,
        # Rounds that are counted and a day that is named cannot both be the end; the counting wins.
        expires_at=None if passing and candidate.expires_after_turns else candidate.expires_at,
        expires_after_turns=candidate.expires_after_turns if passing else None,
        expires_with_session=candidate.expires_with_session and passing,
        lifts=candidate.lifts,
    )


def fact_of(candidate: Candidate) -> FactPart | None:
    """The candidate's structured fact; None when it has no attribute, no value, or one that is no more than punctuation."""
    if not candidate.attribute or not candidate.value or not canonical(candidate.value):
        return None
    return FactPart(
        candidate.subject, candidate.attribute, candidate.value, candidate.single, candidate.negated
    )


def sealed(statement: Statement, policy: Policy, *, consented: bool = False) -> Statement:
    """Masked where the policy says so; what it wants encrypted becomes a `sensitive` memory that waits for a yes.

    What it asks about waits in the same form, and is an ordinary memory after the yes; with `consented` the person has
    said it. Encrypted content keeps no fact and no key: their values would stand in the clear beside it.
    """
    found = screen(statement.content, policy, consented=consented)
    quote = screen(statement.quote, policy).text_masked if statement.quote else ""
    encrypts = found.needs_encryption or statement.kind == Kind.SENSITIVE
    if encrypts or found.needs_consent:
        return replace(
            statement,
            content=found.text_masked if found.text_masked != statement.content else SEALED,
            clear=statement.content,
            quote=quote,
            kind=Kind.SENSITIVE.value,
            fact=None,
            more=(),
            amends=None,
            key="",
            pinned=False,
            needs_approval=found.needs_consent or policy.flag("approval.sensitive"),
            approval=SENSITIVE_RULE if encrypts else ASK_RULE,
        )
    if found.text_masked == statement.content:
        return replace(statement, quote=quote)
    facts = []
    for fact in statement.facts:
        value = screen(fact.value, policy).text_masked
        # A value that is masked only with its words around it must not stay behind in the fact.
        if value in found.text_masked:
            facts.append(replace(fact, value=value))
    first, more = (facts[0], tuple(facts[1:])) if facts else (None, ())
    amends = screen(statement.amends, policy).text_masked if statement.amends else None
    return replace(statement, content=found.text_masked, quote=quote, fact=first, more=more, amends=amends)
