"""The replay suite: conversations sent turn by turn through the chat service itself, then each question's context assembled."""

from __future__ import annotations

import asyncio
import uuid
from statistics import fmean
from typing import Any

from memories.adapters.factory import override
from memories.evaluation.datasets import Conversation, Question, SaidTurn, read_set
from memories.evaluation.metrics import percent, recall_at
from memories.evaluation.retrieval import PLANS
from memories.evaluation.suites import CannotMeasure, SuiteOptions, SuiteResult
from memories.models import Job
from memories.ports import FixedClock
from memoryhub.common.db import tenant_transaction
from sessions_app.evaluation.posting import Posted, ask, new_tenant, post, record
from sessions_app.generation import generate
from sessions_app.models import Digest, Turn
from sessions_app.services.assemble_context import assemble_context
from sessions_app.services.post_message import post_message

SETS = ("locomo", "memdaily_pool_zh")
CONVERSATIONS = 2


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


def _send(conversation: Conversation, clock: FixedClock) -> Posted:
    """A person's words go through post_message and are answered; named people and given answers are recorded as said."""
    scripted = any(turn.speaker != "user" for turn in conversation.turns)
    return post(
        conversation.turns,
        clock,
        actor=new_tenant("Replay"),
        name=conversation.id,
        send=record if scripted else _answered,
    )


def _answered(posted: Posted, turn: SaidTurn, clock: FixedClock) -> uuid.UUID:
    sent = post_message(actor=posted.actor, session_id=posted.session_id, content=turn.text, now=clock.now())
    asyncio.run(generate(sent, actor=posted.actor, publish=_nobody))
    return sent.user_turn.pk


async def _nobody(frame: dict[str, Any]) -> None:
    """Nobody reads along."""


def _ask(sent: Posted, question: Question, found: list[float], tokens: list[int]) -> None:
    found.append(recall_at(ask(sent, question).ranking, question.evidence, 10))
    context = assemble_context(
        actor=sent.actor,
        session_id=sent.session_id,
        question=question.text,
        now=max(question.asked_at or sent.ends, sent.ends),
        reinforce=False,
    )
    tokens.append(context.used_tokens)
