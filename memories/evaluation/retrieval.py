"""The retrieval suite: does recall find the turns that hold the answer? Beside plain search, and without each part in turn."""

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
from memories.core.questions.support import SIGNS
from memories.evaluation import metrics
from memories.evaluation.ablation import COMPONENTS
from memories.evaluation.baselines import NAMES, Baselines
from memories.evaluation.datasets import Conversation, Question, read_set
from memories.evaluation.fitting import fit_signs
from memories.evaluation.ingest import Ingested, ingest
from memories.evaluation.intervals import interval
from memories.evaluation.metrics import source_turns
from memories.evaluation.sets import sets_there
from memories.evaluation.suites import CannotMeasure, SuiteOptions, SuiteResult
from memories.ports import FixedClock
from memories.services.embedding_space import active_space
from memories.services.policies import forget_cached, set_policy
from memories.services.recall import recall
from memories.services.recall_result import RecallResult
from memories.store.plain import nearest_sources
from memoryhub.common.db import tenant_transaction

DEPTH = 30
"""Items asked for: several may point at one turn, and turns are what is scored."""
ENGINES = ("memoryhub", *NAMES, "pgvector")


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
    """Per engine (or component that is off) and metric the values of all questions; and what abstention is judged by.

    `groups` names the conversation of each question that is scored; `signs` and `labels` are what abstention can be fitted to.
    """

    values: dict[tuple[str, str], list[float]] = field(default_factory=lambda: defaultdict(list))
    groups: list[int] = field(default_factory=list)
    signs: list[list[float]] = field(default_factory=list)
    labels: list[bool] = field(default_factory=list)
    by_category: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    answerable: list[float] = field(default_factory=list)
    unanswerable: list[float] = field(default_factory=list)
    abstained: list[bool] = field(default_factory=list)
    abstained_rightly: list[bool] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)


def run(options: SuiteOptions) -> SuiteResult:
    """Every set that stands in the data folder; CannotMeasure when none does, or a set holds no question to score."""
    result = SuiteResult(columns=ENGINES)
    fitted: dict[str, tuple[list[list[float]], list[bool]]] = {}
    for name, folder in sets_there(options, "retrieval", dict.fromkeys(PLANS, "q")).items():
        tally = _measure(result, name, folder, options)
        if any(tally.labels) and not all(tally.labels):
            fitted[name] = tally.signs, tally.labels
    if fitted:
        result.info["abstention.fitted"] = fit_signs(fitted, SIGNS)
    return result


def _measure(result: SuiteResult, name: str, folder: Path, options: SuiteOptions) -> Tally:
    plan, tally, started = PLANS[name], Tally(), time.perf_counter()
    conversations = read_set(folder, options.split, options.limit)
    for at, conversation in enumerate(conversations):
        _play(conversation, plan, tally, at, options.ablate)
    if not tally.values:
        raise CannotMeasure(f"{name} has no question that can be scored")
    for metric in plan.metrics:
        key = f"{name}.{plan.prefix}{metric}"
        found = {engine: metrics.percent(tally.values[engine, metric]) for engine in ENGINES}
        bounds = {engine: interval(tally.values[engine, metric], tally.groups) for engine in ENGINES}
        result.metrics[key] = found["memoryhub"]
        result.metrics.update({f"{key}.{baseline}": found[baseline] for baseline in ENGINES[1:]})
        result.info.update({f"{key}.{engine}.interval": list(bound) for engine, bound in bounds.items()})
        cells = (
            f"{found[engine]:.1f} ({bounds[engine][0]:.1f}-{bounds[engine][1]:.1f})" for engine in ENGINES
        )
        result.table.append((key, tuple(cells)))
    _tell_ablation(result, name, plan, tally)
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
    return tally


def _tell_ablation(result: SuiteResult, name: str, plan: SetPlan, tally: Tally) -> None:
    """What each component earns: the metric with all of them less the metric without it."""
    for component in COMPONENTS:
        if (component, plan.metrics[0]) not in tally.values:
            continue
        earned = [
            metrics.percent(tally.values["memoryhub", metric])
            - metrics.percent(tally.values[component, metric])
            for metric in plan.metrics
        ]
        told = (f"{metric} {value:+.1f}" for metric, value in zip(plan.metrics, earned, strict=True))
        result.table.append((f"{name} earned by {component}", tuple(told)))
        result.info[f"{name}.earned.{component}"] = {
            metric: round(value, 2) for metric, value in zip(plan.metrics, earned, strict=True)
        }


def _play(conversation: Conversation, plan: SetPlan, tally: Tally, number: int, ablate: bool) -> None:
    """One conversation in a tenant of its own: ingested, then asked, without any trace of being asked.

    With `ablate` it is asked once more for each component, with the policy that leaves it out.
    """
    tenant = Tenant.objects.create(slug=f"eval-{uuid.uuid4().hex[:12]}", name="evaluation")
    actor = system_actor(tenant.id, door="command", name="evaluate")
    clock = FixedClock(datetime(1990, 1, 1, tzinfo=UTC))
    with override(clock=clock):
        stored = ingest(actor, clock, conversation)
        plain = Baselines(conversation.turns, get_embedder())
        asked = [question for question in conversation.questions if _counts(question, plan)]
        for question in asked:
            _put(question, actor, stored, plain, plan, tally, number)
        for component, overrides in COMPONENTS.items() if ablate else ():
            set_policy(actor=actor, overrides=dict(overrides))
            forget_cached(actor.tenant_id)
            for question in asked:
                if question.answerable:
                    ranking = source_turns(_ask(question, actor, stored).items, stored.turn_ids)
                    _score(component, ranking, question, plan, tally)


def _counts(question: Question, plan: SetPlan) -> bool:
    """Whether the question is scored: it has evidence and is of a wanted category, or has no answer."""
    wanted = not plan.categories or question.category in plan.categories
    return not question.answerable or (bool(question.evidence) and wanted)


def _ask(question: Question, actor: Actor, stored: Ingested) -> RecallResult:
    return recall(
        actor=actor,
        subject_id=stored.subject_id,
        query=question.text,
        k=DEPTH,
        reinforce=False,
        trace=False,
        exclude_turn_ids=[stored.sources[turn] for turn in question.excluded if turn in stored.sources],
        now=max(question.asked_at or stored.ended_at, stored.ended_at),
    )


def _put(
    question: Question,
    actor: Actor,
    stored: Ingested,
    plain: Baselines,
    plan: SetPlan,
    tally: Tally,
    number: int,
) -> None:
    found = _ask(question, actor, stored)
    tally.milliseconds.append(found.steps["search"])
    tally.signs.append([found.signs.get(name, 0.0) for name in SIGNS])
    tally.labels.append(question.answerable)
    if not question.answerable:
        tally.unanswerable.append(found.evidence)
        tally.abstained_rightly.append(found.abstained)
        return
    tally.answerable.append(found.evidence)
    tally.abstained.append(found.abstained)
    tally.groups.append(number)
    rankings = {
        "memoryhub": source_turns(found.items, stored.turn_ids),
        **plain.rank(question.text),
        "pgvector": _nearest(question, actor, stored),
    }
    for engine, ranking in rankings.items():
        _score(engine, ranking, question, plan, tally)
    tally.by_category[question.category].append(
        metrics.recall_at(rankings["memoryhub"], question.evidence, 10)
    )


def _score(engine: str, ranking: list[str], question: Question, plan: SetPlan, tally: Tally) -> None:
    kept = [turn for turn in ranking if turn not in question.excluded]
    for metric in plan.metrics:
        kind, k = metric.split("@")
        tally.values[engine, metric].append(_METRICS[kind](kept, question.evidence, int(k)))


def _nearest(question: Question, actor: Actor, stored: Ingested) -> list[str]:
    """Turn ids as a table with a vector column would rank them."""
    embedder = get_embedder()
    vector = embedder.embed([question.text], kind="query")[0].tolist()
    with tenant_transaction(actor.tenant_id):
        sources = nearest_sources(stored.subject_id, active_space(embedder.identity), vector, 3 * DEPTH)
    return list(dict.fromkeys(stored.turn_ids[source] for source in sources if source in stored.turn_ids))
