"""How much of the past a turn takes: the last rounds or the whole window, with recall or without (R4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memories.core.gate import RecallGate, needs_memory
from memories.core.policy import Policy
from memories.core.text.lexical import terms


@dataclass(frozen=True, slots=True)
class Gate:
    """`name` is none, new_topic or continue; `rounds` of the window to take, None for all of it."""

    name: str
    recalls: bool
    rounds: int | None
    rule: str


def may_recall(question: str) -> bool:
    """Whether the message may need memory, as far as its own words tell."""
    return needs_memory(question, has_window=False).gate is not RecallGate.SKIP


def decide(question: str, recent: Sequence[str], policy: Policy) -> Gate:
    """The gate of a message; `recent` are the texts of the newest turns, oldest first, empty in a new session.

    A message that would stand alone continues the topic all the same when it shares words with the newest turns.
    """
    verdict = needs_memory(question, has_window=bool(recent))
    if verdict.gate is RecallGate.SKIP:
        return Gate("none", False, policy.integer("window.no_recall_rounds"), verdict.rule)
    if verdict.gate is RecallGate.NEW_TOPIC and not _shares_words(question, recent):
        return Gate("new_topic", True, policy.integer("window.new_topic_rounds"), verdict.rule)
    return Gate("continue", True, None, verdict.rule)


def _shares_words(question: str, recent: Sequence[str]) -> bool:
    """Any index term of two characters or more (a word, a stem, a code) that both hold."""
    wanted = {term for term in terms(question) if len(term) > 1}
    return any(wanted & set(terms(text)) for text in recent)
