"""Retrieval metrics over ranked turn ids; all in percent."""

from __future__ import annotations

import math
import uuid
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Protocol

Groups = Sequence[frozenset[str]]
Ranking = Sequence[str]


class Pointing(Protocol):
    """An item of a recall: it points at the turns that it comes from."""

    @property
    def source_ids(self) -> list[uuid.UUID]: ...


def source_turns(items: Iterable[Pointing], ids: Mapping[uuid.UUID, str]) -> list[str]:
    """The turns that the items point at, in rank order, each once; `ids` maps stored turns to the set's ids."""
    return list(dict.fromkeys(ids[source] for item in items for source in item.source_ids if source in ids))


def recall_at(ranking: Ranking, groups: Groups, k: int) -> float:
    """Share of the evidence groups with a member among the first k, 0..1."""
    first = set(ranking[:k])
    return sum(1 for group in groups if group & first) / len(groups)


def all_at(ranking: Ranking, groups: Groups, k: int) -> float:
    """1 when every group has a member among the first k, else 0."""
    return float(recall_at(ranking, groups, k) == 1.0)


def hit_at(ranking: Ranking, groups: Groups, k: int) -> float:
    """1 when any group has a member among the first k, else 0."""
    return float(recall_at(ranking, groups, k) > 0.0)


def ndcg_at(ranking: Ranking, groups: Groups, k: int) -> float:
    """Normalised discounted gain with one point a group, at the rank of its first member (Järvelin and Kekäläinen 2002)."""
    left = list(groups)
    gain = 0.0
    for rank, turn in enumerate(ranking[:k]):
        found = next((group for group in left if turn in group), None)
        if found is not None:
            left.remove(found)
            gain += 1 / math.log2(rank + 2)
    best = sum(1 / math.log2(rank + 2) for rank in range(min(k, len(groups))))
    return gain / best


def auroc(positive: Sequence[float], negative: Sequence[float]) -> float:
    """Probability that a positive's value is above a negative's, ties count half (Mann-Whitney), 0..1."""
    if not positive or not negative:
        raise ValueError("both classes need a value")
    ordered = sorted([(value, 1) for value in positive] + [(value, 0) for value in negative])
    ranks, at = 0.0, 0
    while at < len(ordered):
        end = at
        while end < len(ordered) and ordered[end][0] == ordered[at][0]:
            end += 1
        middle = (at + 1 + end) / 2
        ranks += middle * sum(label for _, label in ordered[at:end])
        at = end
    n = len(positive)
    return (ranks - n * (n + 1) / 2) / (n * len(negative))


def percent(values: Iterable[float]) -> float:
    """The mean in percent, rounded to two decimals."""
    return round(100 * fmean(values), 2)


def first_place(ranking: Ranking, turns: Iterable[str]) -> float:
    """The place of the first of the turns, from 0; infinity when none is there."""
    wanted = set(turns)
    return next((float(at) for at, turn in enumerate(ranking) if turn in wanted), math.inf)


def f1(found: int, wrong: int, missed: int) -> tuple[float, float, float]:
    """Precision, recall and their harmonic mean in percent, two decimals; 0 where there is nothing to divide by."""
    precision = found / (found + wrong) if found else 0.0
    recall = found / (found + missed) if found else 0.0
    mean = 2 * precision * recall / (precision + recall) if found else 0.0
    return round(100 * precision, 2), round(100 * recall, 2), round(100 * mean, 2)
