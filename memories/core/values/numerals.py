"""Numbers written in words or characters, Chinese and English, read as numbers."""

from __future__ import annotations

import re
from decimal import Decimal

ZH_DIGITS = {
    "零": 0,
    "〇": 0,
    "一": 1,
    "二": 2,
    "两": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
}
_ZH_UNITS = {"十": 10, "百": 100, "千": 1000}
_ZH_BIG = {"万": 10_000, "亿": 100_000_000}

_EN_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_EN_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
EN_WORDS: dict[str, int] = {word: n for n, word in enumerate(_EN_ONES)}
EN_WORDS |= {word: 10 * n for n, word in enumerate(_EN_TENS, start=2)}
EN_ORDINALS: dict[str, int] = {
    word: n
    for n, word in enumerate(
        [
            "first",
            "second",
            "third",
            "fourth",
            "fifth",
            "sixth",
            "seventh",
            "eighth",
            "ninth",
            "tenth",
            "eleventh",
            "twelfth",
        ],
        start=1,
    )
}

ZH_NUMBER = (
    r"(?:\d+(?:\.\d+)?(?:[万亿千百](?:(?<=[万千百])\d(?![\d.]))?)?|[零〇一二两三四五六七八九十百千万亿]+)"
)
"""A Chinese or Arabic number inside a Chinese text, as a pattern without groups."""

EN_WORD_NUMBER = (
    r"(?:(?:"
    + "|".join(_EN_TENS)
    + r")(?:[- ](?:"
    + "|".join(_EN_ONES[1:10])
    + r"))?|(?:"
    # "seventeen" before "seven", so that the longer word wins
    + "|".join(sorted(_EN_ONES, key=len, reverse=True))
    + r"))"
)
"""An English number in words, as a pattern without groups; use with word bounds."""
EN_NUMBER = rf"(?:\d+(?:\.\d+)?|{EN_WORD_NUMBER}|an?)"
"""A number in an English text ("3", "twenty-one", "a"), as a pattern without groups; use with word bounds."""


MAX_NUMERAL, MAX_DIGITS = 16, 40
"""Characters of a number in Chinese characters, and in digits, at most; a longer run of them is none."""


def zh_number(text: str) -> float | None:
    """The value of a Chinese or Arabic number ("十二", "两百五", "3.5万", "1万5", "二〇二四"); None when it is none."""
    if len(text) > MAX_DIGITS:
        return None
    mixed = re.fullmatch(r"(\d+(?:\.\d+)?)(?:([千百万亿])(\d)?)?", text)
    if mixed:
        size = {"千": 1e3, "百": 1e2, "万": 1e4, "亿": 1e8}.get(mixed[2] or "", 1.0)
        return float(mixed[1]) * size + int(mixed[3] or 0) * size / 10
    if not 0 < len(text) <= MAX_NUMERAL or any(
        ch not in ZH_DIGITS and ch not in _ZH_UNITS and ch not in _ZH_BIG for ch in text
    ):
        return None
    if all(ch in ZH_DIGITS for ch in text):
        return float(int("".join(str(ZH_DIGITS[ch]) for ch in text)))
    return float(_zh_compound(text))


def _zh_compound(text: str) -> int:
    """Positional value of digits and units; a last bare digit takes a tenth of the unit before it ("两百五" = 250)."""
    total = section = digit = 0
    last_unit = 0
    zero = False
    for ch in text:
        if ch in ZH_DIGITS:
            digit = ZH_DIGITS[ch]
            zero = zero or digit == 0
        elif ch in _ZH_UNITS:
            section += (digit or (1 if ch == "十" else 0)) * _ZH_UNITS[ch]
            last_unit, digit, zero = _ZH_UNITS[ch], 0, False
        else:
            if ch == "亿":
                total = (total + section + digit) * _ZH_BIG[ch]
            else:
                total += (section + digit) * _ZH_BIG[ch]
            last_unit, section, digit, zero = _ZH_BIG[ch], 0, 0, False
    if digit and last_unit >= 100 and not zero:
        digit *= last_unit // 10
    return total + section + digit


def en_number(text: str) -> float | None:
    """The value of an English or Arabic number ("twenty-one", "a", "3.5"); None when it is none."""
    word = text.strip().lower().replace("-", " ")
    if len(word) > MAX_DIGITS:
        return None
    if re.fullmatch(r"\d+(?:\.\d+)?", word):
        return float(word)
    if word in {"a", "an"}:
        return 1.0
    parts = word.split()
    if not 1 <= len(parts) <= 2 or any(part not in EN_WORDS for part in parts):
        return None
    if len(parts) == 2 and not (parts[0] in _EN_TENS and 0 < EN_WORDS[parts[1]] < 10):
        return None
    return float(sum(EN_WORDS[part] for part in parts))


def plain(number: float | Decimal) -> str:
    """Without an exponent and without zeros at the end."""
    text = f"{Decimal(str(number)):f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text) or "0"
