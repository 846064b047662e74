"""Where a thing or a group went, or to how many it grew, in Chinese: which attribute a verb of change and its value tell."""

from __future__ import annotations

import re

from memories.core.extraction.attributes import ZH_WORDS, lookup
from memories.core.extraction.raw import Turn, Who
from memories.core.extraction.zh.places import KIND_OF_PLACE
from memories.core.extraction.zh.rules import CHANGED
from memories.core.extraction.zh.subjects import leading_subject, noun_subject
from memories.core.text.words import tagged

PLACED = frozenset(
    {
        "location", "time", "end_time", "deadline", "origin", "home", "workplace", "employer", "school", "birthday",
    }
)  # fmt: skip
"""Attributes that 在 may give a value to."""


def moved_attribute(head: str, verb: str, turn: Turn, value: str | None) -> tuple[Who, str] | None:
    """读书会|改到图书馆, 我们公司|搬到滨江, 团队|扩充到15人: the verb and the value tell which attribute of the thing it is."""
    if value is None or not re.match(CHANGED, verb) or tagged(head)[-1][1] in {"d", "p", "c"}:
        return None
    if re.match(r"\d+\s?[人名位]|[一二两三四五六七八九十百千万]+[人名位]", value):
        attribute = "scale"
    elif (
        verb[0] in "搬迁挪移转改换"
        and verb.rstrip("了")[-1] in "到至回在"
        and (
            verb[0] in "搬迁"
            or KIND_OF_PLACE.fullmatch(moved_to(value))
            or tagged(moved_to(value))[-1][1] == "ns"
        )
    ):
        attribute = "location"
    else:
        return None
    row = next((found for word in ZH_WORDS if head.endswith(word) and (found := lookup(word))), None)
    if "的" in head and (row is None or row.name not in {"employer", "school"}):
        return None
    if row is not None and (row.name in PLACED - {"employer", "school"} or attribute == "scale"):
        return None
    own = re.fullmatch(r"(?:我们?|咱们?)?(?:公司|单位|学校)", head) is not None
    if row is not None and row.name in {"employer", "school"} and attribute == "location":
        if own:
            return Who(turn.speaker, head), f"{row.name}_location"
        before, _, part = head.rpartition("的")
        owner = leading_subject(head, turn)
        whose = noun_subject(before, turn) if before else owner[0] if owner is not None else None
        named = part if before else owner[1] if owner is not None else ""
        if whose is not None and whose.person and named in row.words:
            return whose, f"{row.name}_location"
    if "的" in head:
        return None
    who = noun_subject(head, turn)
    return None if who is None or who.person or who.key in {turn.speaker, turn.listener} else (who, attribute)


def moved_to(value: str) -> str:
    """虹桥 of "虹桥那边去"."""
    return re.sub(r"(?<=..)(?:[那这]边|[那这]里|[那这]儿)?(?:去|来|上班|办公|住)?$", "", value)
