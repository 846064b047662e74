"""What may stand in the place of what: two days, two amounts of a dimension, two counts of one thing, two names, two of a kind (R18)."""

from __future__ import annotations

import re

from memories.core.extraction.en.plurals import singular
from memories.core.extraction.en.told_values import Value, exact_values, values_in
from memories.core.extraction.en.verbs import is_gerund
from memories.core.placement.named import DIMENSIONS, name_words
from memories.core.statement import FactPart
from memories.core.text.stopwords import CLOSED_CLASS, word_set
from memories.core.times.english import MONTH
from memories.core.values.forms import amount_of
from memories.core.values.sorts import Sort, sort_of

_CLOCK = re.compile(r"\d\s?[ap]\.?m\b|\d:\d\d|\b(?:noon|midnight|o'clock)\b", re.IGNORECASE)
COUNT = re.compile(r"(?P<n>[\d,.]+|[a-z]+(?:-[a-z]+)?)\s+(?P<noun>[a-z][a-z-]*)(?P<each>\s+an?\s+[a-z]+)?")


def another_of_kind(one: FactPart, words: str) -> bool:
    """ "North entrance" for "south entrance", customs for the office where somebody works."""
    if one.attribute in _PLACES and len(words.split()) <= 3 and words[:1].islower() and ":" in one.entity:
        return True
    known, new = _heads(one.value), _heads(words)
    return any(known[head].isdisjoint(new[head]) for head in known.keys() & new.keys())


_PLACES = frozenset({"employer", "workplace", "school"})
_PAIR = re.compile(r"(?<![\w'’-])(?=(?P<kind>[a-z]{3,})\s+(?P<head>[a-z]{3,})(?![\w'’-]))")


def _heads(text: str) -> dict[str, set[str]]:
    """The nouns of a text that have a word of their kind before them, with those words: {"gate": {"east"}}."""
    found: dict[str, set[str]] = {}
    for match in _PAIR.finditer(text):
        kind, head = match["kind"], singular(match["head"])
        if (
            kind in CLOSED_CLASS
            or head in CLOSED_CLASS
            or kind in _NO_KIND
            or head in _NO_KIND
            or is_gerund(kind)
            or kind.endswith("ly")
        ):
            continue
        found.setdefault(head, set()).add(kind)
    return found


_NO_KIND = word_set(
    "week month year time times thing things lot bit way now today new old first last next good same other more many half own whole little big long kind sort"
)


def replaceable(one: FactPart, value: str) -> str | None:
    """The value of the known fact in whose place this one can stand; None where it has none. Of a note any that it holds."""
    kinds = kinds_of(value)
    found = list(values_in(one.value, first=True)) if one.told or " " in one.value else []
    found = found or [Value(one.value, 0, len(one.value), is_name(one.value))]
    for known in found:
        theirs = {"name"} if known.named else kinds_of(known.text)
        if "number" in theirs and one.attribute.endswith(("_count", "_size")):
            theirs |= {f"count:{word}" for word in name_words(one)}
        if kinds & theirs or ("number" in kinds and any(kind.startswith("count:") for kind in theirs)):
            return known.text
    return None


def kinds_of(value: str) -> set[str]:
    """What the value can stand for: a day, a time of day, an amount of a dimension, a count of something, a code, a name."""
    value = re.sub(r"^(?:every|about|around|at|on|the|an?)\s+", "", value.strip(), flags=re.IGNORECASE)
    amount = amount_of(value)
    if amount is not None and amount[1] not in {"st", "nd", "rd", "th"}:
        unit = amount[1]
        if not unit:
            return (
                {"clock"} if _CLOCK.search(value) else {"version", "number"} if "." in value else {"number"}
            )
        units = next((at for at, group in enumerate(DIMENSIONS) if unit in group), None)
        return {
            f"unit:{unit if units is None else units}",
            *([f"count:{singular(unit)}"] if unit.isascii() else []),
        }
    found = {
        kind
        for kind, there in (
            ("clock", _CLOCK.search(value)),
            ("day", sort_of(_CLOCK.sub("", value)) is Sort.DATE),
        )
        if there
    }
    if re.fullmatch(r"\d{1,2}(?:st|nd|rd|th)", value) or re.search(rf"\b{MONTH}", value, re.IGNORECASE):
        found.add("day")
    if found:
        return found
    counted = COUNT.fullmatch(value)
    if counted and amount_of(counted["n"]) is not None:
        return {f"count:{singular(counted['noun'])}"}
    if re.fullmatch(r"v?\d+(?:\.\d+)+", value, re.IGNORECASE):
        return {"version"}
    return {"name"} if is_name(value) else set()


def is_name(value: str) -> bool:
    named = re.match(r"(?:the\s+|an?\s+)?[A-Z]", value) is not None and len(value.split()) <= 6
    return named and not exact_values(value)
