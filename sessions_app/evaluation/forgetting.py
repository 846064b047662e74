"""The suite `forgetting`: what somebody asked to be forgotten stays away, and nothing else is lost with it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from pathlib import Path

from memories.adapters.factory import get_embedder
from memories.core.text.sentences import sentences
from memories.evaluation.baselines import Baselines
from memories.evaluation.datasets import Conversation, Question, read_set
from memories.evaluation.metrics import first_place, percent, recall_at
from memories.evaluation.sets import sets_there
from memories.evaluation.suites import CannotMeasure, SuiteOptions, SuiteResult
from memories.services.recall import RecallItem
from sessions_app.evaluation.posting import Answer, Posted, ask, note_failed_jobs, post_conversation, shown

SETS = ("update_synth_zh",)
FIRST = 10
_DATED = re.compile(r"^\s*\[[\d-]+\]\s*")
"""The date that a digest's first sentence stands behind."""


def run(options: SuiteOptions) -> SuiteResult:
    """forget.leak@10 and others.R@10.delta; the conversations are posted with the requests, and again without them."""
    result = SuiteResult(columns=("value", "dense"))
    for name, folder in sets_there(options, "forgetting", dict.fromkeys(SETS, "q")).items():
        _measure(result, name, folder, options)
    return result


def leaks(answer: Answer, posted: Posted, question: Question, texts: Mapping[str, str]) -> tuple[bool, bool]:
    """Whether a forgotten turn is among the first ten, and whether the old value is in an item that nothing else explains.

    The second looks at the words of the first ten items: a sentence that holds the old answer leaks, unless a turn that was
    not to be forgotten explains it: one of the item's sources that holds the same words (two people may live in one town), or,
    for a digest, which points at no turn, a turn that says that very sentence.
    """
    turn = first_place(answer.ranking, question.forgotten) < FIRST
    kept = {key: text for key, text in texts.items() if key not in question.forgotten}
    value = bool(question.old_answer) and any(
        question.old_answer in sentence and not _explained(sentence, item, posted, kept, question.old_answer)
        for item in answer.items[:FIRST]
        for sentence in _sentences(item.text)
    )
    return turn, value


def _sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


def _explained(
    sentence: str, item: RecallItem, posted: Posted, kept: Mapping[str, str], old_answer: str
) -> bool:
    """Whether a turn that was not to be forgotten accounts for the sentence."""
    sources = [posted.ids.get(source, "") for source in item.source_ids]
    if sources:
        return any(old_answer in kept.get(source, "") for source in sources)
    bare = _DATED.sub("", sentence).strip(" \t\r\n。.!！")
    return any(bare in text for text in kept.values())


def _measure(result: SuiteResult, name: str, folder: Path, options: SuiteOptions) -> None:
    turn_leaks: list[float] = []
    value_leaks: list[float] = []
    plain_leaks: list[float] = []
    others: dict[str, list[float]] = {"with": [], "without": []}
    undone = 0
    for conversation in read_set(folder, options.split, options.limit):
        asked = [question for question in conversation.questions if question.forgotten]
        if not asked:
            continue
        posted = post_conversation(options, name, conversation)
        requests = frozenset(question.request for question in asked)
        plain = Baselines(conversation.turns, get_embedder())
        texts = {turn.id: turn.text for turn in conversation.turns}
        for question in asked:
            answer = ask(posted, question)
            turn, value = leaks(answer, posted, question, texts)
            turn_leaks.append(float(turn))
            value_leaks.append(float(value))
            plain_leaks.append(
                float(first_place(plain.rank(question.text)["dense"], question.forgotten) < FIRST)
            )
            if turn or value:
                result.failures.append(_failure(name, conversation, question, answer, posted, texts))
        without = post_conversation(options, name, conversation, requests)
        undone += posted.failed + without.failed
        _others(result, name, conversation, posted, without, requests, others)
    if not turn_leaks:
        raise CannotMeasure(f"{name} has no request to forget")
    leak = percent([max(pair) for pair in zip(turn_leaks, value_leaks, strict=True)])
    result.metrics[f"{name}.forget.leak@10"] = leak
    result.metrics[f"{name}.forget.leak@10.dense"] = percent(plain_leaks)
    result.table.append((f"{name}.forget.leak@10", (f"{leak:.1f}", f"{percent(plain_leaks):.1f}")))
    result.info[f"{name}.forget"] = {
        "requests": len(turn_leaks),
        "turn_leaks": percent(turn_leaks),
        "value_leaks": percent(value_leaks),
        "others": len(others["with"]),
    }
    note_failed_jobs(result, f"{name}.forget", undone)
    if others["with"]:
        after, before = percent(others["with"]), percent(others["without"])
        delta = round(after - before, 2)
        result.metrics[f"{name}.others.R@10.delta"] = delta
        result.metrics[f"{name}.others.R@10"] = after
        result.metrics[f"{name}.others.R@10.without_requests"] = before
        result.table.append((f"{name}.others.R@10 ({after:.1f} from {before:.1f})", (f"{delta:+.2f}", "")))


def _others(
    result: SuiteResult,
    name: str,
    conversation: Conversation,
    posted: Posted,
    without: Posted,
    requests: Collection[str],
    others: dict[str, list[float]],
) -> None:
    """R@10 of every question with an answer, with the requests played and without them."""
    for question in conversation.questions:
        if not question.answerable or not question.evidence or question.main & set(requests):
            continue
        found = {"with": ask(posted, question), "without": ask(without, question)}
        for run_name, answer in found.items():
            others[run_name].append(recall_at(answer.ranking, question.evidence, FIRST))
        if others["with"][-1] < others["without"][-1]:
            texts = {turn.id: turn.text for turn in conversation.turns}
            result.failures.append(_failure(name, conversation, question, found["with"], posted, texts))


def _failure(
    name: str,
    conversation: Conversation,
    question: Question,
    answer: Answer,
    posted: Posted,
    texts: Mapping[str, str],
) -> dict[str, object]:
    wanted = question.forgotten | {question.request} | frozenset().union(*question.evidence)
    return {
        "suite": "forgetting",
        "set": name,
        "conversation": conversation.id,
        "question": question.id,
        "category": question.category,
        "text": question.text,
        "forgotten": sorted(question.forgotten),
        "old_answer": question.old_answer,
        "said": {turn: texts[turn] for turn in sorted(wanted) if turn in texts},
        "first": shown(answer, posted, FIRST),
    }
