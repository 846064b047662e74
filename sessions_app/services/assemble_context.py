"""Assembles the context of a question: gate, recall, fit into the budget, and the stored trace (R4, R5, R6)."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.db.models import Q

from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.core.language import Language, detect
from memories.core.lexical import query_terms
from memories.core.policy import Policy
from memories.models import Memory, Slot
from memories.ports import ChatMessage, ChatRequest, RecalledForAnswer
from memories.services.policies import policy_of
from memories.services.recall import recall
from memories.services.recall_result import RecallItem, RecallResult
from memories.services.reinforce import reinforce as reinforce_items
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid
from sessions_app import store
from sessions_app.core.context import MIN_BUDGET, assemble
from sessions_app.core.gates import Gate, decide
from sessions_app.core.outdated import Outdated, read
from sessions_app.core.pieces import Assembled, Entry, Limits, Parts, TurnPiece
from sessions_app.core.selection import SUPERSEDED, Found, select
from sessions_app.core.standalone import standalone
from sessions_app.core.window import last_rounds
from sessions_app.models import ChatSession, Turn
from sessions_app.services.access import access_session
from sessions_app.services.read_outdated import read_outdated
from sessions_app.services.results import AssembledContext
from sessions_app.services.slots import live_slots, rendered
from sessions_app.services.store_trace import store_trace

RECENT_TURNS = 6
"""The newest turns that a message may share its topic with."""
MAX_CONSTRAINTS = 100
SPARE = 18
"""Recalled beyond k, for what then gives way: echoes, earlier questions, replaced statements, what is in anyway."""


@dataclass(frozen=True, slots=True)
class _Known:
    """What one transaction reads before the recall."""

    session: ChatSession
    zone: ZoneInfo
    window: list[Turn]
    digests: list[Entry]
    constraints: list[Entry]
    slots: list[Slot]


def assemble_context(
    *,
    actor: Actor,
    session_id: uuid.UUID,
    question: str,
    question_turn_id: uuid.UUID | None = None,
    budget: int | None = None,
    now: datetime | None = None,
    reinforce: bool = True,
) -> AssembledContext:
    """The context for a question in this session, its trace stored.

    `question_turn_id` is the stored question: it and what follows stay out of the window. `budget` is in tokens, the
    margin included (the policy's, if left out; Invalid below MIN_BUDGET). With `reinforce`, memories that went in are
    strengthened, in sessions that keep things. `used_tokens` is counted after assembly and never exceeds the budget.
    Embeds, so it must not be called inside a transaction.
    """
    now = now or get_clock().now()
    policy, version = policy_of(actor.tenant_id)
    budget = checked_budget(budget, policy)
    known = _read(actor, session_id, question_turn_id, policy, now)
    gate = decide(question, [turn.content for turn in known.window[-RECENT_TURNS:]], policy)
    turns = known.window if gate.rounds is None else last_rounds(known.window, gate.rounds)
    found = (
        _recall(actor, known, gate, question, question_turn_id, turns, policy, now) if gate.recalls else None
    )
    language: Language = detect(question, default=_language_of(known.window))
    outdated = _outdated(actor, known, found)
    parts = _parts(known, found, outdated, turns, question, question_turn_id, language, now, policy)
    assembled = assemble(parts, _limits(budget, policy))
    keeps = known.session.mode == ChatSession.Mode.FULL
    trace_id = store_trace(
        actor=actor,
        session=known.session,
        turn_id=question_turn_id,
        question=question,
        found=found,
        assembled=assembled,
        gate=gate,
        budget=budget,
        policy_version=version,
        now=now,
    )
    if reinforce and keeps and found is not None:
        _strengthen(actor, known.session, assembled, found, question_turn_id, now)
    return AssembledContext(
        messages=assembled.messages,
        sections={**assembled.sections, **{f"{name}_left_out": n for name, n in assembled.left_out.items()}},
        used_tokens=assembled.tokens,
        budget_tokens=budget,
        recall=found,
        used=_used(assembled),
        trace_id=trace_id,
        gate=gate.name,
        request=_request(assembled, language),
        turn_ids=assembled.turn_ids,
    )


def checked_budget(budget: int | None, policy: Policy) -> int:
    """The budget asked for, or the policy's: its own number, else a share of the model's window up to the cap."""
    if budget is not None:
        if budget < MIN_BUDGET:
            raise Invalid(
                f"a context needs at least {MIN_BUDGET} tokens",
                hint="Raise the budget.",
                fields={"budget": "too small"},
            )
        return budget
    fixed = policy.integer("context.budget_tokens")
    if fixed:
        return max(MIN_BUDGET, fixed)
    # A tenant may say how large its model's window is; otherwise the installation's setting knows.
    named = "context.model_window" in policy.overrides()
    window = policy.integer("context.model_window") if named else int(settings.CHAT_CONTEXT_TOKENS)
    share = int(window * policy.number("context.share"))
    return max(MIN_BUDGET, min(share, policy.integer("context.cap_tokens")))


def _limits(budget: int, policy: Policy) -> Limits:
    """One recalled entry may take a twelfth of the budget, so that six take half of it at most."""
    return Limits(
        budget=budget,
        margin=policy.number("context.margin"),
        constraint_cap=min(policy.integer("constraint.cap_tokens"), budget // 2),
        entry_cap=max(40, min(300, budget // (2 * policy.integer("recall.k")))),
    )


def _read(
    actor: Actor, session_id: uuid.UUID, question_turn_id: uuid.UUID | None, policy: Policy, now: datetime
) -> _Known:
    with tenant_transaction(actor.tenant_id):
        session = access_session(actor, session_id)
        before: int | None = None
        if question_turn_id is not None:
            before = (
                Turn.objects.filter(session=session, pk=question_turn_id)
                .values_list("seq", flat=True)
                .first()
            )
        zone = _zone(session.subject.time_zone)
        window = [turn for turn in store.window(session, before_seq=before) if turn.content]
        newest = policy.integer("digest.in_context")
        digests = store.live_digests(session.pk)[-newest:] if newest else []
        return _Known(
            session=session,
            zone=zone,
            window=window,
            digests=[_memory_entry(d.memory, zone) for d in digests if d.memory.status == "current"],
            constraints=_constraints(session, zone, now),
            slots=live_slots(session.subject_id, now),
        )


def _constraints(session: ChatSession, zone: ZoneInfo, now: datetime) -> list[Entry]:
    """What the person or an operator laid down, pinned and important ones first: always in (R12).

    A rule that a tool, an import or the assistant spoke of is a memory like any other, not one to be obeyed.
    """
    rows = (
        Memory.objects.of(session.subject_id).constraints().alive(now).filter(source__in=["user", "operator"])
    )
    reaches = Q(scope="user") | Q(scope="session", session_id=session.pk)
    if session.agent_id is not None:
        reaches |= Q(scope="agent", agent_id=session.agent_id)
    mine = list(rows.filter(reaches))
    mine.sort(key=lambda row: (row.pinned, row.importance, row.said_at), reverse=True)
    return [_memory_entry(row, zone) for row in mine[:MAX_CONSTRAINTS]]


def _recall(
    actor: Actor,
    known: _Known,
    gate: Gate,
    question: str,
    question_turn_id: uuid.UUID | None,
    turns: list[Turn],
    policy: Policy,
    now: datetime,
) -> RecallResult:
    users = [turn.content for turn in known.window if turn.role == Turn.Role.USER]
    shown = [turn.pk for turn in turns] + ([question_turn_id] if question_turn_id else [])
    return recall(
        actor=actor,
        subject_id=known.session.subject_id,
        query=question,
        k=min(100, policy.integer("recall.k") + SPARE),
        session_id=known.session.pk,
        agent_id=known.session.agent_id,
        standalone_query=standalone(
            question, leans=gate.leans, recent_user=users, slots=[slot.value for slot in known.slots]
        ),
        turn_id=question_turn_id,
        # What went into the context is strengthened after assembly; what was merely found is not.
        reinforce=False,
        exclude_turn_ids=shown,
        now=now,
    )


def _parts(
    known: _Known,
    found: RecallResult | None,
    outdated: Outdated,
    turns: list[Turn],
    question: str,
    question_turn_id: uuid.UUID | None,
    language: Language,
    now: datetime,
    policy: Policy,
) -> Parts:
    """R6's parts. What is in already (as a constraint, a digest) does not come a second time, but keeps its score."""
    items = [] if found is None else found.items
    scores = {item.id: item.score for item in items}
    fixed = {entry.id for entry in (*known.constraints, *known.digests)}
    return Parts(
        language=language,
        today=now.astimezone(known.zone),
        constraints=[_scored(entry, scores) for entry in known.constraints],
        memories=select(
            [Found(_item_entry(item, known.zone), tuple(item.source_ids)) for item in items],
            k=policy.integer("recall.k"),
            outdated=outdated,
            fixed=fixed,
            question=question_turn_id,
        ),
        slots=rendered(known.slots, language, policy, now),
        digests=[_fresh(_scored(entry, scores), outdated) for entry in known.digests],
        turns=[TurnPiece(turn.pk, turn.role, turn.content, turn.speaker) for turn in turns],
        message=question,
        terms=frozenset(query_terms(question)),
    )


def _outdated(actor: Actor, known: _Known, found: RecallResult | None) -> Outdated:
    if found is None or not found.items:
        return Outdated()
    with tenant_transaction(actor.tenant_id):
        return read_outdated(known.session.subject_id, found.items)


def _fresh(digest: Entry, outdated: Outdated) -> Entry:
    """The digest without sentences that were replaced since; it is never left out altogether."""
    if digest.said_at is None:
        return digest
    reading = read(digest.text, digest.said_at, (), "memory", outdated)
    return replace(digest, text=reading.text) if reading.text else digest


def _scored(entry: Entry, scores: dict[uuid.UUID, float]) -> Entry:
    return replace(entry, score=scores.get(entry.id, 0.0))


def _item_entry(item: RecallItem, zone: ZoneInfo) -> Entry:
    return Entry(
        id=item.id,
        item_kind=item.item_kind,
        kind=item.kind,
        text=item.text,
        said_at=item.said_at.astimezone(zone),
        source=item.source or item.role,
        speaker=item.speaker,
        confidence=item.confidence,
        contradicted=item.contradicted,
        score=item.score,
    )


def _memory_entry(memory: Memory, zone: ZoneInfo) -> Entry:
    return Entry(
        id=memory.pk,
        item_kind="memory",
        kind=memory.kind,
        text=memory.content,
        said_at=memory.said_at.astimezone(zone),
        source=memory.source,
        speaker=memory.speaker,
        confidence=memory.credibility,
    )


def _used(assembled: Assembled) -> list[dict[str, object]]:
    return [
        {
            "id": str(numbered.entry.id),
            "item_kind": numbered.entry.item_kind,
            "number": numbered.number,
            "section": numbered.section,
            "score": round(numbered.entry.score, 4),
            "cited": False,
        }
        for numbered in assembled.numbered
    ]


def _request(assembled: Assembled, language: Language) -> ChatRequest:
    """For the model the messages; for the offline responder what was recalled and holds, in rank order, same numbers."""
    recalled = sorted(
        (
            one
            for one in assembled.numbered
            if one.entry.score > 0 and not one.entry.kind.endswith(SUPERSEDED)
        ),
        key=lambda numbered: -numbered.entry.score,
    )
    return ChatRequest(
        messages=[ChatMessage(message["role"], message["content"]) for message in assembled.messages],
        memories=[
            RecalledForAnswer(
                number=numbered.number,
                id=numbered.entry.id,
                text=numbered.text,
                said_at=numbered.entry.said_at,
                speaker=numbered.entry.speaker,
                kind=numbered.entry.kind,
            )
            for numbered in recalled
        ],
        language=language,
    )


def _strengthen(
    actor: Actor,
    session: ChatSession,
    assembled: Assembled,
    found: RecallResult,
    turn_id: uuid.UUID | None,
    now: datetime,
) -> None:
    """Recalled and in the context: +0.5. Constraints and digests that always stand there are not hit by that alone."""
    recalled = {item.id for item in found.items}
    ids = [numbered.entry.id for numbered in assembled.numbered if numbered.entry.id in recalled]
    if ids:
        reinforce_items(
            actor=actor, subject_id=session.subject_id, ids=ids, event="retrieved", turn_id=turn_id, now=now
        )


def _language_of(window: list[Turn]) -> Language:
    return "zh" if window and window[-1].language == "zh" else "en"


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")
