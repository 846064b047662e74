"""Standing rules that a person lays down: what is one, and the key under which a later one replaces it (R12)."""

from __future__ import annotations

import re

from memories.core.text.words import tagged
from memories.core.values.normalise import canonical

_GENERAL_ZH = r"以后都?|今后|往后|从(?:现在|今天|今儿?)(?:起|开始|往后|以后)|从此|永远|一律|始终|总是|每次都?|任何(?:时候|情况下)|所有|凡是|一定|务必|必须|都|绝对|千万|严禁|禁止|不得|不准|不许|切勿|请勿"
_DIRECT_ZH = re.compile(
    r"(?:^|[，。,\s])(?:请|记住|注意)?(?:你|您|大家|我们|咱们)?(?:以后都?|今后|往后|从(?:现在|今天|今儿?)(?:起|开始|往后|以后)|从此|永远|一律|始终|每次都?|任何(?:时候|情况下))"
)
_FORBID_ZH = re.compile(
    r"(?:不要|别|勿|不能|不可以?|不得|不准|不许|禁止|严禁|切勿|请勿|不允许|杜绝|避免)(?!紧|担心|急|客气|介意|误会|生气|难过|怕|人|的|说了|吵|闹|走|忘|太|样)(?P<what>.{1,40})"
)
_REQUIRE_ZH = re.compile(
    r"(?:必须|务必|一律|一定要|都要|都得|都用|只能|只用|只准|不得不|需要先|应当|永远|每次都|始终)(?P<what>.{1,40})"
)
_SCOPE_ZH = re.compile(
    r"(?:里面?|中|上|内|时候?|之前|之后|的时候|期间|一栏|部分)(?:请|都|也|就|绝对|千万|一律|必须|务必|一定|最好)*(?:不要|别|勿|不能|不可|不得|不准|禁止|必须|务必|只能|只用|一律|都)"
)
_SELF_ZH = re.compile(
    r"^(?:我|他|她|它|[\u4e00-\u9fff]{2,3}(?:说|觉得))(?!们(?:必须|一律|以后|都|不能|规定))"
)
_NARRATED_ZH = re.compile(
    r"(?:每次|始终|一直|总是|永远)[^，。]{0,10}?(?:有人|能够|都能|得到|感到|觉得|遇到|收到|保持着|考进|考得|忘不了|记得)|^(?:却|他们?|她们?|它们?|大家都)|[\u4e00-\u9fff]着(?:积极|乐观|[^，。]{0,6}的(?:心态|态度|精神))"
)
"""What always happens, or what somebody in a story does, is no rule."""
_WITH_ME_ZH = re.compile(
    r"(?:请|你|您|以后|记住)*(?:跟|和|对|给|回)我(?:说话|讲话|聊天|交流|沟通|回话|回复|回答|写东西|推荐东西)(?:的?时候?)?(?:请|都|要|就|得|尽量|一定)*(?:用|别|不要|不许|少|多|只|简|直接|说|讲|叫|称呼)"
)
"""How to talk with the speaker: "跟我讲话用中文"."""
_STYLE_ZH = re.compile(
    r"(?:回答|回复|答复|说话|称呼|[叫喊]我|写|用|输出|生成|发|提交|使用|格式|语言|代码|文档|报告|表格|图表|邮件|措辞|语气|标题|注释)"
)

_GENERAL_EN = re.compile(
    r"\b(?:always|never|from now on|going forward|in future|in the future|every time|under no circumstances|at all times|whenever|any|all|ever|must|mustn't|no)\b",
    re.IGNORECASE,
)
_DIRECT_EN = re.compile(
    r"^(?:please\s+|and\s+|so\s+|also\s+|you\s+(?:must|should|have to|need to)\s+)*(?:from now on|from here on(?: out| in)?|from (?:today|this point)(?: on(?:wards)?)?|henceforth|going forward|in (?:the )?future|under no circumstances|always|never(?! mind)|do not ever|don't ever|"
    r"(?:do not|don't|avoid|stop|no)\s+(?:\w+ing\s+)?(?!worry|mind|think|know|get|forget|let\s+me\s+forget|be\b|matter|problem|need|way|idea|one|longer|thanks|doubt|care|bother|panic|rush|hesitate|like|want|have|really|even)\w+)\b",
    re.IGNORECASE,
)
_DECLARES_EN = re.compile(
    r"\s*,?\s*(?:the|our|my|[A-Z]\w+)\b.*\b(?:is|are|takes|meets|starts|happens)\b(?!\s+to\b)", re.IGNORECASE
)
_FEELING_EN = re.compile(
    r"\s*(?:\w+ly\s+)?(?:happy|glad|love|like|enjoy|feel|seem|look(?!\s+up)|remind|make|bring|good|nice|great|fun|a\b|an\b|the\b|been|here|there|so\b|such|more|\w+ed\b|\w+ing\b|had|got|thought|knew|was|were|is|will|would|\w+s\b)",
    re.IGNORECASE,
)
_MUST_EN = re.compile(
    r"\b(?:must(?:\s+not|n't)?|may not|shall(?:\s+not)?|is not allowed|are not allowed|is forbidden|is prohibited|should never|should always)\b",
    re.IGNORECASE,
)
_SELF_EN = re.compile(r"^(?:i|he|she|it|they)\b", re.IGNORECASE)
_SCOPE_EN = re.compile(
    r"\b(?:in|on|for|to|with|when|during|before|after|at|from)\s+(?:the|our|my|any|all|every|this|your|weekly|daily|monthly)\b|\b(?:when|before|after|while)\s+\w+",
    re.IGNORECASE,
)


_LIMIT = re.compile(
    r"不?(?:超过|多于|少于)|最多|至多|最少|至少"
    r"|\b(?:more|less|fewer|longer|shorter|larger|higher|lower)\s+than\b|\bat\s+(?:most|least)\b|\bup\s+to\b|\bexceed\b",
    re.IGNORECASE,
)
_ASKED_ZH = re.compile(
    r"(?!这样|那样|这么|那么|再这)(?:再|老是|总是|随便|擅自|主动|一直)?(?:给我|跟我|和我|对我|向我|替我|帮我|在|把|向|对|跟|和|给)?[^，。]{0,10}?"
    r"(?:推荐|建议|提(?!前|高|升)|提起|提及|提到|问|叫|称呼|喊|发|说|讲|写|用|告诉|透露|泄露|分享|转发|解释|重复|打断|催|安排|联系|翻译|总结|列|加|附|改|删|引用|评价|夸|打电话|回答|回复|输出|使用|出现|省略|缩写|编造|猜)"
)
"""What an assistant does for somebody: a request not to do it, without a time, is meant to last."""
_EVERY_ZH = re.compile(
    r"^(?:请|记住)?(?:所有|凡是|任何|每(?:一)?(?:个|次|封|篇|份|条|段|张|天))[^，。]{1,14}?(?:都要?|都得|一律|必须|只能?)(?:用|写|按|以|加|给|标|附|放|发|署|注|是|换成|改成|翻译|包含|带)"
)
_SHALL_ZH = re.compile(r"(?:时|时候|之?前|之?后|里|中|每次)[^，。]{0,4}一定要|一定要[^，。]{0,12}(?:再|才)")
_DUE_ZH = re.compile(r"(?:周|星期|礼拜|月|号|日|天|点|年)[^，。]{0,3}(?:之?前|以前|截止)|\d\s*(?:之?前|以前)")
_LIFT_ZH = re.compile(
    r"^(?:那|好|嗯|对了|现在|以后|今后|从(?:现在|今天)(?:起|开始)|其实)*(?:你|您)?(?P<where>[^，。我]{0,16}?)"
    r"(?:(?<!不)(?:又|也|重新|再次)?(?:可以|(?<![只技功智性才职机热电核潜节体本动可效官])能|允许|准许|许)(?!不)|(?:不用|不必|无需|不需要|没必要|用不着)(?=再|继续|每|总|一直|这么|那么|在|给|[\u4e00-\u9fff]{2}))"
    r"(?P<what>[^，。]{2,30}?)了$"
)

_ONCE_ZH = re.compile(r"今天|今晚|明天|后天|这次|本次|现在|待会|等下|这(?:一)?(?:篇|封|份|段|条|张|句)|刚才")
_DOES_EN = (
    r"(?:answer|reply|respond|write|use|call|address|mention|bring\s+up|recommend|suggest|propose|send|share|show|include|add|sign|cite|quote|translate|format|list|"
    r"start|begin|end|finish|keep|explain|summari[sz]e|ask|remind|give(?!\s+up)|tell|repeat|schedule|book|order|change|rename|remove|edit|post|publish|e?mail|message|text|contact|ping|"
    r"interrupt|offer|round|convert|abbreviate|capitali[sz]e|number|comment|double-check|check|verify|confirm|speak|talk|refer|put|insert|assume|invent|guess|make\s+up|skip|omit|"
    r"limit|stick|follow|disclose|reveal|expose|forward|copy|cc|shorten|discuss|correct|praise|rate|state|label|highlight|spell|type|print|round)"
)
"""What an assistant does for somebody, as verbs; the same in Chinese above."""
_POLITE_EN = r"(?:(?:please|kindly|also|and|so|but|just|ok|okay)[\s,]+){0,4}"
_ASKED_EN = re.compile(
    rf"^{_POLITE_EN}(?:(?:you\s+(?:must|may|should|shall|can|are)\s*(?:not|n't)\s*(?:allowed\s+to)?|you\s+(?:mustn't|shouldn't|can't|cannot)|do\s+not|don't|never|i\s+(?:do\s+not|don't)\s+want\s+you\s+to|i(?:'d|\s+would)\s+rather\s+you\s+(?:did\s+not|didn't|do\s+not|don't))\s+(?:ever\s+|just\s+)?{_DOES_EN}\b"
    rf"|(?:stop|avoid|refrain\s+from|quit)\s+(?=\w+ing\b)\w+)(?P<rest>.*)$",
    re.IGNORECASE,
)
_SURE_EN = re.compile(
    rf"^{_POLITE_EN}(?:make\s+sure|be\s+sure|ensure|see\s+to\s+it)(?:\s+that)?\s+(?:to\s+|you\s+)?(?P<rest>.+)$",
    re.IGNORECASE,
)
_STANDING_EN = re.compile(
    rf"^(?:always|never|(?:all|any|every|each)\b|{_DOES_EN}\b)|\b(?:always|never|every|each|all|any|whenever|before\s+you|when\s+you|after\s+you)\b",
    re.IGNORECASE,
)
_WANT_EN = re.compile(
    r"^(?:i|we)\s+(?:want|need|expect|would\s+like|'d\s+like)\s+you\s+to\s+(?:always|never)\b", re.IGNORECASE
)
_NONE_EN = re.compile(
    rf"^{_POLITE_EN}no\s+(?:more\s+)?(?!problem|need|way|idea|one|doubt|worr|luck|chance|wonder|matter|longer|thanks|reason|sign|trace|time|point|big\b|offen[cs]e)[\w-]+(?:\s+[\w-]+)?\s+(?:in|on|for|within|during|after|before|when|whatsoever)\b|^no\s+(?!rush|hurry|pressure|thanks|way|problem|idea|worr|one|need|doubt|kidding|offen[cs]e|joke)[a-z][\w-]+(?:\s+[\w-]+)?,?\s+(?:please,?\s+)?(?:ever|at all|anywhere|full stop|period)\b",
    re.IGNORECASE,
)
_ONCE_EN = re.compile(
    r"\b(?:yet|right\s+now|today|tonight|tomorrow|this\s+time|at\s+the\s+moment|just\s+now|this\s+(?:one|morning|afternoon|evening|email|message|letter|report|draft))\b|^\s*(?:me|it|that|this|them|him|her)?\s*[.!]*$",
    re.IGNORECASE,
)
_LIFT_EN = re.compile(
    rf"^{_POLITE_EN}(?:(?:from\s+now\s+on|now)[\s,]+)?(?:"
    r"(?:you\s+(?:may|can|could|are\s+(?:allowed|free|welcome)\s+to)|you're\s+(?:allowed|free|welcome)\s+to|feel\s+free\s+to|it(?:'s|\s+is)\s+(?:ok|okay|fine|all\s+right|alright|allowed)\s+(?:now\s+|again\s+)?(?:to|if\s+you|for\s+you\s+to))\s+(?P<may>.+)"
    r"|(?:you\s+)?(?:don't|do\s+not|no\s+longer|needn't|need\s+not)\s+(?:(?:need|have)\s+to\s+)?(?P<free>.+)"
    r"|(?P<thing>.+?)\s+(?:is|are)\s+(?:allowed|fine|ok|okay|permitted)\s+(?:again|now))\s*[.!]*$",
    re.IGNORECASE,
)
_AGAIN_EN = re.compile(
    r"\b(?:again|now|any\s?more|any\s+longer|no\s+longer|from\s+now\s+on|after\s+all)\b", re.IGNORECASE
)
_RULE_ZH = re.compile(
    r"^(?:请|先|就|都|麻烦|你|您|帮我|只|暂时)*(?:用|以|按|叫|称呼|喊|回答|回复|说|写|讲|输出|使用|保持|当|扮演|假装|把|只|不要|别|不用|不准|必须|务必)"
)
_RULE_EN = re.compile(
    rf"^{_POLITE_EN}(?:you\s+(?:are|should|must|can)\s+|let's\s+|only\s+)?(?:{_DOES_EN}|be|act|pretend|play|stay|treat|imagine|always|never|don't|do\s+not|avoid|stop|no)\b",
    re.IGNORECASE,
)


_STOP_NOW_ZH = re.compile(
    r"^(?!.*(?:再|老是?|总是?|一直|以后|每次|永远)).*(?:别|不要)[^，。]{1,8}了[吧啊嘛呀]*$"
)
"""A change of state at once (别…了) asks to stop now; with 再, 老 or 以后 it is meant to last."""
_PAST_ZH = re.compile(
    r"(?:以前|从前|小时候|那时候?|那会儿?|当时|当年|过去|曾经|早些年|(?:上|念|读)(?:小学|初中|高中|大学)(?:时|的时候|那))(?!说|讲|定|规定|告诉)"
)


def tells_of_the_past(sentence: str) -> bool:
    """Whether a Chinese sentence tells how things were: what had to be done then is no rule for now."""
    match = _PAST_ZH.search(sentence)
    return match is not None and re.search(r"以后|今后|往后|从(?:现在|今天)", sentence[match.end() :]) is None


def constraint_zh(clause: str, *, explicit: bool) -> str | None:
    """The rule id when the clause lays down how things are to be done from now on; None for a single request or a story."""
    if _SELF_ZH.search(clause) or re.search(r"^(?:如果|要是)?(?:今天|今晚|这次|现在|先)(?!起|开始)", clause):
        return None
    if _NARRATED_ZH.search(clause):
        return None
    forbids, requires = _FORBID_ZH.search(clause), _REQUIRE_ZH.search(clause)
    if _DIRECT_ZH.search(clause) and (forbids or requires or _STYLE_ZH.search(clause)):
        return "zh.constraint.from_now_on"
    if _WITH_ME_ZH.match(clause):
        return "zh.constraint.style"
    if forbids and (
        _SCOPE_ZH.search(clause)
        or re.search(r"一律|绝对|千万|永远|严禁|禁止|不得|不准|不许|切勿|请勿|不允许", clause)
    ):
        return "zh.constraint.forbid"
    if forbids and (explicit or _STYLE_ZH.search(forbids["what"])) and len(forbids["what"]) > 1:
        return "zh.constraint.forbid"
    lasting = not _ONCE_ZH.search(clause)
    if forbids and lasting and _LIMIT.search(clause) and re.search(r"[\d一二两三四五六七八九十百]", clause):
        return "zh.constraint.limit"
    if _STOP_NOW_ZH.search(clause):
        return None
    if forbids and lasting and len(forbids["what"]) > 2 and _ASKED_ZH.match(forbids["what"]):
        return "zh.constraint.asked"
    if lasting and (_EVERY_ZH.search(clause) or (_SHALL_ZH.search(clause) and _STYLE_ZH.search(clause))):
        return "zh.constraint.every"
    if (
        requires
        and re.search(r"必须|务必|一律|只能|只准|永远|每次都|始终", clause)
        and not re.search(r"了$|过$", clause)
        and not _DUE_ZH.search(clause)
    ):
        return "zh.constraint.require"
    return None


_SUPPOSES_EN = re.compile(
    r"^must\b|^\w+ing\b|\ba must\b"
    r"|\bmust(?:\s+(?:still|also|really|all|surely))?(?:['’]ve|\s+(?:have\b|feel|bring|mean|seem|look|make\s+(?:you|him|her|them|it)|love|enjoy|know|think|taste|get|say|admit|miss|need|want)|"
    r"\s+be\s+(?!(?:[a-z]+(?:ed|en|wn|ught|ept|ade|un|ut)|in|on|by|at|under|over|within|before|after|no|less|more)\b))",
    re.IGNORECASE,
)
"""What somebody supposes ("it must be fun"), not what they demand ("it must be signed")."""
_NOT_ORDER_EN = re.compile(r"\s*(?:done|seen|been|heard|gone|had|thought|tried|met|lose|stop|give\s+up|forget|know|say\s+never|underestimate|too\b|a\b|an\b|on\b|in\b)", re.IGNORECASE)  # fmt: skip


_ORDER_EN = rf"(?:{_DOES_EN}|keep|make|be|avoid|stick|stay|leave|set|quote|provide|prefer|do\s+not|don't|never|always)"
_LATER_EN = re.compile(
    rf"^(?:(?:can|could|would|will)\s+you\s+(?:please\s+|just\s+|always\s+)*|{_POLITE_EN}|i(?:'d|\s+would)\s+like\s+you\s+to\s+){_ORDER_EN}\b.{{2,80}}?\b"
    r"(?:from\s+(?:now|here|today|this\s+point)(?:\s+on(?:wards)?)?(?:\s+(?:out|in))?|going\s+forward|in\s+(?:the\s+)?future|every\s+(?:single\s+)?time|at\s+all\s+times|henceforth|as\s+a\s+rule)(?:[,\s]+please|[,\s]+thanks)?\s*[?.!]*$",
    re.IGNORECASE,
)
"""An order with what makes it last at its end, as a request or a question."""
_WHENEVER_EN = re.compile(
    rf"^{_POLITE_EN}(?:whenever|every\s+time|each\s+time|any\s?time|when|if)\s+(?:you\s+(?!can\b|could\b|like\b|want\b|know\b|need\b)|i\s+(?:ask|say|mention|send|share|paste|forget))[^,]{{2,70}},\s*(?:please\s+|just\s+)*{_ORDER_EN}\b",
    re.IGNORECASE,
)
_ALL_EN = re.compile(
    r"^(?:all|every|each|any)\s+(?!(?:i|we|you|of\s+us|these\s+people)\b)[\w' -]{2,40}?\s+(?:have|has|need|needs|are|is)\s+to\s+(?:be\b|go\b|use\b|include\b|have\b|start\b|end\b|pass\b|get\b)",
    re.IGNORECASE,
)
_YOU_EN = re.compile(
    rf"^{_POLITE_EN}you\s+(?:must|have\s+to|need\s+to|should)\s+(?:always\s+|never\s+|first\s+)?{_DOES_EN}\b.*\b(?:before|whenever|every|each|any|all|always)\b",
    re.IGNORECASE,
)


def constraint_en(clause: str, *, explicit: bool) -> str | None:
    """The same for English."""
    bare = clause.strip().replace("’", "'")
    if _WANT_EN.match(bare):
        return "en.constraint.from_now_on"
    asked = _ASKED_EN.match(bare)
    if asked and not _ONCE_EN.search(asked["rest"]):
        return "en.constraint.asked"
    if _SELF_EN.match(bare):
        return None
    sure = _SURE_EN.match(bare)
    if sure and _STANDING_EN.search(sure["rest"]) and not _ONCE_EN.search(sure["rest"]):
        return "en.constraint.every"
    if _NONE_EN.match(bare) and not _ONCE_EN.search(bare):
        return "en.constraint.forbid"
    if any(
        pattern.match(bare) for pattern in (_LATER_EN, _WHENEVER_EN, _ALL_EN, _YOU_EN)
    ) and not _ONCE_EN.search(bare):
        return "en.constraint.every"
    direct = _DIRECT_EN.match(bare)
    if direct and not re.search(r"\w", bare[direct.end() :]):
        return None  # "From now on, ..." cut off from what it opens.
    if direct and _DECLARES_EN.match(bare[direct.end() :]):
        direct = None
    if (
        direct
        and re.search(r"(?:always|never)$", direct[0], re.IGNORECASE)
        and (_FEELING_EN.match(bare[direct.end() :]) or _NOT_ORDER_EN.match(bare[direct.end() :]))
    ):
        direct = None
    if direct:
        opener = direct[0].lower()
        lasting = re.search(
            r"always|never|from |henceforth|going forward|future|circumstances|ever\b", opener
        )
        if lasting or explicit or _SCOPE_EN.search(bare) or _GENERAL_EN.search(bare[direct.end() :]):
            return "en.constraint.from_now_on" if lasting else "en.constraint.forbid"
    if (
        _MUST_EN.search(bare)
        and not _SUPPOSES_EN.search(bare)
        and not re.match(r"(?:that|this|it|you)\b", bare, re.IGNORECASE)
    ):
        return "en.constraint.must"
    return None


def asked_to_last_en(clause: str) -> bool:
    """Whether a question asks for something to be done so from now on ("could you answer in French from here on?")."""
    return _LATER_EN.match(clause.strip().replace("’", "'")) is not None


def plain_en(clause: str) -> str:
    """A rule that is asked for in a question, as an order: "could you answer in French from now on" is "answer in ..."."""
    plain = re.sub(r"^(?:can|could|would|will)\s+you\s+(?:please\s+)?", "", clause, flags=re.IGNORECASE)
    return clause if plain == clause else plain.rstrip(" ?")


def lift_zh(clause: str) -> str | None:
    """The rule id when the clause allows again what was forbidden, or lets go of what was demanded ("可以用表格了")."""
    return "zh.constraint.lift" if _LIFT_ZH.match(clause.strip()) else None


def lift_en(clause: str) -> str | None:
    """The same for English: "you may use tables again", "you no longer need to sign my emails"."""
    bare = clause.strip().replace("’", "'")
    match = _LIFT_EN.match(bare)
    return "en.constraint.lift" if match and _AGAIN_EN.search(bare) else None


def for_a_while(text: str, *, chinese: bool) -> str | None:
    """The rule id when a sentence that names a while ("for this conversation, …", its words taken out) says how to behave."""
    bare = text.strip(" ，,、:：。.!！").replace("’", "'")
    if chinese:
        return "zh.constraint.while" if _RULE_ZH.match(bare) else None
    return "en.constraint.while" if _RULE_EN.match(bare) else None


_MODAL = re.compile(
    rf"{_GENERAL_ZH}|不要|别|勿|不能|可以了?|不可以?|请|你|您|我们|咱们|大家|需要|应该|应当|使用|用|了|的|要|允许|不允许|记住|注意|只能|只用|只准|避免|现在|又|再|重新|不必|无需|不用|一定|每次|每"
    r"|\b(?:please|always|never|from now on|going forward|in future|in the future|do not|don't|dont|not|no|must|should|may|can|you|we|i|want|need|to|ever|the|a|an|any|all|be|is|are|use|using|it|only|now|again|allowed|avoid|stop|under no circumstances|in|on|at|for|of|to|with|and|or|when|me|my|your|our|this|that|sure|make|making|ensure|every|each|no longer|longer|any ?more|allowed|free|okay|ok|fine|if|feel|have|more)\b",
    re.IGNORECASE,
)
_LANGUAGE = re.compile(
    r"中文|英文|英语|汉语|日文|日语|法语|德语|\b(?:in|use|speak|write in|answer in|reply in)\s+(?:chinese|english|french|german|japanese|spanish)\b",
    re.IGNORECASE,
)
_REPLY = re.compile(
    r"回答|回复|答复|跟我说|和我说|说话|输出|\b(?:answer|reply|respond|talk|speak|write)\w*\b", re.IGNORECASE
)


def constraint_key(clause: str) -> str:
    """What the constraint is about, whichever way it goes: "周报里不要用表格" and "周报里可以用表格了" share a key.

    The content words without modals and negations, sorted; the language to answer in is one key of its own. How much or
    how long something may be is one limit, whatever its number, so that another number replaces it.
    """
    if _LANGUAGE.search(clause) and _REPLY.search(clause):
        return "reply.language"
    clause = re.sub(r"^[^:：]{1,24}[:：]\s*(?=\S)", "", clause)  # "The limit changed: …"
    clause = re.sub(r"(?<=[a-z])['’](?:s|re|d|ve|ll)\b", "", clause, flags=re.IGNORECASE)
    limits = _LIMIT.search(clause) is not None
    bare = canonical(_MODAL.sub(" ", _LIMIT.sub(" ", clause)))
    words: list[str] = []
    for word, tag in tagged(bare):
        if (
            word.strip()
            and tag[:1] not in {"u", "y", "d", "p", "c", "r", "f", "x", "w"}
            and word not in {"里", "中", "上", "时", "里面"}
            and not (limits and (tag == "m" or word[:1].isdecimal()))
        ):
            words.append(
                re.sub(r"(?<=[a-z]{3})(?<!s)s$", "", re.sub(r"(?<=[a-z]{2})ies$", "y", word.strip()))
            )
    return " ".join(sorted(set(words)))[:120] or canonical(clause)[:120]
