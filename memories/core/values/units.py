"""Units of both languages and what each is called in the form of a value: "2 hours", "2h" and 两个小时 are 2小时."""

from __future__ import annotations

import re
from typing import Final

MONEY: Final[dict[str, str]] = {
    "元": "块钱|块|元|圆|人民币|rmb|cny|yuan|¥",
    "美元": "美元|美金|刀|us dollars?|dollars?|bucks|usd|us\\$|\\$",
    "欧元": "欧元|euros?|eur|€",
    "英镑": "英镑|镑|gbp|pounds? sterling|quid|£",
    "日元": "日元|日圆|jpy|yen",
    "港元": "港元|港币|hkd|hk\\$",
    "卢比": "卢比|rupees?|inr|₹",
    "瑞郎": "瑞郎|瑞士法郎|swiss francs?|francs?|chf",
    "加元": "加元|加币|cad|c\\$",
    "澳元": "澳元|澳币|aud|a\\$",
}
"""Currency -> its names and signs, as pattern alternatives. Without another word ¥ is yuan."""
_COUNTED: Final[dict[str, str]] = {
    "小时": "个?(?:小时|钟头)|hours?|hrs?|h",
    "分钟": "分钟|minutes?|mins?",
    "秒": "秒钟?|seconds?|secs?",
    "天": "天|days?",
    "周": "个?(?:星期|礼拜)(?![一二三四五六日天末])|个?周(?!末|岁|[一二三四五六日天])|weeks?|wks?",
    "个月": "个月|months?",
    "岁": "周岁|岁|years? old|yrs? old",
    "年": "年|years?|yrs?",
    "人": "个人|名|位|人|people|persons?",
    "次": "次|times",
    "公里": "公里|千米|km|kilomet(?:er|re)s?",
    "厘米": "厘米|公分|cm|centimet(?:er|re)s?",
    "平方米": "平方米|平米|㎡|m2|square met(?:er|re)s?",
    "米": "米|met(?:er|re)s?",
    "英里": "英里|miles?|mi",
    "英尺": "英尺|feet|foot|ft",
    "英寸": "英寸|inch(?:es)?",
    "公斤": "公斤|千克|kg|kgs|kilos?|kilograms?",
    "磅": "磅|lbs?",
    "pound": "pounds?",
    "斤": "斤",
    "度": "度|degrees?",
    "%": "%|％|percent|per cent",
    "gb": "gb|gigabytes?|gigs?",
    "层": "层|楼",
    "页": "页|pages?",
    "词": "words?",
    "集": "集|episodes?",
    "只": "只", "条": "条", "台": "台", "辆": "辆", "套": "套", "间": "间", "张": "张", "本": "本", "份": "份", "件": "件", "个": "个(?![月半人])",
}  # fmt: skip
"""Unit -> its names. "pound" is money or weight; which one, the words do not say."""
CURRENCIES: Final = frozenset(MONEY)
_ALL: Final = {**MONEY, **_COUNTED}
_WHOLE: Final = tuple((unit, re.compile(names, re.IGNORECASE)) for unit, names in _ALL.items())


def _pattern(names: dict[str, str]) -> str:
    """One pattern for all of them, the longer name first; a name in Latin letters ends with its word."""
    each = [name for said in names.values() for name in re.split(r"\|(?![^(]*\))", said)]
    each.sort(key=len, reverse=True)
    return (
        "(?:" + "|".join(name + r"(?![A-Za-z])" if re.match("[a-z]", name) else name for name in each) + ")"
    )


UNIT: Final = _pattern(_ALL)
"""Any unit behind a number, as a pattern without groups; for IGNORECASE."""
SIGN: Final = (
    r"(?:(?:us|hk|[ac])?\$|[€£¥₹]|(?<![A-Za-z])(?:usd|eur|gbp|chf|cny|rmb|jpy|inr|hkd|cad|aud)(?![A-Za-z]))"
)
"""A currency before its number."""


def unit_named(name: str) -> str:
    """The unit that a name or sign means; the name itself where it is none."""
    bare = re.sub(r"\s+", " ", name.strip())
    return next((unit for unit, pattern in _WHOLE if pattern.fullmatch(bare)), bare.lower())
