"""Scores and ranks the rows of a past recall anew, from the parts that its trace froze, and says how far two rankings lie apart.

A score is linear in its parts, so another policy's weights give its scores. Three parts follow from others that are frozen, too:
recency from its scale, similarity from cosine and words, credibility from who said it, where only one source had that value.
The others (strength, context, pin, what was found at all) stay as they were.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from memories.core.policy import RULES, WEIGHTS, Policy
from memories.core.scoring import spread

BONUSES = {
    "answer": "recall.answer_bonus",
    "kept": "recall.memory_bonus",
    "slot": "recall.slot_bonus",
    "told": "recall.told_bonus",
    "own": "recall.own_bonus",
    "experience": "recall.experience_bonus",
    "liking": "recall.liking_bonus",
    "later": "recall.later_bonus",
    "outside": "recall.outside_bonus",
    "hop": "recall.hop_weight",
}
COSTS = {"asks": "recall.question_cost", "theirs": "recall.assistant_cost", "stale": "recall.stale_cost"}
"""Terms of services.rerank and rerank_outside, each with the policy's number that it is weighed by."""

CREDIBILITIES = tuple(key for key in RULES if key.startswith("credibility."))
SCALES = ("recall.scale_low", "recall.scale_high", "recall.lexical_weight", "recall.lexical_alone")
RESCORED = frozenset(
    {
        *WEIGHTS, *BONUSES.values(), *COSTS.values(), *SCALES, *CREDIBILITIES,
        "recall.pin_bonus", "recall.context_gain", "recall.recency_days", "recall.k",
    }
)  # fmt: skip
"""What a trace can be ranked anew by."""
_RANKS = ("recall.", "credibility.", "half_life.", "decay.", "strength.", "reinforce.", "abstain.")

ROUNDED = 2e-3
"""How far a part that is worked out from rounded ones may lie beside the frozen one."""


def bonus(scores: Mapping[str, float], policy: Policy) -> float:
    """What the terms of the second ranking add to a score."""
    return sum([weight * scores[name] for name, weight in _bonuses(policy) if name in scores])


@lru_cache(maxsize=64)
def _bonuses(policy: Policy) -> tuple[tuple[str, float], ...]:
    gains = [(name, policy.number(key)) for name, key in BONUSES.items()]
    return (*gains, *((name, -policy.number(key)) for name, key in COSTS.items()))


def score_again(scores: Mapping[str, float], policy: Policy) -> float:
    """The score that a policy gives to the parts that a trace froze."""
    return sum([weight * scores[name] for name, weight in _weights(policy) if name in scores])


@lru_cache(maxsize=256)
def _weights(policy: Policy) -> tuple[tuple[str, float], ...]:
    """What each part counts in a score."""
    total = sum(policy.number(key) for key in WEIGHTS)
    shares = [(key.rsplit(".", 1)[1], policy.number(key) / total) for key in WEIGHTS]
    beside = [
        ("context", policy.number("recall.context_gain")),
        ("pin", policy.number("recall.pin_bonus")),
    ]
    return (*shares, *beside, *_bonuses(policy))


@dataclass(frozen=True, slots=True)
class Frozen:
    """A row of a trace: its score then, and the score's parts in 0..1 by name."""

    score: float
    scores: Mapping[str, float]


def reweighed(rows: Sequence[Frozen], then: Policy, policy: Policy) -> tuple[list[float], bool]:
    """The score of each row under `policy`, and whether all its parts could be had.

    The difference is added to the stored score, so that rounded parts cannot swap two near rows: an unchanged policy gives the
    stored scores.
    """
    if policy == then:
        return [row.score for row in rows], True
    whole = True
    scores = []
    for row in rows:
        parts, known = parts_under(row.scores, then, policy)
        whole = whole and known
        scores.append(row.score + (score_again(parts, policy) - score_again(row.scores, then)))
    return scores, whole


def parts_under(
    scores: Mapping[str, float], then: Policy, policy: Policy
) -> tuple[Mapping[str, float], bool]:
    """The parts as `policy` would have had them, and whether every one that it changes follows from the frozen ones."""
    fresh: dict[str, float | None] = {}
    days, before = policy.number("recall.recency_days"), then.number("recall.recency_days")
    if days != before and "recency" in scores:
        # exp(-age/days) is exp(-age/before) to the power of before/days; what was rounded to 0 does not tell its age.
        recent = scores["recency"]
        fresh["recency"] = recent ** (before / days) if recent > 0 else None
    if any(policy.number(key) != then.number(key) for key in SCALES) and "similarity" in scores:
        fresh["similarity"] = _similarity(scores, then, policy)
    changed = any(policy.number(key) != then.number(key) for key in CREDIBILITIES)
    if changed and "credibility" in scores:
        fresh["credibility"] = _credibility(scores["credibility"], then, policy)
    if not fresh:
        return scores, True
    known = {name: value for name, value in fresh.items() if value is not None}
    return {**scores, **known}, len(known) == len(fresh)


def _similarity(scores: Mapping[str, float], then: Policy, policy: Policy) -> float | None:
    """None where the frozen one does not follow from cosine and words: then a neighbour's nearness was lent to the row."""
    if abs(spread(_nearness(scores, then), then) - scores["similarity"]) > ROUNDED:
        return None
    return spread(_nearness(scores, policy), policy)


def _nearness(scores: Mapping[str, float], policy: Policy) -> float:
    words = scores.get("lexical", 0.0)
    if "cosine" not in scores:
        return policy.number("recall.lexical_alone") * words
    return max(0.0, scores["cosine"]) + policy.number("recall.lexical_weight") * words


def _credibility(value: float, then: Policy, policy: Policy) -> float | None:
    """None where sources that were believed alike would not be any more, or where none was believed so."""
    alike = {policy.number(key) for key in CREDIBILITIES if abs(then.number(key) - value) <= ROUNDED}
    return alike.pop() if len(alike) == 1 else None


def unseen(changed: Sequence[str]) -> list[str]:
    """Those of the changed rules that bear on rankings, but on parts that traces do not hold: what is found at all, how strong
    it is by then, what gives way to the rest, and whether recall abstains."""
    return [key for key in changed if key.startswith(_RANKS) and key not in RESCORED]


@dataclass(frozen=True, slots=True)
class Shift:
    """How far two rankings of the same rows lie apart.

    `overlap` is the share, 0..1, of the first places that both give to the same rows; `correlation` Spearman's, -1..1, over all
    rows (1 for fewer than two).
    """

    top: bool
    chosen: bool
    order: bool
    overlap: float
    correlation: float


def shift(before: Sequence[float], after: Sequence[float], k: tuple[int, int]) -> Shift:
    """From two lists of scores of the same rows, in the order of the trace, and how many of them went in: before, after."""
    old, new = _places(before), _places(after)
    first, then = set(old[: k[0]]), set(new[: k[1]])
    most = max(len(first), len(then))
    return Shift(
        top=old[:1] != new[:1],
        chosen=first != then,
        order=old != new,
        overlap=len(first & then) / most if most else 1.0,
        correlation=_spearman(old, new),
    )


def _places(scores: Sequence[float]) -> list[int]:
    """The rows, best first; of equals the one that stood first."""
    return sorted(range(len(scores)), key=lambda at: (-scores[at], at))


def _spearman(old: Sequence[int], new: Sequence[int]) -> float:
    count = len(old)
    if count < 2:
        return 1.0
    place = {row: at for at, row in enumerate(new)}
    apart = sum((at - place[row]) ** 2 for at, row in enumerate(old))
    return 1 - 6 * apart / (count * (count * count - 1))
