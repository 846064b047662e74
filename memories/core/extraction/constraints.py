"""Standing rules that a person lays down: what is one, and the key under which a later one replaces it (R12)."""

from __future__ import annotations

import re

from memories.core.normalise import canonical
from memories.core.words import tagged

_GENERAL_ZH = r"以后都?|今后|往后|从(?:现在|今天|今)(?:起|开始)|从此|永远|一律|始终|总是|每次都?|任何(?:时候|情况下)|所有|凡是|一定|务必|必须|都|绝对|千万|严禁|禁止|不得|不准|不许|切勿|请勿"
_DIRECT_ZH = re.compile(
    r"(?:^|[，。,\s])(?:请|记住|注意)?(?:你|您|大家|我们|咱们)?(?:以后都?|今后|往后|从(?:现在|今天|今)(?:起|开始)|从此|永远|一律|始终|每次都?|任何(?:时候|情况下))"
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
_STYLE_ZH = re.compile(
    r"(?:回答|回复|答复|说话|称呼|写|用|输出|生成|发|提交|使用|格式|语言|代码|文档|报告|表格|图表|邮件|措辞|语气|标题|注释)"
)

_GENERAL_EN = re.compile(
    r"\b(?:always|never|from now on|going forward|in future|in the future|every time|under no circumstances|at all times|whenever|any|all|ever|must|mustn't|no)\b",
    re.IGNORECASE,
)
_DIRECT_EN = re.compile(
    r"^(?:please\s+|and\s+|so\s+|also\s+|you\s+(?:must|should|have to|need to)\s+)*(?:from now on|going forward|in (?:the )?future|under no circumstances|always|never(?! mind)|do not ever|don't ever|"
    r"(?:do not|don't|avoid|stop|no)\s+(?:\w+ing\s+)?(?!worry|mind|think|know|get|forget|be\b|matter|problem|need|way|idea|one|longer|thanks|doubt|care|bother|panic|rush|hesitate|like|want|have|really|even)\w+)\b",
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
_ONCE_ZH = re.compile(r"今天|今晚|明天|后天|这次|本次|现在|待会|等下")


def constraint_zh(clause: str, *, explicit: bool) -> str | None:
    """The rule id when the clause lays down how things are to be done from now on; None for a single request or a story."""
    if _SELF_ZH.search(clause) or re.search(r"^(?:如果|要是)?(?:今天|今晚|这次|现在|先)(?!起|开始)", clause):
        return None
    forbids, requires = _FORBID_ZH.search(clause), _REQUIRE_ZH.search(clause)
    if _DIRECT_ZH.search(clause) and (forbids or requires or _STYLE_ZH.search(clause)):
        return "zh.constraint.from_now_on"
    if forbids and (
        _SCOPE_ZH.search(clause)
        or re.search(r"一律|绝对|千万|永远|严禁|禁止|不得|不准|不许|切勿|请勿|不允许", clause)
    ):
        return "zh.constraint.forbid"
    if forbids and (explicit or _STYLE_ZH.search(forbids["what"])) and len(forbids["what"]) > 1:
        return "zh.constraint.forbid"
    if forbids and _LIMIT.search(clause) and re.search(r"\d", clause) and not _ONCE_ZH.search(clause):
        return "zh.constraint.limit"
    if (
        requires
        and re.search(r"必须|务必|一律|只能|只准|永远|每次都|始终", clause)
        and not re.search(r"了$|过$", clause)
    ):
        return "zh.constraint.require"
    return None


def constraint_en(clause: str, *, explicit: bool) -> str | None:
    """The same for English."""
    bare = clause.strip().replace("’", "'")
    if _SELF_EN.match(bare) and not re.match(
        r"(?:i|we) (?:want|need) you to (?:always|never)", bare, re.IGNORECASE
    ):
        return None
    direct = _DIRECT_EN.match(bare)
    if direct and _DECLARES_EN.match(bare[direct.end() :]):
        direct = None
    if (
        direct
        and re.search(r"(?:always|never)$", direct[0], re.IGNORECASE)
        and _FEELING_EN.match(bare[direct.end() :])
    ):
        direct = None
    if direct:
        opener = direct[0].lower()
        lasting = re.search(r"always|never|from now on|going forward|future|circumstances|ever\b", opener)
        if lasting or explicit or _SCOPE_EN.search(bare) or _GENERAL_EN.search(bare[direct.end() :]):
            return "en.constraint.from_now_on" if lasting else "en.constraint.forbid"
    if (
        _MUST_EN.search(bare)
        and not re.search(
            r"\bmust (?:be|have)\s+(?:been|an?|so|very|nice|hard|fun|tough|great|\w+ing)\b",
            bare,
            re.IGNORECASE,
        )
        and not re.match(r"(?:that|this|it|you)\b", bare, re.IGNORECASE)
    ):
        return "en.constraint.must"
    return None


_MODAL = re.compile(
    rf"{_GENERAL_ZH}|不要|别|勿|不能|可以了?|不可以?|请|你|您|我们|咱们|大家|需要|应该|应当|使用|用|了|的|要|允许|不允许|记住|注意|只能|只用|只准|避免"
    r"|\b(?:please|always|never|from now on|going forward|in future|in the future|do not|don't|dont|not|no|must|should|may|can|you|we|i|want|need|to|ever|the|a|an|any|all|be|is|are|use|using|it|only|now|again|allowed|avoid|stop|under no circumstances|in|on|at|for|of|to|with|and|or|when|me|my|your|our|this|that)\b",
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
