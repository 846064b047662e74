"""What PostgreSQL can keep as text; pure, so that every layer asks the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def storable(text: str) -> bool:
    """Whether PostgreSQL can keep the text as it is: it holds no NUL and no lone surrogate."""
    return "\0" not in text and all(not "\ud800" <= char <= "\udfff" for char in text)


def storable_tree(value: Any) -> bool:
    """The same for every text in plain JSON, keys included, at any depth."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Mapping):
            waiting += [*one.keys(), *one.values()]
        elif isinstance(one, list | tuple):
            waiting += one
        elif isinstance(one, str) and not storable(one):
            return False
    return True
