"""Which spans of a text say what is to be forgotten, and what is left when they are gone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from memories.core.extraction.candidate import Candidate
from memories.core.extraction.engine import extract
from memories.core.forgetting.marks import ANY_MARK, Span
from memories.core.forgetting.reach import (
    Reach,
    Spared,
    attribute_words,
    is_distinctive,
    mention,
)
from memories.core.forgetting.redacting import pattern_spans
from memories.core.forgetting.remains import TRIM, clauses
from memories.core.forgetting.target import Scope
from memories.core.forgetting.whose import concerns, of_another, others_clause
from memories.core.text.clauses import phrases, trimmed
from memories.core.text.lexical import terms
from memories.core.text.needles import pattern_of
from memories.core.values.forms import value_form, value_key
from memories.core.values.keyvalues import key_values
from memories.core.values.sorts import HARD, is_hard

_OWN = re.compile(r"我(?!们)|[你您](?!们)|\b(?:i|my|me|mine|you|your|yours)\b", re.IGNORECASE)


_AT = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Spec:
    """What is looked for in texts: a request's reach, the quotes that evidence keeps, and the values that go.

    `kept` are values that other, kept memories hold: alone they give nothing away. `spared` is left out by the request and
    stays, whatever else says that it goes. What `pattern` matches goes wherever it stands, whoever's it is.
    """

    reach: Reach | None = None
    quotes: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    kept: frozenset[str] = frozenset()
    spared: tuple[Spared, ...] = ()
    pattern: re.Pattern[str] | None = None

    def distinctive(self) -> list[str]:
        """Values that stand for themselves wherever they are: numbers, codes, addresses that nothing else has."""
        kept = {value_form(one) for one in self.kept}
        return [one for one in self.values if value_form(one) not in kept and is_distinctive(one)]


def needles(spec: Spec) -> list[str]:
    """Words one of which stands in every text that the spec could concern (unless only extraction sees it)."""
    found = [*spec.values, *spec.quotes]
    if spec.reach is not None:
        found += [*spec.reach.names, *attribute_words(spec.reach.attributes)]
        if spec.reach.target.value:
            found.append(spec.reach.target.value)
    return [one for one in found if one.strip()]


def spans(text: str, spec: Spec, *, role: str = "user", speaker: str = "") -> list[Span]:
    """Disjoint spans of the text to take out, in order; none touches a mark that stands there already."""
    if not text.strip():
        return []
    found = _wanted(text, spec, role, speaker)
    spared = spec.spared or (spec.reach.spared if spec.reach is not None else ())
    if not found or not spared:
        return found
    bare = text.strip(TRIM).casefold()
    if any(bare in words.casefold() for one in spared for words in one.quotes | one.values | one.fields):
        return []  # A value, a name or a quote alone, as columns hold them.
    stays = [
        span
        for one in spared
        for span in _wanted(text, Spec(one.reach, one.quotes, one.values), role, speaker)
    ]
    return _apart(text, _outside(found, stays))


def _outside(found: Sequence[Span], stays: Iterable[Span]) -> list[Span]:
    """The parts of spans that no other span covers."""
    left = list(found)
    for low, high in stays:
        left = [
            piece
            for start, end in left
            for piece in ((start, min(end, low)), (max(start, high), end))
            if piece[0] < piece[1]
        ]
    return left


def _wanted(text: str, spec: Spec, role: str, speaker: str) -> list[Span]:
    """As `spans`, whatever is spared."""
    reach = spec.reach
    if reach is not None and reach.everything:
        return _apart(text, [(0, len(text))])
    quotes = _quotes(text, spec.quotes)
    found = _values(text, spec)
    if reach is not None and reach.target.scope in {Scope.ENTITY, Scope.ATTRIBUTE}:
        read = _read(text, role, speaker)
        # The same words about somebody else ("其爱好是…" behind another name) are theirs.
        theirs = [trimmed(text, one.start, one.end) for one in read if of_another(one, reach)]
        quotes = [at for at in quotes if not any(low <= at[0] and at[1] <= high for low, high in theirs)]
        found += _stated(text, spec, read)
        found += _by_clause(text, spec, read)
    if reach is not None and reach.target.scope is Scope.WORDS and reach.words:
        found += [at for at in clauses(text) if _has_all(text[slice(*at)], reach.words)]
    if reach is not None and reach.target.scope is Scope.VALUE:
        found += _same_values(text, reach.target.value)
    if spec.pattern is not None:
        found += pattern_spans(text, spec.pattern)
    return _apart(text, [*quotes, *found])


def _quotes(text: str, quotes: Iterable[str]) -> list[Span]:
    found: list[Span] = []
    for quote in quotes:
        bare = quote.strip(TRIM)
        if len(bare) < 2:
            continue
        start = text.find(bare)
        while start >= 0:
            found.append((start, start + len(bare)))
            start = text.find(bare, start + len(bare))
    return found


def _values(text: str, spec: Spec) -> list[Span]:
    return [span for value in spec.distinctive() for span in _same_values(text, value)]


def _same_values(text: str, value: str) -> list[Span]:
    """Where the value stands, also written differently (138-0013-8000)."""
    pattern = pattern_of([value])
    found = [match.span() for match in pattern.finditer(text)] if pattern else []
    wanted = {
        value_key(one) for one in key_values(value) if one.kind in HARD and len(one.text) >= 0.7 * len(value)
    }
    digits = re.sub(r"\D", "", value)
    for one in key_values(text):
        same = one.kind in HARD and value_key(one) in wanted
        if same or (len(digits) >= 7 and re.sub(r"\D", "", one.text) == digits):
            found.append((one.start, one.end))
    return found


def _read(text: str, role: str, speaker: str) -> list[Candidate]:
    """What extraction reads out of the text as facts."""
    found = extract(
        text, role=role if role in {"assistant", "tool"} else "user", speaker=speaker, said_at=_AT, tz=UTC
    )
    return [one for one in found if one.attribute]


def _stated(text: str, spec: Spec, read: Sequence[Candidate]) -> list[Span]:
    """The clauses out of which extraction reads a fact that is to go."""
    reach = spec.reach
    assert reach is not None
    forms = {value_form(value) for value in spec.values}
    return [
        trimmed(text, one.start, one.end)
        for one in read
        if concerns(one, reach) and (not reach.target.past or value_form(one.value or "") in forms)
    ]


def _by_clause(text: str, spec: Spec, read: Sequence[Candidate]) -> list[Span]:
    """Clauses that name the entity (all about it is to go), or entity, attribute and value together.

    Where extraction reads another fact out of a clause, that is what it says: it is about somebody or something else.
    """
    reach = spec.reach
    assert reach is not None
    who = mention(reach)
    what = pattern_of(attribute_words(reach.attributes))
    values = pattern_of([*spec.values, *([reach.target.value] if reach.target.value else [])])
    found: list[Span] = []
    named = False
    for start, end, fresh in phrases(text):
        clause = text[start:end]
        if fresh:
            named = False
        mentioned = who is not None and who.search(clause) is not None
        if not reach.attributes:
            if mentioned and not reach.own:
                found.append((start, end))
            continue
        if any(one.start < end and start < one.end and not concerns(one, reach) for one in read):
            continue
        named = named or mentioned or (reach.own and _OWN.search(clause) is not None)
        if (
            what is None
            or not named
            or what.search(clause) is None
            or re.search(r"[?？]", text[end : end + 2])
        ):
            continue
        if reach.target.value or reach.target.past:
            if values is not None and values.search(clause):
                found.append((start, end))
        elif (values is not None and values.search(clause)) or (
            is_hard(clause) and (mentioned or reach.own) and not others_clause(clause, reach)
        ):
            found.append((start, end))
    return found


def _has_all(clause: str, words: Sequence[str]) -> bool:
    there = terms(clause)
    return all(word in there for word in words)


def _apart(text: str, found: Iterable[Span]) -> list[Span]:
    """Merged where they overlap, cut around marks, none empty."""
    merged: list[list[int]] = []
    for start, end in sorted(span for span in found if span[0] < span[1]):
        if merged and start <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    marks = [match.span() for match in ANY_MARK.finditer(text)]
    result: list[Span] = []
    for start, end in merged:
        at = start
        for low, high in marks:
            if high <= at or low >= end:
                continue
            if at < low:
                result.append((at, low))
            at = max(at, high)
        if at < end:
            result.append((at, end))
    return [span for span in result if text[slice(*span)].strip(TRIM)]


def apart(text: str) -> list[Span]:
    """All of the text that is no mark already."""
    return _apart(text, [(0, len(text))])
