"""What the policy's pages say: the groups of the table with what a change of theirs touches, choices, units and rules of a sweep."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from memories.core.policy import RULES, Rule, Value


@dataclass(frozen=True, slots=True)
class Group:
    """Rules that belong together, by the beginnings of their keys; `effect` is what a change touches."""

    name: str
    title: Any
    effect: Any
    prefixes: tuple[str, ...]


_LATER_ONLY = _("Holds for what is said from now on. What is stored stays as it is.")
GROUPS: tuple[Group, ...] = (
    Group(
        "session",
        _("Working memory: the session's window"),
        _("Holds from the next message on. What was compacted already stays compacted."),
        ("session.", "window.", "tool."),
    ),
    Group(
        "context",
        _("What an answer is given to read"),
        _(
            "Holds from the next answer on: how many tokens of rules, memories and profile a model reads, and pays for."
        ),
        ("context.", "constraint.", "profile."),
    ),
    Group(
        "digest",
        _("Compaction and digests"),
        _("Holds from the next compaction on. Digests that exist stay as they are."),
        ("digest.",),
    ),
    Group(
        "slots",
        _("Short-term memory: slots"),
        _("Holds for slots that are written from now on; those that live keep their end."),
        ("slots.",),
    ),
    Group(
        "decay",
        _("Half-lives, strength and reinforcement"),
        _(
            "Strength fades as it is read, so half-lives hold at once for everything stored, in rankings and in the next sweep. "
            "Starts and gains count from the next memory, or its next use, on."
        ),
        ("half_life.", "decay.", "strength.", "reinforce."),
    ),
    Group(
        "write",
        _("What is kept: gate, pieces, repeats and contradictions"),
        _LATER_ONLY,
        ("gate.", "chunk.", "slot.", "merge.", "approval."),
    ),
    Group(
        "weights",
        _("Recall: the weights of a score"),
        _("Holds from the next recall on, for everything stored."),
        ("recall.weight.",),
    ),
    Group(
        "recall",
        _("Recall: candidates, bonuses and costs"),
        _("Holds from the next recall on, for everything stored."),
        ("recall.",),
    ),
    Group(
        "abstain",
        _("Recall: when nothing relevant is stored"),
        _("Holds from the next recall on: how often it says that it found nothing."),
        ("abstain.",),
    ),
    Group(
        "credibility",
        _("How far a source is believed"),
        _("Holds from the next recall on, for everything stored."),
        ("credibility.",),
    ),
    Group(
        "forget",
        _("Forgetting: sweeps, questions and retention"),
        _(
            "Holds from the next sweep on. What lies in the tombstones keeps the day on which it is purged; "
            "traces older than their retention go with the next clean-up."
        ),
        ("sweep.", "stale.", "tombstone.", "trace."),
    ),
    Group(
        "budget",
        _("Model tokens: the month's limit and what they cost"),
        _(
            "Holds at once, also for what this month has cost already. Above the limit answers only quote what is remembered, "
            "and rules alone learn and write digests."
        ),
        ("budget.",),
    ),
    Group(
        "pii",
        _("Sensitive content: what is stored of it"),
        _LATER_ONLY,
        ("pii.action.",),
    ),
    Group(
        "model",
        _("Sensitive content: what a model may see"),
        _("Holds from the next answer on, also for what is stored already."),
        ("pii.model.",),
    ),
    Group(
        "operators",
        _("What operators see"),
        _("Holds at once, for every page of the admin."),
        ("operators.",),
    ),
    Group(
        "webhooks",
        _("What webhooks are sent"),
        _("Holds from the next message on."),
        ("webhooks.",),
    ),
    Group("others", _("Other numbers"), _("Holds from now on."), ("",)),
)
OWN_EFFECT = _LATER_ONLY

CHOICES: dict[str, Any] = {
    "on": _("on"),
    "off": _("off"),
    "supersede": _("supersede: the later word replaces the earlier"),
    "contradict": _("contradict: ask a person"),
    "block": _("block: refuse to store it"),
    "mask": _("mask: hide the value"),
    "encrypt": _("encrypt: keep it sealed, for a short time"),
    "ask": _("ask: wait for the person's yes"),
    "keep": _("keep: store it in the clear"),
    "send": _("send: a model may see it"),
    "clear": _("clear: they read what people said"),
    "masked": _("masked: until somebody reveals it and says why"),
}
SWEEP_RULES: dict[str, Any] = {
    "sweep.ttl": _("past its end: expires"),
    "sweep.floor": _("faded below the floor: archived"),
    "sweep.capacity": _("above the capacity: archived"),
}
PRESETS: dict[str, Any] = {
    "chat": _("Chat: 6 rounds"),
    "task": _("Task: 10 rounds"),
    "similarity_heavy": _("Weights .6 / .3 / .1: similarity, strength, recency"),
    "balanced": _("Weights .55 / .30 / .15: similarity, strength, importance"),
}
OWN_CHANGES: dict[str, Any] = {"added": _("added"), "removed": _("removed"), "changed": _("changed")}
# What the core says of own patterns and fields, so that it can be read in Chinese, too.
CORE_SAYS = (
    _("must be a text"),
    _("must hold no NUL and no lone surrogate: no text that is stored has one"),
    _("each must be 1 to 40 letters, digits and spaces, and begin and end with one"),
    _("must be 1 to 32 small letters, digits and underscores"),
    _("must be a list of 1 to 20 texts"),
    _("are too much work together"),
)


def group_of(key: str) -> Group:
    """The group of a rule: the one with the longest beginning of its key."""
    starts = ((len(start), group) for group in GROUPS for start in group.prefixes if key.startswith(start))
    return max(starts, key=lambda found: found[0])[1]


def number(value: Value) -> str:
    """As it is typed: no thousands' separators, a point in every language."""
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def told(value: Value | None) -> str:
    """A value for reading: choices in words."""
    if value is None:
        return "—"
    return str(CHOICES.get(value, value)) if isinstance(value, str) else number(value)


def reason_of(rule: Rule) -> str:
    """The table's own words, in the reader's language (manage.py messages collects them)."""
    return gettext(rule.reason)


def range_of(rule: Rule) -> str:
    """What may be typed, in words."""
    if rule.choices:
        return ""
    return gettext("%(low)s to %(high)s %(unit)s") % {
        "low": f"{rule.low:.10g}",
        "high": f"{rule.high:.10g}",
        "unit": gettext(rule.unit),
    }


def reason_of_key(key: str) -> str:
    """The same by key; "" for a rule that is not in the table any more."""
    return reason_of(RULES[key]) if key in RULES else ""
