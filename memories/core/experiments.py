"""Experiments: which sessions go by which policy, what may differ between the two, and what their sessions' numbers say (R33)."""

from __future__ import annotations

import hashlib
import hmac
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from memories.core.errors import PolicyError
from memories.core.intervals import Estimate, Sample, mean, newcombe, welch, wilson
from memories.core.policy import RULES, Policy

LOWEST_SHARE, HIGHEST_SHARE = 0.05, 0.95
LEAST = 30
"""Sessions an arm below which nothing is said about a difference."""


class Arm(StrEnum):
    """A goes by the policy in force, B by the experiment's overrides over it."""

    A = "a"
    B = "b"


@dataclass(frozen=True, slots=True)
class Trial:
    """A running experiment as a session meets it; `policy` is arm B's."""

    experiment_id: uuid.UUID
    salt: bytes
    share: float
    policy: Policy

    def arm_of(self, session_id: uuid.UUID) -> Arm:
        """Always the same for a session, whatever is said in it."""
        return Arm.B if point(self.salt, session_id) < self.share else Arm.A


def point(salt: bytes, session_id: uuid.UUID) -> float:
    """Where a session lies in [0, 1): even over sessions, and under another salt somewhere else (HMAC-SHA-256 of the id)."""
    digest = hmac.digest(salt, session_id.bytes, hashlib.sha256)
    # 53 bits are what a float holds, so that no rounding reaches 1.
    return float((int.from_bytes(digest[:8], "big") >> 11) / 2**53)


_SHARED = "what is stored belongs to the person, and every session reads it"
_WHOLE_TENANT = "it works on the whole tenant at once, not session by session"
WHY_NOT: tuple[tuple[str, str], ...] = (
    ("session.", _WHOLE_TENANT),
    ("slots.capacity", _SHARED),
    ("slots.promote_after", _SHARED),
    ("strength.", _SHARED),
    ("reinforce.confirmed", "verdicts are given outside of sessions, too"),
    ("reinforce.wrong_factor", "verdicts are given outside of sessions, too"),
    ("reinforce.repeated", _SHARED),
    ("gate.", _SHARED),
    ("chunk.", _SHARED),
    ("slot.", _SHARED),
    ("merge.", _SHARED),
    ("approval.", _SHARED),
    ("credibility.", _SHARED),
    ("sweep.", _WHOLE_TENANT),
    ("stale.", _WHOLE_TENANT),
    ("tombstone.", _WHOLE_TENANT),
    ("trace.", _WHOLE_TENANT),
    ("pii.", "how sensitive content is treated is the same for everybody"),
    ("operators.", "what operators see is the same for everybody"),
    ("webhooks.", "what programs are told is the same for everybody"),
)
"""Beginnings of keys that both arms share, with the reason; the first that fits. What belongs to none of these, and not to
PER_SESSION either, is shared, too: a new rule is tried out when somebody has thought about it."""
PER_SESSION = (
    "window.",
    "tool.",
    "context.",
    "constraint.",
    "profile.",
    "digest.",
    "slots.",
    "half_life.",
    "decay.",
    "reinforce.",
    "recall.",
    "abstain.",
)
"""Beginnings of keys that work within a session: its recalls, its context, its window and their compaction, its slots."""


def why_not(key: str) -> str:
    """Why a rule may not differ between the arms; "" for one that may, and for a key that is no rule."""
    for start, reason in WHY_NOT:
        if key.startswith(start):
            return reason
    return "" if key.startswith(PER_SESSION) or key not in RULES else _WHOLE_TENANT


def arm_b(base: Policy, overrides: Mapping[str, object]) -> Policy:
    """The base with the overrides of an experiment over it.

    PolicyError for the first key that may not differ, does not fit the table, or leaves the value as it is.
    """
    for key in overrides:
        if reason := why_not(key):
            raise PolicyError(key, reason, hint="Change it for the whole tenant, on the policy's page.")
    policy = base.with_overrides(overrides)
    for key in overrides:
        if policy.value(key) == base.value(key):
            raise PolicyError(key, "has this value already", hint="Both arms would do the same.")
    return policy


NONE = Sample(0)


@dataclass(frozen=True, slots=True)
class ArmNumbers:
    """What the sessions of one arm came to.

    `outcomes` of them were given an outcome: `done`, `reworked`, or failed; in `judged` somebody gave a verdict, in `bad` one
    of wrong or irrelevant. The samples have one number a session: the mean `tokens` of its contexts, the share of its recalls
    that `abstained`, their mean `milliseconds`.
    """

    sessions: int = 0
    outcomes: int = 0
    done: int = 0
    reworked: int = 0
    judged: int = 0
    bad: int = 0
    tokens: Sample = NONE
    abstained: Sample = NONE
    milliseconds: Sample = NONE


@dataclass(frozen=True)
class Measure:
    """One number in both arms, and b - a. `wanted` is 1 where more is better, -1 where less is, 0 where neither is.

    `counts` are the sessions that it rests on, in A and in B; an estimate is None where there are none.
    """

    name: str
    share: bool
    wanted: int
    counts: tuple[int, int]
    a: Estimate | None
    b: Estimate | None
    difference: Estimate | None

    @property
    def early(self) -> bool:
        """Too few sessions to say anything about a difference."""
        return min(self.counts) < LEAST

    @cached_property
    def apart(self) -> int:
        """1 where B is higher, -1 where it is lower, 0 where the interval of the difference holds 0, or it is too early."""
        found = self.difference
        if self.early or found is None or found.low is None or found.high is None:
            return 0
        return 1 if found.low > 0 else -1 if found.high < 0 else 0

    @property
    def better(self) -> Arm | None:
        """The arm that does better by this number; None where they are not told apart, or neither direction is better."""
        return {1: Arm.B, -1: Arm.A}.get(self.apart * self.wanted)


def compare(a: ArmNumbers, b: ArmNumbers) -> list[Measure]:
    """All measures, the most telling first. A session counts once: those of its turns are alike, and would feign certainty."""
    return [
        _rate("completion", 1, (a.done, a.outcomes), (b.done, b.outcomes)),
        _rate("rework", -1, (a.reworked, a.outcomes), (b.reworked, b.outcomes)),
        _rate("bad_verdicts", -1, (a.bad, a.judged), (b.bad, b.judged)),
        _mean("tokens", -1, a.tokens, b.tokens),
        _mean("abstained", 0, a.abstained, b.abstained, share=True),
        _mean("milliseconds", -1, a.milliseconds, b.milliseconds),
        # Where one arm's sessions are given an outcome more often, its rates speak of other sessions.
        _rate("with_outcome", 0, (a.outcomes, a.sessions), (b.outcomes, b.sessions)),
    ]


def _rate(name: str, wanted: int, a: tuple[int, int], b: tuple[int, int]) -> Measure:
    return Measure(
        name,
        True,
        wanted,
        (a[1], b[1]),
        wilson(*a) if a[1] else None,
        wilson(*b) if b[1] else None,
        newcombe(*a, *b) if a[1] and b[1] else None,
    )


def _mean(name: str, wanted: int, a: Sample, b: Sample, *, share: bool = False) -> Measure:
    return Measure(
        name,
        share,
        wanted,
        (a.n, b.n),
        mean(a) if a.n else None,
        mean(b) if b.n else None,
        welch(a, b) if a.n and b.n else None,
    )
