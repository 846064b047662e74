"""What a Chinese clause gives as a value: something exact, something said of a thing, or only an opinion or a definition."""

from __future__ import annotations

import re

from memories.core.extraction.zh.rules import clean_value
from memories.core.text.words import tagged
from memories.core.values.keyvalues import key_values
from memories.core.values.numerals import ZH_NUMBER
from memories.core.values.sorts import EACH_ZH, is_exact

_OPINION = re.compile(
    r"(?:非常|十分|很|特别|极其|极为|相当|比较|挺|蛮|太|真|更|最(?!高|低|大|小|多|少|后|新|早|晚)|那么|这么|多么|如此|无法|难以|不可|值得|应该|需要|必须|让|使|令|叫[人我你他她]|要(?!求)|先|去|来(?!自)|把|被|对|给|"
    r"因为|由于|为了|通过|指|关于|可以|能够|能|会(?!议|场|馆)|怎么|如何|尽量|努力|不断|学会|找|找到|有(?=[点些]))"
    r"|(?:一|这|那)?(?:[件种个项门次段场份类]|一[点些])[^，。]{0,16}?(?:事情?|东西|过程|选择|决定|技能|活动|方式|方法|体验|经历|话题|问题|机会|挑战|感觉|享受|好处|能力|力量|礼物|开始|部分|之一|爱好|习惯|标志|象征|象|时刻|时候|日子|节日|人生|职业|工作|艺术|科学|语言)$"
    r"|.*(?:之一|的事情?|的时候|的过程|的东西|的一部分)$|[^\d]*(?:重要|有趣|有用|有意义|困难|简单|复杂|美好|美丽|精彩|出色|优秀|漂亮|愉快|开心|独特|完美|成功|正确|珍贵|宝贵)的?$"
)
_ABSTRACT = re.compile(
    r"(?:好处|坏处|优点|缺点|优势|劣势|特点|特色|原因|意思|意义|作用|关键|重点|本质|方法|方式|问题|目的|感觉|感受|看法|想法|建议|意见|答案|区别|差别|影响|结果|过程|发展|未来|秘诀|核心|前提|"
    r"魅力|力量|价值|重要性|必要性|可能性|[\u4e00-\u9fff]性|机会|努力|存在|到来|出现|变化|情况|样子|态度|心情|表现|好|坏|多|少|部分|一点|地方|方面|时刻|经历|故事|生活|日子|世界|东西|意图|道理|真相|事实|初衷|快乐|幸福|乐趣)"
)
"""What a thing is discussed under, not what it has: "编程的好处是…" teaches nothing about anybody."""


def is_opinion(value: str) -> bool:
    """True for "非常重要的", "一件有意义的事", "叫人提不起劲": said about a thing, but no value that it has."""
    if _OPINION.match(value) is not None:
        return True
    words = tagged(value) if len(value) == 4 and not is_exact(value) else ()
    return len(words) == 1 and words[0][1] == "i"  # an idiom: 独一无二


def is_abstract(word: str) -> bool:
    """True for a noun that things are discussed under (好处, 原因)."""
    return _ABSTRACT.fullmatch(word) is not None


def listed(value: str) -> list[str]:
    """The items of "音乐、电影和旅游" or "拍照和摄影", each of which is told on its own; [] for a single one."""
    if "、" in value:
        items = [item for item in re.split(r"、|(?:以及|还有|[和与及跟])(?=[^、]{1,8}$)", value) if item]
    else:
        words = tagged(value)
        middle = [
            at
            for at, (word, tag) in enumerate(words)
            if word in {"和", "与", "跟", "及"} and 0 < at < len(words) - 1
        ]
        if len(middle) != 1 or len(words) != 3:
            return []
        items = [words[0][0], words[2][0]]
    return items if len(items) > 1 and all(1 < len(item) <= 10 for item in items) else []


_AMOUNT = re.compile(
    rf"\d+(?:\.\d+)?[万千百]?(?![年月日号点时周时分])[\u4e00-\u9fffA-Za-z%％]{{1,2}}"
    r"|(?:\d{1,4}[\u4e00-\u9fffA-Za-z]{1,2}){2,3}(?<![年月日号点分时])"
    rf"|{ZH_NUMBER}(?:块|元|万|千|百|米)[\d一二三四五六七八九]{{1,2}}"
    rf"|(?:每|一)个?(?:天|周|星期|礼拜|月|年){ZH_NUMBER}[次回遍趟顿杯片粒节]"
)
"""62公斤, 8核16G, 2块8, 一米三六, 一周三次."""
SPOT = re.compile(
    r"[A-Za-z\d一二三四五六七八九十]{1,3}[区栋座排][\dA-Za-z一二三四五六七八九十-]{1,5}[号室座]?"
)
"""C区03号: where in a building or a park."""
_PER = re.compile(rf"^(?:{EACH_ZH})?(?:要|收|卖|得|是)?")
_END = re.compile(r"[的\u4e00-\u9fff]?")
_END_OF_MOMENT = re.compile(r"[的]?[\u4e00-\u9fff]{0,3}")


def exact_value(text: str) -> str | None:
    """The number, date, time or code at the text's beginning, where hardly anything follows it (周日上午十点|开始)."""
    if _AMOUNT.fullmatch(text) or SPOT.fullmatch(text):
        return text
    found = key_values(text)
    if (
        not found
        or _PER.sub("", text[: found[0].start]).strip("第¥￥$约")
        or found[0].kind in {"name", "title", "url", "snippet"}
    ):
        return None
    end = found[0].start
    for one in found:
        if one.start - end > 1:
            break
        end = one.end
    tail = re.match(
        r"(?:左右|多|以上|出头|半|整|[\u4e00-\u9fff]{0,3}/[天周月年]|一个?[天周月年次张份]|次|号)", text[end:]
    )
    end += tail.end() if tail else 0
    moment = found[0].kind in {"date", "time"}
    if (_END_OF_MOMENT if moment else _END).fullmatch(text[end:]) is None:
        return None
    return clean_value(text[:end] if moment else text)


def noun_value(text: str) -> str | None:
    """A noun of at most ten characters that a change may come to."""
    value = clean_value(text)
    if value is None or not 2 <= len(value) <= 10:
        return None
    words = tagged(value)
    return (
        value if all(tag[:1] in {"n", "j", "x", "e", "i", "l", "b", "m", "q"} for _, tag in words) else None
    )


def noun_phrase(text: str) -> str | None:
    """A noun of at most twelve characters with what is put before it (小区东门的驿站): no verb but within a name, no clause."""
    value = clean_value(text)
    if value is None or not 2 <= len(value) <= 12 or value.count("的") > 1:
        return None
    words = tagged(value.replace("的", ""))
    tags = [tag for _, tag in words]
    if re.fullmatch(r"[\u4e00-\u9fff]{1,8}[路街巷弄道]\d+号?.{0,6}", value):
        return value
    fits = all(
        tag[:1] in {"n", "j", "x", "e", "i", "l", "b", "m", "q", "s", "f", "a", "z"}
        or tag == "vn"
        or (tag[:1] in {"v", "d"} and len(word) == 2 and at < len(words) - 1)
        for at, (word, tag) in enumerate(words)
    )
    return value if fits and tags[-1][:1] not in {"m", "q", "a", "f", "z"} else None
