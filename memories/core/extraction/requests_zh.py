"""Reads out of a Chinese clause what it asks to forget: 忘掉…, 把…删了, 别再记…, …不用记了."""

from __future__ import annotations

import re

from memories.core.extraction.request_objects import EDGE, Reading, is_definite_zh, on_files

_LONGEST = 120
"""Characters of a clause that can be a request; what is longer is a text."""

_ASKING_ZH = (
    r"(?:(?:劳驾|那么?|好(?:的|吧)?|嗯|哦|唉|对了|算了|就|请|麻烦|劳烦|拜托|烦请|你们?|您|帮我|帮忙|给我|替我|还是|最好|可以|能不能|能|可不可以|能否|可否"
    r"|现在|马上|立刻|立即|赶紧|尽快|快|也|都|全都?|全部|先|干脆|直接|统统|彻底|完全|永久|一律|一概|以后|今后|往后|从(?:现在|今天?)(?:开始|起|以后)?|从此|再"
    r"|我(?:想|要|希望|需要)?(?:让|请|求|要|要求)(?:你|您)|我?(?:希望|要求|需要)(?:你|您)|(?:从|在)(?:你的|你)?(?:记忆|脑子|记录|系统|数据库|档案)(?:里面?|中|上))\s*)*"
)
_CLEAR = r"(?:忘掉|忘却|忘干净|抹掉|抹去|抹除|剔除|剔掉|拿掉|划掉|勾掉|去除|铲除|清零|归零|擦掉|擦除|清除|清掉|清空|清理掉|删掉|删除|删去|删干净|去掉|移除|消除|销毁)"
_SOFT = r"(?:忘了|忘记|忘|删了|抹了|清了|擦了|删)"
_TAIL = r"(?:掉|了|吧|干净|啊|呀|哦|哈|啦|嘛|呗|即可|就行|就好|好了|算了|好吗|好不好|行吗|可以吗|吗|谢谢)*"
_NOT = r"(?:不(?:想|希望|愿意?)(?:让|要)?(?:你|您)(?:再|还|一直)?|别|不要|不用|不必|不需要|无需|无须|没必要|用不着|甭|请勿|勿|不许|不准|不可以?|停止|不得|(?:能不能|可不可以|能否|可否|最好)不)"
_KEEP = r"(?:记住|记着|记下来?|记录下来?|记录|记忆|记(?![错得性号者账帐恨仇挂不])|保存下来?|保存|存储|储存|存下来?|存着|存(?![钱款在货折])|保留|留存|留着|留(?=下?(?:我|他|她|咱)[^，]{0,6}的)|记得(?=.*[^吗]$))"
_KEPT = r"(?:了|着|过|下来?|住|吧|啦|哦|啊|呀|它|这个|这些|那些|任何)*"
_AROUND = r"(?:都|也|就|请|你|您|再|全都?|全部|统统|彻底|完全|永久|一律|一概|一并|一起|帮我|给我|替我|麻烦|可以|以后|今后|往后|永远|继续|从此|直接|干脆|赶紧|马上|通通|(?:从|在)(?:你的|你)?(?:记忆|脑子|记录|系统|数据库|档案)(?:里面?|中|上))*"
_ZH_BA = re.compile(rf"{_ASKING_ZH}(?:把|将)(?P<what>.+?){_AROUND}(?:{_CLEAR}|{_SOFT}){_TAIL}")
_ZH_BA_KEEP = re.compile(rf"{_ASKING_ZH}{_NOT}{_AROUND}(?:把|将)(?P<what>.+?){_AROUND}{_KEEP}{_KEPT}")
_ZH_FIRST = re.compile(
    rf"(?P<ask>{_ASKING_ZH})(?:(?P<clear>{_CLEAR})|(?P<soft>{_SOFT}))(?:掉|了)?(?P<what>.*)"
)
_ZH_KEEP = re.compile(rf"(?P<ask>{_ASKING_ZH})(?P<no>{_NOT}){_AROUND}{_KEEP}(?P<kept>{_KEPT})(?P<what>.*)")
_ZH_FRONTED = re.compile(rf"(?P<what>.+?){_AROUND}(?:(?P<clear>{_CLEAR})|(?P<soft>{_SOFT}))(?P<tail>{_TAIL})")
_ZH_FRONTED_KEEP = re.compile(
    rf"(?P<what>.+?)(?P<mark>{_AROUND})(?P<no>{_NOT})(?P<more>{_AROUND}){_KEEP}(?P<kept>{_KEPT})"
)
_ZH_UNSAID = re.compile(
    r"(?P<what>.*?)(?:就|你|请|全)*当(?:作|做|成)?(?:我|你)?(?:从来?|压根|根本)?没(?:有)?(?:跟|和|对|向)?(?:你|您)?(?:说|讲|提|发|问|听|告诉)(?:你|您)?(?:过|起过?|说过)?(?:你|您)?"
    r"(?P<after>(?:我|咱|他|她|它|这|那|关于)[^，]*?)?(?:了|吧|好了|啊|哦)*"
)
_ZH_UNKNOWN = re.compile(
    r"(?:我)?(?:不想|不希望|不愿意?|不想再|不希望再)(?:让|要)?(?:你|您)(?:再|还|继续|一直)?(?:知道|了解)(?P<what>.+)"
    r"|(?:你|您)(?:早|早就|本来|其实)+(?:应该|该|就该|应)(?:把)?(?P<late>.+?)?(?:忘掉|忘记|忘|删掉|删|抹掉)(?:了|掉|的)*(?P<rest>.*)"
)
"""What may be a request, or a complaint or a wish about telling: it is asked about first."""
_SPEAKER = re.compile(
    r"(?:^|.*[^的])(?:我们?|咱们?|他们?|她们?|大家|别人|人家|谁|自己)(?:也|都|就|又|已经|刚刚?|早就?|总是?|老是?|经常|差点|快要?|快|会|要|想|怕|怎么|居然|竟然|完全|全|可能|好像|真的?|从来|还)*"
)
_POINTS_ZH = re.compile(
    r"(?:我|咱|你|您|他|她|它|这|那|此|关于|有关|刚|之前|以前|上次|上面|前面|昨天|今天|所有|一切|全部|任何|每|\S{1,14}的(?!时候|话$)|[“\"「]|\d)"
)
_FOREVER_ZH = re.compile(r"停止|都|全|一律|一概|统统|以后|今后|往后|永远|从此|从(?:现在|今)|任何|一切|再也")
_SPOKEN_ZH = re.compile(
    r"(?:刚才?|刚刚|上面?一?[句条段]|前面|之前|方才).{0,4}(?:[说讲发提聊]|[句条段]|话)|我(?:刚|方才).{0,2}[说讲发提]|我[说讲]的|这[句条段]|那[句条段]"
)

_POINTS_BACK_ZH = re.compile(
    r"(?:它们?|这个?|那个?|这些|那些|这件?事|那件?事|这一?[条点项]|那一?[条点项]|此事|这事儿?|那事儿?|啥|的?事)"
)

_OWNED_ZH = re.compile(r"(?:我|咱|他|她|它|这|那)[^，]{0,8}的[^，的]{1,10}|[^，的]{2,8}的[^，的]{1,10}")
"""Somebody's something: with a bare prohibition behind it ("我的身高不要记") it can only be a matter of memory."""


def read_zh(clause: str, asks: bool) -> Reading | None:
    """What a Chinese clause asks to forget."""
    if len(clause) > _LONGEST:
        return None
    asks = asks or clause.endswith("吗")
    if asks and not re.search(r"能|可以|可否|好吗|好不好|行吗", clause):
        return None
    found = _read(clause)
    able = asks and re.search(r"请|帮|麻烦|把|将|给我|替我|拜托|好吗|好不好|行吗", clause) is None
    if found is not None and able and found.phrase and not is_definite_zh(found.phrase):
        return None  # 你能忘记东西吗: what the assistant can do.
    return found


def _read(clause: str) -> Reading | None:
    if (match := _ZH_UNSAID.fullmatch(clause)) is not None:
        return Reading(_back(match["what"]) or _back(match["after"] or ""))
    if (match := _ZH_UNKNOWN.fullmatch(clause)) is not None:
        what = _back(match["what"] or match["late"] or match["rest"] or "")
        if what and _POINTS_ZH.match(what) and not on_files(what):
            return Reading(what, unsure=True)
    for pattern in (_ZH_BA, _ZH_BA_KEEP):
        if (match := pattern.fullmatch(clause)) is not None and not on_files(match["what"]):
            keep = pattern is _ZH_BA_KEEP
            return Reading(_back(match["what"]), not keep, keep and _FOREVER_ZH.search(clause) is not None)
    if (match := _ZH_KEEP.fullmatch(clause)) is not None and not on_files(match["what"]):
        what = _back(match["what"])
        if not what or _POINTS_ZH.match(what) or _SPOKEN_ZH.search(what):
            return Reading(what, False, _forever_zh(clause, what))
    if (match := _ZH_FIRST.fullmatch(clause)) is not None and not on_files(match["what"]):
        return _first_zh(match)
    if (match := _ZH_FRONTED_KEEP.fullmatch(clause)) is not None:
        return _fronted_keep(match, clause)
    if (match := _ZH_FRONTED.fullmatch(clause)) is not None:
        return _fronted(match)
    return None


def _first_zh(match: re.Match[str]) -> Reading | None:
    """忘掉X, 请忘了X, 删除关于X的…; with the verbs that also tell what happened, X must point at something known."""
    what = re.sub(rf"{_TAIL}$", "", match["what"].strip(EDGE)) if match["what"] else ""
    polite = re.search(r"请|麻烦|拜托|帮|你|您|可以|能", match["ask"]) is not None
    told = match["what"].endswith(("了", "的吗", "啦")) and not match["what"].endswith(("了吧", "好了"))
    if match["soft"]:
        if not what:
            return Reading("") if polite or match["what"].endswith("吧") else None
        if told or (not _POINTS_ZH.match(what) and not (polite or match["what"].endswith("吧"))):
            return None
        if re.match(r"(?:你|您)$", match["ask"].strip()) and not match["what"].endswith("吧"):
            return None  # 你忘了我的生日: a reproach
    elif told and not polite:
        return None
    return Reading(_back(what))


def _fronted_keep(match: re.Match[str], clause: str) -> Reading | None:
    """X不用记了, X的事都别记: a mark that it is about keeping in mind must stand there (了, 都, 再, 以后)."""
    what = re.sub(r"(?<=.)(?:请|你们?|您)+$", "", match["what"].strip(EDGE))
    if re.fullmatch(rf"(?:都|也|就|请|你|您)*{_NOT}.{{0,6}}", what):
        what = ""  # 不要再提也不要再记: two wishes about what was named before.
    marked = (
        match["mark"]
        or match["more"]
        or re.search(r"[了吧啦]", match["kept"])
        or _SPOKEN_ZH.search(what)
        or not what
        or _OWNED_ZH.fullmatch(what)
    )
    if not marked or _SPEAKER.fullmatch(what) or on_files(what) or re.search(r"[我他她]们?$", what):
        return None
    if re.fullmatch(r"(?:你们?|您|这(?:就|个就)?|也)+", what):
        what = ""
    return Reading(_back(what), False, _forever_zh(clause, what))


def _forever_zh(clause: str, what: str) -> bool:
    around = clause.replace(what, "", 1) if what else clause
    return _FOREVER_ZH.search(around) is not None and not _SPOKEN_ZH.search(what)


def _fronted(match: re.Match[str]) -> Reading | None:
    """X忘掉吧, X删掉: a plain 了 at the end tells what happened, and so does a person before the verb."""
    what = match["what"].strip(EDGE)
    tail = match["tail"]
    asks = re.search(r"吧|即可|就行|就好|好了|好吗|好不好|行吗|可以吗", tail) is not None
    if (match["soft"] or "了" in tail) and not asks:
        return None
    if (
        re.search(rf"{_NOT}|没|难|不$|[怎如何]", what[-3:])
        or re.search(r"[把将被让]", what)
        or on_files(what)
    ):
        return None
    if _SPEAKER.fullmatch(what) or (re.search(r"[我他她]们?$", what) and len(what) <= 3):
        return None
    return Reading(_back(re.sub(r"(?:请|就|你|您|也)+$", "", what)))


def _back(what: str) -> str:
    """The phrase; "" when it only points back to what was said before."""
    bare = re.sub(r"(?<=.)(?:了|吧|吗|啊|呀|啦|哦)+$", "", what.strip(EDGE)).strip(EDGE)
    return "" if _POINTS_BACK_ZH.fullmatch(bare) else bare
