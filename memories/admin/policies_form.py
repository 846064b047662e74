"""The policy as a form: every rule a field that is empty where the default holds, and own patterns and fields as rows."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.core.exceptions import BadRequest
from django.utils.translation import gettext

from memories.admin.policies_own import OwnRows
from memories.admin.policies_words import GROUPS, Group, group_of, number, range_of, reason_of, told
from memories.core.errors import PolicyError
from memories.core.policy import ORDERED, PRESETS, RULES, WEIGHTS, Policy, Rule, Value
from memories.core.policy_changes import own_changes, rule_changes
from memories.models import PolicyVersion

FIELD = "rule."


@dataclass(frozen=True, slots=True)
class Entry:
    """A rule with what stands in its field."""

    rule: Rule
    text: str
    in_force: str
    changed: bool
    is_set: bool
    error: str

    @property
    def field(self) -> str:
        return FIELD + self.rule.key

    @property
    def reason(self) -> str:
        return reason_of(self.rule)

    @property
    def default(self) -> str:
        return told(self.rule.default)

    @property
    def range(self) -> str:
        return range_of(self.rule)

    @property
    def choices(self) -> list[tuple[str, str]]:
        return [(choice, told(choice)) for choice in self.rule.choices]


class PolicyEdit:
    """A draft on the way to a version: `base` is the version in force, `expected` the number of the one that the draft began with.

    `overrides` holds what is typed and fits, `errors` what does not, by key; "" is for what belongs to no field.
    """

    def __init__(
        self, base: PolicyVersion, overrides: Mapping[str, Value], custom: Mapping[str, Any], expected: int
    ) -> None:
        self.base, self.expected = base, expected
        self.overrides = dict(overrides)
        self.typed: dict[str, str] = {}
        self.errors: dict[str, str] = {}
        self.own = OwnRows(custom)

    @classmethod
    def of(cls, base: PolicyVersion) -> PolicyEdit:
        """The version in force, as it is."""
        return cls(base, base.overrides, base.custom, base.number)

    @classmethod
    def posted(cls, base: PolicyVersion, data: Mapping[str, Any]) -> PolicyEdit:
        """What the page sends: the draft so far, and over it the fields that it showed."""
        overrides, custom = _draft(data)
        expected = str(data.get("expected", ""))
        edit = cls(
            base,
            overrides,
            custom,
            int(expected) if expected.isascii() and expected.isdigit() and len(expected) < 10 else -1,
        )
        for key, rule in RULES.items():
            if FIELD + key in data:
                edit._read(rule, str(data[FIELD + key]).strip())
        if OwnRows.are_in(data):
            edit.own = OwnRows(custom, data)
        return edit

    def _read(self, rule: Rule, text: str) -> None:
        """One field: empty takes the override away."""
        if not text:
            self.overrides.pop(rule.key, None)
            return
        value, error = parsed(rule, text)
        if error or value is None:
            self.typed[rule.key], self.errors[rule.key] = text, error
        else:
            self.overrides[rule.key] = value

    def reset(self, key: str) -> None:
        """The rule is at its default again."""
        self.overrides.pop(key, None)
        self.typed.pop(key, None)
        self.errors.pop(key, None)

    def fill(self, preset: str) -> None:
        """Put a named preset over the draft, "default" in its place."""
        if preset == "default":
            self.overrides = {}
        else:
            self.overrides |= PRESETS.get(preset, {})

    def rebased(self, old: PolicyVersion) -> PolicyEdit:
        """The same changes, made to the version in force instead of the one that the draft began with."""
        overrides = dict(self.base.overrides)
        for change in rule_changes(old.overrides, self.overrides):
            overrides.pop(change.key, None)
            if change.is_set and change.new is not None:
                overrides[change.key] = change.new
        custom = self.own.data if own_changes(old.custom, self.own.data) else self.base.custom
        return PolicyEdit(self.base, overrides, custom, self.base.number)

    @property
    def stale(self) -> bool:
        """Somebody saved another version since the draft began."""
        return self.expected != self.base.number

    @property
    def unsaved(self) -> bool:
        return bool(
            self.typed
            or rule_changes(self.base.overrides, self.overrides)
            or own_changes(self.base.custom, self.own.data)
        )

    @property
    def draft(self) -> str:
        """What the page carries along for the fields that it does not show."""
        return json.dumps({"overrides": self.overrides, "custom": self.own.data})

    def check(self) -> bool:
        """Whether it may become a version; otherwise `errors` say where it does not fit."""
        own = self.own.check()
        if not self.errors:
            self._check_together()
        if own and not self.errors:
            try:
                Policy.from_overrides(self.overrides, self.own.data)
            except PolicyError as error:
                if not self.own.refuse(error):
                    known = error.key if error.key in RULES else ""
                    self.errors[known] = error.message if not known else error.fields[known]
        return not self.errors and not self.own.refused

    def _check_together(self) -> None:
        values = {key: self.overrides.get(key, rule.default) for key, rule in RULES.items()}
        before = self.base.overrides
        for low, high in ORDERED:
            if float(values[low]) > float(values[high]):
                # The error stands where something was changed.
                only_high = self.overrides.get(low) == before.get(low)
                said = gettext("must not be below %(other)s, which is %(value)s") if only_high else gettext(
                    "must not be above %(other)s, which is %(value)s")  # fmt: skip
                at, other = (high, low) if only_high else (low, high)
                self.errors[at] = said % {"other": other, "value": number(values[other])}
        if sum(float(values[key]) for key in WEIGHTS) <= 0:
            self.errors[WEIGHTS[0]] = gettext("the weights of recall must not all be 0")

    @cached_property
    def _shown(self) -> list[Entry]:
        return [self._entry(rule) for rule in RULES.values()]

    def _entry(self, rule: Rule) -> Entry:
        key = rule.key
        set_to = self.overrides.get(key)
        before = self.base.overrides.get(key)
        return Entry(
            rule,
            text=self.typed.get(key, "" if set_to is None else number(set_to)),
            in_force=told(rule.default if before is None else before),
            changed=key in self.typed or set_to != before,
            is_set=set_to is not None or key in self.typed,
            error=self.errors.get(key, ""),
        )

    def groups(self, wanted: str = "", only_set: bool = False) -> Iterator[tuple[Group, list[Entry]]]:
        """The groups with the rules that a search, in key, reason or title, and the filter leave; what has an error is always there.

        `only_set`: those that are laid down, or about to be changed.
        """
        words = wanted.casefold().split()
        by_group: dict[str, list[Entry]] = {}
        for entry in self._shown:
            group = group_of(entry.rule.key)
            text = f"{entry.rule.key} {entry.reason} {entry.rule.reason} {group.title}".casefold()
            fits = all(word in text for word in words) and (not only_set or entry.is_set or entry.changed)
            if fits or entry.error:
                by_group.setdefault(group.name, []).append(entry)
        for group in GROUPS:
            if group.name in by_group:
                yield group, by_group[group.name]


_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,4})?")


def parsed(rule: Rule, text: str) -> tuple[Value | None, str]:
    """What was typed in the rule's type and range, or what is wrong with it."""
    if rule.choices:
        return (text, "") if text in rule.choices else (None, gettext("choose one of the list"))
    # Not every spelling that Python reads: 1_0 is ten there, and a slip of the hand here.
    if not _NUMBER.fullmatch(text):
        return None, gettext("must be a number")
    value = float(text)
    if not math.isfinite(value):
        return None, gettext("must be a number")
    if rule.whole and value != int(value):
        return None, gettext("must be a whole number")
    if not rule.low <= value <= rule.high:
        return None, gettext("must lie in the range: %(range)s") % {"range": range_of(rule)}
    return (int(value) if rule.whole else value), ""


def _draft(data: Mapping[str, Any]) -> tuple[dict[str, Value], dict[str, Any]]:
    """The page wrote it itself: what is no draft was made by hand."""
    try:
        found = json.loads(str(data.get("draft", "")))
        overrides, custom = found["overrides"], found["custom"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise BadRequest("no draft") from None
    if not isinstance(overrides, dict) or not isinstance(custom, dict):
        raise BadRequest("no draft")
    values = {key: parsed(RULES[key], str(value))[0] for key, value in overrides.items() if key in RULES}
    if len(values) != len(overrides) or None in values.values():
        raise BadRequest("no draft")
    return {key: value for key, value in values.items() if value is not None}, custom
