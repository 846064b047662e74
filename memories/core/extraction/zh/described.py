"""What a thing is like, told in Chinese with 是…的 and no noun for it: "头发是黑色的", "宽带是200兆的", "后端是用Go写的", "班车是8点发车"."""

from __future__ import annotations

import re

from memories.core.extraction.raw import Raw, Turn, Who
from memories.core.extraction.zh.names import person_name
from memories.core.extraction.zh.rules import clean_value
from memories.core.extraction.zh.subjects import ME, PERSON_WORD, noun_subject
from memories.core.extraction.zh.values import is_abstract, is_opinion
from memories.core.kinds import Kind
from memories.core.text.words import tagged
from memories.core.values.keyvalues import key_values

_NOW = r"(?:现在|目前|如今|已经|还|就|都|一直|全|平时|又)*"
_OF = rf"(?P<s>[^，。是]{{2,16}}?)(?P<now>{_NOW})"
_COLOR = re.compile(rf"{_OF}是(?P<v>[\u4e00-\u9fff]{{1,4}}色|[黑白红蓝绿黄灰紫粉棕银金橙])的?")
_AMOUNT = re.compile(rf"{_OF}是(?P<v>\d+(?:\.\d+)?[万千百]?(?P<u>[\u4e00-\u9fffA-Za-z]{{1,3}}))的")
_MADE = re.compile(
    rf"{_OF}(?:是)?(?P<now2>{_NOW})用(?P<v>[^，。]{{1,16}}?)(?:写|搭|画|织|拍|编|印|盖|铺|刷)的"
)
_AT = re.compile(rf"{_OF}是(?P<v>[^，。]{{2,14}}?)(?P<act>[\u4e00-\u9fff]{{1,3}})的?")
_CHOSEN = re.compile(
    rf"(?P<s>[^，。是的]{{1,12}}?)(?P<now>{_NOW})(?P<verb>[\u4e00-\u9fff])的(?P<now2>{_NOW})是(?P<v>[^，。]{{2,16}})"
)
MENTAL = re.compile(
    r"[想说看讲问指怕求缺爱要盼恨气怪图烦愁懂信猜心聊谈听见到会能得好多少]|[需重主][要]|喜欢|讨厌|觉得|希望|担心|关心|知道|认为|在意|在乎|讨论|介绍|推荐"
)
"""What one thinks, wants or says is no choice that stands."""
_ONCE = re.compile(r"[昨前今明]天|昨晚|今[早晚]|刚才?|那天|上次|上[周月]")
"""When something was done once."""
_MADE_BY = re.compile(rf"{_OF}是(?P<v>[\u4e00-\u9fff]{{2,4}}|[A-Za-z][A-Za-z ]{{1,12}})的")
_RUNS_ON = re.compile(
    rf"{_OF}(?:都|统一|一直)?用(?P<v>[\u4e00-\u9fffA-Za-z][\u4e00-\u9fffA-Za-z0-9. ]{{1,14}})"
)
_TAKEN = re.compile(
    rf"(?:{ME}|我们)?(?P<n>[\u4e00-\u9fff]{{2,4}}?)(?:以后|现在|最近|今后)?(?P<how>一般|通常|平时|都|只|总是?|基本|固定|每天|改成?|换成?)(?:都|就|是)?[吃喝用穿坐骑听读点戴](?P<v>[\u4e00-\u9fffA-Za-z]{{2,8}}?)(?:了|的)?"
)
_WHEN = re.compile(
    r"[早晚]上|[上中下]午|凌晨|傍晚|夜里|半夜|[今明昨每平]|周|星期|礼拜|[春夏秋冬][天季]|现在|最近|以[前后]|时间"
)
_SHOPS = r"(?:公司|集团|院|厂|店|所|局|行|社|馆|台|站|中心|学校|大学|中学|小学|部队|工地|机关|单位|工作室|诊所|银行|超市)"
_WORKS = re.compile(
    rf"(?:在|给|为|替)(?:一[家个所])?(?P<v>[^，。在给]{{0,10}}?{_SHOPS})(?:里|那边)?(?P<act>[^，。]{{1,8}})"
)


def described(text: str, turn: Turn) -> list[Raw]:
    """The fact of one of these forms, or []."""
    for pattern, attribute in ((_COLOR, "color"), (_AMOUNT, ""), (_MADE, "built_with"), (_AT, "time")):
        match = pattern.fullmatch(text)
        if match is None or re.fullmatch(rf"{ME}|[他她它这那您你谁]|我们|.*[不没]", match["s"]):
            continue
        value = clean_value(match["v"])
        if value is None or (attribute == "time" and not _is_moment(value, match["act"])):
            continue
        who = _thing(re.sub(rf"(?<=..){ME}$", "", match["s"]), turn)  # 小工具我|用Rust写的
        if who is None:
            continue
        turn.mention(who)
        name = attribute or f"{match['u']}数"
        update = "现在" in match["now"] or "如今" in match["now"]
        return [Raw(who, name, value, "zh.described", Kind.FACT, text, update=update, single=True)]
    return _chosen(text, turn) or _taken_for(text, turn) or _made_by(text, turn) or _runs_on(text, turn)


def works_at(rest: str) -> str | None:
    """The employer of one who does something there: "在一家设计院画图"."""
    match = _WORKS.fullmatch(rest)
    if match is None or not _is_act(match["act"]) or re.match(r"[住吃等看见买睡玩]", match["act"]):
        return None
    return clean_value(match["v"])


def _chosen(text: str, turn: Turn) -> list[Raw]:
    """我报的是半程, 婚宴订的是湖边那家: what one took, by the verb."""
    match = _CHOSEN.fullmatch(text)
    value = clean_value(match["v"]) if match else None
    if match is None or value is None or is_opinion(value) or re.search(r"[这那我你他她它]", value):
        return []
    verb, head = match["verb"], re.sub(r"(?<=[^我])(?:每天|每次|一般|平时|通常)$", "", match["s"])
    lasting = re.search("现在|一直|平时|都", match["now"] + match["now2"]) is not None
    if verb == "家" or MENTAL.search(verb) or _ONCE.search(head):
        return []
    if not {tagged(verb)[0][1][:1], tagged(f"{verb}着")[0][1][:1]} & frozenset("vzpqm"):
        return []
    mine = re.fullmatch(rf"(?:{ME}|我们|咱们|我家|我们家)?(?P<doing>[\u4e00-\u9fff]{{0,4}})", head)
    doing = mine["doing"] if mine else ""
    if mine is not None and (not doing or tagged(doing)[-1][1][:1] in {"v", "t"}):
        if verb in "吃喝" and not lasting:
            return []  # 我们吃的是火锅: once
        who: Who | None = Who(turn.speaker, "我")
    else:
        who, doing = _thing(head, turn), ""
    if who is None or MENTAL.search(doing):
        return []
    turn.mention(who)
    update = "现在" in match["now"] + match["now2"]
    return [Raw(who, f"{doing}{verb}的", value, "zh.chosen", Kind.FACT, text, update=update, single=True)]


def _made_by(text: str, turn: Turn) -> list[Raw]:
    """冰箱是海尔的: a make, where the tagger takes it for the name of something."""
    match = _MADE_BY.fullmatch(text)
    who = _thing(match["s"], turn) if match and not re.search(r"[他她它这那您你谁]", match["s"]) else None
    if match is None or who is None:
        return []
    words = tagged(match["v"])
    if (
        len(words) != 1
        or words[0][1] not in {"nr", "nrt", "nz", "nt", "eng", "vn"}
        or person_name(match["v"]) is not None
    ):
        return []
    turn.mention(who)
    return [
        Raw(
            who,
            "brand",
            match["v"],
            "zh.made_by",
            Kind.FACT,
            text,
            update="现在" in match["now"],
            single=True,
        )
    ]


def _runs_on(text: str, turn: Turn) -> list[Raw]:
    """我们团队用Jira, 报销系统用钉钉: what a group or a thing uses."""
    match = _RUNS_ON.fullmatch(text)
    if match is None or re.search(rf"^{ME}|[他她它这那您你谁不没别能会可要想]|大家", match["s"]):
        return []
    who, value = noun_subject(match["s"], turn), clean_value(match["v"])
    if who is None or value is None or who.person or who.key in {turn.speaker, turn.listener}:
        return []
    if not text.startswith("我") and PERSON_WORD.search(re.sub("一般|通常|都$", "", who.key)):
        return []  # 程序员都用…
    if any(tag[:1] not in {"n", "j", "x"} and tag != "eng" for _, tag in tagged(value)):
        return []
    turn.mention(who)
    return [Raw(who, "uses", value, "zh.used", Kind.FACT, text, update="现在" in match["now"], single=True)]


def _taken_for(text: str, turn: Turn) -> list[Raw]:
    """我早饭一般喝豆浆, 通勤改骑车: what one takes for what."""
    match = _TAKEN.fullmatch(text)
    value = clean_value(match["v"]) if match else None
    if (
        match is None
        or value is None
        or is_opinion(value)
        or re.search(r"[\d这那我你他她它]|[一二两三几半]", value)
    ):
        return []
    noun = tagged(match["n"])
    if (
        any(tag not in {"n", "vn", "l", "j", "nz", "t"} for _, tag in noun)
        or is_abstract(match["n"])
        or _WHEN.match(match["n"])
        or PERSON_WORD.search(match["n"])  # 程序员都用…: what others take
    ):
        return []
    who = Who(turn.speaker, turn.speaker_surface or "我")
    changed = match["how"][0] in "改换"
    return [
        Raw(who, match["n"], value, "zh.taken_for", Kind.PREFERENCE, text, update=changed, single=True)
    ]  # fmt: skip


def _thing(phrase: str, turn: Turn) -> Who | None:
    mine = re.fullmatch(r"我们?(?:家|的|家的)(?P<noun>[\u4e00-\u9fffA-Za-z]{1,8})", phrase)
    who = Who(mine["noun"], phrase, person=False) if mine else noun_subject(phrase, turn)
    if who is None or who.person or who.key in {turn.speaker, turn.listener} or is_abstract(who.key):
        return None
    last = tagged(who.key)[-1][1]
    return who if last[:1] in {"n", "j", "l", "x"} or last in {"eng", "vn"} else None


def _is_act(words: str) -> bool:
    """A verb with its object, two or three characters that the tagger may take for a noun: 画图, 校稿; 楼下 and 附近 are none."""
    first = tagged(words)[0][1][:1]
    return first == "v" or (len(words) == 2 and first == "n" and len(tagged(words)) == 1)


def _is_moment(value: str, act: str) -> bool:
    """A clock time or a date and the verb of what happens then."""
    found = key_values(value)
    whole = bool(found) and found[0].start == 0 and found[-1].end == len(value)
    return whole and {one.kind for one in found} <= {"date", "time"} and tagged(act)[0][1][:1] == "v"
