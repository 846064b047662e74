"""A session's name, taken from its first message."""

from __future__ import annotations

from memories.core.text.sentences import sentences

LONGEST = 40


def title_of(text: str) -> str:
    """The first sentence, cut to about 40 characters after a word; it is as screened as the text it comes from."""
    plain = " ".join(text.split())
    bounds = sentences(plain)
    first = plain[: bounds[0][1]].strip() if bounds else plain
    if len(first) <= LONGEST:
        return first.rstrip("。.!！")
    cut = first.rfind(" ", LONGEST // 2, LONGEST)
    return first[: cut if cut > 0 else LONGEST].rstrip() + "…"
