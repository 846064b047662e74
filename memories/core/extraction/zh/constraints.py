"""Standing rules that a person lays down in Chinese: what is one, what lifts one, and what holds for a while (R12)."""

from __future__ import annotations

import re

from memories.core.extraction.constraint_keys import LIMIT, bare_words

_DIRECT = re.compile(
    r"(?:^|[，。,\s])(?:请|记住|注意)?(?:你|您|大家|我们|咱们)?(?:以后都?|今后|往后|从(?:现在|今天|今儿?)(?:起|开始|往后|以后)|从此|永远|一律|始终|每次都?|任何(?:时候|情况下))"
)
_FORBID = re.compile(
    r"(?:不要|别|勿|不能|不可以?|不得|不准|不许|禁止|严禁|切勿|请勿|不允许|杜绝|避免)(?!紧|担心|急|客气|介意|误会|生气|难过|怕|人|的|说了|吵|闹|走|忘|太|样)(?P<what>.{1,40})"
)
_REQUIRE = re.compile(
    r"(?:必须|务必|一律|一定要|都要|都得|都用|只能|只用|只准|不得不|需要先|应当|永远|每次都|始终)(?P<what>.{1,40})"
)
_SCOPE = re.compile(
    r"(?:里面?|中|上|内|时候?|之前|之后|的时候|期间|一栏|部分)(?:请|都|也|就|绝对|千万|一律|必须|务必|一定|最好)*(?:不要|别|勿|不能|不可|不得|不准|禁止|必须|务必|只能|只用|一律|都)"
)
_SELF = re.compile(r"^(?:我|他|她|它|[\u4e00-\u9fff]{2,3}(?:说|觉得))(?!们(?:必须|一律|以后|都|不能|规定))")
_NARRATED = re.compile(
    r"(?:每次|始终|一直|总是|永远)[^，。]{0,10}?(?:有人|能够|都能|得到|感到|觉得|遇到|收到|保持着|考进|考得|忘不了|记得)|^(?:却|他们?|她们?|它们?|大家都)|[\u4e00-\u9fff]着(?:积极|乐观|[^，。]{0,6}的(?:心态|态度|精神))"
)
"""What always happens, or what somebody in a story does, is no rule."""
_WITH_ME = re.compile(
    r"(?:请|你|您|以后|记住)*(?:跟|和|对|给|回)我(?:说话|讲话|聊天|交流|沟通|回话|回复|回答|写东西|推荐东西)(?:的?时候?)?(?:请|都|要|就|得|尽量|一定)*(?:用|别|不要|不许|少|多|只|简|直接|说|讲|叫|称呼)"
)
"""How to talk with the speaker: "跟我讲话用中文"."""
_STYLE = re.compile(
    r"(?:回答|回复|答复|说话|称呼|[叫喊]我|写|用|输出|生成|发|提交|使用|格式|语言|代码|文档|报告|表格|图表|邮件|措辞|语气|标题|注释)"
)
_ASKED = re.compile(
    r"(?!这样|那样|这么|那么|再这)(?:再|老是|总是|随便|擅自|主动|一直)?(?:给我|跟我|和我|对我|向我|替我|帮我|在|把|向|对|跟|和|给)?[^，。]{0,10}?"
    r"(?:推荐|建议|提(?!前|高|升)|提起|提及|提到|问|叫|称呼|喊|发|说|讲|写|用|告诉|透露|泄露|分享|转发|解释|重复|打断|催|安排|联系|翻译|总结|列|加|附|改|删|引用|评价|夸|打电话|回答|回复|输出|使用|出现|省略|缩写|编造|猜)"
)
"""What an assistant does for somebody: a request not to do it, without a time, is meant to last."""
_EVERY = re.compile(
    r"^(?:请|记住)?(?:所有|凡是|任何|每(?:一)?(?:个|次|封|篇|份|条|段|张|天))[^，。]{1,14}?(?:都要?|都得|一律|必须|只能?)(?:用|写|按|以|加|给|标|附|放|发|署|注|是|换成|改成|翻译|包含|带)"
)
_SHALL = re.compile(r"(?:时|时候|之?前|之?后|里|中|每次)[^，。]{0,4}一定要|一定要[^，。]{0,12}(?:再|才)")
_DUE = re.compile(r"(?:周|星期|礼拜|月|号|日|天|点|年)[^，。]{0,3}(?:之?前|以前|截止)|\d\s*(?:之?前|以前)")
_LIFT = re.compile(
    r"^(?:那|好|嗯|对了|现在|以后|今后|从(?:现在|今天)(?:起|开始)|其实)*(?:你|您)?(?P<where>[^，。我]{0,16}?)"
    r"(?:(?<!不)(?:又|也|重新|再次)?(?:可以|(?<![只技功智性才职机热电核潜节体本动可效官])能|允许|准许|许)(?!不)|(?:不用|不必|无需|不需要|没必要|用不着)(?=再|继续|每|总|一直|这么|那么|在|给|[\u4e00-\u9fff]{2}))"
    r"(?P<what>[^，。]{2,30}?)了$"
)
_ONCE = re.compile(r"今天|今晚|明天|后天|这次|本次|现在|待会|等下|这(?:一)?(?:篇|封|份|段|条|张|句)|刚才")
_RULE = re.compile(
    r"^(?:请|先|就|都|麻烦|你|您|帮我|只|暂时)*(?:用|以|按|叫|称呼|喊|回答|回复|说|写|讲|输出|使用|保持|当|扮演|假装|把|只|不要|别|不用|不准|必须|务必)"
)
_STOP_NOW = re.compile(
    r"^(?!.*(?:再|老是?|总是?|一直|以后|每次|永远)).*(?:别|不要)[^，。]{1,8}了[吧啊嘛呀]*$"
)
"""A change of state at once (别…了) asks to stop now; with 再, 老 or 以后 it is meant to last."""
_PAST = re.compile(
    r"(?:以前|从前|小时候|那时候?|那会儿?|当时|当年|过去|曾经|早些年|(?:上|念|读)(?:小学|初中|高中|大学)(?:时|的时候|那))(?!说|讲|定|规定|告诉)"
)


def tells_of_the_past(sentence: str) -> bool:
    """Whether a Chinese sentence tells how things were: what had to be done then is no rule for now."""
    match = _PAST.search(sentence)
    return match is not None and re.search(r"以后|今后|往后|从(?:现在|今天)", sentence[match.end() :]) is None


def constraint(clause: str, *, explicit: bool) -> str | None:
    """The rule id when the clause lays down how things are to be done from now on; None for a single request or a story."""
    if _SELF.search(clause) or re.search(r"^(?:如果|要是)?(?:今天|今晚|这次|现在|先)(?!起|开始)", clause):
        return None
    if _NARRATED.search(clause):
        return None
    forbids, requires = _FORBID.search(clause), _REQUIRE.search(clause)
    if _DIRECT.search(clause) and (forbids or requires or _STYLE.search(clause)):
        return "zh.constraint.from_now_on"
    if _WITH_ME.match(clause):
        return "zh.constraint.style"
    if forbids and (
        _SCOPE.search(clause)
        or re.search(r"一律|绝对|千万|永远|严禁|禁止|不得|不准|不许|切勿|请勿|不允许", clause)
    ):
        return "zh.constraint.forbid"
    if forbids and (explicit or _STYLE.search(forbids["what"])) and len(forbids["what"]) > 1:
        return "zh.constraint.forbid"
    lasting = not _ONCE.search(clause)
    if forbids and lasting and LIMIT.search(clause) and re.search(r"[\d一二两三四五六七八九十百]", clause):
        return "zh.constraint.limit"
    if _STOP_NOW.search(clause):
        return None
    if forbids and lasting and len(forbids["what"]) > 2 and _ASKED.match(forbids["what"]):
        return "zh.constraint.asked"
    if lasting and (_EVERY.search(clause) or (_SHALL.search(clause) and _STYLE.search(clause))):
        return "zh.constraint.every"
    if (
        requires
        and re.search(r"必须|务必|一律|只能|只准|永远|每次都|始终", clause)
        and not re.search(r"了$|过$", clause)
        and not _DUE.search(clause)
    ):
        return "zh.constraint.require"
    return None


def lift(clause: str) -> str | None:
    """The rule id when the clause allows again what was forbidden, or lets go of what was demanded ("可以用表格了")."""
    return "zh.constraint.lift" if _LIFT.match(clause.strip()) else None


def for_a_while(text: str) -> str | None:
    """The rule id when a sentence that names a while ("for this conversation, …", its words taken out) says how to behave."""
    return "zh.constraint.while" if _RULE.match(bare_words(text)) else None
