"""The replay suite: conversations sent turn by turn through the chat service itself, then each question's context assembled."""

from __future__ import annotations

import asyncio
import uuid
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from statistics import fmean
from typing import Any

from accounts.actor import Actor, system_actor
from accounts.models import Tenant
from accounts.services.ensure_subject import ensure_subject
from memories.adapters.factory import override
from memories.evaluation.datasets import Conversation, Question, SaidTurn, read_set
from memories.evaluation.metrics import percent, recall_at
from memories.evaluation.retrieval import PLANS
from memories.evaluation.suites import CannotMeasure, SuiteOptions, SuiteResult
from memories.models import Job
from memories.ports import FixedClock
from memories.services.jobs import run_due
from memories.services.recall import recall
from memoryhub.common.db import tenant_transaction
from sessions_app.generation import generate
from sessions_app.models import Digest, Turn
from sessions_app.services.assemble_context import assemble_context
from sessions_app.services.end_session import end_session
from sessions_app.services.open_session import open_session
from sessions_app.services.post_message import post_message
from sessions_app.services.record_turn import record_turn

SETS = ("locomo", "memdaily_pool_zh")
CONVERSATIONS = 2
DEPTH = 30


@dataclass
class Replayed:
    """One conversation after it was sent; `ids` maps stored turns back to the set's ids."""

    actor: Actor
    subject_id: uuid.UUID
    session_id: uuid.UUID
    ends: datetime
    ids: dict[uuid.UUID, str] = field(default_factory=dict)


def run(options: SuiteOptions) -> SuiteResult:
    """R@10, context tokens, and how many turns were compacted and jobs failed; `limit` is conversations a set (2)."""
    if options.data is None:
        raise CannotMeasure("the replay suite needs --data DIR")
    result = SuiteResult(columns=("R@10", "tokens", "turns", "digests", "failed"))
    for name in options.sets or SETS:
        found: list[float] = []
        tokens: list[int] = []
        counts = {"turns": 0, "digests": 0, "failed": 0}
        for conversation in read_set(options.data / name, options.split, options.limit or CONVERSATIONS):
            _measure(conversation, name, found, tokens, counts)
        if not found:
            raise CannotMeasure(f"{name} has no question that can be scored")
        result.metrics[f"{name}.replay.R@10"] = percent(found)
        result.metrics[f"{name}.replay.tokens"] = round(fmean(tokens), 1)
        result.metrics[f"{name}.replay.failed"] = counts["failed"]
        result.info[f"{name}.replay"] = {**counts, "questions": len(found), "most_tokens": max(tokens)}
        columns = (
            f"{percent(found):.1f}",
            f"{fmean(tokens):.0f}",
            *(str(value) for value in counts.values()),
        )
        result.table.append((name, columns))
    return result


def _measure(
    conversation: Conversation, name: str, found: list[float], tokens: list[int], counts: dict[str, int]
) -> None:
    clock = FixedClock(conversation.turns[0].time)
    with override(clock=clock):
        sent = _send(conversation, clock)
        with tenant_transaction(sent.actor.tenant_id):
            counts["turns"] += Turn.objects.count()
            counts["digests"] += Digest.objects.filter(undone_at=None).count()
            counts["failed"] += Turn.objects.filter(state=Turn.State.FAILED).count()
            counts["failed"] += Job.objects.exclude(state=Job.State.DONE).count()
        categories = PLANS[name].categories
        for question in conversation.questions:
            if (
                question.answerable
                and question.evidence
                and (not categories or question.category in categories)
            ):
                _ask(sent, question, found, tokens)


def _send(conversation: Conversation, clock: FixedClock) -> Replayed:
    """A person's words go through post_message and are answered; named people and given answers are recorded as said."""
    tenant = Tenant.objects.create(slug=f"replay-{uuid.uuid4().hex[:12]}", name="Replay")
    actor = system_actor(tenant.pk, door="command", name="evaluate")
    subject_id = ensure_subject(actor=actor, kind="user", external_id=conversation.id).pk
    scripted = any(turn.speaker != "user" for turn in conversation.turns)
    session_id, current = uuid.UUID(int=0), None
    sent = Replayed(actor, subject_id, session_id, conversation.turns[-1].time + timedelta(days=1))
    for turn in conversation.turns:
        clock.at = max(clock.at, turn.time)
        if turn.session != current:
            if current is not None:
                end_session(actor=actor, session_id=session_id, now=clock.now())
            session_id = open_session(actor=actor, subject_id=subject_id, now=clock.now()).pk
            current = turn.session
        stored = _record(sent, session_id, turn) if scripted else _post(sent, session_id, turn, clock)
        sent.ids[stored] = turn.id
        run_due(actor.tenant_id, now=clock.now())
    sent.session_id = session_id
    return sent


def _record(sent: Replayed, session_id: uuid.UUID, turn: SaidTurn) -> uuid.UUID:
    return record_turn(
        actor=sent.actor,
        session_id=session_id,
        role=turn.role,
        content=turn.text,
        speaker=turn.name,
        at=turn.time,
    ).turn.pk


def _post(sent: Replayed, session_id: uuid.UUID, turn: SaidTurn, clock: FixedClock) -> uuid.UUID:
    posted = post_message(actor=sent.actor, session_id=session_id, content=turn.text, now=clock.now())
    asyncio.run(generate(posted, actor=sent.actor, publish=_nobody))
    return posted.user_turn.pk


async def _nobody(frame: dict[str, Any]) -> None:
    """Nobody reads along."""


def _ask(sent: Replayed, question: Question, found: list[float], tokens: list[int]) -> None:
    at = max(question.asked_at or sent.ends, sent.ends)
    answer = recall(
        actor=sent.actor,
        subject_id=sent.subject_id,
        query=question.text,
        k=DEPTH,
        reinforce=False,
        trace=False,
        now=at,
    )
    ranking = dict.fromkeys(
        sent.ids[source] for item in answer.items for source in item.source_ids if source in sent.ids
    )
    found.append(recall_at(list(ranking), question.evidence, 10))
    context = assemble_context(
        actor=sent.actor, session_id=sent.session_id, question=question.text, now=at, reinforce=False
    )
    tokens.append(context.used_tokens)
