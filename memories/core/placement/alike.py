"""What may stand in the place of what: two days, two amounts of a dimension, two counts of one thing, two names (R18)."""

from __future__ import annotations

import re

from memories.core.extraction.en.plurals import singular
from memories.core.extraction.en.stated_values import exact_values
from memories.core.placement.named import DIMENSIONS, name_words
from memories.core.statement import FactPart
from memories.core.times.english import MONTH
from memories.core.values.forms import amount_of
from memories.core.values.sorts import Sort, sort_of

_CLOCK = re.compile(r"\d\s?[ap]\.?m\b|\d:\d\d|\b(?:noon|midnight|o'clock)\b", re.IGNORECASE)
COUNT = re.compile(r"(?P<n>[\d,.]+|[a-z]+(?:-[a-z]+)?)\s+(?P<noun>[a-z][a-z-]*)(?P<each>\s+an?\s+[a-z]+)?")


def replaces(one: FactPart, value: str) -> bool:
    """Whether the value can stand in the place of the known fact's."""
    kinds = kinds_of(value)
    theirs = {"name"} if is_name(one.value) else kinds_of(one.value)
    if "number" in theirs and one.attribute.endswith(("_count", "_size")):
        theirs |= {f"count:{word}" for word in name_words(one)}
    return bool(kinds & theirs) or ("number" in kinds and any(kind.startswith("count:") for kind in theirs))


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
