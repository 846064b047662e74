"""Chinese words with their parts of speech, cached."""

from __future__ import annotations

import re
from functools import lru_cache

_BROKEN = re.compile("[\ud800-\udfff]")


def whole_characters(text: str) -> str:
    """The text with U+FFFD for each half of a pair that stands alone: it can be encoded, and has the same length."""
    return _BROKEN.sub("\ufffd", text)


@lru_cache(maxsize=8192)
def tagged(text: str) -> tuple[tuple[str, str], ...]:
    """(word, tag) pairs of a short text: jieba's tags, nr person, ns place, nt organisation, v verb, n noun, t time."""
    import rjieba  # loaded late: its dictionary takes a tenth of a second

    return tuple((str(word), str(tag)) for word, tag in rjieba.tag(whole_characters(text)))


_CUT_TAGS = frozenset({"nr", "nrfg", "ng", "nz", "g", "x", "zg", "ag", "vg", "ns", "j"})
_NO_GIVEN_NAME = frozenset("的了吗呢吧和与跟在是有去来说要会都也把被给让从向对")


def is_cut_name(word: tuple[str, str], following: tuple[str, str]) -> bool:
    """Whether the tagger cut a rarer given name in two: 陈筠|珂, a name of two characters and a single odd one."""
    return (
        word[1] == "nr"
        and len(word[0]) == 2
        and len(following[0]) == 1
        and following[1] in _CUT_TAGS
        and "\u4e00" <= following[0] <= "\u9fff"
        and following[0] not in _NO_GIVEN_NAME
    )
