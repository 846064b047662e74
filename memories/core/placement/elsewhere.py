"""Facts that a Chinese change cannot mean since it tells where, or whose, another thing of that name is: 超市的猫粮, 酒店wifi密码."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memories.core.placement.opened import GENERAL, spoken
from memories.core.statement import FactPart

_PLACE = re.compile(
    r"(?:(?<![我咱们家])|^)(?P<p>超市|商场|菜市场|市场|酒店|宾馆|旅馆|饭店|餐厅|网吧|机场|车站|景区|商店|便利店|药店|网店|网上|市面上|隔壁|对面|楼上|楼下|对门|别家|别处|外面|"
    r"对手|竞品|同行|友商|官网|全市|全省|行业)(?:里|那边|家)?的?(?=[\u4e00-\u9fffA-Za-z]{2})"
)
_TOLD_BY = re.compile(r"(?:说|通知|告知|让|给我|来电|打电话|发)")
"""The hotel that gives notice speaks of what the speaker has with it."""


def meant_here(words: str, value: str, held: Sequence[FactPart]) -> Sequence[FactPart]:
    """The facts of `held` that the words may mean; all of them where they name no other place.

    A fact with the place in its own name or value is meant all the same: the hotel's password, where that is what is known.
    """
    rest = words.replace(value, "\n", 1)
    found = _PLACE.search(rest)
    if found is None or _TOLD_BY.search(rest):
        return held
    return [one for one in held if found["p"] in f"{_owner(one)}{spoken(one.attribute)}{one.value}"]


def _owner(one: FactPart) -> str:
    return "" if one.entity in {"user", GENERAL} else spoken(one.entity.split(":")[-1])
