"""What webhooks are told, how a message is signed, and when a failed one is tried again."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
from collections.abc import Sequence
from datetime import timedelta
from enum import StrEnum


class Event(StrEnum):
    """What an endpoint may ask for."""

    STORED = "memory.stored"
    SUPERSEDED = "memory.superseded"
    FORGOTTEN = "memory.forgotten"
    REDACTED = "memory.redacted"
    SWEPT = "memory.swept"
    OPENED = "contradiction.opened"
    RESOLVED = "contradiction.resolved"
    ERASED = "subject.erased"


TEST = "webhook.test"
"""Sent when an admin asks for it, whatever the endpoint asked for."""
PREFIX = "whsec_"
TOLERANCE = timedelta(minutes=5)
"""How old a message may be for a receiver that follows the documentation."""

BACKOFF = timedelta(seconds=5)
BACKOFF_CAP = timedelta(hours=1)

# The signs that core/pii puts in the place of a value ("[card ••1234]", "[secret]"), and those of what was forgotten or redacted.
_MASKED = re.compile(r"\[[a-z][a-z _-]{0,30}(?: ••\w{1,4})?\]|\[已(?:忘记|删除)")


def secret_text(key: bytes) -> str:
    """A signing key as it is shown and stored: `whsec_` and base64."""
    return PREFIX + base64.b64encode(key).decode()


def signature(secret: str, *, message_id: str, timestamp: int, body: bytes) -> str:
    """`v1,` and the base64 of HMAC-SHA-256 over "id.timestamp.body" (Standard Webhooks 1.0)."""
    key = base64.b64decode(secret.removeprefix(PREFIX))
    signed = hmac.new(key, f"{message_id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    return "v1," + base64.b64encode(signed).decode()


def signatures(secrets: Sequence[str], *, message_id: str, timestamp: int, body: bytes) -> str:
    """One signature a secret, with spaces between: during a rotation a receiver finds its own among them."""
    return " ".join(signature(one, message_id=message_id, timestamp=timestamp, body=body) for one in secrets)


def verifies(secret: str, *, message_id: str, timestamp: str, header: str, body: bytes, now: float) -> bool:
    """Whether a message is ours and fresh, as a receiver should see to it."""
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) < 15):
        return False
    if abs(now - int(timestamp)) > TOLERANCE.total_seconds():
        return False
    try:
        expected = signature(secret, message_id=message_id, timestamp=int(timestamp), body=body)
    except binascii.Error:
        return False
    return any(hmac.compare_digest(expected.encode(), given.encode()) for given in header.split())


def delay(attempts: int, *, chance: float) -> timedelta:
    """How long to wait after so many failed attempts: 5 s, 10 s, 20 s, … up to an hour, shortened by up to half.

    `chance` in [0, 1) is drawn by the caller: those that failed together do not come back together.
    """
    longest: timedelta = min(BACKOFF_CAP, BACKOFF * 2 ** min(max(0, attempts - 1), 20))
    return longest * (1 - chance / 2)


def holds_mask(text: str) -> bool:
    """Whether a stored text has something masked, forgotten or redacted in it: such a text is not sent."""
    return _MASKED.search(text) is not None
