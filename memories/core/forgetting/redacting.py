"""Words that are taken out for good: how they are looked for, and how they are known again by keyed prints alone."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from memories.core.forgetting.marks import HAN, Span

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
_DASHES = "\\-\u2010-\u2015\u2212"
_FORMS: Final = ("NFC", "NFD", "NFKC")
_SPACED = rf"[\s{_DASHES}.()/]{{0,2}}"
_BEFORE, _AFTER = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf]))", r"(?![A-Za-z0-9])"
"""A Latin word or number is whole or not meant; in JSON it may stand right behind the escape of a line's end."""
_CHARACTER: Final = re.compile(r"\s+|\S[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a]*")
"""A run of blanks, or what is read as one character: with the marks that combine with it."""


def redacting_pattern(words: Sequence[str]) -> re.Pattern[str]:
    """Any of the words, letter case, width, accents' writing, line ends and JSON's escapes aside; long numbers also with other
    separators (138-0013-8000)."""
    parts: set[str] = set()
    for word in filter(None, map(str.strip, words)):
        parts |= {_anywhere(form) for form in {word, *(unicodedata.normalize(kind, word) for kind in _FORMS)}}
        digits = re.sub(r"\D", "", word)
        if len(digits) >= 7 and re.fullmatch(rf"[\d\s{_DASHES}.()/+]+", word):
            parts.add(rf"(?<!\d){_SPACED.join(digits)}(?!\d)")
    return re.compile("|".join(sorted(parts, key=lambda part: (-len(part), part))), re.IGNORECASE)


def _anywhere(word: str) -> str:
    """The word in a text, and as JSON in a text writes it (with a backslash before quotes, with or without \\u codes)."""
    before = _BEFORE if re.match(r"[A-Za-z0-9]", word) else ""
    after = _AFTER if re.search(r"[A-Za-z0-9]$", word) else ""
    written = {word, *(json.dumps(word, ensure_ascii=ascii_)[1:-1] for ascii_ in (True, False))}
    either = "|".join(
        r"(?:\s|\\[nrt])+".join(map(re.escape, one.split()))
        for one in sorted(written, key=lambda one: (-len(one), one))
    )
    return f"{before}(?:{either}){after}"


def too_short(word: str) -> bool:
    """Whether so few characters would stand in too much else."""
    return len(word.strip()) < (MIN_HAN if HAN.search(word) else MIN_CHARS)


def plain_form(text: str) -> tuple[str, list[Span]]:
    """The text with width, letter case, accents' writing and kinds of blank aside; for each of its characters, whence it is."""
    form: list[str] = []
    places: list[Span] = []
    for match in _CHARACTER.finditer(text):
        one = match.group()
        written = " " if one.isspace() else unicodedata.normalize("NFKC", one).casefold()
        form.append(written)
        places += [match.span()] * len(written)
    return "".join(form), places


def pattern_spans(text: str, pattern: re.Pattern[str]) -> list[Span]:
    """Where the pattern matches the text as it stands, or its plain form (Ｑ７ is q7); they may overlap."""
    found = [match.span() for match in pattern.finditer(text)]
    if not unicodedata.is_normalized("NFKC", text):
        form, places = plain_form(text)
        found += [
            (places[match.start()][0], places[match.end() - 1][1])
            for match in pattern.finditer(form)
            if match.end() > match.start()
        ]
    return found


def known_spans(text: str, lengths: Collection[int], known: Callable[[str], bool]) -> list[Span]:
    """Where a piece of one of these lengths (of the plain form) is known; a Latin word or number is whole or not meant."""
    form, places = plain_form(text)
    found = [
        (places[at][0], places[at + length - 1][1])
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
