"""A number that is only come near to: "女儿还没到6岁", "she is not yet six", "it is almost 900". It is nobody's value."""

from __future__ import annotations

import re

from memories.core.values.numerals import EN_NUMBER, ZH_NUMBER

_NUMBER = re.compile(rf"[¥￥$€£]?\s?(?:{ZH_NUMBER}|{EN_NUMBER}\b)", re.IGNORECASE)
_NEAR_ZH = re.compile(
    r"(?:[没未不](?:到|满|足)|还差|将近|接近|(?<![很最更加尽赶飞])快(?:要|到|满|有|够)*|差[^，。；]{1,4}(?:[天周月年岁]|星期|小时)(?:就|才|满|到)*)(?:有|是)?\s*$"
)
_NEAR_EN = re.compile(
    r"(?:\bnot\s+(?:yet|quite|even)|\b(?:nearly|almost|approaching)|\bclose\s+to|\bjust\s+under)\s+$",
    re.IGNORECASE,
)
_NEAR_EN_WITHIN = re.compile(rf"(?:{_NEAR_EN.pattern[:-1]})(?={_NUMBER.pattern})", re.IGNORECASE)


def only_neared(said: str, value: str | None) -> bool:
    """Whether the value is a number of which the clause says that it is not reached."""
    if not value:
        return False
    if _NEAR_EN_WITHIN.match(value):
        return True
    if _NUMBER.match(value) is None:
        return False
    at = said.find(value)
    before = said[:at] if at > 0 else ""
    return _NEAR_ZH.search(before) is not None or _NEAR_EN.search(before) is not None
