"""The calls as data: which address, what is sent. Both clients send the same ones."""

from __future__ import annotations

import random
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final
from urllib.parse import quote

import httpx

TRIES: Final = 4
RETRIED: Final = frozenset({429, 502, 503, 504})
LONGEST_PAUSE: Final = 30.0


@dataclass(frozen=True, slots=True)
class Call:
    """One request. A POST carries an idempotency key of its own, so that a retry writes nothing twice and gets the same answer."""

    method: str
    path: str
    body: Mapping[str, Any] | None = None
    query: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)


def call(
    method: str, path: str, *, body: Mapping[str, Any] | None = None, query: Mapping[str, Any] | None = None,
    version: int | None = None, key: str | None = None,
) -> Call:  # fmt: skip
    """A call without what is None. `version` makes it a change of just that version; `key` is the caller's own idempotency key."""
    headers = {}
    if method == "POST":
        headers["Idempotency-Key"] = key or uuid.uuid4().hex
    if version is not None:
        headers["If-Match"] = f'"v{version}"'
    return Call(method, path, None if body is None else given(body), given(query or {}), headers)


def given(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Without None; times in ISO 8601 and ids as text."""
    return {name: _plain(value) for name, value in fields.items() if value is not None}


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError("give times with a zone")
        return value.isoformat()
    if isinstance(value, uuid.UUID):
        return str(value)
    if isinstance(value, Mapping):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(part) for part in value]
    return value


def of(*parts: Any) -> str:
    """A path below /api/v1/, each part as it is."""
    return "/api/v1/" + "/".join(quote(str(part), safe="") for part in parts) + "/"


def pause_before(tried: int, response: httpx.Response | None) -> float:
    """Seconds until the next try: what the server asks for, else 0.5, 1, 2 with some chance, so that many do not come at once."""
    asked = response.headers.get("Retry-After", "") if response is not None else ""
    if asked.isdigit():
        return min(float(asked), LONGEST_PAUSE)
    return min(0.5 * 2 ** (tried - 1), LONGEST_PAUSE) * random.uniform(0.75, 1.25)


def may_retry(one: Call, response: httpx.Response | None) -> bool:
    """Whether to try again: what only reads, what is the same done twice, and what carries an idempotency key."""
    if response is not None and response.status_code not in RETRIED:
        return False
    return one.method in {"GET", "PUT", "DELETE", "PATCH"} or "Idempotency-Key" in one.headers


def settings(url: str, api_key: str, timeout: float) -> dict[str, Any]:
    """Of an httpx client: where, who, and how long to wait."""
    return {
        "base_url": url.rstrip("/"),
        "headers": {"Authorization": f"Bearer {api_key}", "Accept": "application/json"},
        "timeout": httpx.Timeout(timeout, connect=min(timeout, 5.0)),
    }
