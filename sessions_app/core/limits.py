"""Limits of what one message may be, and its check."""

from __future__ import annotations

from typing import Final

from memories.core.text.signs import without_invisible
from sessions_app.core.errors import MessageEmpty, MessageTooLong

MAX_MESSAGE_CHARS: Final = 32_000
"""One message; longer texts are documents and come in as tool results or imports."""

MAX_TOOL_CHARS: Final = 400_000
"""The full text of one tool result."""

MAX_TITLE_CHARS: Final = 200
LEASE_SECONDS: Final = 30
"""How long a silent process may still be thought to be writing an answer; renewed about each second."""


def checked_message(content: str, *, limit: int = MAX_MESSAGE_CHARS) -> str:
    """The message without NUL (PostgreSQL stores none), characters that nobody sees, and outer white space.

    Raises MessageEmpty and MessageTooLong.
    """
    text = without_invisible(content.replace("\x00", "")).strip()
    if not text:
        raise MessageEmpty("the message is empty", hint="Write something first.", fields={"content": "empty"})
    if len(text) > limit:
        raise MessageTooLong(
            f"the message has {len(text)} characters, {limit} are allowed",
            hint="Split it, or send the long part as a document.",
            fields={"content": "too long"},
        )
    # A lone surrogate can be neither stored nor sent on.
    return text.encode("utf-8", "replace").decode("utf-8")
