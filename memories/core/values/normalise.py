"""Forms of a text that comparisons rest on: canonical for exact repeats, claims for the guards of dedup (R17)."""

from __future__ import annotations

import re
import unicodedata

from memories.core.text.words import tagged
from memories.core.values.keyvalues import KeyValue, key_values
from memories.core.values.measures_en import leaves_out
from memories.core.values.numerals import zh_number

__all__ = [
    "KeyValue",
    "canonical",
    "hard_values",
    "key_values",
    "narrows",
    "negated",
    "same_claim",
    "slot_key",
    "value_key",
]

_CJK = r"\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff"
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
# kept: what belongs to a number, a code, an address or a price; and the question mark, which changes what is said
_DROP = re.compile(
    r"(?<![0-9a-z])[.:/,](?=[0-9])(?<![0-9])"
    r"|(?<=[0-9a-z])[.:/,@_\-](?![0-9a-z])|(?<![0-9a-z])[.:/,@_](?=[0-9a-z])"
    r"|[^\w\s?%$€£¥+#@.:/,_\-°]"
    r"|(?<![0-9a-z])[.:/,@_\-]+(?![0-9a-z])"
)
_SPACE_BY_CJK = re.compile(rf"(?<=[{_CJK}])\s+|\s+(?=[{_CJK}])")
_TRAILING = re.compile(r"(?:[啊呀嘛哦噢哈哟啦喔嗯]|(?<=\s)(?:please|thanks|ok|okay|lol|haha)\s*){1,8}$")
_ZH_NUMERAL = re.compile(r"[零〇一二两三四五六七八九十百千万亿]+|\d+(?:\.\d+)?[万亿千百]")
_SAME_UNIT = (
    ("星期", "周"),
    ("礼拜", "周"),
    ("周天", "周日"),
    ("块钱", "元"),
    ("块", "元"),
    ("¥", ""),
    ("：", ":"),
    ("号", "日"),
)
_NEGATION = re.compile(
    r"不(?!过|错|仅|但|只|管|论|久|少|断|得不|好意思|禁|愧|知不觉)|没(?!关系|问题|准)|别(?!人|的|墅|针|克|处|名|称|致|样)|勿|未(?!来|必|婚)|非(?!常|洲|得)|禁止|拒绝|讨厌"
    r"|\b(?:not|never|no|cannot|neither|nor|without|stopped|quit|hates?|dislikes?|\w+n't|won't)\b",
    re.IGNORECASE,
)


def canonical(text: str) -> str:
    """The form under which two texts are the same: NFKC, case, spaces, punctuation and closing particles do not count.

    Numbers, codes, addresses, signs of money and question marks do. Idempotent. A text of nothing but punctuation is "".
    """
    before, form = None, text
    while form != before:
        before, form = form, _once(form)
    return form


def _once(text: str) -> str:
    form = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    form = re.sub(r"(?<=[a-z])'(?=[a-z])", "", form)
    form = _THOUSANDS.sub("", form)
    form = _DROP.sub(" ", form)
    form = re.sub(r"\s+", " ", form).strip()
    form = _SPACE_BY_CJK.sub("", form)
    return _TRAILING.sub("", form).strip()


def negated(text: str) -> bool:
    """True when an odd number of negations stands in the text: 不喜欢 is, 不是不喜欢 is not."""
    return len(_NEGATION.findall(text)) % 2 == 1


def same_claim(one: str, other: str) -> bool:
    """Whether two similar texts may say the same: no different number, time, code or address, and the same polarity.

    The guard that stands before every merge on similarity: cosine cannot tell 喜欢 from 不喜欢, nor 3pm from 4pm.
    """
    if negated(one) != negated(other) or ("?" in canonical(one)) != ("?" in canonical(other)):
        return False
    return hard_values(one) == hard_values(other)


_HARD = frozenset({"snippet", "url", "email", "code", "amount", "date", "time", "number", "name"})


def hard_values(text: str) -> frozenset[str]:
    """The numbers, times, codes, addresses and names of a text in one notation: what tells two similar claims apart."""
    return frozenset(value_key(value) for value in key_values(text) if value.kind in _HARD)


def value_key(value: KeyValue) -> str:
    """The same for the same value written differently: １０ and 10, 4,800元 and 4800块, 周三 and 星期三, 三点 and 3点."""
    form = unicodedata.normalize("NFKC", value.text).casefold()
    form = _THOUSANDS.sub("", re.sub(r"\s+", "", form))
    if value.kind in {"amount", "number", "time", "date"}:
        form = _ZH_NUMERAL.sub(_arabic, form)
        for written, same in _SAME_UNIT:
            form = form.replace(written, same)
    if value.kind == "code" and re.fullmatch(r"[\d()+-]+", form):
        form = re.sub(r"[()-]", "", form)
    return form


def _arabic(match: re.Match[str]) -> str:
    number = zh_number(match[0])
    return match[0] if number is None else f"{number:.12g}"


_UNLIKE = re.compile(r"[不没非未无]|[\d零一二两三四五六七八九十百千万]")


def narrows(one: str, other: str) -> bool:
    """Whether one value only says the other more exactly: 绍兴 and 浙江绍兴, $1,250 and $1,250 a month; no contradiction."""
    if leaves_out(one, other):
        return True
    short, long = sorted((one, other), key=len)
    if len(short) < 2 or not re.fullmatch(r"[\u4e00-\u9fff]+", long) or short not in long or short == long:
        return False
    if not (long.startswith(short) or long.endswith(short)):
        return False
    rest = long.replace(short, "", 1)
    return _UNLIKE.search(rest) is None or all(tag == "ns" for _, tag in tagged(rest))


def slot_key(subject: str, attribute: str) -> str:
    """The key of a structured fact's slot: same subject and attribute, whatever the case, spaces and punctuation."""
    who = ":".join(canonical(part) for part in subject.split(":"))
    return f"{who}|{canonical(attribute).replace(' ', '_')}"
