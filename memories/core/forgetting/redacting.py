"""Words that are taken out for good: how they are looked for, and how they are known again by keyed prints alone."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from memories.core.forgetting.marks import HAN, Span
from memories.core.text.needles import pattern_of

MIN_HAN, MIN_CHARS, MAX_CHARS = 2, 3, 500
"""How long words must be at least, with a Chinese character in them and without, and at most."""
CODE_KEYS = frozenset(
    {
        "id",
        "ids",
        "item_kind",
        "section",
        "kind",
        "status",
        "state",
        "rule",
        "holder",
        "row",
        "scope",
        "language",
        "attributes",
        "names",
        "code",
        "source",
        "role",
        "mark",
        "phase",
    }
)
"""Under these stand codes and ids, in JSON that we write ourselves: a word that is also a code stays one there."""
_SPACED = r"[\s\-.()/]{0,2}"


def redacting_pattern(words: Sequence[str]) -> re.Pattern[str]:
    """Any of the words, letter case and width aside; long numbers also with other separators (138-0013-8000)."""
    exact = pattern_of([*words, *(unicodedata.normalize("NFKC", word) for word in words)])
    assert exact is not None
    parts = [exact.pattern]
    for word in words:
        digits = re.sub(r"\D", "", word)
        if len(digits) >= 7 and re.fullmatch(r"[\d\s\-.()/+]+", word.strip()):
            parts.append(rf"(?<!\d){_SPACED.join(digits)}(?!\d)")
    return re.compile("|".join(parts), re.IGNORECASE)


def too_short(word: str) -> bool:
    """Whether so few characters would stand in too much else."""
    return len(word.strip()) < (MIN_HAN if HAN.search(word) else MIN_CHARS)


def plain_form(text: str) -> tuple[str, list[int]]:
    """The text with width and letter case aside, and for each of its characters the place in the text."""
    form: list[str] = []
    places: list[int] = []
    for at, char in enumerate(text):
        for one in unicodedata.normalize("NFKC", char).casefold():
            form.append(one)
            places.append(at)
    return "".join(form), places


def pattern_spans(text: str, pattern: re.Pattern[str]) -> list[Span]:
    """Where the pattern matches the text as it stands, or its plain form (Ｑ７ is q7); they may overlap."""
    found = [match.span() for match in pattern.finditer(text)]
    if not unicodedata.is_normalized("NFKC", text):
        form, places = plain_form(text)
        found += [
            (places[match.start()], places[match.end() - 1] + 1)
            for match in pattern.finditer(form)
            if match.end() > match.start()
        ]
    return found


def known_spans(text: str, lengths: Collection[int], known: Callable[[str], bool]) -> list[Span]:
    """Where a piece of one of these lengths (of the plain form) is known; a Latin word or number is whole or not meant."""
    form, places = plain_form(text)
    found = [
        (places[at], places[at + length - 1] + 1)
        for length in lengths
        for at in range(len(form) - length + 1)
        if not _inside(form, at) and not _inside(form, at + length) and known(form[at : at + length])
    ]
    merged: list[list[int]] = []
    for start, end in sorted(found):
        if merged and start < merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    return [(start, end) for start, end in merged]


def _inside(form: str, at: int) -> bool:
    """Whether a border there would cut a Latin word or a number in two."""
    return 0 < at < len(form) and _latin(form[at - 1]) and _latin(form[at])


def _latin(char: str) -> bool:
    return char.isascii() and char.isalnum()


def each_text(value: Any, *, own: bool = True) -> Iterator[str]:
    """All texts in a JSON value, those in JSON that stands in a text too.

    Where the JSON is our `own`, its keys are code, and so is what stands under CODE_KEYS; else keys are texts as well.
    """
    if isinstance(value, str):
        inner = _json(value)
        if inner is None:
            yield value
        else:
            yield from each_text(inner, own=own)
    elif isinstance(value, Mapping):
        for key, part in value.items():
            if own and key in CODE_KEYS:
                continue
            if not own:
                yield str(key)
            yield from each_text(part, own=own)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from each_text(part, own=own)


def mask_each(value: Any, mask: Callable[[str], str], *, own: bool = True) -> Any:
    """The value with the mask laid over each of these texts."""
    if isinstance(value, str):
        inner = _json(value)
        if inner is None:
            return mask(value)
        masked = mask_each(inner, mask, own=own)
        return value if masked == inner else json.dumps(masked, ensure_ascii=False)
    if isinstance(value, Mapping):
        return {
            key if own else mask(str(key)): part
            if own and key in CODE_KEYS
            else mask_each(part, mask, own=own)
            for key, part in value.items()
        }
    if isinstance(value, list | tuple):
        return [mask_each(part, mask, own=own) for part in value]
    return value


def _json(text: str) -> Any:
    """What a text holds that is a JSON list or object itself."""
    if text[:1] not in {"[", "{"}:
        return None
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, list | dict) else None
