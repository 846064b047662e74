"""Gives each owner of a list the thing that stands behind the last one only: "my mother's and my father's birthdays"."""

from __future__ import annotations

import re

from memories.core.extraction.attributes import lookup
from memories.core.extraction.relations import BY_WORD as RELATIONS

_POSSESSED_EN = re.compile(r"(?P<owner>.+?(?:['’]s|s['’]))\s+(?P<what>[\w -]+)")
_OWNER_EN = re.compile(
    r"(?:(?:my|our|his|her|their)\s+[\w-]+(?:\s+[A-Z][\w-]+)?|[A-Z][\w-]+(?:\s+[A-Z][\w-]+)?)(?:['’]s|s['’])?"
)
_POSSESSED_ZH = re.compile(r"(?P<owner>[^的]+)的(?P<what>[^的]{1,10})")
_GROUPS = {"parents": ("mother", "father"), "grandparents": ("grandmother", "grandfather")}
_GROUPS_ZH = {
    "父母": ("妈妈", "爸爸"),
    "爸妈": ("妈妈", "爸爸"),
    "爹妈": ("妈妈", "爸爸"),
    "双亲": ("妈妈", "爸爸"),
}


def with_heads(parts: list[str]) -> list[str]:
    """The parts, each with what it owns; an owner alone stays alone where the last part is no owner's."""
    if not parts:
        return parts
    if len(parts) == 1:
        return _of_both(parts[0])
    last = parts[-1]
    chinese = re.search(r"[\u3400-\u9fff]", last) is not None
    match = (_POSSESSED_ZH if chinese else _POSSESSED_EN).fullmatch(last)
    if match is None:
        return parts
    what = match["what"]
    whose = re.match(r"(?:my|our|his|her|their)\s", parts[0])
    if whose is not None and match["owner"].split("'")[0].split("’")[0].casefold() in RELATIONS:
        last = f"{whose[0]}{last}"
    return [_completed(part, what, chinese=chinese) for part in parts[:-1]] + [last]


def _completed(part: str, what: str, *, chinese: bool) -> str:
    if chinese:
        bare = re.sub(r"的$", "", part)
        owner = ("的" not in bare and lookup(re.sub(r"^我", "", bare)) is None) or bare != part
        return f"{bare}的{what}" if owner else part
    if _OWNER_EN.fullmatch(part) is None:
        return part
    if re.search(r"['’]s?$", part):
        return f"{part} {what}"
    named = part.split()[-1][:1].isupper() or part.split()[-1].casefold() in RELATIONS
    return f"{part}'s {what}" if named else part


def _of_both(phrase: str) -> list[str]:
    """ "Both my parents' birthdays", 我爸妈的生日: each one's."""
    match = re.fullmatch(
        r"(?:both\s+(?:of\s+)?)?(?P<my>my|our)\s+(?P<group>\w+)['’]s?\s+(?P<what>.+)", phrase, re.I
    )
    if match is not None and match["group"].casefold() in _GROUPS:
        return [f"{match['my']} {one}'s {match['what']}" for one in _GROUPS[match["group"].casefold()]]
    match = re.fullmatch(rf"我们?的?(?P<group>{'|'.join(_GROUPS_ZH)})的?(?P<what>.+)", phrase)
    if match is not None:
        return [f"我{one}的{match['what']}" for one in _GROUPS_ZH[match["group"]]]
    return [phrase]
