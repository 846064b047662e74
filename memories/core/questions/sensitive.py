"""Questions whether something sensitive was ever given: they are answered by a mask, and never with the value (R28)."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

_NAMED: Final = (
    ("card", r"银行卡|信用卡|储蓄卡|借记卡|(?<!会员)(?<!门)卡号|\b(?:credit|debit|bank|payment) ?cards?\b|\bcard (?:number|details|data|no)\b|\bmy (?:visa|mastercard|card)\b"),
    ("id_number", r"身份证|证件号|社保号|\b(?:id|identity|identification|social security|national insurance)(?: card)? (?:number|no|card)\b|\bssn\b|\bmy id\b"),
    ("passport", r"护照|\bpassport\b"),
    ("bank_account", r"(?:银行|收款|对公)?账[号户](?!密码)|\bbank (?:account|details)\b|\baccount number\b|\biban\b|\brouting number\b"),
    ("credential", r"密码|口令|账号密码|\bpass(?:word|code|phrase)\b|\bpin(?: code| number)?\b|\blogin\b|\bcredentials\b"),
    ("secret", r"密钥|令牌|私钥|口令|\b(?:api|secret|access|private|ssh) ?keys?\b|\b(?:access |api )?tokens?\b|\bsecrets?\b"),
    ("phone", r"电话|手机号?|\b(?:phone|mobile|cell|telephone)(?: number)?\b"),
    ("email", r"邮箱|邮件地址|\be-?mail(?: address)?\b"),
    ("address", r"住址|地址|\baddress\b"),
)  # fmt: skip
_KINDS: Final = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _NAMED)
_GAVE: Final = re.compile(
    r"(?:给|告诉|告知|说|发|提供|提|透露|留|存|记|报|写|输|填|分享)(?:过|了|给)[^。！]{0,24}(?:吗|么|没有?|没)\s*[?？。]?\s*$"
    r"|(?:有没有|是否|是不是|可曾|曾经?)[^。！]{0,10}(?:给|告诉|告知|说|发|提供|提|透露|留|存|记|报|写|输|填|分享)"
    r"|(?:你|系统|这里)?(?:有没有|是否有?|知不知道|知道|记得|存着|保存着?|有)[^。！]{0,4}我的?[^。！]{0,16}(?:吗|么)?\s*[?？]?\s*$"
    r"|\b(?:did|have|had) (?:i|we) (?:ever |already |not )*(?:give|gave|given|tell|told|send|sent|share|shared|mention(?:ed)?|provided?|say|said|leave|left|enter(?:ed)?|disclosed?|post(?:ed)?|show[n]?|hand(?:ed)?|typed?)\b"
    r"|\b(?:do|did) you (?:already |still |now )*(?:have|know|keep|store|remember|hold)\b|\bhave you (?:got|stored|saved|kept|recorded)\b"
    r"|\bis my .{1,40}\b(?:stored|saved|kept|known|recorded|on file)\b",
    re.IGNORECASE,
)

_OF_MASK: Final[dict[str, frozenset[str]]] = {
    "secret": frozenset({"secret", "credential"}),
    "card": frozenset({"card"}),
    "id": frozenset({"id_number"}),
    "passport": frozenset({"passport"}),
    "account": frozenset({"bank_account"}),
    "phone": frozenset({"phone"}),
    "email": frozenset({"email"}),
    "address": frozenset({"address"}),
}
"""Which types a mask (core.pii.mask) stands for, by its label."""
_MASK: Final = re.compile(rf"\[({'|'.join(_OF_MASK)})(?: ••[^\]\s]{{0,8}})?\]")


def asks_whether_given(question: str) -> frozenset[str]:
    """The types of sensitive data (core.pii) that the question asks about having been given; empty for any other question.

    "did I give you my card number?", "你有没有我的护照号?"; not "what is my card number?".
    """
    if not _GAVE.search(question):
        return frozenset()
    return frozenset(kind for kind, pattern in _KINDS if pattern.search(question))


def tells_given(text: str, kinds: Collection[str]) -> bool:
    """Whether the text holds a mask of one of the types: then something of the sort was given."""
    return any(not _OF_MASK[match[1]].isdisjoint(kinds) for match in _MASK.finditer(text))


def names_type(text: str, kinds: Collection[str]) -> bool:
    """Whether the text names one of the types, be it with a value or without."""
    return any(kind in kinds and pattern.search(text) for kind, pattern in _KINDS)
