"""What a long message really asks: its last sentence, where that is a question of its own (R21)."""

from __future__ import annotations

from typing import Final

from memories.core.extraction.sentences import is_question
from memories.core.text.lexical import query_terms
from memories.core.text.sentences import sentences

LEAST_SENTENCES: Final = 3
"""Two sentences belong together more often than not; who chats first and asks then says more."""
LEAST_TERMS: Final = 3
"""A question with fewer words of its own ("what do you think?") leans on what stands before it."""
_MARKS: Final = ("?", "？")
_CLOSING: Final = frozenset("\"'”’」』》）)]的")
"""Where the last sentence begins with one of these, a quotation was cut in two."""


def focus(message: str) -> str:
    """The question at the end of a message of several sentences; "" where the message asks as a whole.

    It is searched as a form of its own: what was said around it would otherwise draw in whatever is like that.
    """
    found = [part for start, end in sentences(message) if len(part := message[start:end].strip()) > 1]
    if len(found) < LEAST_SENTENCES:
        return ""
    last = found[-1]
    asks = last.endswith(_MARKS) or is_question(last)
    if not asks or last[0] in _CLOSING or len(query_terms(last)) < LEAST_TERMS:
        return ""
    return last
