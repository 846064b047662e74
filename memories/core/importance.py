"""How much a text matters, 0..1: what kind it is, and whether it holds times, amounts, names or ids (R13)."""

from __future__ import annotations

import re
from typing import Final

from memories.core.values.keyvalues import key_values

_BASE: Final = {
    "constraint": 0.85, "profile": 0.80, "decision": 0.75, "preference": 0.65, "todo": 0.65, "procedure": 0.60, "event": 0.55,
    "fact": 0.50, "conclusion": 0.50, "digest": 0.50, "sensitive": 0.50, "chunk": 0.30,
}  # fmt: skip
_EXTRA: Final = {
    "code": 0.20, "email": 0.15, "url": 0.10, "snippet": 0.10, "date": 0.15, "time": 0.15, "amount": 0.15, "number": 0.10,
    "name": 0.10, "title": 0.05,
}  # fmt: skip
_WEIGHTY = re.compile(
    r"重要|关键|紧急|千万|务必|切记|一定要|过敏|去世|过世|结婚|离婚|怀孕|出生|手术|住院|确诊|毕业|辞职|入职|车祸|搬家|订婚|生日|纪念日|通过了|考上|录取|升职|加薪|获奖|得奖|中奖|入选|失业|裁员|被裁|分手|离职|退休|破产|面试的?机会"
    r"|\b(?:important|critical|crucial|urgent|essential|must|vital|allergic|emergency|died|passed away|married|divorced|pregnant|born|surgery"
    r"|hospital|diagnosed|graduated|resigned|engaged|accident|moved|birthday|anniversary|passed|promoted|hired|fired|laid off|admitted|accepted|award|retired|proposed|broke up|evicted)\b",
    re.IGNORECASE,
)


def is_weighty(text: str) -> bool:
    """Whether a word of weight stands in the text: of what changes a life, or must not be missed."""
    return _WEIGHTY.search(text) is not None


def importance_of(text: str, kind: str) -> float:
    """The kind's base, plus something for each sort of key value and for words of weight, at most 1.

    Each sort counts once: a list of ten numbers is no more important than one.
    """
    sorts = {value.kind for value in key_values(text)}
    if {"date", "time"} <= sorts:
        sorts.discard("time")
    extra = sum(_EXTRA.get(sort, 0.0) for sort in sorts)
    weight = 0.15 if _WEIGHTY.search(text) else 0.0
    return round(min(1.0, _BASE.get(kind, 0.5) + min(0.35, extra) + weight), 3)
