"""The retrieval suite: does recall find the turns that hold the answer? Beside plain search over the same turns."""

from __future__ import annotations

import time
import uuid
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from accounts.actor import Actor, system_actor
from accounts.models import Tenant
from memories.adapters.factory import get_embedder, override
from memories.evaluation import metrics
from memories.evaluation.baselines import NAMES, Baselines
from memories.evaluation.datasets import Conversation, Question, read_set
from memories.evaluation.ingest import Ingested, ingest
from memories.evaluation.metrics import source_turns
from memories.evaluation.sets import sets_there
from memories.evaluation.suites import CannotMeasure, SuiteOptions, SuiteResult
from memories.ports import FixedClock
from memories.services.recall import recall

DEPTH = 30
"""Items asked for: several may point at one turn, and turns are what is scored."""


@dataclass(frozen=True, slots=True)
class SetPlan:
    """How a set is scored: its categories (all when empty), the prefix of its metrics, and the metrics themselves."""

    metrics: tuple[str, ...]
    categories: frozenset[str] = frozenset()
    prefix: str = ""


FACTS = frozenset(
    {
        "information_extraction",
        "knowledge_update",
        "multi_session_reasoning",
        "temporal_reasoning",
        "contradiction_resolution",
        "preference_following",
    }
)
RANKED = ("R@5", "R@10", "all@10", "nDCG@10")
PLANS: dict[str, SetPlan] = {
    "locomo": SetPlan(RANKED, frozenset({"single_hop", "multi_hop", "temporal", "open_domain"})),
    "beam_100k": SetPlan(RANKED, FACTS, "fact."),
    "memdaily_pool_zh": SetPlan(RANKED),
    "memorybank_zh": SetPlan(RANKED),
    "bq_zh": SetPlan(("hit@5", "R@10")),
    "lme_s_mini": SetPlan(RANKED),
}
_METRICS: dict[str, Callable[[list[str], tuple[frozenset[str], ...], int], float]] = {
    "R": metrics.recall_at,
    "all": metrics.all_at,
    "hit": metrics.hit_at,
    "nDCG": metrics.ndcg_at,
}


@dataclass
class Tally:
    """Per engine and metric the values of all questions; and what abstention is judged by."""

    values: dict[tuple[str, str], list[float]] = field(default_factory=lambda: defaultdict(list))
    by_category: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    answerable: list[float] = field(default_factory=list)
    unanswerable: list[float] = field(default_factory=list)
    abstained: list[bool] = field(default_factory=list)
    abstained_rightly: list[bool] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)


def run(options: SuiteOptions) -> SuiteResult:
    """Every set that stands in the data folder; CannotMeasure when none does, or a set holds no question to score."""
    result = SuiteResult(columns=("memoryhub", *NAMES))
    for name, folder in sets_there(options, "retrieval", dict.fromkeys(PLANS, "q")).items():
        _measure(result, name, folder, options)
    return result


def _measure(result: SuiteResult, name: str, folder: Path, options: SuiteOptions) -> None:
    plan, tally, started = PLANS[name], Tally(), time.perf_counter()
    conversations = read_set(folder, options.split, options.limit)
    for conversation in conversations:
        _play(conversation, plan, tally)
    if not tally.values:
        raise CannotMeasure(f"{name} has no question that can be scored")
    for metric in plan.metrics:
        key = f"{name}.{plan.prefix}{metric}"
        found = {engine: metrics.percent(tally.values[engine, metric]) for engine in ("memoryhub", *NAMES)}
        result.metrics[key] = found["memoryhub"]
        result.metrics.update({f"{key}.{baseline}": found[baseline] for baseline in NAMES})
        result.table.append((key, tuple(f"{value:.1f}" for value in found.values())))
    if tally.answerable and tally.unanswerable:
        auroc = round(100 * metrics.auroc(tally.answerable, tally.unanswerable), 2)
        result.metrics[f"{name}.abstention.auroc"] = auroc
        result.table.append((f"{name}.abstention.auroc", (f"{auroc:.1f}",)))
        result.info[f"{name}.abstention.rightly"] = metrics.percent(map(float, tally.abstained_rightly))
    result.info[f"{name}.abstained.wrongly"] = metrics.percent(map(float, tally.abstained))
    result.info[f"{name}.by_category"] = {
        key: metrics.percent(v) for key, v in sorted(tally.by_category.items())
    }
    result.info[f"{name}.questions"] = len(tally.answerable)
    result.info[f"{name}.conversations"] = len(conversations)
    result.info[f"{name}.recall_ms.p50"] = round(sorted(tally.milliseconds)[len(tally.milliseconds) // 2], 2)
    result.info[f"{name}.seconds"] = round(time.perf_counter() - started, 1)


def _play(conversation: Conversation, plan: SetPlan, tally: Tally) -> None:
    """One conversation in a tenant of its own: ingested, then asked, without any trace of being asked."""
    tenant = Tenant.objects.create(slug=f"eval-{uuid.uuid4().hex[:12]}", name="evaluation")
    actor = system_actor(tenant.id, door="command", name="evaluate")
    clock = FixedClock(datetime(1990, 1, 1, tzinfo=UTC))
    with override(clock=clock):
        stored = ingest(actor, clock, conversation)
        plain = Baselines(conversation.turns, get_embedder())
        for question in conversation.questions:
            counted = bool(question.evidence) and (
                not plan.categories or question.category in plan.categories
            )
            if question.answerable and not counted:
                continue
            _put(question, actor, stored, plain, plan, tally)


def _put(
    question: Question, actor: Actor, stored: Ingested, plain: Baselines, plan: SetPlan, tally: Tally
) -> None:
    found = recall(
        actor=actor,
        subject_id=stored.subject_id,
        query=question.text,
        k=DEPTH,
        reinforce=False,
        trace=False,
        exclude_turn_ids=[stored.sources[turn] for turn in question.excluded if turn in stored.sources],
        now=max(question.asked_at or stored.ended_at, stored.ended_at),
    )
    tally.milliseconds.append(found.steps["search"])
    if not question.answerable:
        tally.unanswerable.append(found.evidence)
        tally.abstained_rightly.append(found.abstained)
        return
    tally.answerable.append(found.evidence)
    tally.abstained.append(found.abstained)
    rankings = {"memoryhub": source_turns(found.items, stored.turn_ids), **plain.rank(question.text)}
    for engine, ranking in rankings.items():
        kept = [turn for turn in ranking if turn not in question.excluded]
        for metric in plan.metrics:
            kind, k = metric.split("@")
            tally.values[engine, metric].append(_METRICS[kind](kept, question.evidence, int(k)))
    tally.by_category[question.category].append(
        metrics.recall_at(rankings["memoryhub"], question.evidence, 10)
    )
