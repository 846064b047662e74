"""Other ways in which Chinese states an attribute: "<value>是<subject>的<attribute>", "<subject>要在<time>之前交付", "找<person>打<number>"."""

from __future__ import annotations

import re

from memories.core.extraction import schedule
from memories.core.extraction.attributes import ZH_WORDS, canonical_attribute, lookup
from memories.core.extraction.raw import Raw, Turn, Who
from memories.core.extraction.zh_rules import clean_value
from memories.core.extraction.zh_subjects import ME, noun_subject
from memories.core.kinds import Kind

_WORD = "|".join(word for word in ZH_WORDS if len(word) > 1)
_NOW = r"(?:现在|目前|如今|已经|仍然|仍|就|都|也|还)*"
_INVERTED = re.compile(rf"(?P<v>[^，。的]{{2,16}}?){_NOW}是(?P<s>[^，。]{{2,24}}?)的(?P<a>{_WORD})")
_DUE = re.compile(
    r"(?P<s>[^，。]{2,24}?)(?:必须|需要|应该|要|得|会|将|预计|计划|最晚|最迟)+(?:在|于)?(?P<v>[^，。]{2,14}?)(?:之?前|以前)?(?:完成|交付|上线|发布|提交|交|完工|结束|验收|出货|发货|完结|交工)(?:了|掉)?"
)
_CALL = re.compile(
    r"(?:要)?(?:找|联系)(?P<s>[^，。]{2,8}?)(?:就|可以|请|要)*(?:打|拨|加|用|发)(?P<a>[^\d，。]{0,6}?)(?P<v>[A-Za-z0-9][\w@.\-]{2,40})(?:就行|就好|就可以|即可)?"
)
_CHOSEN = re.compile(
    rf"(?P<s>[^，。]{{2,24}}?)的(?P<a>{_WORD}|[\u4e00-\u9fff]{{2,4}})(?:就|改|最终|统一|还是)*(?:选用|采用|选择|选定|选|用)(?:了)?(?P<v>[^，。]{{2,30}})"
)
_BUILT = re.compile(
    r"(?P<s>[^，。]{2,24}?)(?:最终|最后|决定|统一|还是|将会?|会|就|现在)*(?:改成?|换成?)?(?:使用|采用|用)(?P<v>[^，。]{2,24}?)(?:来)?(?:开发|实现|搭建|编写|构建)(?:的|了)?"
)
_REPORTS = re.compile(
    r"(?P<s>[^，。]{2,8}?)(?P<now>(?:现在|如今|目前|以后)?)(?:都|要)?向(?P<v>[^，。]{2,8}?)汇报(?:工作)?"
)
_ALL_CHANGED = re.compile(
    r"(?P<s>[^，。]{2,24}?)(?:的?(?:安排|信息|情况|计划))?(?:已经|又|刚刚?|最近)*(?:有变(?:化|动)?|有调整|变了|改了|更新了|变更了|调整了)"
)
_OPENER = re.compile(
    r"(?:我们|我|大家|团队)?(?:已经|最后|最终)?(?:决定|商定|说好|敲定|确定|约定)(?:了)?(?:[，,:：])?"
)


def read_form(text: str, turn: Turn) -> list[Raw]:
    """The fact of one of these forms, or []."""
    for reader in (_inverted, _due, _call, _chosen, _built, _reports):
        raw = reader(text, turn)
        if raw is not None:
            turn.mention(raw.who)
            return [raw]
    whole = _ALL_CHANGED.fullmatch(text)
    if whole and (who := _subject(whole["s"], turn)):
        turn.mention(who)
    return []


def _subject(phrase: str, turn: Turn) -> Who | None:
    return noun_subject(phrase, turn)


def _inverted(text: str, turn: Turn) -> Raw | None:
    match = _INVERTED.fullmatch(text)
    if match is None or re.match(rf"{ME}|[他她它这那你您其]|不", match["v"]) or match["v"].endswith("不"):
        return None
    row, who, value = lookup(match["a"]), _subject(match["s"], turn), clean_value(match["v"])
    if row is None or who is None or value is None or re.search(r"[是不有说]", value):
        return None
    return Raw(who, row.name, value, "zh.inverted", row.kind, text, update="现在" in text)


def _due(text: str, turn: Turn) -> Raw | None:
    match = _DUE.fullmatch(text)
    if match is None or not schedule.starts_with_time(match["v"]) or re.match(rf"{ME}|[他她你您它]", text):
        return None
    who = _subject(match["s"], turn)
    if who is None or who.person:
        return None
    return Raw(who, "deadline", match["v"], "zh.due", Kind.FACT, text)


def _call(text: str, turn: Turn) -> Raw | None:
    match = _CALL.fullmatch(text)
    who = _subject(match["s"], turn) if match else None
    if match is None or who is None or not (who.person or re.fullmatch(r"[\u4e00-\u9fff]{2,4}", who.key)):
        return None
    word = match["a"].strip("的他她：:") or "电话"
    return Raw(who, canonical_attribute(word), match["v"], "zh.reach", Kind.PROFILE, text)


def _chosen(text: str, turn: Turn) -> Raw | None:
    opener = _OPENER.match(text)
    if opener is None:
        return None
    match = _CHOSEN.fullmatch(text[opener.end() :])
    who = _subject(match["s"], turn) if match else None
    value = clean_value(match["v"]) if match else None
    if match is None or who is None or value is None:
        return None
    return Raw(who, canonical_attribute(match["a"]), value, "zh.chosen", Kind.DECISION, text)


def _built(text: str, turn: Turn) -> Raw | None:
    """青云用Django开发: what a thing is made with; it may be several."""
    opener = _OPENER.match(text)
    match = _BUILT.fullmatch(text[opener.end() :] if opener else text)
    if match is None or re.match(rf"{ME}|[他她你您它这那]", match["s"]):
        return None
    who, value = _subject(match["s"], turn), clean_value(match["v"])
    if who is None or who.person or value is None:
        return None
    return Raw(who, "built_with", value, "zh.built_with", None, text)


def _reports(text: str, turn: Turn) -> Raw | None:
    """王芳向李明汇报: her boss."""
    match = _REPORTS.fullmatch(text)
    value = clean_value(match["v"]) if match else None
    if (
        match is None
        or value is None
        or re.match(rf"{ME}|[他她你您它谁大]", match["s"])
        or re.search("[我你他她谁]", value)
    ):
        return None
    who = _subject(match["s"], turn)
    if who is None or not (who.person or re.fullmatch(r"[\u4e00-\u9fff]{2,4}", who.key)):
        return None
    return Raw(who, "上级", value, "zh.reports_to", Kind.FACT, text, update=bool(match["now"]))
