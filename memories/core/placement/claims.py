"""The claim of a statement: its words without those that carry nothing, so that a confirmation in other words is found (R17).

"I really do love hiking" and "I love hiking" make one claim; "I don't love hiking", "he loves hiking" and "I love hiking on
Mondays" make three others: negation, numbers, times, names and whom it is about are all part of the claim, in their order.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from memories.core.text.contractions import wholly_written_out
from memories.core.text.language import HAN
from memories.core.text.lexical import stem
from memories.core.text.stopwords import ARTICLES, COURTESIES, INTENSIFIERS, word_set
from memories.core.text.words import tagged
from memories.core.values.forms import value_key
from memories.core.values.keyvalues import key_values
from memories.core.values.normalise import canonical

LEAST = 2
"""Words that a claim needs; fewer tell nothing apart."""

# Pronouns, negations, "always", "maybe" and "only" are missing on purpose: they change what is claimed.
_LIGHT_EN = (
    ARTICLES
    | INTENSIFIERS
    | COURTESIES
    | word_set("remember note that is am are be has have do does much lot lots")
)
_LIGHT_ZH = word_set(
    """的 了 呢 吧 啊 呀 哦 嗯 嘛 哈 得 地 真 真的 真是 很 非常 特别 十分 挺 蛮 超 超级 还 还是 也 就 就是 是 其实 确实 的确 依然 仍然 仍
    一直 一向 请 记住 记得 一下 那个 这个 挺 实在 确确实实 可 太 极了 得很"""
)
_PIECE = re.compile(rf"[{HAN}]+|[^\s{HAN}]+")


@lru_cache(maxsize=4096)
def claim_form(text: str) -> str:
    """The words that make the claim, in order, numbers and dates in one notation; "" for a text that claims too little."""
    form = unicodedata.normalize("NFKC", text).replace("’", "'").casefold()
    for found in reversed(key_values(form)):
        form = f"{form[: found.start]} {value_key(found)} {form[found.end :]}"
    form = wholly_written_out(form)
    kept = [word for piece in _PIECE.findall(canonical(form)) for word in _words(piece)]
    return " ".join(kept) if len(kept) >= LEAST else ""


def _words(piece: str) -> list[str]:
    if re.match(rf"[{HAN}]", piece):
        return [word for word, _ in tagged(piece) if word not in _LIGHT_ZH]
    if piece.isdigit():
        return [piece]
    return [] if piece in _LIGHT_EN else [stem(piece)]
