"""The short form in which a tool's result enters the window; its full text stays recallable (R3)."""

from __future__ import annotations

import json
from typing import Any

from memories.core.text.tokens import TokenCounter, count, excerpt
from memories.core.values.keyvalues import key_values

_DISTINCT = frozenset({"code", "amount", "date", "time", "email", "url"})


def summarise(text: str, max_tokens: int, counter: TokenCounter = count) -> str:
    """At most `max_tokens` tokens: a JSON result flattened to its leaves, then the beginning, then values that it lacks."""
    plain = _flat(text)
    if counter(plain) <= max_tokens:
        return plain
    head = excerpt(plain, max(1, max_tokens * 2 // 3), counter)
    found = [value.text for value in key_values(plain) if value.kind in _DISTINCT and value.text not in head]
    for value in dict.fromkeys(found):
        longer = f"{head} {value};"
        if counter(longer) > max_tokens:
            break
        head = longer
    return head


def _flat(text: str) -> str:
    """`{"a": {"b": 1}}` as `a.b: 1`; any other text as it is, white space folded."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return " ".join(text.split())
    if not isinstance(data, dict | list):
        return " ".join(text.split())
    return "; ".join(f"{path}: {value}" if path else str(value) for path, value in _leaves(data, ""))


def _leaves(data: Any, path: str) -> list[tuple[str, Any]]:
    if isinstance(data, dict):
        pairs = [(f"{path}.{key}" if path else str(key), value) for key, value in data.items()]
    elif isinstance(data, list):
        pairs = [(path, value) for value in data]
    else:
        return [(path, data)]
    return [leaf for name, value in pairs for leaf in _leaves(value, name)]
