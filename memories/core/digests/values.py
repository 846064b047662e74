"""Which values of a sentence a digest must keep, how to tell that it holds them, and how to say them in few words."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from memories.core.digests.text import Unit
from memories.core.text.language import HAN
from memories.core.text.sentences import clauses
from memories.core.values.keyvalues import KeyValue, key_values

LONG_SNIPPET: Final = 400
"""Longer code by the assistant stays in the archived turn, which recall finds, and does not fill the digest."""

SHORTEST_CALL: Final = 3
_ASSISTANT_KEEPS: Final = frozenset({"snippet", "url", "email", "code", "amount", "date", "time", "number"})
_WHOLE_ZH, _WHOLE_EN = 40, 90
_BEFORE_ZH, _AFTER_ZH = 16, 8
_BEFORE_EN, _AFTER_EN = 8, 4
_FILLER = re.compile(
    r"^(?:(?:嗯+|哦+|啊|哎|对了|另外|还有|然后|那个|其实|就是说?|所以|那么?|好的?|请|麻烦|帮我|你|记住?一?下|记住|请记住|提醒一下|顺便说?一?下?|说一下|我觉得|我想说?)[，,：:\s]*)+|"
    r"^(?:(?:by the way|btw|well|so|oh|also|and|but|just|please|note that|remember that|i think|actually|anyway|hey|ok(?:ay)?|yeah|fyi)\b[,:\s]*)+",
    re.IGNORECASE,
)
_LEANS = re.compile(
    r"\s*(?:(?:而且|但是?|不过|所以|and|but|so)[\s，,]*)?(?:[其它他她](?!实|他|余|中|次)|(?:its?|it's|he|she|his|they|their|he's|she's|they're)\b)",
    re.IGNORECASE,
)
"""A clause that begins with a pronoun: whom or what it is about stands in the one before."""
_ALNUM = re.compile(r"[A-Za-z0-9]")
_RUN_AFTER = re.compile(r"(?:[.,:](?=[0-9])|[A-Za-z0-9])*")
_RUN_BEFORE = re.compile(r"(?:(?<=[0-9])[.,:]|[A-Za-z0-9])*$")
_SPACES = re.compile(r"\s+")


def must_keep(unit: Unit) -> tuple[KeyValue, ...]:
    """The key values of the unit, without the names of who speaks; of an assistant's words only the hard ones.

    Nor do names count in a question to the other one: it tells nothing of whom it names.
    """
    told = not (unit.is_addressed and unit.is_question)
    return _must_keep(unit.text, unit.role, unit.people | frozenset(unit.label.split()), told)


@lru_cache(maxsize=4096)
def _must_keep(text: str, role: str, people: frozenset[str], names: bool) -> tuple[KeyValue, ...]:
    values = (
        _whole(value, text)
        for value in key_values(text)
        if value.kind != "name" or (names and not _is_one_of(value.text, people))
    )
    if role in {"user", "digest"}:
        return tuple(values)
    return tuple(
        value
        for value in values
        if value.kind in _ASSISTANT_KEEPS
        and not (value.kind == "snippet" and len(value.text) > LONG_SNIPPET)
        and not (value.kind == "number" and len(value.text.strip()) == 1)
    )


def _is_one_of(name: str, people: frozenset[str]) -> bool:
    """Somebody who speaks, or the beginning of such a name, as friends call each other."""
    return any(name == one or (len(name) >= SHORTEST_CALL and one.startswith(name)) for one in people)


def _whole(value: KeyValue, text: str) -> KeyValue:
    """The value with the rest of the word or number that it was found in, so that it can be looked for as a whole."""
    before = _RUN_BEFORE.search(text, 0, value.start) if _ALNUM.match(value.text[0]) else None
    after = _RUN_AFTER.match(text, value.end) if _ALNUM.match(value.text[-1]) else None
    start = before.start() if before else value.start
    end = after.end() if after else value.end
    return KeyValue(value.kind, text[start:end], start, end)


def holds(text: str, value: str) -> bool:
    """True when the value stands in the text whole; spaces, width and letter case aside. 100 is not in 1002 or 100.5."""
    needle = _plain(value)
    if not needle:
        return True
    before = r"(?<![a-z0-9])(?<![0-9][.,:])" if needle[0].isascii() and needle[0].isalnum() else ""
    after = r"(?![a-z0-9])(?![.,:][0-9])" if needle[-1].isascii() and needle[-1].isalnum() else ""
    return re.search(before + re.escape(needle) + after, _plain(text)) is not None


def _plain(text: str) -> str:
    """Spaces stay between two ASCII words only, where they tell one value from the next."""
    folded = _SPACES.sub(" ", unicodedata.normalize("NFKC", text).lower()).strip()
    return re.sub(r"(?<![\x21-\x7e]) | (?![\x21-\x7e])", "", folded)


def compact(unit: Unit, value: KeyValue | None) -> str:
    """The value with the words that say what it is: its clause without fillers, or, where that is long, the words next to it.

    Without a value the whole sentence without fillers (for a rule, a decision, a todo).
    """
    if value is None:
        return _bare(unit.text)
    if value.kind == "snippet" and "\n" in value.text:
        return value.text
    start, end = _clause(unit.text, value)
    clause = unit.text[start:end]
    chinese = re.search(f"[{HAN}]", clause) is not None
    if len(clause) <= (_WHOLE_ZH if chinese else _WHOLE_EN):
        return _bare(clause, keep=value.text)
    left, right = unit.text[start : value.start], unit.text[value.end : end]
    if chinese:
        left, right = left[-_BEFORE_ZH:], right[:_AFTER_ZH]
    else:
        left = " ".join(left.split()[-_BEFORE_EN:]) + (" " if left[-1:].isspace() else "")
        right = (" " if right[:1].isspace() else "") + " ".join(right.split()[:_AFTER_EN])
    return _bare(left + value.text + right, keep=value.text)


def _clause(text: str, value: KeyValue) -> tuple[int, int]:
    """The bounds of the clause around the value, with the one before it where that ends in a colon ("budget: 4800") or the pronoun
    at its beginning means somebody or something there ("the hall is new, it seats 300")."""
    bounds = clauses(text)
    at = next((at for at, (start, end) in enumerate(bounds) if start <= value.start < end), 0)
    first = at
    while first > 0 and (
        text[: bounds[first][0]].rstrip().endswith((":", "：")) or _LEANS.match(text, bounds[first][0])
    ):
        first -= 1
    return bounds[first][0], max(bounds[at][1], value.end)


def _bare(text: str, keep: str = "") -> str:
    """Without leading fillers and closing punctuation, unless that would cut into the value."""
    stripped = text.strip().rstrip("，,、；;。")
    shorter = _FILLER.sub("", stripped)
    return shorter if shorter and keep in shorter else text.strip() if keep not in stripped else stripped
