"""A slip of the tongue that is put right in the same breath: "我的体重是60公斤，不对，是62公斤", "it's at 5, no wait, at 6".

What was said first is nobody's memory then: the value that follows takes its place, in the same slot.
"""

from __future__ import annotations

import re

from memories.core.extraction.raw import Pending, Raw, Turn
from memories.core.extraction.signals import MISTAKEN
from memories.core.extraction.zh.changes import next_value
from memories.core.text.words import tagged
from memories.core.values.keyvalues import key_values
from memories.core.values.sorts import is_exact

_BREAK_ZH = re.compile(
    rf"[啊哦噢喔诶哎呃额嗯，,\s]{{0,4}}(?:不对(?:不对)?|不不|不|不是(?:不是)?|等等|等下|等一下|口误|(?:我)?{MISTAKEN}了?)[啊呀哦，,\s]{{0,3}}"
)
_SAYS_BARE_NO = re.compile(r"不")
_BREAK_EN = re.compile(
    r"(?:^|[,;.–—-]\s*)(?:(?:oh|uh|um|er|hm+),?\s+)?(?:no,?\s+wait|wait,?\s+no|no,?\s+sorry|sorry(?:,?\s+no)?|no|hang on|hold on|scratch that|strike that|i mean|make that|or rather|rather)[\s,.…-]*$",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[$€£¥]?\d[\d.,:]*\s*(?P<unit>[^\W\d]{0,8})")
_LEAD_EN = re.compile(r"(?:no,?\s+)?(?:i\s+mean[t]?|make\s+(?:that|it)|rather|(?:it|that)(?:['’]s|\s+is)|at|on|in)?\s*", re.IGNORECASE)  # fmt: skip


def breaks_off(clause: str, turn: Turn, *, chinese: bool) -> bool:
    """Whether the clause only takes back what was said just before in this turn."""
    if turn.said is None:
        return False
    pattern = _BREAK_ZH if chinese else _BREAK_EN
    return pattern.fullmatch(clause.strip()) is not None and _SAYS_BARE_NO.fullmatch(clause.strip()) is None


def without_break(clause: str) -> str | None:
    """The English clause before "…, no wait"; None when it does not end so."""
    match = _BREAK_EN.search(clause)
    return clause[: match.start()].rstrip() if match and match.start() >= 8 else None


def mended(clause: str, turn: Turn, *, chinese: bool) -> Raw | None:
    """The fact with the value that the clause gives instead of the one that was taken back; None when it gives none."""
    said = turn.said
    if said is None or said.attribute is None or said.value is None:
        return None
    text = clause.strip(" ，,。.!！")
    if chinese:
        value = next_value(text, Pending(said.who, said.attribute, said.kind, how="mended"))
        if value is None and _alike(text, said.value):
            value = text
    else:
        text = _LEAD_EN.sub("", text, count=1)
        value = text if _alike(text, said.value) else None
    if value is None or said.value not in said.stated:
        return None
    return Raw(
        said.who,
        said.attribute,
        value,
        said.rule,
        said.kind,
        said.stated.replace(said.value, value, 1),
        update=said.update,
        single=said.single,
    )


def _alike(text: str, old: str) -> bool:
    """A value alone, of the sort of the old one: both a number, a date, a code, or both a word or two."""
    if len(text) > max(12, 2 * len(old)):
        return False
    one, other = _NUMBER.fullmatch(text), _NUMBER.fullmatch(old)
    if one and other and one["unit"] == other["unit"]:
        return True
    if is_exact(old):
        new, before = key_values(text), key_values(old)
        return bool(new) and new[0].start == 0 and new[0].kind == before[0].kind
    words = tagged(text)
    return (
        0 < len(words) <= 2 and not is_exact(text) and all(tag[:1] == "n" or tag == "eng" for _, tag in words)
    )
