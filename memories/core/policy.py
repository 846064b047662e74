"""A tenant's policy: the table of rules with its validated overrides, immutable."""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping
from types import MappingProxyType

from memories.core.errors import PolicyError
from memories.core.pii.custom import NONE as NO_OWN
from memories.core.pii.custom import Own, own_of
from memories.core.policy_table import PRESETS, RULES, Rule

__all__ = ["PRESETS", "RULES", "Policy", "PolicyError", "Rule"]

Value = float | int | str
WEIGHTS = tuple(key for key in RULES if key.startswith("recall.weight."))
ORDERED = (
    ("chunk.min_tokens", "chunk.max_tokens"),
    ("sweep.floor", "strength.start.salience"),
    ("strength.start", "strength.cap"),
    ("strength.start.salience", "strength.cap"),
    ("strength.start.digest", "strength.cap"),
    ("recall.k", "recall.candidates"),
    ("recall.scale_low", "recall.scale_high"),
    ("constraint.cap_tokens", "context.cap_tokens"),
    ("slots.render_tokens", "context.cap_tokens"),
)
"""Pairs of which the first may not be above the second."""


class Policy:
    """Reads a rule's value: the override where there is one, else the default.

    `own` are the tenant's own patterns and fields of sensitive content. Instances compare and hash by their contents, so
    they may key a cache.
    """

    __slots__ = ("_hash", "_overrides", "_values", "own")

    def __init__(self, overrides: Mapping[str, Value], own: Own = NO_OWN) -> None:
        self._overrides: Mapping[str, Value] = MappingProxyType(dict(sorted(overrides.items())))
        self.own = own
        # Read some hundred times a recall.
        self._values: Mapping[str, Value] = {
            **{key: rule.default for key, rule in RULES.items()},
            **self._overrides,
        }
        self._hash = hash((tuple(self._overrides.items()), own))

    @classmethod
    def default(cls) -> Policy:
        """The table as it stands."""
        return _DEFAULT

    @classmethod
    def from_overrides(
        cls, overrides: Mapping[str, object], custom: Mapping[str, object] | None = None
    ) -> Policy:
        """A policy from stored or posted data; PolicyError names the first key that does not fit.

        Overrides equal to the default are kept: a tenant may freeze a value that a later release changes.
        """
        checked = {key: _checked(key, value) for key, value in overrides.items()}
        policy = cls(checked, own_of(custom) if custom else NO_OWN)
        _check_together(policy)
        return policy

    @classmethod
    def preset(cls, name: str) -> Policy:
        """The defaults with a named preset: default, similarity_heavy, balanced, chat or task."""
        return cls.default().with_preset(name)

    def with_preset(self, name: str) -> Policy:
        """These overrides with the preset's put over them."""
        if name not in PRESETS:
            raise PolicyError(
                "preset",
                f"there is no preset {name!r}",
                hint=f"Use one of {', '.join(PRESETS)}.",
            )
        return self.with_overrides(PRESETS[name])

    def with_overrides(self, overrides: Mapping[str, object]) -> Policy:
        """These overrides with others put over them, validated together."""
        return Policy(Policy.from_overrides({**self._overrides, **overrides}).overrides(), self.own)

    def overrides(self) -> dict[str, Value]:
        """What differs from the table by intent, as plain data to store."""
        return dict(self._overrides)

    def value(self, key: str) -> Value:
        """The rule's value, whatever its type; PolicyError for an unknown key."""
        value = self._values.get(key)
        return _rule(key).default if value is None else value

    def number(self, key: str) -> float:
        """A numeric rule as a float."""
        value = self.value(key)
        if isinstance(value, str):
            raise PolicyError(key, "is a choice, not a number", hint="Read it with choice().")
        return float(value)

    def integer(self, key: str) -> int:
        """A whole-number rule."""
        value = self.value(key)
        if not isinstance(value, int):
            raise PolicyError(key, "is not a whole number", hint="Read it with number() or choice().")
        return value

    def choice(self, key: str) -> str:
        """A rule with named values."""
        value = self.value(key)
        if not isinstance(value, str):
            raise PolicyError(key, "is a number, not a choice", hint="Read it with number().")
        return value

    def flag(self, key: str) -> bool:
        """An on/off rule as a boolean."""
        return self.choice(key) == "on"

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Policy) and self._overrides == other._overrides and self.own == other.own

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"Policy({dict(self._overrides)!r})"


def _rule(key: str) -> Rule:
    """The rule, or PolicyError with the nearest existing keys as a hint."""
    rule = RULES.get(key)
    if rule is None:
        near = difflib.get_close_matches(key, RULES, n=3)
        hint = f"Did you mean {', '.join(near)}?" if near else "See the policy page for the rules that exist."
        raise PolicyError(key, "there is no such rule", hint=hint)
    return rule


def _checked(key: str, value: object) -> Value:
    """The value in the rule's type and range, or PolicyError."""
    rule = _rule(key)
    if rule.choices:
        if not isinstance(value, str) or value not in rule.choices:
            raise PolicyError(key, "must be one of " + ", ".join(rule.choices))
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise PolicyError(
            key,
            "must be a number",
            hint=f"Give {rule.low:g} to {rule.high:g} {rule.unit}.",
        )
    if not math.isfinite(value):
        raise PolicyError(key, "must be a finite number")
    if rule.whole and int(value) != value:
        raise PolicyError(
            key,
            "must be a whole number",
            hint=f"Give {rule.low:g} to {rule.high:g} {rule.unit}.",
        )
    if not rule.low <= value <= rule.high:
        raise PolicyError(key, f"must lie between {rule.low:g} and {rule.high:g} {rule.unit}")
    return int(value) if rule.whole else float(value)


def _check_together(policy: Policy) -> None:
    """Rules that only make sense together."""
    if sum(policy.number(key) for key in WEIGHTS) <= 0:
        raise PolicyError(WEIGHTS[0], "the recall weights must not all be zero")
    for low, high in ORDERED:
        if policy.number(low) > policy.number(high):
            raise PolicyError(
                low,
                f"must not be above {high}",
                hint=f"{high} is {policy.number(high):g}.",
            )


_DEFAULT = Policy({})
