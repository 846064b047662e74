"""The key of a standing rule, under which a later one replaces it, and the words that both languages' rules share (R12)."""

from __future__ import annotations

import re

from memories.core.text.words import tagged
from memories.core.values.normalise import canonical

GENERAL_ZH = r"以后都?|今后|往后|从(?:现在|今天|今儿?)(?:起|开始|往后|以后)|从此|永远|一律|始终|总是|每次都?|任何(?:时候|情况下)|所有|凡是|一定|务必|必须|都|绝对|千万|严禁|禁止|不得|不准|不许|切勿|请勿"
LIMIT = re.compile(
    r"不?(?:超过|多于|少于)|最多|至多|最少|至少"
    r"|\b(?:more|less|fewer|longer|shorter|larger|higher|lower)\s+than\b|\bat\s+(?:most|least)\b|\bup\s+to\b|\bexceed\b",
    re.IGNORECASE,
)
_MODAL = re.compile(
    rf"{GENERAL_ZH}|不要|别|勿|不能|可以了?|不可以?|请|你|您|我们|咱们|大家|需要|应该|应当|使用|用|了|的|要|允许|不允许|记住|注意|只能|只用|只准|避免|现在|又|再|重新|不必|无需|不用|一定|每次|每"
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
    limits = LIMIT.search(clause) is not None
    bare = canonical(_MODAL.sub(" ", LIMIT.sub(" ", clause)))
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


def bare_words(text: str) -> str:
    """The text without what stands around it, apostrophes plain."""
    return text.strip(" ，,、:：。.!！").replace("’", "'")
