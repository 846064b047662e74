"""The rank of a memory for a question: five terms scaled to 0..1, weighted, plus a pin bonus (R20, R21, R23).

The store mirrors this in SQL; the weights are divided by their sum, so that a tenant's need not add up to 1:

    nearness   = greatest(0, cosine) + lexical_weight * lexical      lexical: bm25/max
                 lexical_alone * lexical, where there is no cosine (embedder down, or vector not made yet)
    relevance  = least(1, nearness + context)
    similarity = (nearness - scale_low) / (scale_high - scale_low), within 0..1
    score      = (w_sim * similarity + w_str * s/(s+1) + w_rec * exp(-age_days/recency_days)
                  + w_imp * importance + w_cred * credibility) / sum(w) + context_gain * context + pin_bonus * pin

`context` is what stands around it: what the turns beside it have above the level of the question (the relevance of the
turn of rank context_rank, at least context_floor), times context_before, context_after, and context_far for the two behind
those; plus speaker_weight when somebody whom the question names said it. `pin` is (relevance / the best relevance)^2 for a pinned
memory: a full bonus among equals, which fades with the distance to the best, so that a pin never beats what fits clearly
better.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from memories.core.policy import WEIGHTS, Policy

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ScoreParts:
    """The terms of one memory's score, each in 0..1 and not yet weighted; `similarity` (the cosine) is None without a vector."""

    similarity: float | None
    lexical: float
    strength: float
    recency: float
    importance: float
    credibility: float
    pin: float = 0.0
    context: float = 0.0


def unit(value: float) -> float:
    """Clamped to 0..1; NaN counts as 0, so that one bad number cannot win or poison a sort."""
    return 0.0 if math.isnan(value) else min(1.0, max(0.0, value))


def saturated(strength: float) -> float:
    """s/(s+1): 0 for none, .5 for a fresh memory, never 1."""
    return strength / (strength + 1.0) if strength > 0 else 0.0


def recency(age_days: float, scale_days: float) -> float:
    """exp(-age/scale) in 0..1; the future counts as now."""
    return math.exp(-max(0.0, age_days) / scale_days)


def scaled(
    policy: Policy,
    *,
    similarity: float | None,
    lexical: float,
    strength: float,
    age_days: float,
    importance: float,
    source: str,
    pinned: bool,
) -> ScoreParts:
    """Parts from raw values: cosine, bm25/max, decayed strength, days since it was said, importance, who said it."""
    return ScoreParts(
        similarity=None if similarity is None else unit(similarity),
        lexical=unit(lexical),
        strength=saturated(strength),
        recency=recency(age_days, policy.number("recall.recency_days")),
        importance=unit(importance),
        credibility=credibility(policy, source),
        pin=1.0 if pinned else 0.0,
    )


def credibility(policy: Policy, source: str) -> float:
    """How far the source is believed, 0..1; ValueError-free: an unknown source counts as an import."""
    known = {"user", "assistant", "tool", "import", "operator"}
    return policy.number(f"credibility.{source if source in known else 'import'}")


def relevance(parts: ScoreParts, policy: Policy) -> float:
    """How well the memory fits the question, 0..1: what the threshold and the abstention look at."""
    return unit(nearness(parts, policy) + parts.context)


def nearness(parts: ScoreParts, policy: Policy) -> float:
    """How near its own words are to the question's, 0 to 1 + lexical_weight."""
    if parts.similarity is None:
        return policy.number("recall.lexical_alone") * parts.lexical
    return max(0.0, parts.similarity) + policy.number("recall.lexical_weight") * parts.lexical


def spread(nearness: float, policy: Policy) -> float:
    """Nearness on the scale of the score's similarity term: 0 at noise, 1 at as near as texts get for this embedder."""
    low, high = policy.number("recall.scale_low"), policy.number("recall.scale_high")
    return unit((nearness - low) / max(1e-9, high - low))


def graded_pin(relevance: float, best: float) -> float:
    """How much of the pin bonus a pinned memory gets, 0..1, by its relevance beside the best one's."""
    return unit(relevance / best) ** 2 if best > 0 else 0.0


def weighted(parts: ScoreParts, policy: Policy) -> dict[str, float]:
    """Each term's share of the score, by name, for the trace; they add up to `score`."""
    total = sum(policy.number(key) for key in WEIGHTS)
    terms = {
        "similarity": spread(nearness(parts, policy), policy),
        "strength": unit(parts.strength),
        "recency": unit(parts.recency),
        "importance": unit(parts.importance),
        "credibility": unit(parts.credibility),
    }
    shares = {name: policy.number(f"recall.weight.{name}") / total * value for name, value in terms.items()}
    shares["context"] = policy.number("recall.context_gain") * max(0.0, parts.context)
    shares["pin"] = policy.number("recall.pin_bonus") * unit(parts.pin)
    return shares


def score(parts: ScoreParts, policy: Policy) -> float:
    """The rank value, 0..1 plus at most the context's gain and the pin bonus; higher is better."""
    return math.fsum(weighted(parts, policy).values())


def diversify(items: Sequence[T], k: int, similar: Callable[[T, T], float], limit: float) -> list[T]:
    """The first k items with near-identical ones behind the rest.

    `items` are in rank order, `similar` gives 0..1 for a pair (it should give 0 for two that differ in a key value or a
    negation: see normalise.same_claim). An item at or above `limit` to one already taken waits; those that wait fill the
    places that are left, so nothing is lost when there is room.
    """
    taken: list[T] = []
    waiting: list[T] = []
    for item in items:
        if len(taken) >= k:
            break
        if any(similar(item, other) >= limit for other in taken):
            waiting.append(item)
        else:
            taken.append(item)
    return taken + waiting[: max(0, k - len(taken))]
