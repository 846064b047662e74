"""A later statement of change is ranked before the older one that it amends, though it fits the question's words less (R18).

"The rebate goes up to 6.5%" says less of what was asked than "we give our distributors a 4% rebate" did. A hint for
ranking, never for replacing: what no rule could read still does not stand behind what it made untrue.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memories.core.extraction.sentences import split_clauses
from memories.core.questions.freshness import Said
from memories.core.questions.telling import Asked, asked_of, values_of
from memories.core.text.kept import kept
from memories.core.text.lexical import query_terms, stem, terms
from memories.core.text.passages import Sentence, share, weights
from memories.core.text.stopwords import ARTICLES, DEMONSTRATIVES, POSSESSIVES, word_set
from memories.core.text.words import tagged

TOPIC: Final = 0.2
"""Share of the question's weight that both must hold to be about one thing."""
NEAR: Final = 0.12
"""Only what is this near to the best score is worth being amended."""
LIKE: Final = 0.3
"""Share of what the older one holds of it that both must hold."""
STEP: Final = 0.01
MOST: Final = 0.3
"""How far a statement is lifted at most."""

_CHANGE: Final = re.compile(
    r"\b(?:now|no longer|any ?more|instead|these days|from now on|as of|(?:is|are|'s|’s) (?:out|off|gone)|actually|correction|scratch that|make (?:that|it)"
    r"|switch(?:ed|ing)|(?<!n.t )(?<!not )chang(?:ed|ing)|mov(?:ed|ing)|replaced|swapped|traded|bumped|raised|lowered|dropped|(?:rose|risen|grew|grown|fell|fallen|went|goes|gone|climbed|cut|slid|slip(?:s|ped)) (?:up|down|back|to|out)"
    r"|pushed|postponed|delayed|rescheduled|shifted|extended|shortened|brought forward|reached|up to|down to|upgraded|downgraded|promoted|seconded|quit|cancell?ed|took over|takes over|handed|ended up"
    r"|ported|migrated|rebuilt|renamed|rolled out|adjusted|increased|decreased|reduced|granted)\b"
    r"|(?<![不没])(?:改(?![革善良])|换(?![届季位言])|调(?:[到成整为至去岗回])|变(?:[成为更了])|[涨降升](?:[到成至了为任])|挪[到去了后前]|撤[了销掉]|搬[到去来了家进回])"
    r"|推迟|延[期后长到]|提前|拖到|顺延|缩[到短减]|[加减增]到|不再|现在|如今|目前|取消|转(?:[到去成岗学给])|辞[了职掉]|跳槽|离职|更正|纠正|[说记写搞弄]错|其实|重新|从[^，。]{1,8}起",
    re.IGNORECASE,
)
_OVER: Final = re.compile(r"\b(?:did|was|were|had)\b|过[吗没]|那[次天年]|当时|上次", re.IGNORECASE)
"""A question with one of these asks what was, which no change makes untrue."""
_PLAIN: Final = (
    ARTICLES
    | POSSESSIVES
    | DEMONSTRATIVES
    | word_set("new newest latest current same whole entire total old final own other next real of")
)
_WORD: Final = re.compile(r"[A-Za-z\u00c0-\u024f][\w'’-]*|[\u4e00-\u9fff]+")


@dataclass(frozen=True, slots=True)
class _Change:
    """A clause that tells of a change, with its index terms and those of the clause before."""

    text: str
    terms: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Old:
    """A statement that may be amended: its index terms, how well they fit the question, and the values that it gives."""

    terms: frozenset[str]
    fit: float
    values: frozenset[str]
    asked: Asked


def lifts(found: Sequence[Said], scores: Sequence[float], question: str) -> list[float]:
    """For each text how much its score is short of standing just before the older statement that it amends, 0 to MOST.

    `scores` are those that the texts have. Both are the person's own words. The later one tells of a change, shares a word
    of the question with the older, by an attribute that neither of them has to it ("the team appointment") is about another
    thing, and gives another value of the sort that is asked for; and nothing was learnt from it.
    """
    gains = [0.0] * len(found)
    own = [at for at, one in enumerate(found) if one.by_user and not one.superseded]
    if len(own) < 2 or _OVER.search(question):
        return gains
    weight = weights(question, [found[at].sentences for at in own], _across(question))
    best = max(scores[at] for at in own)
    old = {at: _old(found[at], weight, asked_of(question)) for at in own if scores[at] >= best - NEAR}
    for at in own:
        above = [one for one in old if scores[one] >= scores[at] and _later(found[at], found[one])]
        changes = _unread(found[at]) if above else ()
        amended = [one for one in above if any(_amends(change, old[one], weight) for change in changes)]
        if amended:
            gains[at] = min(MOST, max(scores[one] for one in amended) - scores[at] + STEP)
    return gains


def _amends(change: _Change, old: _Old, weight: Mapping[str, float]) -> bool:
    """Whether the change is about the thing of which the older statement tells, and gives it another value."""
    shared = old.terms & change.terms & weight.keys()
    if share(shared, weight) < max(TOPIC, LIKE * old.fit):
        return False
    if old.asked.typed:
        another = not values_of(change.text, old.asked) <= old.values
    else:
        another = not frozenset(terms(change.text)) <= old.terms
    return another and not _other_thing(change.text, shared, old.terms | weight.keys())


def _across(question: str) -> frozenset[str]:
    """The question's index terms that stand for no Chinese word: single characters, and pairs that reach across two words."""
    words = [word for word, _ in tagged(question) if len(word) > 1]
    return frozenset(
        term
        for term in query_terms(question)
        if len(term) == 1 or not (term.isascii() or any(term in word for word in words))
    )


def _old(one: Said, weight: Mapping[str, float], asked: Asked) -> _Old:
    held = frozenset[str]().union(*(sentence.terms for sentence in one.sentences))
    given = (values_of(sentence.text, asked) for sentence in one.sentences) if asked.typed else ()
    return _Old(held, share(held, weight), frozenset[str]().union(*given), asked)


def _later(one: Said, other: Said) -> bool:
    return (one.at, one.seq) > (other.at, other.seq)


def _other_thing(clause: str, shared: Collection[str], known: Collection[str]) -> bool:
    """Whether each shared word stands with an attribute that neither the question nor the older statement has: "the team appointment"."""
    checked = [_attribute(clause, term) for term in shared]
    return bool(checked) and all(
        one is not None and not frozenset(terms(one)) & frozenset(known) for one in checked
    )


def _attribute(clause: str, term: str) -> str | None:
    """The noun right before the term's word, None where there is none."""
    if term.isascii():
        words = _WORD.findall(clause.lower())
        for at, word in enumerate(words):
            if stem(word.split("'")[0].split("’")[0]) == term and at:
                before = words[at - 1]
                bare = before.split("'")[0].split("’")[0]
                return None if bare in _PLAIN or not frozenset(terms(bare)) else bare
        return None
    pairs = tagged(clause)
    for at, (word, _) in enumerate(pairs):
        if term in word and at and pairs[at - 1][1].startswith("n"):
            return pairs[at - 1][0]
        if term in word and at > 1 and pairs[at - 1][0] == "的" and pairs[at - 2][1][0] in "nr":
            return pairs[at - 2][0]
    return None


def _unread(one: Said) -> list[_Change]:
    """The clauses of a change out of which nothing was learnt: what was has its place among what is known."""
    values = [fact.value.casefold() for fact in one.facts]
    return [
        change
        for change in _changes(tuple(one.sentences))
        if not any(value in change.text.casefold() for value in values)
    ]


@kept
def _changes(split: tuple[Sentence, ...]) -> tuple[_Change, ...]:
    """The clauses that tell of a change."""
    found = []
    before = frozenset[str]()
    for sentence in split:
        for clause in split_clauses(sentence.text):
            held = frozenset(terms(clause.text))
            if not clause.asks and _CHANGE.search(clause.text):
                found.append(_Change(clause.text, held | before))
            before = held
    return tuple(found)
