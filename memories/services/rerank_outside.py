"""Lets an outside reranker, where one is set, have its say in a recall: time-boxed, and never missed when it is not there."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import structlog
from prometheus_client import Counter, Histogram

from accounts.actor import Actor
from memories.adapters.factory import get_reranker
from memories.core.policy import Policy
from memories.core.reweigh import BONUSES
from memories.ports import RerankerUnavailable
from memories.services.rerank import near_in_order, rerank
from memories.services.screen import for_model
from memories.store.candidates import Candidate, Search, candidates
from memoryhub.common.db import tenant_transaction

log = structlog.get_logger(__name__)

FIRST = 30
"""Rows that are sent, the best ones."""
MISSED = "no_reranking"

RERANKED = Counter(
    "memoryhub_rerank_total", "Recalls that an outside reranker was to score, by what came of it", ["outcome"]
)
SECONDS = Histogram(
    "memoryhub_rerank_seconds",
    "Time that recalls spent on the outside reranker",
    buckets=(0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2),
)


@dataclass(frozen=True, slots=True)
class Outside:
    """What the reranker says of each row, in 0..1; `missed` is MISSED when it was asked in vain, for the trace."""

    scores: Mapping[uuid.UUID, float] = field(default_factory=dict)
    missed: str = ""


NOTHING = Outside()


def ask_outside(
    *, actor: Actor, search: Search, question: str, policy: Policy, now: datetime, past: bool
) -> Outside:
    """The reranker's scores for the best rows of the search; NOTHING where none is set or the policy weighs it with 0.

    It searches in a transaction of its own, so that none is open while the endpoint works; the recall searches again, and
    what was forgotten meanwhile is not in it. Texts go as any model may see them: what the policy keeps from models is masked.
    """
    reranker = get_reranker()
    if reranker is None or not policy.number(BONUSES["outside"]):
        return NOTHING
    with tenant_transaction(actor.tenant_id):
        rows = rerank(candidates(search, policy), question, policy, now=now, past=past)[:FIRST]
    if not rows:
        return NOTHING
    documents = [for_model(row.text, policy) for row in rows]
    try:
        with SECONDS.time():
            scores = reranker.scores(for_model(question.strip(), policy), documents)
    except RerankerUnavailable as missing:
        RERANKED.labels(outcome=missing.reason).inc()
        log.info("recall.not_reranked", reason=missing.reason)
        return Outside(missed=MISSED)
    RERANKED.labels(outcome="ok").inc()
    return Outside({row.item_id: score for row, score in zip(rows, scores, strict=True)})


def with_outside(found: Sequence[Candidate], outside: Outside, policy: Policy) -> list[Candidate]:
    """The rows in their new order: recall.outside_bonus x what the reranker says is added to their scores.

    Whether anything relevant is known at all was decided before: a reranker's scale says nothing about that.
    """
    if not outside.scores:
        return list(found)
    weight = policy.number(BONUSES["outside"])
    said = [outside.scores.get(row.item_id) for row in found]
    scores = [row.score + weight * (score or 0.0) for row, score in zip(found, said, strict=True)]
    order = sorted(range(len(found)), key=lambda at: (-scores[at], at))
    near = near_in_order(found, order)
    return [
        found[at].but(score=scores[at], outside=said[at], near=near[place]) for place, at in enumerate(order)
    ]
