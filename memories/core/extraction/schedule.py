"""When something takes place: "<meeting> 改到周四下午4点", "the meeting has been moved to Thursday at 4pm", "每周三10:00开例会"."""

from __future__ import annotations

import re

from memories.core.extraction.raw import Raw, Turn, Who
from memories.core.kinds import Kind
from memories.core.times.parsing import is_recurring
from memories.core.values.keyvalues import key_values

_ZH = re.compile(
    r"(?P<s>[^，。]{2,24}?)(?:的?时间|日期)?(?:现在|已经|最终|又|临时|都|一般|统一|固定|被)*"
    r"(?P<how>(?:改|推迟|延期|延后|提前|挪|调整?|顺延|改约|改签|换|拖|推)(?:到|至|在|成|为)了?|改约(?=[^，。])|(?:定|安排|约|设|排)(?:在|于|到|为)了?|(?<!现)在|是|(?<=现在|如今|目前)(?=[\d一二两三四五六七八九十上下早晚中周每]))(?P<v>.{2,24}?)(?:举行|举办|召开|进行|开始|开|了|啦|吧|的)*"
)
_ZH_EVERY = re.compile(
    r"(?P<v>每(?:个|逢)?(?:周|星期|礼拜|月|天|日|年)[^，。]{0,14}?)(?:固定|都|要|会|有|定期|准时)*(?:开|举行|召开|进行|组织|安排|举办|参加|有)(?P<s>[^，。]{0,4}(?:会|课|活动|培训|聚餐|例会|站会|周会|评审|测试|值班)[^，。]{0,4})"
)
_EN = re.compile(
    r"(?P<s>(?:the|our|my|this)\s+(?:(?!(?:to|with|that|like|if|as|i|has|have|had|is|are|was|been|got|just|now|will|would|can|could|not|and|or|so|which)\b)[\w'-]++\s?){1,5}?|(?!(?:I|[Ww]e|[Tt]hey|[Hh]e|[Ss]he|[Yy]ou)\b)(?-i:[A-Z])(?:(?!(?:to|with|that|like|if|as|i|has|have|had|is|are|was|been|got|just|now|will|would|can|could|not|and|or|so|which)\b)[\w'-]++\s?){1,5}?)\s+"
    r"(?P<how>(?:has|have|had|was|is|got|been|just|now|now\s+been|\s)*(?:moved|rescheduled|postponed|pushed(?:\s+back)?|brought\s+forward|shifted|changed|delayed)\s+(?:to|until|till|for)"
    r"|(?:is|are|will be)(?:\s+(?:now|always))?(?:\s+(?:scheduled\s+(?:for|on|at)|set\s+for|held|planned\s+for|due))?|(?:will\s+(?:now\s+)?)?(?:takes?\s+place|happens?|starts?|begins?|meets?)|moved\s+to|moves\s+to)\s+(?:on|at|every|in)?\s*(?P<v>.{2,50})",
    re.IGNORECASE,
)  # fmt: skip

_BORN = re.compile(r"[年月日号]出?生(?:人|的)?$")
"""5月17日生的 tells a birthday, not when something takes place."""


def read_zh(text: str, turn: Turn, subject: Who | None, stated: str) -> Raw | None:
    """The time of the thing that the clause is about; `subject` is its noun phrase, resolved by the caller."""
    match = _ZH.fullmatch(text)
    if match is None or subject is None or not starts_with_time(match["v"]):
        return None
    changed = match["how"][:1] in set("改推延提挪调顺换拖") or not match["how"]
    return Raw(subject, "time", match["v"], "zh.scheduled", Kind.FACT, stated, update=changed)


def phrase_zh(text: str) -> str | None:
    """The noun phrase before "改到/定在/是" and a time, or None."""
    match = _ZH.fullmatch(text)
    return match["s"] if match and starts_with_time(match["v"]) else None


def every_zh(text: str) -> tuple[str, str] | None:
    """(event, times) of "每周三10:00开同步会"."""
    match = _ZH_EVERY.search(text)
    return (match["s"].strip("了的"), match["v"]) if match else None


def read_en(work: str) -> tuple[str, str, bool] | None:
    """(thing, time, changed) of an English clause."""
    match = _EN.fullmatch(work)
    if match is None:
        return None
    value = work[match.end("how") :].strip()
    value = re.sub(r"^(?:on|at|in)\s+", "", value)
    if not (starts_with_time(value) or value.lower().startswith(("every ", "each "))):
        return None
    changed = (
        re.search(r"moved|resched|postpon|push|brought|shift|chang|delay", match["how"], re.IGNORECASE)
        is not None
    )
    thing = re.sub(r"^(?:the|this)\s+", "", match["s"], flags=re.IGNORECASE)
    of = re.fullmatch(r"(?P<what>.+?)\s+(?:of|for)\s+(?:the\s+|project\s+)?(?P<owner>.+)", thing)
    if of:
        thing = f"{of['owner']} {of['what']}"
    return thing, value, changed


def starts_with_time(value: str) -> bool:
    """True when the value begins with a date or a time of day, or names a habit."""
    if is_recurring(value[:12]):
        return True
    found = key_values(value)
    return (
        bool(found) and found[0].kind in {"date", "time"} and found[0].start <= 1 and not _BORN.search(value)
    )
