"""The ids of a bulk decision in an address: 200 of them stay below what servers take."""

from __future__ import annotations

import uuid
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable

from memories.services.limits import AT_ONCE as MOST

__all__ = ["MOST", "packed", "unpacked"]


def packed(ids: Iterable[uuid.UUID]) -> str:
    """The ids as one word for a URL, 22 characters each."""
    return urlsafe_b64encode(b"".join(one.bytes for one in ids)).decode().rstrip("=")


def unpacked(text: str) -> list[uuid.UUID]:
    """The ids again, each once, at most MOST; none for what was never packed."""
    try:
        found = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        return []
    if len(found) % 16:
        return []
    ids = [uuid.UUID(bytes=found[at : at + 16]) for at in range(0, len(found), 16)]
    return list(dict.fromkeys(ids))[:MOST]
