"""A preview of a policy as its page shows it: numbers beside each other, and the rest in words by group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from accounts.actor import Actor
from memories.admin.policies_words import (
    OWN_CHANGES,
    OWN_EFFECT,
    SWEEP_RULES,
    Group,
    group_of,
    reason_of_key,
    told,
)
from memories.admin.showing import shown
from memories.core.policy_changes import OwnChange, RuleChange
from memories.models import Experiment
from memories.services.experiments.rows import running
from memories.services.preview_policy import PolicyPreview


@dataclass(frozen=True, slots=True)
class ChangeLine:
    """A rule's change in words."""

    change: RuleChange

    @property
    def reason(self) -> str:
        return reason_of_key(self.change.key)

    @property
    def old(self) -> str:
        return told(self.change.old)

    @property
    def new(self) -> str:
        return told(self.change.new)


def change_lines(changes: list[RuleChange]) -> list[ChangeLine]:
    return [ChangeLine(one) for one in changes]


def own_lines(changes: list[OwnChange]) -> list[tuple[str, Any]]:
    """(name, what became of it) of each."""
    return [(one.name, OWN_CHANGES[one.how]) for one in changes]


class Shown:
    """A preview for the template."""

    def __init__(self, seen: PolicyPreview, actor: Actor) -> None:
        self.seen, self.actor = seen, actor
        self.rules = change_lines(seen.rules)
        self.own = own_lines(seen.own)

    @property
    def stops(self) -> Experiment | None:
        """The experiment that saving it would stop."""
        return running()

    @property
    def empty(self) -> bool:
        return not (self.seen.rules or self.seen.own)

    @property
    def sweep_rows(self) -> list[tuple[Any, str, int, int]]:
        rows = self.seen.sweep.rows if self.seen.sweep else []
        return [(SWEEP_RULES.get(rule, rule), kind, before, after) for rule, kind, before, after in rows]

    @property
    def overlap(self) -> int:
        """In percent."""
        return round(100 * self.seen.recalls.overlap)

    @property
    def recalls(self) -> list[dict[str, Any]]:
        """Those that change most, with the beginning of the question, or its mask."""
        return [
            {
                "trace_id": one.trace_id,
                "at": one.at,
                "query": shown(one.query, actor=self.actor, excerpt=True),
                "top": one.shift.top,
                "kept": round(100 * one.shift.overlap),
            }
            for one in self.seen.recalls.most
        ]

    @property
    def effects(self) -> list[tuple[Any, Any]]:
        """(title, what is touched) of each group with a change."""
        groups: dict[str, Group] = {}
        for change in self.seen.rules:
            group = group_of(change.key)
            groups[group.name] = group
        told_of = [(group.title, group.effect) for group in groups.values()]
        if self.seen.own:
            told_of.append((None, OWN_EFFECT))
        return told_of
