"""Remember: keep what a caller hands over, as given or as the statements that are found in it (R13)."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.core.extraction.candidate import Candidate
from memories.core.extraction.engine import extract
from memories.core.gate import judge, judge_text
from memories.core.importance import importance_of
from memories.core.kinds import NEVER_PINNED, Kind
from memories.core.outcomes import Reason
from memories.core.policy import Policy
from memories.core.statement import Statement
from memories.core.text.language import detect
from memories.services import limits
from memories.services.learn import block, over_budget, with_reasons, write_between
from memories.services.limits import Checks, clean
from memories.services.outcome import Outcome
from memories.services.policies import policy_of
from memories.services.screen import screen, screen_values
from memories.services.statements import Origin, fact_of, of_candidate, sealed
from memories.services.subjects import subject_to_write, zone_of


def remember(
    *,
    actor: Actor,
    subject_id: uuid.UUID,
    content: str,
    kind: str | None = None,
    source: str = "user",
    speaker: str = "",
    said_at: datetime | None = None,
    turn_id: uuid.UUID | None = None,
    session_id: uuid.UUID | None = None,
    scope: str = "user",
    agent_id: uuid.UUID | None = None,
    importance: float | None = None,
    importance_level: str = "",
    tags: Sequence[str] = (),
    metadata: Mapping[str, Any] | None = None,
    key: str = "",
    expires_at: datetime | None = None,
    expires_after_turns: int | None = None,
    expires_with_session: bool = False,
    pinned: bool = False,
    infer: bool = True,
    from_compaction: bool = False,
) -> list[Outcome]:
    """One Outcome a statement, never none.

    With `infer` and no kind, the statements in the text are found, gated and kept each on its own; where none is found, the
    gate judges the text as a whole. With a kind, the text is one memory of that kind, still gated. Without `infer` it is
    kept as given (kind fact, if none is named). Tags, metadata, key and speaker are screened like the text. Structure is read out of the text either way, where it holds one statement.
    `expires_after_turns` (rounds of the session `session_id` from here on) and `expires_with_session` keep it for a while:
    it is then that session's own.
    `from_compaction` starts it at the lower strength of what nobody asked to keep. Times need a zone. Raises Invalid
    naming each offending field, NotFound for a subject that is not the actor's to write.
    """
    now = get_clock().now()
    content = clean(content)
    checks = Checks()
    checks.content(content)
    checks.kind(kind)
    checks.source(source)
    checks.importance(importance)
    checks.level(importance_level)
    checks.tags(tags)
    checks.metadata(metadata)
    checks.short("key", key, limits.MAX_KEY)
    checks.short("speaker", speaker, limits.MAX_SPEAKER)
    checks.scope(scope, agent_id, session_id)
    checks.time("said_at", said_at)
    checks.future("expires_at", expires_at, now)
    if expires_after_turns is not None or expires_with_session:
        checks.passing(scope, session_id, expires_after_turns, expires_at)
        scope = "session"
    if pinned and kind is not None and kind in NEVER_PINNED:
        checks.problems["pinned"] = f"a memory of the kind {kind} may not be pinned"
    if key and kind not in {None, Kind.CONSTRAINT.value}:
        checks.problems["key"] = "only a constraint has a key"
    checks.done()
    subject = subject_to_write(actor, subject_id)
    if subject.memory_paused:
        paused = ("memory is paused",)
        return [Outcome(Reason.NOT_WORTH_KEEPING, rule="subject.paused", reasons=paused)]
    policy, _ = policy_of(actor.tenant_id)
    consents = not infer and actor.kind == "user" and actor.subject_id == subject_id
    found = screen(content, policy, consented=consents)
    # What stands beside the text is stored in the clear and shown like it.
    beside, refused = screen_values(
        [[clean(tag) for tag in tags], dict(metadata or {}), clean(key), clean(speaker)], policy
    )
    shown_tags, shown_metadata, key, speaker = beside
    if found.blocked or refused:
        return [block(actor, subject_id, found.types | refused)]
    seals = found.needs_encryption or found.needs_consent or kind == Kind.SENSITIVE
    text = content if seals else found.text_masked
    origin = Origin(source, said_at or now, speaker, turn_id, session_id, agent_id, scope)
    candidates = extract(
        text, role=source, speaker=origin.speaker, said_at=origin.said_at, tz=zone_of(subject)
    )
    given = _Given(
        importance, importance_level, tuple(shown_tags), shown_metadata, key, expires_at,
        pinned, from_compaction, expires_after_turns, expires_with_session,
    )  # fmt: skip
    slots: list[Outcome | Statement]
    if infer and kind is None and not key:
        slots = _inferred(text, candidates, origin, policy)
    else:
        slots = [_as_given(text, kind, candidates, origin, policy, gated=infer)]
    if seals:
        slots = [
            sealed(slot, policy, consented=consents) if isinstance(slot, Statement) else slot
            for slot in slots
        ]
    slots = [given.put_over(slot, consents) if isinstance(slot, Statement) else slot for slot in slots]
    return write_between(actor, subject_id, slots, policy)


class _Given:
    """What the caller says about the memory; it goes over what was read out of the text."""

    def __init__(
        self,
        importance: float | None,
        level: str,
        tags: tuple[str, ...],
        metadata: dict[str, Any],
        key: str,
        expires_at: datetime | None,
        pinned: bool,
        from_compaction: bool,
        turns: int | None,
        with_session: bool,
    ) -> None:
        self.importance, self.level, self.tags, self.metadata = importance, level, tags, metadata
        self.key, self.expires_at, self.pinned, self.from_compaction = (
            key,
            expires_at,
            pinned,
            from_compaction,
        )
        self.turns, self.with_session = turns, with_session

    def put_over(self, statement: Statement, consents: bool) -> Statement:
        """`consents`: the person saves it for themselves on purpose, so that no further yes is asked for."""
        sensitive = statement.clear is not None
        return replace(
            statement,
            importance=statement.importance if self.importance is None else self.importance,
            importance_level=self.level,
            tags=self.tags,
            metadata=self.metadata,
            key=statement.key if sensitive else (self.key or statement.key),
            expires_at=self.expires_at or statement.expires_at,
            pinned=self.pinned and not sensitive,
            from_compaction=self.from_compaction,
            expires_after_turns=self.turns or statement.expires_after_turns,
            expires_with_session=self.with_session or statement.expires_with_session,
            needs_approval=statement.needs_approval and not consents,
        )


def _inferred(
    text: str, candidates: Sequence[Candidate], origin: Origin, policy: Policy
) -> list[Outcome | Statement]:
    """Each statement that is found; the whole text where none is."""
    if not candidates:
        return [_as_given(text, None, (), origin, policy, gated=True)]
    slots: list[Outcome | Statement] = []
    for candidate in candidates[: limits.MAX_STATEMENTS]:
        decision = judge(candidate, policy)
        if decision.outcome == Reason.STORED:
            slots.append(with_reasons(of_candidate(candidate, origin), decision.reasons))
        else:
            slots.append(
                Outcome(Reason.NOT_WORTH_KEEPING, None, candidate.kind.value, decision.rule, decision.reasons)
            )
    if len(candidates) > limits.MAX_STATEMENTS:
        slots.append(over_budget(len(candidates)))
    return slots


def _as_given(
    text: str,
    kind: str | None,
    candidates: Sequence[Candidate],
    origin: Origin,
    policy: Policy,
    *,
    gated: bool,
) -> Outcome | Statement:
    """The text as one memory; the fact and the times of its only statement are taken over."""
    chosen = kind or Kind.FACT.value
    rule = "given"
    reasons: tuple[str, ...] = ("kept as given",)
    if gated:
        decision = judge_text(text, policy, kind=chosen)
        # Who names the kind has judged that it matters; noise stays out all the same.
        named = kind is not None and decision.rule == "gate.importance"
        if decision.outcome != Reason.STORED and not named:
            return Outcome(Reason.NOT_WORTH_KEEPING, None, chosen, decision.rule, decision.reasons)
        rule, reasons = decision.rule, decision.reasons
    statement = Statement(
        content=text,
        kind=chosen,
        source=origin.source,
        said_at=origin.said_at,
        language=detect(text),
        speaker=origin.speaker,
        quote=text,
        rule=rule,
        reasons=reasons,
        importance=importance_of(text, chosen),
        explicit=not gated,
        scope=origin.scope,
        agent_id=origin.agent_id,
        session_id=origin.session_id,
        turn_id=origin.turn_id,
    )
    facts = [fact for candidate in candidates if (fact := fact_of(candidate)) is not None]
    if len(candidates) > 1 and facts:
        statement = replace(
            statement,
            fact=facts[0],
            more=tuple(facts[1:]),
            update=any(candidate.update for candidate in candidates),
            correction=any(candidate.correction for candidate in candidates),
        )
    if len(candidates) == 1:
        read = of_candidate(candidates[0], origin)
        statement = replace(
            statement,
            fact=fact_of(candidates[0]),
            update=read.update,
            correction=read.correction,
            replaces=read.replaces,
            valid_from=read.valid_from,
            valid_to=read.valid_to,
            event_start=read.event_start,
            event_end=read.event_end,
            expires_at=read.expires_at,
            scope=read.scope,
            expires_after_turns=read.expires_after_turns,
            expires_with_session=read.expires_with_session,
            key=read.key if chosen == Kind.CONSTRAINT else "",
        )
    return statement
