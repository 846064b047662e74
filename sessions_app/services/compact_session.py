"""Compacts the old end of a session's window into a digest: atomic, idempotent, no model call in a transaction (R7-R10)."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

import structlog
from django.db import IntegrityError

from accounts.actor import Actor
from accounts.audit import record
from memories.adapters.factory import get_chat_model, get_clock
from memories.core.budget import RULE, Spent, Use
from memories.core.forgetting.marks import ANY_MARK
from memories.core.gate import judge_text
from memories.core.outcomes import Reason
from memories.core.policy import Policy
from memories.core.statement import Statement
from memories.core.text.language import detect
from memories.models import Evidence
from memories.ports import Meter
from memories.services.embedding import Embedded, embed_passages
from memories.services.model_usage import charge, charge_alone, spent_until
from memories.services.policies import policy_for
from memories.services.screen import screen
from memories.services.standing import Standing
from memories.services.write_memory import store_embedded
from memoryhub.common.db import tenant_transaction
from sessions_app import store
from sessions_app.core import window
from sessions_app.core.salience import Atomic, Said
from sessions_app.models import ChatSession, Digest, Turn
from sessions_app.services.access import access_session
from sessions_app.services.learn_turn import learn_turn, only_quotes
from sessions_app.services.make_digest import MODEL, Made, condense
from sessions_app.services.merge_digests import merge_digests
from sessions_app.services.results import CompactionReport
from sessions_app.services.windows import settled

log = structlog.get_logger(__name__)

MAX_SPANS = 50
"""Spans of one call; an import of thousands of turns at once goes on in the next job."""
SPAN_TOKENS = 6_000
"""A longer span is cut in two digests: a model must be able to read it, and a digest must stay about one thing."""


@dataclass(frozen=True, slots=True)
class _Span:
    """Turns that leave the window together, as they were when they were read."""

    session: ChatSession
    turns: list[Turn]

    def said(self, actor: Actor) -> list[Said]:
        """What is to be condensed: nothing of what the person asked never to remember, and no quotes of what is stored."""
        with tenant_transaction(actor.tenant_id):
            standing = Standing(self.session.subject_id)
        return [
            Said(
                turn.pk,
                turn.role,
                standing.clean(turn.content, role=turn.role, speaker=turn.speaker, said_at=turn.said_at),
                turn.speaker,
                turn.said_at,
            )
            for turn in [turn for turn in self.turns if not only_quotes(turn)] or self.turns
        ]


def compact_session(
    *, actor: Actor, session_id: uuid.UUID, now: datetime | None = None, closing: bool = False
) -> CompactionReport:
    """Take the oldest turns of an over-full window into digests, and old digests into one of the next generation.

    Each span is one transaction under the session's lock, in which the span is checked again: digest, its memory, the
    atomic memories, the archived turns and the window's new start stand or fall together, so that a worker that dies
    anywhere loses no turn and compacts none twice. A no-op when nothing may leave the window. `closing` takes all that
    is left, if it is enough for a digest. Calls models: never inside a transaction.
    """
    now = now or get_clock().now()
    policy = policy_for(actor.tenant_id, session_id).policy
    report = CompactionReport(session_id, reason="not_full")
    for _ in range(MAX_SPANS):
        span = _next_span(actor, session_id, policy, closing=closing)
        if span is None:
            break
        done = _compact(actor, span, policy, now)
        report = _sum(report, done)
        if done.reason != "compacted":
            break
    merged = merge_digests(actor=actor, session_id=session_id, policy=policy, now=now)
    return _sum(report, CompactionReport(session_id, reason=report.reason, merged_digests=merged))


def _next_span(actor: Actor, session_id: uuid.UUID, policy: Policy, *, closing: bool) -> _Span | None:
    with tenant_transaction(actor.tenant_id):
        session = access_session(actor, session_id, write=True)
        turns = list(store.window(session))
        until = settled(turns)
        if closing:
            leaving = until if until >= policy.integer("digest.closing_turns") else 0
        else:
            leaving = window.cut(turns, window.policy_for(session.preset, policy), settled=until)
    chosen = _readable(turns[:leaving])
    return _Span(session, chosen) if chosen else None


def _readable(turns: list[Turn]) -> list[Turn]:
    """The oldest of the turns, up to SPAN_TOKENS; at least one."""
    total = 0
    for index, turn in enumerate(turns):
        total += turn.tokens
        if index and total > SPAN_TOKENS:
            return turns[:index]
    return turns


def _compact(actor: Actor, span: _Span, policy: Policy, now: datetime) -> CompactionReport:
    learned = _learn_first(actor, span, now)
    meter = Meter()
    try:
        return _condense(actor, span, policy, now, learned, meter)
    finally:
        # A digest that was not stored cost the same; that of a stored one is not on the meter any more.
        charge_alone(actor.tenant_id, Use.DIGEST, meter.spent)


def _condense(
    actor: Actor, span: _Span, policy: Policy, now: datetime, learned: int, meter: Meter
) -> CompactionReport:
    spent = get_chat_model().is_model and spent_until(actor.tenant_id, Use.DIGEST) is not None
    made = condense(span.said(actor), policy, meter, may_ask=not spent)
    because = RULE if spent else ""
    statements = [_digest_statement(span, made, policy), *_atomic_statements(actor, span, made, policy)]
    embedded = embed_passages([statement.content for statement in statements], policy)
    try:
        done = _store(actor, span, made, statements, embedded, policy, now, learned, meter.spent, because)
    except IntegrityError as error:
        # The unique span is the last line of defence: somebody else stored it between our check and our commit.
        if not store.is_doubled_span(error):
            raise
        return CompactionReport(span.session.pk, reason="done_elsewhere", learned=learned)
    if done.reason == "compacted":
        meter.spent = Spent()
    return done


def _learn_first(actor: Actor, span: _Span, now: datetime) -> int:
    """Learn from turns whose own job has not run yet, so that what a digest shortens is kept as memories (R14)."""
    learned = 0
    for turn in span.turns:
        if turn.learned_at is not None:
            continue
        try:
            learned += len(learn_turn(actor=actor, turn_id=turn.pk, now=now))
        except Exception as error:  # The turn stays unlearnt and is tried again by beat; compaction goes on.
            log.exception("turn.not_learnt", turn_id=str(turn.pk), error=type(error).__name__)
    return learned


def _digest_statement(span: _Span, made: Made, policy: Policy) -> Statement:
    """R12: a digest is recalled in later sessions, too, unless its session keeps nothing long-term."""
    first, last = span.turns[0], span.turns[-1]
    text = made.digest.text or " ".join(turn.content for turn in span.turns)[:300]
    return Statement(
        content=screen(text, policy).text_masked,
        kind="digest",
        source="assistant" if made.method == MODEL else "user",
        said_at=last.said_at,
        language=made.digest.language,
        rule=f"compaction.{made.method}",
        event_start=first.said_at,
        event_end=last.said_at,
        scope=_scope(span.session),
        agent_id=span.session.agent_id,
        session_id=span.session.pk,
    )


def _scope(session: ChatSession) -> str:
    return "user" if session.mode == ChatSession.Mode.FULL else "session"


def _atomic_statements(actor: Actor, span: _Span, made: Made, policy: Policy) -> list[Statement]:
    """R10, without doubling: nothing from turns that a memory rests on already, and only what the write gate lets in."""
    session = span.session
    if session.mode != ChatSession.Mode.FULL:
        return []
    with tenant_transaction(actor.tenant_id):
        if session.subject.memory_paused:
            return []
        ids = [turn.pk for turn in span.turns]
        taught = set(Evidence.objects.filter(turn_id__in=ids).values_list("turn_id", flat=True))
    wanted = [
        atomic
        for atomic in made.atomics
        # A message that lost words is no statement by itself any more.
        if atomic.said.turn_id not in taught and ANY_MARK.search(atomic.content) is None
    ]
    return [
        _statement(session, atomic, policy)
        for atomic in wanted
        if judge_text(atomic.content, policy, kind=atomic.kind).outcome == Reason.STORED
    ]


def _statement(session: ChatSession, atomic: Atomic, policy: Policy) -> Statement:
    return Statement(
        content=screen(atomic.content, policy).text_masked,
        kind=atomic.kind.value,
        source="assistant" if atomic.said.role == "assistant" else "user",
        said_at=atomic.said.said_at,
        language=detect(atomic.content),
        speaker=atomic.said.speaker,
        quote=atomic.quote,
        rule=atomic.rule,
        importance=atomic.salience,
        agent_id=session.agent_id,
        session_id=session.pk,
        turn_id=atomic.said.turn_id,
        from_compaction=True,
    )


def _store(
    actor: Actor,
    span: _Span,
    made: Made,
    statements: list[Statement],
    embedded: Embedded | None,
    policy: Policy,
    now: datetime,
    learned: int,
    spent: Spent,
    because: str,
) -> CompactionReport:
    with tenant_transaction(actor.tenant_id):
        # A request to forget changes turns under the lock that this holds: what is checked now must hold at the commit.
        session = store.lock_session(span.session.pk)
        if session is None or not _unchanged(session, span):
            return CompactionReport(span.session.pk, reason="done_elsewhere", learned=learned)
        outcomes = store_embedded(
            actor=actor,
            subject_id=session.subject_id,
            statements=statements,
            policy=policy,
            now=now,
            embedded=embedded,
        )
        if outcomes[0].memory_id is None:
            # A standing "do not remember anything": the turns stay in the window, and the budget shortens them.
            return CompactionReport(session.pk, reason="nothing_kept", learned=learned)
        digest = Digest(
            session=session,
            memory_id=outcomes[0].memory_id,
            generation=1,
            first_seq=session.window_from,
            last_seq=span.turns[-1].seq,
            tokens=made.digest.tokens,
            source_tokens=sum(turn.tokens for turn in span.turns),
            method=made.method,
            created_at=now,
        )
        digest.save(force_insert=True)
        archived = store.archive([turn.pk for turn in span.turns], digest, now)
        session.window_from = digest.last_seq + 1
        session.save(update_fields=["window_from"])
        record(
            actor,
            "session.compact",
            target_kind="session",
            target_id=session.pk,
            subject_id=session.subject_id,
            digest=str(digest.pk),
            turns=archived,
            method=made.method,
            **({"rule": because} if because else {}),
        )
        charge(Use.DIGEST, spent)
    return CompactionReport(
        session_id=session.pk,
        reason="compacted",
        digest_ids=[digest.pk],
        turns=archived,
        learned=learned + sum(outcome.kept for outcome in outcomes[1:]),
        source_tokens=digest.source_tokens,
        tokens=digest.tokens,
    )


def _unchanged(session: ChatSession, span: _Span) -> bool:
    """Nobody compacted, undid or redacted meanwhile: the window begins with these turns, in these words."""
    if session.window_from != span.session.window_from:
        return False
    now_there = list(store.window(session)[: len(span.turns)])
    return [(turn.pk, turn.content, turn.state) for turn in now_there] == [
        (turn.pk, turn.content, turn.state) for turn in span.turns
    ]


def _sum(one: CompactionReport, two: CompactionReport) -> CompactionReport:
    """Two steps of one compaction as one report; what stopped the second step does not undo the first one's reason."""
    return CompactionReport(
        session_id=one.session_id,
        reason=one.reason if one.reason == "compacted" else two.reason,
        digest_ids=[*one.digest_ids, *two.digest_ids],
        turns=one.turns + two.turns,
        merged_digests=one.merged_digests + two.merged_digests,
        learned=one.learned + two.learned,
        source_tokens=one.source_tokens + two.source_tokens,
        tokens=one.tokens + two.tokens,
    )
