"""Chinese likes with what is liked in front ("香菜我最讨厌了", "比起爬山我更爱游泳") and clefts ("住在北京的是我表姐"), put in the order in which they are read."""

from __future__ import annotations

import re

from memories.core.extraction.zh.names import person_name
from memories.core.extraction.zh.subjects import PERSON_WORD
from memories.core.text.words import tagged

_FEELS = r"(?:不(?:太|怎么|大)?(?:喜欢|爱)|喜欢|讨厌|反感|受不了|不爱|最?怕|爱)"
_DEGREE = r"(?:最|可|很|真|特别|尤其|超级?|非常|一直|从小就?|实在|就|都|也|是|真的|比较|挺)*"
_DOING = r"(?:吃|喝|看|听|玩|用|穿|逛)?"
_FRONTED = re.compile(
    rf"(?P<o>[^，。我你他她它的是]{{2,8}}?)(?P<kind>什么的|啥的|这种(?:东西)?|这类(?:东西)?)?(?P<me>我(?:这个?人)?)?(?P<d>{_DEGREE})(?P<v>{_FEELS}{_DOING})(?:了|啦|的)?"
)
_ONLY = re.compile(
    r"(?P<o>[^，。我你他她它的是]{1,6}?)我(?:平时|一般|一直|从来)?只(?P<v>[吃喝看听玩用穿买])(?P<w>[^，。了过]{1,10})"
)
_RATHER = re.compile(
    r"(?:比起|相比|跟|和|与)(?P<o>[^，。]{1,10}?)(?:相比|比)?[，,]?(?=我(?:还是)?(?:更|宁愿|宁可|偏爱))"
)

_CLEFT = re.compile(
    r"(?P<p>(?:住在?|在[^，。的]{1,12}(?:上班|工作|读书|上学|念书)|来自|毕业于|养|属|姓)[^，。的]{0,14})的(?:那个)?(?:人)?(?:就|才|其实)?是(?P<w>[^，。]{2,8})"
)
_HABIT = r"(?:每天|天天|经常|常常?|总|一直|从来|从|还|也|就|都|早|一点儿?|根本|真的|确实|只|已经|又|平时|一般|几乎)*"
_ACTED = re.compile(
    rf"(?P<o>[^，。我你您他她它的是了过]{{2,8}}?)我(?P<adv>{_HABIT})(?P<v>(?:没|没有|不|不会|不能|会|能)?(?:[\u4e00-\u9fff]{{1,2}}过|会|能|[吃喝抽戴养玩用看听学打开骑穿]))(?:了)?(?P<times>[一二两三四五六七八九十几好\d]+[次回遍趟年])?(?:了|的|呢)?"
)


def in_order(text: str) -> str:
    """The clause with its subject first and the object behind its verb, where it has them elsewhere; else as it is."""
    cleft = _CLEFT.fullmatch(text)
    if cleft is not None and (_is_mine(cleft["w"]) or person_name(cleft["w"]) == cleft["w"]):
        return f"{cleft['w']}{cleft['p']}"
    rather = _RATHER.match(text)
    if rather is not None:
        return text[rather.end() :]
    only = _ONLY.fullmatch(text)
    if only is not None and _is_thing(only["o"]):
        return f"我只喜欢{only['v']}{only['w']}"
    acted = _ACTED.fullmatch(text)
    if acted is not None and _is_thing(acted["o"]):
        adverb = re.sub("一点儿?|都|也|根本|真的|确实", "", acted["adv"])
        return f"我{adverb}{acted['v']}{acted['o']}"
    match = _FRONTED.fullmatch(text)
    if match is None or not (match["me"] or match["kind"]) or not _is_thing(match["o"]):
        return text
    return f"我{match['d']}{match['v']}{match['o']}"


def _is_mine(words: str) -> bool:
    """我表姐, 我的房东."""
    mine = re.fullmatch(r"我们?(?:的|家)?(?P<who>[\u4e00-\u9fff]{1,5})", words)
    return mine is not None and PERSON_WORD.search(mine["who"]) is not None


def _is_thing(words: str) -> bool:
    if re.search(r"大家|别人|人家|们$|人$|自己", words):
        return False
    return all(tag[:1] in {"n", "j", "l", "i"} or tag in {"eng", "vn"} for _, tag in tagged(words))
