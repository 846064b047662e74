"""Ids of rows that come from another tenant: others than there, in the same order, the same at each import."""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Callable
from typing import Any

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")

Move = Callable[[uuid.UUID], uuid.UUID]


def moved_into(tenant_id: uuid.UUID) -> Move:
    """Gives each id its counterpart in the tenant.

    Its last 32 bits are combined (XOR) with a number of the tenant's, so that ids in time order stay so, and a second import of
    the same file meets the rows of the first.
    """
    digest = hashlib.sha256(b"memoryhub import " + tenant_id.bytes).digest()
    mask = int.from_bytes(digest[:4], "big") or 1
    return lambda one: uuid.UUID(int=one.int ^ mask)


def kept(one: uuid.UUID) -> uuid.UUID:
    """The id as it is, for a tenant that comes back or moves to another installation."""
    return one


def moved_tree(value: Any, move: Move) -> Any:
    """Plain JSON of our own (states, undo records) with every id in it moved, keys included."""
    if isinstance(value, dict):
        return {moved_tree(key, move): moved_tree(part, move) for key, part in value.items()}
    if isinstance(value, list):
        return [moved_tree(part, move) for part in value]
    if isinstance(value, str) and _UUID.fullmatch(value):
        return str(move(uuid.UUID(value)))
    return value
