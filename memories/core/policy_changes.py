"""What two versions of a policy do differently: rule by rule, and among the tenant's own patterns and fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memories.core.policy import RULES, Value


@dataclass(frozen=True, slots=True)
class RuleChange:
    """A rule's value before and after; `was_set` and `is_set` say whether it was laid down or is the table's default.

    A value laid down that equals the default is a change, too: a later release's default will not touch it. None is the value of
    a rule that the table does not have any more.
    """

    key: str
    old: Value | None
    new: Value | None
    was_set: bool
    is_set: bool


@dataclass(frozen=True, slots=True)
class OwnChange:
    """A pattern or field of the tenant's own: "added", "removed" or "changed"."""

    name: str
    how: str


def rule_changes(before: Mapping[str, Value], after: Mapping[str, Value]) -> list[RuleChange]:
    """Between two sets of overrides, in the order of the table, with what it does not know any more at the end."""
    touched = {key for key in {*before, *after} if key not in before or before.get(key) != after.get(key)}
    order = [key for key in RULES if key in touched]
    order += sorted(touched - set(order))
    return [
        RuleChange(key, _value(before, key), _value(after, key), key in before, key in after) for key in order
    ]


def _value(overrides: Mapping[str, Value], key: str) -> Value | None:
    if key in overrides:
        return overrides[key]
    return RULES[key].default if key in RULES else None


def own_changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[OwnChange]:
    """Between two sets of own patterns and fields as they are stored, by name."""
    old, new = _named(before), _named(after)
    return [
        OwnChange(name, "added" if name not in old else "removed" if name not in new else "changed")
        for name in sorted({*old, *new})
        if old.get(name) != new.get(name)
    ]


def _named(custom: Mapping[str, Any]) -> dict[str, tuple[str, Any]]:
    return {row["name"]: (part, row) for part in ("patterns", "fields") for row in custom.get(part, ())}
