"""What is asked of MemoryHub or its people: things to remember, todos and decisions, in both languages."""

from __future__ import annotations

import re

from memories.core.extraction.duties import owed_en, owed_zh
from memories.core.extraction.zh.names import person_name

EXPLICIT = re.compile(
    r"(?:(?:请|麻烦|帮忙|劳烦)?(?:你|您)?(?:帮我|替我|给我)?(?:再)?(?:记一下|记下来?|记录(?:一下|下来)|记住|牢记|记好|备忘一下|存一下|保存一下|记着)(?:了|啦|哦|吧|这件事|这个|这点|这一点)*(?:就行|即可)?)(?!来的|的)"
    r"|(?<![\u3400-\u9fff])(?:千万|可|可千万|你|请)*(?:别|不要)忘(?:了|记了?)(?:啊|哦|，)*(?=(?:我|咱|他|她|[^，。]{1,8}的)[^，。？?]{0,14}?(?:是(?![什谁哪几])|叫(?!什|我)|住在|过敏|属))"
    r"|\b(?:(?:please\s+|can you\s+|could you\s+|just\s+){0,4}(?:remember|memorize|memorise|make a note|take a note|note down|write down|jot down|keep in mind|bear in mind|save this|store this|don't forget|note)(?:\s+(?:that|this|the following|of this|it|for me))*)(?=\s*[:,，]|\s+(?:that\b|my\b|the\b|i\b|our\b|his\b|her\b|[A-Z])|\s*$)"
    r"|\bfor the record\b",
    re.IGNORECASE,
)
_NOT_EXPLICIT = re.compile(
    r"我(?:还|都|也)?(?:记住|记下)|记不住|\b(?:i|i'll|i will|do you|did you|can't|cannot|don't|i don't|you)\s+remember|remember (?:when|how|to|me|us|the time)",
    re.IGNORECASE,
)
_PUNCT = " \t\n,，:：。.;；!！—-"


def strip_explicit(text: str) -> tuple[str, bool]:
    """The text without "please remember (that)" at either end, and whether it was there."""
    if _NOT_EXPLICIT.search(text):
        return text, False
    match = EXPLICIT.search(text)
    if match is None:
        return text, False
    if match[0].isascii() and not _asked_en(text, match):
        return text, False
    before, after = text[: match.start()].strip(_PUNCT), text[match.end() :].strip(_PUNCT)
    after = (
        re.sub(r"^(?:that|一下|下)\s*", "", after, flags=re.IGNORECASE) if match.end() < len(text) else after
    )
    if re.fullmatch(
        r"(?:请|麻烦|帮我|那|对了|好|嗯|ok|please|hey|hi|so|and|also|can you|could you|oh)?",
        before,
        re.IGNORECASE,
    ):
        return after, True
    return (before if not after else text[: match.start()].rstrip(_PUNCT) + text[match.end() :]).strip(
        _PUNCT
    ), True


_LEADS_EN = re.compile(
    r"(?:.*[,.;:!?—-])?\s*(?:(?:please|hey|hi|so|and|also|ok|okay|oh|well|but|now|then|kindly|can you|could you|would you|will you|i(?:'d| would) like you to|i want you to|i need you to|you (?:should|must)|always|just|do|make sure (?:to|you)|be sure to)\b[\s,]*)*",
    re.IGNORECASE | re.DOTALL,
)


def _asked_en(text: str, match: re.Match[str]) -> bool:
    """Whether the English words are a request: they open the clause, or close the sentence after a stop.

    "On another note", "I still remember", "what I need to remember to do" ask for nothing.
    """
    before = text[: match.start()]
    if not text[match.end() :].strip(_PUNCT) and re.search(
        r"[,.;:!—-]\s*(?:please\s+|so\s+|and\s+){0,4}$|^\s*$", before, re.IGNORECASE
    ):
        return True
    return _LEADS_EN.fullmatch(before) is not None


_TODO_STRONG_ZH = re.compile(
    r"(?:记得|别忘了?(?!你|我|他)|不要忘了|提醒我|待办(?:事项)?[:：]?)(?!吗|我们|那|当时|小时候|上次|以前)(?P<what>.{2,60})"
)
_TODO_DUE_ZH = re.compile(
    r"^(?P<owner>.{0,10}?)(?:需要|得|要|必须|应该|会|将|负责|打算|计划|准备)?(?:在)?(?P<when>.{1,12}?)(?:之?前|以前|截止)(?:要|得|需要|必须|应该|会|把|将|给|完成|提交|交|发|做|写|准备|搞定|付|还|寄|回复|确认|订|买|办|上线|交付|报名|取|拿)(?P<what>.{0,50})"
)
_TODO_STRONG_EN = re.compile(
    r"\b(?:(?<!always )(?<!never )remind (?:me|us) (?:to|about|that)|don't forget to|do not forget to|remember to|(?:to-?do|todo|action item)\s*[:\-]|note to self[:,]?|(?:do not|don't) let me forget(?: (?:to|about|that))?)\s*(?P<what>.{3,100})",
    re.IGNORECASE,
)
_TODO_EN = re.compile(
    r"^(?P<owner>i|we|he|she|they|you|my \w+|(?-i:[A-Z][a-z]+(?: [A-Z][a-z]+)?))(?:\s+(?:still|also|really|just|only))*\s*(?:'ll|’ll|\s(?:need|needs|have|has|must|should|ought|will|am supposed|is supposed|are supposed|am going|is going|'m supposed|gotta|promised))\s*(?:to\s+)?(?P<what>[a-z].{3,100})",
    re.IGNORECASE,
)
_DEADLINE_EN = re.compile(r"\b(?:by|before|until|no later than|due)\b", re.IGNORECASE)


def todo_zh(clause: str, *, timed: bool) -> str | None:
    """The rule id when the clause is a task still to be done: asked to be reminded of, or with a deadline."""
    if re.search(
        r"^(?:我|你)?(?:还)?记得(?:我|你|那|当|小|上|以前|他|她|是)|(?:大致|大概|只|还|隐约|依稀|清楚地?|一直)记得|忘了(?:吗|没)|了$(?<!别忘了)",
        clause,
    ):
        return None
    if _TODO_STRONG_ZH.search(clause):
        return "zh.todo.reminder"
    if (
        timed
        and _TODO_DUE_ZH.search(clause)
        and not re.search(r"过(?![去来一])|了[^，。]{0,6}$|已经|没有?", clause)
    ):
        return "zh.todo.deadline"
    return "zh.todo.owed" if owed_zh(clause) else None


def todo_en(clause: str, *, timed: bool) -> str | None:
    """The same for English."""
    bare = clause.replace("’", "'")
    strong = _TODO_STRONG_EN.search(bare)
    if strong and (
        _LEADS_EN.fullmatch(bare[: strong.start()])
        or re.search(r"\b(?:to|please)\s*$", bare[: strong.start()], re.IGNORECASE)
    ):
        return "en.todo.reminder"
    if timed and _DEADLINE_EN.search(bare) and _TODO_EN.match(bare):
        return "en.todo.deadline"
    return "en.todo.owed" if owed_en(clause) else None


def asks_reminder_en(clause: str) -> bool:
    """Whether the speaker wants to be reminded themselves, and does not tell another to remember."""
    return (
        re.search(r"\bremind me\b|\blet me forget\b|\bnote to self\b|\bto-?do\s*:", clause, re.IGNORECASE)
        is not None
    )


def todo_owner(clause: str) -> str | None:
    """Who is to do it, as said ("林岚", "Anna"); None when it is the speaker."""
    match = _TODO_EN.match(clause.replace("’", "'"))
    if match and match["owner"].lower() not in {"i", "we", "you"}:
        return match["owner"]
    return person_name(clause) if re.match(r"[\u4e00-\u9fff]", clause) else None


_DECIDED_ZH = re.compile(
    r"(?<!没)(?<!没有)(?<!还没)(?<!未)(?<!不)(?:决定|拍板|敲定|商定|选定|说好|约定|定下来?|达成一致|最终(?:选|采用|确定|定)|最后(?:选|定)|确定(?:用|采用|下来|了|为|由|在)|就(?:用|选|定)(?!什么|哪))(?!不了|不下|性|权|因素|吗|时|于)(?P<what>.{0,60})"
)
_DECIDED_EN = re.compile(
    r"\b(?:(?:i|we|the team|they)(?:['’]ve)?\s+(?:have\s+|'ve\s+|has\s+|finally\s+|just\s+|all\s+)*(?:decided|agreed|settled|opted|chose|concluded|voted)\s+(?:(?:to|on|that|for|not to|against|upon|the|a)\b)?|(?:we're|we are|i'm|i am|we|let's|we'll|i'll|we will)\s+(?:going\s+|go\s+|gonna\s+go\s+|stick\s+)with|(?:i|we)(?:['’]ve)?\s+(?:finally\s+|just\s+)*(?:went|gone|ended\s+up(?:\s+going)?)\s+with(?=\s+(?:the\s|[A-Z]))|the (?:final\s+)?decision is|final decision:?|decision:|it(?:'s| is) decided|it was (?:decided|agreed)|approved:?)\s*(?P<what>.{2,100})",
    re.IGNORECASE,
)
_UNDECIDED = re.compile(
    r"还没|没有?决定|未决定|没定|犹豫|考虑|\b(?:haven't|have not|hasn't|not yet|undecided|can't decide|didn't decide|considering|thinking about)\b",
    re.IGNORECASE,
)


_POINTED_AT = re.compile(
    r"\s*(?:[a-z]+\s+){0,3}(?:this|it|them|these|those)(?:\s+(?:at|in|on|because|'?cause|cos|since|so|too|as|for|then|when)\b.*)?[\s.!]*"
    r"|\s*(?:this|these|those)\s+(?!morning|afternoon|evening|week|month|year|weekend|summer|winter|spring|autumn|fall|time|thursday)[a-z].*",
    re.IGNORECASE,
)
"""Decided is something, but what it is only the talk around it tells ("we chose these because ...")."""
_PAST_DEED = re.compile(
    r"\b(?:decided|chose|opted|agreed)\s+(?:not\s+)?to\b.*\b(?:yesterday|last\s+(?:night|week|weekend|month|year|summer|winter|[a-z]+day)|(?:\d+|an?|two|three|a\s+few|several)\s+(?:days?|weeks?|months?|years?)\s+ago|the\s+other\s+day)\b",
    re.IGNORECASE,
)
"""When it was done stands behind what was decided: it is told as something that happened."""


def is_past_deed(clause: str) -> bool:
    """Whether a decision is told with the past time at which it was carried out ("I decided to rest yesterday")."""
    return _PAST_DEED.search(clause.replace("’", "'")) is not None


def decision(clause: str) -> str | None:
    """The rule id when the clause says what was decided."""
    if _UNDECIDED.search(clause):
        return None
    zh = _DECIDED_ZH.search(clause)
    if zh and len(zh["what"].strip()) >= 2:
        return "zh.decision"
    decided = _DECIDED_EN.search(clause.replace("’", "'"))
    return "en.decision" if decided and not _POINTED_AT.fullmatch(decided["what"]) else None
