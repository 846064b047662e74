"""Where a thing is and when a daily act is done, in Chinese without a copula: "钥匙在鞋柜里", "食堂晚上7点关门"."""

from __future__ import annotations

import re

from memories.core.extraction import schedule
from memories.core.extraction.attributes import lookup
from memories.core.extraction.raw import Raw, Turn, Who
from memories.core.extraction.zh.bare import whole
from memories.core.extraction.zh.rules import clean_value
from memories.core.extraction.zh.subjects import ME, noun_subject
from memories.core.extraction.zh.values import exact_value, is_abstract, is_opinion
from memories.core.kinds import Kind
from memories.core.text.words import tagged
from memories.core.values.keyvalues import key_values
from memories.core.values.numerals import ZH_NUMBER

_ROOM = re.compile(
    r"[A-Za-z]?\d{2,4}(?:室|房间?|教室|包[间厢])?|[A-Za-z一二三四五六七八九十\d]+[区栋座排柜]\S{0,8}|.*\d+(?:楼|层|室|号(?!码))|[一二三四五六七八九十]+[楼层]"
)
_SIDE = re.compile(
    r".*(?:里面?|上面?|下面?|底下|旁边|边上|后面|前面|对面|附近|隔壁|门口|中间|角落|[东西南北]边|[东南西北]侧|[^\d][里上下])$"
)
KIND_OF_PLACE = re.compile(
    r".*(?:[省市区县镇村路街巷弄号楼层馆厅室店院场园寺庙湖山岛港站校府城]|里边|中心|广场|酒店|宾馆|会所|基地|公寓|小区|大厦|教室|会议室|线上|线下|工位|车库|车位|柜|架|抽屉|桌上|床下|公司|学校|[姨叔舅婆妈爸哥姐弟妹奶爷公友老]家|体育馆|科技园|园区|商场|机场|码头)$"
)
_LOCATED = re.compile(
    r"(?P<s>[^，。在]{2,18}?)(?P<now>(?:现在|目前|如今|已经|一直|还|就|都|改|会|将|要|平时|是|定)*)(?<!现)在(?P<v>[^，。]{2,20}?)(?P<act>举办|举行|召开|进行|集合|见面|碰头|办|开|吃|拍|录|打|上)?(?P<done>了|呢|的)*"
)


def located(text: str, turn: Turn) -> list[Raw]:
    """年会在喜来登办, 备用钥匙在鞋柜里, 我新租的房子在龙阳路."""
    match = _LOCATED.fullmatch(text)
    phrase = _placed(match) if match else ""
    if match is None or re.match(r"[他她您你谁这那它]|什么|正|问题|关键|重点", match["s"]):
        return []
    value = clean_value(match["v"])
    if (
        value is None
        or is_opinion(value)
        or not (_is_place(value) or ((match["act"] or phrase[-1:] in "订定约选") and _is_name(value)))
    ):
        return []
    update = match["now"].endswith("改") or "现在" in match["now"]
    booked = re.fullmatch(r"(?P<s>.{2,}?)[订定约选]", phrase)
    phrase = booked["s"] if booked else phrase
    home = re.fullmatch(
        rf"(?:(?:{ME}|我们|咱们|我家|我们家)|(?=新))(?P<new>新|刚|现在|目前)*(?:租|买|住|搬进?)(?:下来?)?的(?:房子?|地方|公寓|小区|屋子?|家)?|(?:我们?家?的?)?房子?[租买]?",
        match["s"],
    )
    if home:
        return [
            Raw(
                Who(turn.speaker, match["s"]),
                "home",
                value,
                "zh.lives_at",
                Kind.PROFILE,
                text,
                update=bool(home["new"]),
            )
        ]
    who = noun_subject(phrase, turn)
    if who is None and re.fullmatch(r"[\u4e00-\u9fff]{2,4}", phrase) and tagged(phrase)[-1][1] in {"v", "vn"}:
        who = Who(phrase, phrase, person=False) if booked else None  # 聚餐订在…
    if (
        who is None
        or who.person
        or who.key in {turn.speaker, turn.listener, "general"}
        or is_abstract(who.key)
    ):
        return []
    if any(
        tag[:1] in {"d", "p", "r", "c", "y", "e", "u"}
        for _, tag in tagged(re.sub(r"^我们?的?|的", "", phrase))
    ):
        return []
    row = lookup(who.key)
    if row is not None and row.name in {"employer", "school"}:
        return [
            Raw(
                Who(turn.speaker, match["s"]),
                f"{row.name}_location",
                value,
                "zh.located",
                Kind.FACT,
                text,
                update=update,
            )
        ]
    turn.mention(who)
    return [Raw(who, "location", value, "zh.located", Kind.FACT, text, update=update)]


def _placed(match: re.Match[str]) -> str:
    """What is somewhere: 会 ends 聚会, though it may stand before 在 as a verb."""
    phrase, now = match["s"], match["now"]
    gathers = now.startswith("会") and any(
        word.endswith("会") for word, _ in tagged(f"{phrase[-2:]}会") if len(word) > 1
    )
    return f"{phrase}会" if gathers else str(phrase)


def _is_place(value: str) -> bool:
    if _ROOM.fullmatch(value) or _SIDE.fullmatch(value) or KIND_OF_PLACE.fullmatch(value):
        return not re.match(r"[一这那][个次种]|心|脑|手[里上]|[这那]|开会|进行|于", value)
    words = tagged(value)
    return bool(words) and words[-1][1] in {"ns", "nt"}


def _is_name(value: str) -> bool:
    return all(tag[:1] in {"n", "x", "e", "j", "i", "l"} for _, tag in tagged(value)) and len(value) <= 8


_AGENDA = re.compile(
    r"(?P<v>[^，。有]{2,16}?)(?:我们?|还|要)?(?:有|安排了?)(?:一?[个场次节堂])(?P<s>[^，。的]{2,8})"
)


def agenda(text: str, turn: Turn) -> list[Raw]:
    """周四上午10点有个面试: when something is."""
    match = _AGENDA.fullmatch(text)
    if match is None or re.search("[今昨明后前][天晚早]|上(?!午)", match["v"]):
        return []
    value = exact_value(match["v"])
    words = tagged(match["s"])
    if (
        value is None
        or value != match["v"]
        or not {one.kind for one in key_values(value)} <= {"date", "time"}
    ):
        return []
    if words[-1][1][:1] not in {"n", "v"} or is_abstract(match["s"]) or re.search("[我你他她它]", match["s"]):
        return []
    who = Who(match["s"], match["s"], person=False)
    turn.mention(who)
    return [Raw(who, "time", value, "zh.agenda", Kind.FACT, text, single=True)]


_DAILY = r"(?:起床|睡觉|上班|下班|上课|下课|放学|上学|开门|关门|打烊|营业|开饭|午休|熄灯|到校|到岗|出门|到家|起|睡)"
"""Acts of every day: their hour is told without a word for how often."""
_PART = r"(?:凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|半夜|早|晚)"
_TIMED = re.compile(
    rf"(?P<s>[^，。]{{0,12}}?)(?P<how>(?:每天|每晚|每早|天天|一般|平时|通常|工作日|周末|习惯了?|都是?|现在|最近|改[成到为在]?了?|固定|基本|大概|要|得|会|已经)*)"
    rf"(?P<v>{_PART}?(?:\d{{1,2}}[:：]\d\d|{ZH_NUMBER}点(?:半|钟|{ZH_NUMBER}分|[一三]刻)?)(?:左右|多)?)(?:就|才|准时|要|得|左右|开始|之?前|以?后)*"
    rf"(?P<act>{_DAILY}|[\u4e00-\u9fff]{{1,5}}?)了?"
)
_SPOKEN = ("起床", "睡觉", "上班", "下班", "出门")
_SPOKEN_ACT = {"睡": "睡觉", "起": "起床"}
_TIME_AND_AGAIN = re.compile("每[天晚早周]|天天|一般|平时|通常|工作日|周末|习惯|固定|基本|现在|都")


def timed_act(text: str, turn: Turn) -> list[Raw]:
    """我每天早上6点半起床, 食堂晚上7点关门."""
    match = _TIMED.fullmatch(text)
    if match is None or re.search(r"今|明|昨|后天|前天|\d[日号]|[周星期][一二三四五六日天]", match["s"]):
        return []
    act, phrase = match["act"], match["s"].strip()
    if re.fullmatch(_DAILY, act) is None:
        verb, tag = tagged(act)[0]
        if (
            tag[:1] != "v"
            or act.startswith("开")
            or schedule.starts_with_time(match["s"][:8].lstrip("原来先"))
            or not _TIME_AND_AGAIN.search(match["how"] + match["s"])
            or re.search(r"[没不过完]", act)
        ):
            return []
        act = next((one for one in _SPOKEN if act.startswith(one)), verb)
    mine = not phrase or re.fullmatch(rf"{ME}|我们|咱们", phrase) is not None
    sooner = re.search("[就才]", text[match.end("v") : match.start("act")])
    if mine and not match["how"] and not sooner:
        return []
    who = (
        turn.subject or Who(turn.speaker, "我")
        if not phrase
        else Who(turn.speaker, phrase)
        if mine
        else noun_subject(phrase, turn)
    )
    if who is None or who.key == turn.listener or re.search(r"[了]", phrase):
        return []
    changed = re.search(r"改|现在", match["how"]) is not None
    turn.mention(who)
    return [
        Raw(
            who,
            f"{_SPOKEN_ACT.get(act, act)}时间",
            match["v"],
            "zh.timed",
            Kind.FACT,
            whole(text, who),
            update=changed,
        )
    ]
