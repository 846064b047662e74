"""Which clause of a text tells what a question asks for, and the values that it gives."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memories.core.extraction.sentences import is_supposition, split_clauses
from memories.core.questions.answering import answers, asked_for, new_values
from memories.core.questions.measure import Measure, measure_of, measured, word_numbers
from memories.core.statement import FactPart
from memories.core.text.kept import kept
from memories.core.text.lexical import terms
from memories.core.text.passages import Sentence, share
from memories.core.values.forms import value_form, value_key
from memories.core.values.keyvalues import key_values

LEAST: Final = 0.35
"""Share of the question's weight below which a statement is not about it at all."""
READ: Final = 2
"""Best sentences of a text that are read for their values."""
BESIDE: Final = 0.9
"""What a word of the clause before counts beside one of the clause that gives the value."""
_GRANTED: Final = re.compile(
    r"\b(?:remind \w+|remember|note|know(?:ing)?|given|considering|confirm|mind|now) that\b|既然|提醒我|记[住得一]下?|知道"
)
"""Behind these words a question tells something."""
_GRANTED_BEFORE: Final = re.compile(rf"(?:{_GRANTED.pattern})$")
_AIM: Final = re.compile(
    r"\b(?:aim|target|goal|hop(?:e|ing)\b|want|plan(?:s|ning|ned)?\b)|目标|争取|希望|打算|计划|想[要把]?",
    re.IGNORECASE,
)
_ANEW: Final = re.compile(
    r"\b(?:now|again|back (?:to|at|on|in)|after all|once more|currently|these days)\b|现在|目前|如今|又|再次|恢复|[改调换搬回]回|回到|还是",
    re.IGNORECASE,
)
_IS: Final = re.compile(r"\b(?:which|that|has|have|is|was|now)\b|现在|已经", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Asked:
    """The question with what its words ask for."""

    question: str
    sorts: frozenset[str]
    measure: Measure


@dataclass(frozen=True, slots=True)
class Telling:
    """How well a text's best clause fits the question, 0..1, and the values that it gives; 0.0 and none where it tells nothing.

    `anew` says that they hold now, or again: then they are no mere repeat of what was so once.
    """

    fit: float = 0.0
    values: frozenset[str] = frozenset()
    anew: bool = False


@dataclass(frozen=True, slots=True)
class _Told:
    """A clause that tells something, its index terms, and those of the clause before it."""

    text: str
    terms: frozenset[str]
    before: frozenset[str]


def asked_of(question: str) -> Asked:
    """What the question's words ask for."""
    return Asked(question, asked_for(question), measure_of(question))


def telling(split: Sequence[Sentence], weight: Mapping[str, float], asked: Asked) -> Telling:
    """The clause with a value that fits best, out of the text's best sentences; `weight` is that of the question's words."""
    ranked = sorted(((share(one.terms, weight), one.text) for one in split), key=lambda one: -one[0])
    best = Telling()
    for whole, sentence in ranked[:READ]:
        for clause in _told(sentence) if whole >= LEAST else ():
            alone, both = share(clause.terms, weight), share(clause.terms | clause.before, weight)
            fit = alone + BESIDE * (both - alone)
            if fit > best.fit and (values := _values(clause.text, asked)):
                best = Telling(fit, values, _ANEW.search(clause.text) is not None)
    return best


def stated(fact: FactPart, asked: Asked) -> frozenset[str]:
    """The fact's value, when it can be what is measured or counted."""
    found = key_values(fact.value)
    if asked.measure != Measure():
        found = measured(f"{fact.value} {fact.attribute.replace('_', ' ')}", found, asked.measure)
        return frozenset(value_key(one) for one in found)
    return frozenset(value_key(one) for one in found) or frozenset({value_form(fact.value)})


@kept
def _told(sentence: str) -> tuple[_Told, ...]:
    """The clauses of a sentence that do not ask, and what others take for granted: "can you note that …?"."""
    told: list[_Told] = []
    before = ""
    for clause in split_clauses(sentence):
        text = clause.text
        if clause.asks and not _GRANTED_BEFORE.search(before):
            granted = _GRANTED.search(text)
            text = text[granted.end() :] if granted else ""
        if text and not is_supposition(text):
            told.append(_Told(text, frozenset(terms(text)), frozenset(terms(before))))
        before = clause.text
    return tuple(told)


def _values(clause: str, asked: Asked) -> frozenset[str]:
    """The new values that a clause gives the asker: of the wanted measure and sorts where some are, none that it aims at."""
    values = [*new_values(clause, asked.question), *word_numbers(clause, asked.measure)]
    if values and not _AIM.search(asked.question):
        low, high = _aimed(clause)
        values = [value for value in values if not low <= value.start < high]
    values = measured(clause, values, asked.measure)
    if asked.sorts:
        values = [value for value in values if answers(clause, [value], asked.sorts)]
    return frozenset(value_key(value) for value in values)


def _aimed(clause: str) -> tuple[int, int]:
    """From where to where a clause tells what is aimed at: behind the last word of aiming, until another statement begins."""
    aims = [found.end() for found in _AIM.finditer(clause)]
    if not aims:
        return 0, 0
    begins = _IS.search(clause, aims[-1])
    return aims[-1], begins.start() if begins else len(clause)
