"""Assembles the context of a question: gate, recall, fit into the budget, and the stored trace (R4, R5, R6)."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import datetime

from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.core.decay import Hit
from memories.core.policy import Policy
from memories.core.questions.standalone import standalone
from memories.core.text.language import Language, detect
from memories.models import Slot
from memories.services.embed_ahead import Ahead, embed_ahead
from memories.services.policies import policy_for
from memories.services.recall import recall
from memories.services.recall_result import RecallResult
from memories.services.reinforce import reinforce_in
from memories.services.screen import screen
from memoryhub.common.db import writing_of_what_was_read
from sessions_app.core.context import assemble
from sessions_app.core.errors import SessionNotFound
from sessions_app.core.gates import decide, may_recall
from sessions_app.core.pieces import Assembled
from sessions_app.core.window import last_rounds
from sessions_app.models import ChatSession, Turn
from sessions_app.services.context_parts import (
    checked_budget,
    for_the_model,
    limits_of,
    outdated_of,
    parts_of,
    request_of,
    used_of,
)
from sessions_app.services.context_rows import Known, language_of, read_known, readable_session
from sessions_app.services.results import AssembledContext
from sessions_app.services.stale_entries import mark_stale, note_asked
from sessions_app.services.store_trace import store_trace

RECENT_TURNS = 6
"""The newest turns that a message may share its topic with."""


def assemble_context(
    *,
    actor: Actor,
    session_id: uuid.UUID,
    question: str,
    question_turn_id: uuid.UUID | None = None,
    budget: int | None = None,
    now: datetime | None = None,
    reinforce: bool = True,
    aside: bool = False,
    unopened: ChatSession | None = None,
) -> AssembledContext:
    """The context for a question in this session, its trace stored.

    `question_turn_id` is the stored question: it and what follows stay out of the window. `budget` is in tokens, the
    margin included (the policy's, if left out; Invalid below MIN_BUDGET). With `reinforce`, memories that went in are
    strengthened, in sessions that keep things. `used_tokens` is counted after assembly and never exceeds the budget.
    With `aside` it is for another program's model, beside that program's own instructions: it does not say how to answer, and
    holds the form that a model may see. `unopened` is a session that is stored with its first round only (`session_id` is its id).
    Embeds, so it must not be called inside a transaction.
    """
    now = now or get_clock().now()
    in_force = policy_for(actor.tenant_id, session_id)
    policy = in_force.policy
    budget = checked_budget(budget, policy)
    question = screen(question, policy).text_masked
    if unopened is not None:
        actor.require_subject(unopened.subject_id, write=False)
    session = unopened or readable_session(actor, session_id)
    ahead = embed_ahead(question, policy) if may_recall(question) else None
    known = read_known(actor, session, question_turn_id, policy, now)
    gate = decide(question, [turn.content for turn in known.window[-RECENT_TURNS:]], policy)
    turns = known.window if gate.rounds is None else last_rounds(known.window, gate.rounds)
    found = (
        _recall(actor, known, question, question_turn_id, turns, policy, now, ahead) if gate.recalls else None
    )
    language: Language = detect(question, default=language_of(known.window))
    outdated = outdated_of(actor, known, found)
    parts = parts_of(known, found, outdated, turns, question, question_turn_id, language, now, policy)
    parts = mark_stale(actor, known.session.subject_id, parts, found.items if found else [], policy, now)
    assembled = assemble(for_the_model(replace(parts, aside=aside), policy), limits_of(budget, policy))
    keeps = known.session.mode == ChatSession.Mode.FULL
    strengthens = found if reinforce and keeps else None
    with writing_of_what_was_read(actor.tenant_id, SessionNotFound("no such session")):
        trace_id = store_trace(
            session=known.session,
            turn_id=question_turn_id,
            question=question,
            found=found,
            assembled=assembled,
            gate=gate,
            budget=budget,
            in_force=in_force,
            now=now,
        )
        if strengthens is not None:
            _strengthen(known.session, assembled, strengthens, question_turn_id, now, policy)
    if strengthens is not None:
        note_asked(actor, known.session.subject_id, assembled, now)
    return AssembledContext(
        messages=assembled.messages,
        sections={**assembled.sections, **{f"{name}_left_out": n for name, n in assembled.left_out.items()}},
        used_tokens=assembled.tokens,
        budget_tokens=budget,
        recall=found,
        used=used_of(assembled),
        trace_id=trace_id,
        gate=gate.name,
        request=request_of(assembled, language, past=found is not None and found.past),
        turn_ids=assembled.turn_ids,
    )


def _recall(
    actor: Actor,
    known: Known,
    question: str,
    question_turn_id: uuid.UUID | None,
    turns: list[Turn],
    policy: Policy,
    now: datetime,
    ahead: Ahead | None,
) -> RecallResult:
    before = [turn.content for turn in known.window]
    shown = [turn.pk for turn in whole(turns, policy)] + ([question_turn_id] if question_turn_id else [])
    return recall(
        actor=actor,
        subject_id=known.session.subject_id,
        query=question,
        k=policy.integer("context.depth"),
        session_id=known.session.pk,
        agent_id=known.session.agent_id,
        standalone_query=standalone(question, before, _lately(known.slots, question_turn_id)),
        turn_id=question_turn_id,
        # What went into the context is strengthened after assembly; what was merely found is not.
        reinforce=False,
        hand_over_trace=True,
        exclude_turn_ids=shown,
        ahead=ahead,
        now=now,
    )


def whole(turns: list[Turn], policy: Policy) -> list[Turn]:
    """The window's turns that stand there in full, so that recalling them would say the same twice.

    A tool's result stands there as its summary; and where the window is over-full, a turn of several pieces is shortened
    when the context is fitted into its budget: the pieces may come in by recall.
    """
    crowded = sum(turn.tokens for turn in turns) > policy.integer("window.tokens")
    longest = policy.integer("chunk.max_tokens")
    return [turn for turn in turns if not turn.full_content and not (crowded and turn.tokens > longest)]


def _lately(slots: list[Slot], question: uuid.UUID | None) -> list[str]:
    """What was talked about, the newest first: a follow-up leans on the last topic, however important an older one was.

    What the question itself left in the slots is not what it leans on.
    """
    slots = [slot for slot in slots if question is None or slot.turn_id != question]
    ranked = sorted(
        slots,
        key=lambda slot: (-slot.updated_at.timestamp(), slot.kind != Slot.Kind.ENTITY, -slot.importance),
    )
    return [slot.value for slot in ranked]


def _strengthen(
    session: ChatSession,
    assembled: Assembled,
    found: RecallResult,
    turn_id: uuid.UUID | None,
    now: datetime,
    policy: Policy,
) -> None:
    """The best `recall.k` that were recalled and went in: +0.5. What only fills the room proves nothing by standing there.

    Constraints and digests that always stand there are not hit by that alone.
    """
    recalled, most = {item.id for item in found.items}, policy.integer("recall.k")
    ids = [numbered.entry.id for numbered in assembled.numbered if numbered.entry.id in recalled][:most]
    reinforce_in(
        subject_id=session.subject_id, ids=ids, event=Hit.RETRIEVED, turn_id=turn_id, policy=policy, now=now
    )
