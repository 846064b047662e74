"""The detector that stands before every first write: a text's form that may be stored, by the tenant's policy (R28)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from memories.core.pii import detection as pii
from memories.core.pii.detection import Screened
from memories.core.policy import RULES, Policy


def screen(text: str, policy: Policy, *, consented: bool = False) -> Screened:
    """The text masked, blocked or marked for encryption as the policy says; a screened text stays as it is.

    `consented`: the person said yes, so that what the policy asks about is kept.
    """
    actions = _actions(policy)
    if consented and "ask" in actions.values():
        actions = {kind: "keep" if action == "ask" else action for kind, action in actions.items()}
    return pii.apply(text, actions, custom=policy.own.named())


def for_model(text: str, policy: Policy) -> str:
    """The form of a stored text that a model may see: what the policy keeps from models is masked, secrets always are."""
    return pii.apply(text, _for_model(policy), custom=policy.own.named()).text_masked


@lru_cache(maxsize=256)
def _actions(policy: Policy) -> Mapping[str, str]:
    chosen = pii.actions_of({key: policy.choice(key) for key in RULES if key.startswith("pii.action.")})
    return {**chosen, **policy.own.actions()}


@lru_cache(maxsize=256)
def _for_model(policy: Policy) -> Mapping[str, str]:
    prefix = "pii.model."
    chosen = {
        key.removeprefix(prefix): "mask" if policy.choice(key) == "mask" else "keep"
        for key in RULES
        if key.startswith(prefix)
    }
    return {"secret": "mask", "credential": "mask", **chosen, **policy.own.for_model()}


def screen_values(value: Any, policy: Policy, *, name: str = "") -> tuple[Any, frozenset[str]]:
    """A plain JSON value with every text and number in it screened, and the types in it that the policy refuses.

    Nothing in it is encrypted or waits: what the policy wants encrypted, or asks about, is masked. `name` is what the value
    stands under, which tells a password from a word ({"password": "…"}), and may be one of the tenant's own fields.
    """
    field = policy.own.field_of(name) if name else None
    if field is not None and field.action != "keep" and value not in (None, "", [], {}):
        return "[custom]", frozenset({field.kind} if field.action == "block" else ())
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
