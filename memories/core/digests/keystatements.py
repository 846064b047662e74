"""Finds the sentences that a digest must not lose: rules, limits, prohibitions, decisions, formats and open todos (R8)."""

from __future__ import annotations

import re
from typing import Final

_ZH: Final[dict[str, str]] = {
    "prohibition": (
        r"禁止|不得(?!不)|不许|(?<![说拿看算猜吃量测])不准|切勿|严禁|(?<!要)不要(?!紧|担心|客气|着急|急|怕|太|再说|脸|误会|难过|放弃|灰心)(?:[^，。！？]{2,})|"
        r"(?<![特分个区识性级类差告离鉴甄])别(?:用|写|放|发|提交|碰|改|动|删|加|再(?:用|发|写|提)|把|给|叫|安排|告诉|超过)|不能(?:用|超过|出现|晚于|早于|少于|低于|多于|外传|吃|有|含|包含)"
    ),
    "rule": (
        r"必须|务必|一律|统一(?:用|为|采用|使用)|规定|要求(?:是|为|用|在|按|每|所有|不)|以后(?:都|请|要|就|一律)|每次(?:都)?(?:要|先|得|用)|只(?:能|用|允许|接受|发|给)|固定(?:在|为|是|于)|默认(?:用|为|是)|记住"
    ),
    "limit": r"不超过|不少于|不低于|不高于|不晚于|不早于|上限|下限|至多|至少|最多|最少|以内|以上才|预算(?:是|为|控制|[：:])|限额|阈值|超过.{1,12}(?:就|则|要|需)|低于.{1,12}(?:就|则|要|需)",
    "decision": r"决定|定了|定下来|就这么(?:定|办)|敲定|选定|确定(?:用|为|采用|是|在)|改成|改为|改到|换成|换到|推迟到|提前到|达成(?:一致|共识)|最终(?:方案|选|版|定)|拍板|采纳|批准|同意(?:用|了|采用)",
    "todo": r"待办|TODO|记得|别忘|提醒我|负责(?!人(?!是|为|换|改|由|[:：]))|跟进|截止|之前(?:要)?(?:完成|提交|交|发|给|搞定|做完|写完)|前(?:完成|提交|交付|发给|搞定)|要在.{1,12}(?:完成|提交|交|发)|还没(?:完成|做|交|付|回|定)|待(?:确认|处理|定|回复)",
    "format": r"格式(?:是|为|用|要|统一|[：:])|(?:用|以|按).{1,10}格式",
}
_EN: Final[dict[str, str]] = {
    "prohibition": (
        r"\b(?:must|should|may|can) ?not\b|\bmustn't\b|\bnever (?:use|put|send|share|commit|call|add|mention|deploy|include|write|email|touch|delete|book|schedule|exceed)\b|"
        r"\b(?:do not|don't) (?:use|put|include|send|add|mention|call|share|deploy|touch|change|delete|commit|write|email|book|schedule|exceed|push|merge|tell)\b|"
        r"\bnot allowed\b|\bforbidden\b|\bprohibited\b|\bno (?:tables?|emojis?|meetings?|calls?|attachments?|exceptions?|more than|longer than|later than)\b"
    ),
    "rule": r"\bmust\b|\bis required to\b|\b(?:has|have) to be\b|\balways (?:use|put|send|call|write|include|add|reply|answer|start|end)\b|\bonly (?:use|accept|send|allow)\b|\bfrom now on\b|\bby default\b|\bthe rule is\b|\bremember that\b",
    "limit": r"\bat (?:most|least)\b|\bno (?:more|less|fewer|later|longer) than\b|\b(?:up|limited) to \d|\bmax(?:imum)?\b|\bmin(?:imum)?\b|\blimit (?:is|of|to)\b|\bbudget (?:is|of|cap)\b|\bthreshold\b|\bcapped at\b",
    "decision": r"\b(?:we|i|they)(?:'ve| have)? (?:decided|agreed|settled|chose|picked|approved|switched|moved)\b|\bdecision\b|\blet's go with\b|\bwe(?:'ll| will) (?:go with|use)\b|\bgoing with\b|\bfinali[sz]ed\b|\b(?:moved|postponed|rescheduled|changed) to\b|\bsigned off\b",
    "todo": r"\bto-?do\b|\bremind me\b|\bdon't forget\b|\bdeadline\b|\bdue (?:by|on|date)\b|\baction item\b|\b(?:need|needs|have|has) to [^.!?]{3,60}\bby\b|\bwill (?:send|finish|prepare|review|follow up|deliver|write|fix|submit|draft|check)\b|\bis responsible for\b|\bowns?\b[^.!?]{0,30}\btask\b|\bstill (?:open|pending|to be done)\b|\bnot (?:yet )?done\b",
    "format": r"\bformat(?:ted)? (?:is|as|must|should|in)\b|\bin [A-Z]{2,5} format\b",
}
_PATTERNS: Final = tuple(
    (kind, re.compile(f"{_ZH[kind]}|(?i:{_EN[kind]})"))
    for kind in ("prohibition", "rule", "limit", "decision", "todo", "format")
)
_QUESTION = re.compile(
    r"[?？]\s*$|[吗呢]\s*[。！]?\s*$|^(?:what|who|when|where|why|how|which|can|could|do|does|did|is|are|should|would)\b.*\?",
    re.I,
)


def statement_kinds(sentence: str) -> tuple[str, ...]:
    """Which kinds of binding statement the sentence is: prohibition, rule, limit, decision, todo, format; a question is none."""
    stripped = sentence.strip()
    if _QUESTION.search(stripped):
        return ()
    return tuple(kind for kind, pattern in _PATTERNS if pattern.search(stripped))
