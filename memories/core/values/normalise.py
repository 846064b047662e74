"""The canonical form of a text, under which exact repeats are found, and of the key of a fact's slot (R17)."""

from __future__ import annotations

import re
import unicodedata

from memories.core.text.kept import kept

_CJK = r"\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff"
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
# kept: what belongs to a number, a code, an address or a price; and the question mark, which changes what is said
_DROP = re.compile(
    r"(?<![0-9a-z])[.:/,](?=[0-9])(?<![0-9])"
    r"|(?<=[0-9a-z])[.:/,@_\-](?![0-9a-z])|(?<![0-9a-z])[.:/,@_](?=[0-9a-z])"
    r"|[^\w\s?%$€£¥+#@.:/,_\-°]"
    r"|(?<![0-9a-z])[.:/,@_\-]+(?![0-9a-z])"
)
_SPACE_BY_CJK = re.compile(rf"(?<=[{_CJK}])\s+|\s+(?=[{_CJK}])")
_TRAILING = re.compile(r"(?:[啊呀嘛哦噢哈哟啦喔嗯]|(?<=\s)(?:please|thanks|ok|okay|lol|haha)\s*){1,8}$")
_PLAIN = re.compile("(?:[a-z0-9]++(?: [a-z0-9]++)*+|[\u4e00-\u9fff]++)*+")
"""Words and Chinese with nothing between them but single spaces of words: a form that no rule here changes, but for particles at its end."""
_NEGATION = re.compile(
    r"不(?!过|错|仅|但|只|管|论|久|少|断|得不|好意思|禁|愧|知不觉)|没(?!关系|问题|准)|别(?!人|的|墅|针|克|处|名|称|致|样)|勿|未(?!来|必|婚)|非(?!常|洲|得)|禁止|拒绝|讨厌"
    r"|\b(?:not|never|no|cannot|neither|nor|without|stopped|quit|hates?|dislikes?|\w+n't|won't)\b",
    re.IGNORECASE,
)


@kept
def canonical(text: str) -> str:
    """The form under which two texts are the same: NFKC, case, spaces, punctuation and closing particles do not count.

    Numbers, codes, addresses, signs of money and question marks do. Idempotent. A text of nothing but punctuation is "".
    """
    before, form = None, text
    while form != before:
        before, form = form, _once(form)
        if _PLAIN.fullmatch(form) and not _TRAILING.search(form):
            break  # Once more would leave it as it is.
    return form


def _once(text: str) -> str:
    form = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    form = re.sub(r"(?<=[a-z])'(?=[a-z])", "", form)
    form = _THOUSANDS.sub("", form)
    form = _DROP.sub(" ", form)
    form = re.sub(r"\s+", " ", form).strip()
    form = _SPACE_BY_CJK.sub("", form)
    return _TRAILING.sub("", form).strip()


@kept
def negated(text: str) -> bool:
    """True when an odd number of negations stands in the text: 不喜欢 is, 不是不喜欢 is not."""
    return len(_NEGATION.findall(text)) % 2 == 1


def slot_key(subject: str, attribute: str) -> str:
    """The key of a structured fact's slot: same subject and attribute, whatever the case, spaces and punctuation."""
    who = ":".join(canonical(part) for part in subject.split(":"))
    return f"{who}|{canonical(attribute).replace(' ', '_')}"
