"""The detector that stands before every first write: a text's form that may be stored, by the tenant's policy (R28)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from memories.core import pii
from memories.core.pii import Screened
from memories.core.policy import RULES, Policy


def screen(text: str, policy: Policy) -> Screened:
    """The text masked, blocked or marked for encryption as the policy says; a screened text stays as it is."""
    return pii.apply(text, _actions(policy))


@lru_cache(maxsize=256)
def _actions(policy: Policy) -> Mapping[str, str]:
    return pii.actions_of({key: policy.choice(key) for key in RULES if key.startswith("pii.action.")})


def screen_values(value: Any, policy: Policy, *, name: str = "") -> tuple[Any, frozenset[str]]:
    """A plain JSON value with every text and number in it screened, and the types in it that the policy refuses.

    Nothing in it is encrypted: what the policy wants encrypted is masked. `name` is what the value stands under, which
    tells a password from a word ({"password": "…"}).
    """
    if isinstance(value, Mapping):
        items: dict[str, Any] = {}
        refused: frozenset[str] = frozenset()
        for key, part in value.items():
            new_key, in_key = screen_values(str(key), policy)
            items[new_key], in_part = screen_values(part, policy, name=str(key))
            refused |= in_key | in_part
        return items, refused
    if isinstance(value, list | tuple):
        parts = [screen_values(part, policy, name=name) for part in value]
        return [part for part, _ in parts], frozenset().union(*[types for _, types in parts])
    if isinstance(value, bool) or not isinstance(value, str | int):
        return value, frozenset()
    text = str(value)
    head = f"{name}: " if name else ""
    found = screen(head + text, policy)
    masked = found.text_masked
    if masked == head + text:
        return value, frozenset()
    if found.blocked:
        return "[secret]", found.types
    return (
        masked.removeprefix(head) if masked.startswith(head) else screen(text, policy).text_masked
    ), frozenset()
