"""Answers without a model: confirms what was noted, quotes what is stored, and says that it is no model."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from memories.adapters.offline_words import WORDS, Words
from memories.core.questions.sensitive import asks_whether_given, names_type, tells_given
from memories.core.text.language import Language, detect
from memories.core.text.lexical import query_terms, terms
from memories.core.text.sentences import sentences
from memories.core.text.tokens import count, count_messages
from memories.ports import (
    ChatMessage,
    ChatRequest,
    Delta,
    Meter,
    ModelMisconfigured,
    NotedOutcome,
    RecalledForAnswer,
    Usage,
)

QUOTED: Final = 3
QUOTE_CHARACTERS: Final = 240
NAMED: Final = 8
"""Of what was forgotten; the rest is counted."""
FORGOTTEN: Final = "forgotten"
_PIECE = re.compile(r"\s*(?:[A-Za-z0-9.,:/@_'-]+|[^\sA-Za-z0-9]{1,3})|\s+")
_QUESTION = re.compile(
    r"[?？]\s*$|[吗呢么]\s*[。！]?\s*$|什么|多少|谁|哪|几[点个号岁次天]|怎么|怎样|如何|为什么|是否|有没有|是不是|还记得|"
    r"^\s*(?:and |so |but |ok(?:ay)?,? |hey,? |please )?(?:what|who|whom|whose|when|where|which|how|why|do|does|did|is|are|was|were|can|could|"
    r"will|would|should|have|has|tell me|remind me|show me|list)\b",
    re.IGNORECASE,
)


class OfflineResponder:
    """The chat model of an installation that has none, and of a tenant whose month of tokens is spent (until `renews`).

    It only ever repeats what is stored, in the words it was said in.
    """

    name = "offline"
    is_model = False

    def __init__(self, *, pause: float = 0.012, renews: datetime | None = None) -> None:
        self._pause, self._renews = pause, renews

    async def stream(self, request: ChatRequest) -> AsyncIterator[Delta]:
        """The answer in small pieces, with `pause` seconds between them so that it reads like a streamed one."""
        text = compose(request, renews=self._renews)
        for piece in _PIECE.findall(text):
            yield Delta(piece)
            await asyncio.sleep(self._pause)
        sent = [{"content": message.content} for message in request.messages]
        yield Delta(finish="stop", usage=Usage(count_messages(sent), count(text), estimated=True))

    def complete_json(
        self,
        messages: Sequence[ChatMessage],
        schema: Mapping[str, Any],
        timeout: float | None = None,
        meter: Meter | None = None,
    ) -> dict[str, Any]:
        """Always ModelMisconfigured: callers look at `is_model` and use rules."""
        raise ModelMisconfigured("No model is configured.", hint="Set OPENAI_BASE_URL and CHAT_MODEL.")


def compose(request: ChatRequest, *, renews: datetime | None = None) -> str:
    """The whole answer in the question's language: what was noted, what is stored about it, and why no model answers."""
    question = request.question
    language: Language = (
        detect(question, request.language or "en") if question.strip() else request.language or "en"
    )
    words = WORDS[language]
    parts = [line for outcome in _together(request.outcomes, words) if (line := _noted(outcome, words))]
    quotes: list[str] = []
    if kinds := asks_whether_given(question):
        quotes, masked = _given(request, kinds, words)
        parts += [words.given, *quotes] if masked else quotes or [words.nothing]
    elif _QUESTION.search(question):
        quotes = [_quote(memory, question, words) for memory in _relevant(question, request.memories)]
        parts += quotes or [words.nothing]
    elif not parts:
        parts.append(words.heard)
    if renews:
        why = words.spent.format(day=f"{renews:%Y-%m-%d}", end=words.spent_quoted if quotes else "")
    else:
        why = words.only_quoted if quotes else words.no_model
    return "\n\n".join(["\n".join(parts), why])


def _together(outcomes: Sequence[NotedOutcome], words: Words) -> list[NotedOutcome]:
    """The outcomes, with all that was forgotten in one: what can be done about it is said once."""
    gone = [one for one in outcomes if one.code == FORGOTTEN]
    if len(gone) < 2:
        return list(outcomes)
    texts = list(dict.fromkeys(one.text for one in gone if one.text))
    named = words.comma.join(texts[:NAMED]) + (
        words.more.format(n=len(texts) - NAMED) if len(texts) > NAMED else ""
    )
    at = outcomes.index(gone[0])
    rest = [one for one in outcomes if one.code != FORGOTTEN]
    return [*rest[:at], replace(gone[0], text=named), *rest[at:]]


def _noted(outcome: NotedOutcome, words: Words) -> str:
    """One line for an outcome; nothing for what was simply not worth keeping."""
    template = words.outcomes.get(outcome.code)
    if template is None or (outcome.code in words.need_text and not outcome.text):
        return ""
    if outcome.code == "superseded" and not outcome.replaced:
        template = words.outcomes["stored"]
    return template.format(text=_one_line(outcome.text), replaced=_one_line(outcome.replaced))


def _given(request: ChatRequest, kinds: Collection[str], words: Words) -> tuple[list[str], bool]:
    """What shows that something of these types was given, and whether it is masked: what was recalled, else this chat.

    What only names the type counts where it stands in the clear, as the tenant may want it; it is quoted like anything else.
    """
    question = request.question
    found = [one for one in request.memories if tells_given(one.text, kinds)]
    if found:
        return [_quote(one, question, words) for one in found[:QUOTED]], True
    said = [one.content for one in request.messages if one.role == "user"][:-1]
    here = [text for text in said if tells_given(text, kinds)]
    if here:
        who = words.speakers["user"]
        return [
            words.said.format(who=who, quote=_best_words(text, question)) for text in here[-QUOTED:]
        ], True
    named = [one for one in request.memories if names_type(one.text, kinds)]
    return [_quote(one, question, words) for one in named[:QUOTED]], False


def _relevant(question: str, memories: Sequence[RecalledForAnswer]) -> list[RecalledForAnswer]:
    """At most three: those that share words with the question, best first; else the two that recall ranked first.

    Both sides of a contradiction are told.
    """
    asked = set(query_terms(question))
    shared = [
        (len(asked & terms(memory.text).keys()), -place, memory) for place, memory in enumerate(memories)
    ]
    found = sorted((entry for entry in shared if entry[0]), key=lambda entry: entry[:2], reverse=True)
    if found:
        least = found[0][0] / 2
        told = [memory for hits, _, memory in found[:QUOTED] if hits >= least]
        disputed = any(memory.note == "contradicted" for memory in told)
        sides = [one for one in memories if disputed and one.note == "contradicted" and one not in told]
        return [*told, *sides[:1]]
    return list(memories[:2])


def _quote(memory: RecalledForAnswer, question: str, words: Words) -> str:
    who = words.speakers.get(memory.speaker, memory.speaker or words.speakers["user"])
    said = words.said.format(who=who, quote=_best_words(memory.text, question))
    about = (
        words.on_day.format(day=f"{memory.said_at:%Y-%m-%d}") if memory.said_at else ""
    ) + words.notes.get(memory.note, "")
    return f"{said}{about}[{memory.number}]" if about.endswith("）") else f"{said}{about} [{memory.number}]"


def _best_words(text: str, question: str) -> str:
    """The text, or where it is long, the run of its sentences that shares most with the question, unchanged."""
    line = _one_line(text)
    if len(line) <= QUOTE_CHARACTERS:
        return line
    asked = set(query_terms(question))
    bounds = sentences(line)
    best = max(range(len(bounds)), key=lambda at: (len(asked & terms(line[slice(*bounds[at])]).keys()), -at))
    start, end = bounds[best]
    while best + 1 < len(bounds) and bounds[best + 1][1] - start <= QUOTE_CHARACTERS:
        best += 1
        end = bounds[best][1]
    return line[start : min(end, start + QUOTE_CHARACTERS)].strip()


def _one_line(text: str) -> str:
    return " ".join(text.split())
