"""What is over, in Chinese, said of the thing alone: "摩托车卖了", "瑜伽早就不练了", "保姆被我们辞退了", "我跟小何分手了".

What is broken or has run out is still had ("手机坏了", "手机没电了"), and what is not changed goes on ("会议不改了"). Which facts that ends is looked up among what is known (core/placement/unsaid.py); nothing known, nothing ended.
"""

from __future__ import annotations

import re

from memories.core.extraction.raw import UNSAID, Raw, Turn, Who
from memories.core.extraction.zh.changes import CHANGES
from memories.core.extraction.zh.subjects import ME, PERSON_WORD, leading_subject
from memories.core.kinds import Kind
from memories.core.text.words import tagged

_WHEN = (
    r"(?:现在|目前|如今|最近|已经|早就|早|终于|后来|上个?(?:月|周|星期|学期)|[去前今]年|[昨前今]天|前(?:几天|阵子|段时间)|刚刚?|又|也|都|全|"
    r"我们?|咱们?|给|就|再也|以后|因为[^，。]{1,8})*+"
)
"""Taken whole or not at all (possessive): a text that repeats these words is read once, not in every way to cut it."""
_NOT = r"(?:不再?|没(?:有)?再)"
_OVER = (
    r"(?:卖|死|丢|扔|停|断|退|辞|戒|黄|散|塌|吹|拆|报废|转让|处理|送|捐|注销|解散|取消|作废|失效|过期|到期|去世|过世|走丢|跑丢|"
    r"弄丢|搞丢|卸任|离任|退租|退订|退群|退会|退学|休学|辞退|辞掉|开除|解雇|裁|解约|毕业|结业|结课|停办|停用|关停|关|倒闭|没|[飞跑逃溜飘]走|被?收走|拆伙|[\u4e00-\u9fff](?=掉))"
)
_PARTED = r"(?:拆伙|闹翻|绝交|解除[^，。]{2,4}|分手|离婚|散伙|闹掰|掰|分|断|断交|解约)"
_FORMS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?:把|将)?(?P<o>[^，。把将被跟和]{{1,12}}?){_WHEN}(?:被[^，。]{{0,4}}?)?{_OVER}(?:掉|光|完|给[^，。]{{1,6}}|人|出去|回去)*(?:有?(?:快|大概|差不多)?[^，。]{{0,4}}[天周月年]|了)(?:了|啦)?",
        rf"(?P<o>[^，。把将被跟和]{{1,12}}?){_WHEN}{_NOT}(?P<v>[\u4e00-\u9fff]{{1,2}})了",
        r"(?P<o>[^，。]{1,12}?)(?:到期|期满)?(?:后|就|都|也|我)*(?:没|不)(?:再)?(?:续费?|续签|续约|继续)(?:了)?",
        rf"(?:跟|和|与)(?P<o>[^，。]{{1,8}}?){_WHEN}{_PARTED}(?:手)?了",
        rf"(?P<o>[^，。跟和与]{{1,8}}?)(?:跟|和|与)我们?{_WHEN}{_PARTED}了",
        rf"{_WHEN}{_NOT}(?P<v>[\u4e00-\u9fff])(?P<o>[\u4e00-\u9fff]{{1,8}}?)了",
    )
)
_POINTED = re.compile(
    r"(?<![吉其])他|[她它这那你您谁啥]|什么|^(?:钱|时间|人|事|电|水|话|饭|觉|气|命|劲)$|自己|心|脾气"
)
_LINKS = frozenset(
    {
        "来",
        "去",
        "走",
        "在",
        "见",
        "理",
        "哭",
        "闹",
        "笑",
        "痛",
        "疼",
        "忙",
        "累",
        "急",
        "着",
        "下",
        "是",
        "会",
        "能",
        "敢",
        "肯",
        "对",
        "行",
        "好",
        "用",
        "怕",
        "想",
        "要",
    }
)


def ended(text: str, turn: Turn) -> list[Raw]:
    """The end of something, or []."""
    said = re.sub(rf"^{_WHEN}(?:{ME}(?:家|的)?|我们(?:家|的)?)?{_WHEN}(?=..)", "", text)
    for form in _FORMS:
        match = form.fullmatch(said)
        if match is None:
            continue
        thing = re.sub(
            r"^(?:我们?(?:家)?的?|的|那[个只条份台辆]?)|(?:我|我们|的)$|的?那?[个只条份台辆](?=兼职|工作)",
            "",
            match["o"],
        )
        verb = match["v"] if "v" in match.groupdict() else None
        if verb and not _ends(verb, text, turn):
            return []
        if not thing or _POINTED.search(thing) or _cuts_word(said, match.end("o")) or not _is_noun(thing):
            return []
        who = Who(turn.speaker, turn.speaker_surface or "我")
        rule = "zh.parted" if re.search("^[跟和与]|[跟和与]我", said) or "辞" in said else "zh.ended"
        return [
            Raw(who, UNSAID, thing, rule, Kind.FACT, text, ended=True, update=True, open=True, single=True)
        ]  # fmt: skip
    return []


def _ends(verb: str, text: str, turn: Turn) -> bool:
    """Whether not doing so any more ends a thing of the speaker's: it is done to it, and no change, nor another's state."""
    tag = tagged(verb)[0][1][:1]
    if verb in _LINKS or CHANGES.match(verb) or tag in {"a", "d", "r", "m"} or (tag == "n" and len(verb) > 1):
        return False
    subject = leading_subject(text, turn)
    return subject is None or not subject[0].person or subject[0].key == turn.speaker


def _cuts_word(said: str, end: int) -> bool:
    """Whether the thing ends within a word, alone or behind its verb: 点外|卖."""
    at = 0
    for word, tag in tagged(said):
        if at < end < at + len(word):
            return tag[:1] == "n" or any(_is_word(word[cut:]) for cut in range(1, end - at))
        at += len(word)
    return False


def _is_word(text: str) -> bool:
    return len(text) > 1 and len(tagged(text)) == 1


def _is_noun(words: str) -> bool:
    """A noun, or one word of two characters for something done (游泳), whatever stands before it: no verb, adverb or number."""
    found = tagged(words)
    last, tag = found[-1]
    if len(found) == 1 and len(last) > 1:
        return tag[:1] not in {"d", "p", "c", "r", "m", "y", "u", "a"}
    return (
        tag[:1] in {"n", "j", "x", "e", "z", "q", "l", "i"}
        or tag == "vn"
        or PERSON_WORD.search(last) is not None
    )
