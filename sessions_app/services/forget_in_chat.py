"""Carries out what a message asks to forget, before anything is learnt from it, and tells the answer what went (R26)."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.core.extraction.requests import asked
from memories.core.forgetting.labels import label_of
from memories.core.forgetting.probes import facts_in
from memories.core.forgetting.targets import is_no, is_yes
from memories.core.text.language import detect
from memories.models import Fact, ForgetRequest, Memory
from memories.ports import ChatMessage, ChatRequest, NotedOutcome
from memories.services.forget_by_words import forget_by_words
from memories.services.forget_requests import answer_in_chat, listed
from memories.services.outcome import Outcome, Reason
from memories.services.policies import policy_of
from memoryhub.common.db import tenant_transaction
from sessions_app.models import ChatSession, Turn
from sessions_app.services.results import AssembledContext

ASK = "forget.ask"
_NOTE = {
    "zh": {
        "done": "(系统:用户要求忘记,已经忘记:{what}。简短确认,不要猜测或重复内容本身;{days}天内可以在记忆页恢复。)",
        "ask": "(系统:用户要求忘记{what},范围较大或不明确,还没有删除。请用户回答“是”来确认,或“不”来取消。)",
        "nothing": "(系统:用户要求忘记的内容没有存过,没有删除任何东西。)",
        "left_out": "(系统:用户要求忘记,但想保留的部分没有找到,为稳妥起见没有删除任何东西。请用户换个说法指明要保留什么,或逐项说要忘记什么。)",
        "kept": "(系统:用户取消了忘记的请求,没有删除任何东西。)",
    },
    "en": {
        "done": "(System: the person asked to forget something; forgotten now: {what}. Confirm briefly, do not guess or repeat the content; it can be restored on the memory page for {days} days.)",
        "ask": "(System: the person asked to forget {what}; that is wide or not clear, so nothing was removed yet. Ask them to answer yes to confirm or no to cancel.)",
        "nothing": "(System: nothing was stored of what the person asked to forget; nothing was removed.)",
        "left_out": "(System: the person asked to forget something and to keep part of it; nothing stored fits what is to be kept, so nothing was removed. Ask them to name it otherwise, or to say one by one what is to go.)",
        "kept": "(System: the person took back their request to forget; nothing was removed.)",
    },
}


def forget_in_chat(*, actor: Actor, turn: Turn, text: str, now: datetime | None = None) -> list[Outcome]:
    """The outcomes of the requests in a person's message, or of its yes or no to one; [] for any other message.

    Works in read-only sessions and while memory is paused, too: they keep nothing, but what is kept may be taken away.
    """
    session = turn.session
    if turn.role != Turn.Role.USER or session.mode == ChatSession.Mode.PRIVATE:
        return []
    if not (asked(text) or is_yes(text) or is_no(text)):
        return []
    at = now or get_clock().now()
    with tenant_transaction(actor.tenant_id):
        last = (
            # "What I just said" is what the same person said.
            Turn.objects.filter(
                session_id=session.pk, seq__lt=turn.seq, role=Turn.Role.USER, speaker=turn.speaker
            )
            .order_by("-seq")
            .values_list("pk", flat=True)
            .first()
        )
    answered = answer_in_chat(
        actor=actor, subject_id=session.subject_id, text=text, last_turn_id=last, now=at
    )
    if answered:
        return answered
    return forget_by_words(
        actor=actor,
        subject_id=session.subject_id,
        text=text,
        turn_id=turn.pk,
        session_id=session.pk,
        last_turn_id=last,
        said_at=turn.said_at,
        speaker=turn.speaker,
        now=at,
    )


def only_asks(text: str) -> bool:
    """Whether the message is nothing but a request to forget: it is no memory of anything itself.

    One that says what takes the place of what goes ("…, the new one is …") tells something, too.
    """
    found = asked(text)
    if not found or facts_in(text):
        return False
    rest = text
    for one in reversed(found):
        rest = rest[: one.start] + rest[one.end :] if rest[one.start : one.end] else rest
    return len(rest.strip(" \t\r\n。.!！?？,，")) < 4


def noted(actor: Actor, outcomes: Sequence[Outcome], language: str) -> list[NotedOutcome]:
    """The outcomes about forgetting, with what they are about in words that give nothing away."""
    mine = [one for one in outcomes if one.code == Reason.FORGOTTEN or one.rule.startswith("forget.")]
    if not mine:
        return []
    ids = [one.memory_id for one in mine if one.code == Reason.FORGOTTEN and one.memory_id]
    requests = {request for one in mine if (request := request_of(one)) is not None}
    with tenant_transaction(actor.tenant_id):
        kinds = dict(Memory.objects.filter(id__in=ids).values_list("id", "kind"))
        facts = {row.memory_id: row for row in Fact.objects.filter(memory_id__in=ids)}
        rows = {
            row.id: listed(row, get_clock().now()) for row in ForgetRequest.objects.filter(id__in=requests)
        }
    found: dict[tuple[str, str], NotedOutcome] = {}
    for one in mine:
        request = request_of(one)
        row = rows.get(request) if request is not None else None
        fact = facts.get(one.memory_id) if one.memory_id else None
        if fact is not None:
            label = label_of(language, one.kind, fact.entity, fact.attribute)
        elif one.memory_id is not None:
            label = label_of(language, kinds.get(one.memory_id, one.kind))
        else:
            label = row.label if row is not None else ""
        code = one.code.value
        if one.rule == ASK:
            code = "forget_ask"
        elif one.rule == "forget.nothing_found":
            code = "forget_nothing"
        elif one.rule == "forget.exception":
            code = "forget_left_out"
        elif one.rule == "forget.refused":
            code = "forget_kept"
        elif one.code != Reason.FORGOTTEN:
            continue
        found.setdefault((code, label), NotedOutcome(code, label, kind=one.kind))
    return list(found.values())


def request_of(outcome: Outcome) -> uuid.UUID | None:
    """The request that an outcome belongs to."""
    for reason in outcome.reasons:
        if reason.startswith("request "):
            return uuid.UUID(reason.removeprefix("request "))
    return None


def with_note(
    actor: Actor, context: AssembledContext, told: Sequence[NotedOutcome], question: str
) -> AssembledContext:
    """The context with a line before the message that tells a model what was forgotten, or that a yes is needed."""
    if not told:
        return context
    language = detect(question)
    policy, _ = policy_of(actor.tenant_id)
    names = "、" if language == "zh" else ", "
    by_code: dict[str, list[str]] = {}
    for one in told:
        by_code.setdefault(one.code, []).append(one.text)
    keys = {
        "forgotten": "done",
        "forget_ask": "ask",
        "forget_nothing": "nothing",
        "forget_left_out": "left_out",
        "forget_kept": "kept",
    }
    lines = [
        _NOTE[language][keys[code]].format(
            what=names.join(text for text in texts if text), days=policy.integer("tombstone.retention_days")
        )
        for code, texts in by_code.items()
    ]
    messages = list(context.messages)
    at = next((n for n in range(len(messages) - 1, -1, -1) if messages[n]["role"] == "user"), None)
    if at is None:
        return context
    messages[at] = {**messages[at], "content": "\n".join([*lines, messages[at]["content"]])}
    request: ChatRequest = replace(
        context.request, messages=[ChatMessage(one["role"], one["content"]) for one in messages]
    )
    return replace(context, messages=messages, request=request)
