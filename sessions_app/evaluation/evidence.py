"""Whether the evidence of a question still stands in a text, and the tally of systems that is kept of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from statistics import fmean

from memories.core.text.lexical import terms
from memories.evaluation.datasets import Conversation, Question
from memories.evaluation.intervals import interval
from memories.evaluation.metrics import percent
from memories.evaluation.retrieval import PLANS
from memories.evaluation.suites import CannotMeasure, SuiteResult
from sessions_app.evaluation.matching import stands_in

SHARE = 0.7
"""Of a turn's content words, so many must stand in the text."""
SHORTEST_ANSWER = 2
"""A shorter answer stands in nearly any text."""


@lru_cache(maxsize=65536)
def content_words(text: str) -> frozenset[str]:
    """The index terms of a text: no stop words, stems in English, words in Chinese."""
    return frozenset(terms(text))


def stands(turn: str, answer: str, text: str) -> bool:
    """True when what the turn tells about the question stands in `text`.

    That is the set's answer, where the turn holds it whole and so does the text; else SHARE of the turn's content words.
    """
    answer = answer.strip()
    if len(answer) >= SHORTEST_ANSWER and stands_in(answer, turn) and stands_in(answer, text):
        return True
    words = content_words(turn)
    return bool(words) and len(words & content_words(text)) >= SHARE * len(words)


def share_standing(question: Question, turns: Mapping[str, str], texts: Mapping[str, str]) -> float:
    """Share of the question's evidence groups with a turn that stands in its text, 0..1.

    `turns` are the conversation's texts by id, `texts` what is looked at for each turn (the context; the turn's digest).
    """
    groups = [[turn for turn in group if turn in turns] for group in question.evidence]
    found = [any(stands(turns[turn], question.answer, texts[turn]) for turn in group) for group in groups]
    return sum(found) / len(found)


def scored(name: str, conversation: Conversation) -> list[Question]:
    """The questions that have an answer, evidence that is there, and a category that the set is scored by."""
    plan = PLANS[name]
    known = {turn.id for turn in conversation.turns}
    return [
        question
        for question in conversation.questions
        if question.answerable
        and question.evidence
        and all(group & known for group in question.evidence)
        and (not plan.categories or question.category in plan.categories)
    ]


@dataclass
class Tally:
    """By system: each question's share and tokens; `groups` names each question's conversation."""

    shares: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    tokens: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    groups: list[int] = field(default_factory=list)

    def tell(self, result: SuiteResult, key: str, systems: Sequence[str]) -> None:
        """Metrics, intervals and a row of the table; the first system has the plain name. CannotMeasure without any question."""
        if not self.groups:
            raise CannotMeasure(f"{key} has no question that can be scored")
        cells = []
        for system in systems:
            name = key if system == systems[0] else f"{key}.{system}"
            result.metrics[name] = percent(self.shares[system])
            low, high = interval(self.shares[system], self.groups)
            result.info[f"{name}.interval"] = [low, high]
            result.metrics[f"{name}.tokens"] = round(fmean(self.tokens[system]), 3)
            cells.append(f"{result.metrics[name]:.1f} ({low:.1f}-{high:.1f})")
        result.table.append((key, tuple(cells)))
        result.table.append(
            (f"{key}.tokens", tuple(f"{fmean(self.tokens[system]):.4g}" for system in systems))
        )
        result.info[f"{key}.questions"] = len(self.groups)
