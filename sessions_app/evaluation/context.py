"""The context suite: how much of the evidence stands in a context of 2,000 tokens, beside plain ways to fill one."""

from __future__ import annotations

import time
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from accounts.actor import Actor
from memories.adapters.factory import override
from memories.core.text.tokens import count, count_messages, with_margin
from memories.evaluation.datasets import Conversation, Question, read_set
from memories.evaluation.ingest import Ingested, ingest
from memories.evaluation.sets import sets_there
from memories.evaluation.suites import SuiteOptions, SuiteResult
from memories.ports import FixedClock
from memories.services.recall import recall
from sessions_app.evaluation.evidence import Tally, scored, share_standing
from sessions_app.evaluation.posting import new_tenant
from sessions_app.services.assemble_context import assemble_context
from sessions_app.services.open_session import open_session

BUDGET = 2_000
DEPTH = 100
SETS = ("locomo", "beam_100k", "memdaily_pool_zh", "memorybank_zh")
SYSTEMS = ("memoryhub", "naive", "window")
JOINT = 4
"""Tokens that a plain text's line costs besides its words, as a chat message's do."""


def run(options: SuiteOptions) -> SuiteResult:
    """Share of the evidence in the context of each question, asked in a new session after the whole conversation.

    *naive* is the same recall in rank order, without labels, until one does not fit; *window* the last turns.
    """
    result = SuiteResult(columns=SYSTEMS)
    for name, folder in sets_there(options, "context", dict.fromkeys(SETS, "q")).items():
        _measure(result, name, folder, options)
    result.info["context.budget_tokens"] = BUDGET
    return result


def _measure(result: SuiteResult, name: str, folder: Path, options: SuiteOptions) -> None:
    tally, started = Tally(), time.perf_counter()
    for at, conversation in enumerate(read_set(folder, options.split, options.limit)):
        questions = scored(name, conversation)
        if questions:
            _play(conversation, questions, tally, at, result)
    tally.tell(result, f"context.{name}", SYSTEMS)
    result.info[f"context.{name}.seconds"] = round(time.perf_counter() - started, 1)


def _play(
    conversation: Conversation, questions: list[Question], tally: Tally, number: int, result: SuiteResult
) -> None:
    actor = new_tenant("Context")
    clock = FixedClock(datetime(1990, 1, 1, tzinfo=UTC))
    turns = {turn.id: turn.text for turn in conversation.turns}
    with override(clock=clock):
        stored = ingest(actor, clock, conversation)
        clock.at = max(clock.at, stored.ended_at)
        session_id = open_session(actor=actor, subject_id=stored.subject_id, now=clock.at).pk
        for question in questions:
            now = max(question.asked_at or stored.ended_at, stored.ended_at)
            context = assemble_context(
                actor=actor,
                session_id=session_id,
                question=question.text,
                budget=BUDGET,
                now=now,
                reinforce=False,
            )
            # The question is the last message: its words are the asker's.
            known = "\n".join(message["content"] for message in context.messages[:-1])
            recalled = _recalled(actor, stored, question, now)
            newest = (turn.text for turn in reversed(conversation.turns))
            systems = {
                "memoryhub": (known, context.used_tokens),
                "naive": plain(question.text, recalled),
                "window": plain(question.text, newest),
            }
            tally.groups.append(number)
            for system, (text, tokens) in systems.items():
                tally.shares[system].append(share_standing(question, turns, dict.fromkeys(turns, text)))
                tally.tokens[system].append(tokens)
            if tally.shares["memoryhub"][-1] < 1:
                result.failures.append(
                    {
                        "suite": "context",
                        "question": question.text,
                        "answer": question.answer,
                        "evidence": [turns[turn] for turn in sorted(question.main) if turn in turns],
                        "context": known,
                    }
                )


def _recalled(actor: Actor, stored: Ingested, question: Question, now: datetime) -> Iterable[str]:
    found = recall(
        actor=actor,
        subject_id=stored.subject_id,
        query=question.text,
        k=DEPTH,
        reinforce=False,
        trace=False,
        now=now,
    )
    return (item.text for item in found.items)


def plain(question: str, texts: Iterable[str], budget: int = BUDGET) -> tuple[str, int]:
    """The texts in their order until one does not fit beside the question, and the tokens, margin included."""
    used, taken = count_messages([{"content": question}]), []
    for text in texts:
        cost = count(text) + JOINT
        if with_margin(used + cost) > budget:
            break
        taken.append(text)
        used += cost
    return "\n".join(taken), with_margin(used)
