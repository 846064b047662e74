"""Makes a follow-up searchable by itself: what it leaves unsaid stands in the message before it, or in the slots (R21)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memories.core.tokens import excerpt

_FOLLOWS = re.compile(
    r"^(?:那|然后|所以|这样的话|它|他|她|这个|那个|还要|还需要)|^(?:and|so|then|what about|how about|should i|do i need|it|that|this|he|she|they)\b",
    re.IGNORECASE,
)
MAX_TOKENS = 60


def standalone(question: str, *, leans: bool, recent_user: Sequence[str], slots: Sequence[str]) -> str | None:
    """The question with what it follows put before it; None when it stands alone.

    `recent_user` are the person's newest messages of this session, oldest first; `slots` the live slots' texts, the most
    important first, which stand in for them in a new session.
    """
    if not leans and not _FOLLOWS.search(question.strip()):
        return None
    if recent_user:
        before = excerpt(recent_user[-1], MAX_TOKENS)
    elif slots:
        before = excerpt("; ".join(slots[:3]), MAX_TOKENS)
    else:
        return None
    return f"{before} {question}" if before else None
