"""The suite `updates`: after a statement was replaced, is the current one ranked first and the old one out of the way?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean

from memories.adapters.factory import get_embedder
from memories.evaluation.baselines import NAMES, Baselines
from memories.evaluation.datasets import Question, SaidTurn, read_set
from memories.evaluation.metrics import first_place, percent, recall_at
from memories.evaluation.sets import sets_there
from memories.evaluation.suites import CannotMeasure, SuiteOptions, SuiteResult
from sessions_app.evaluation.posting import Posted, ask, note_failed_jobs, post_conversation, shown

ENGINES = ("memoryhub", *NAMES)


@dataclass(frozen=True, slots=True)
class Plan:
    """Which questions of a set are about an update, and what its metrics are called."""

    categories: frozenset[str]
    prefix: str = ""


PLANS = {
    "update_synth_zh": Plan(frozenset({"update", "correction"})),
    "beam_100k": Plan(frozenset({"knowledge_update"}), "update."),
}
METRICS = ("fresh@1", "stale@5", "fresh_before_stale", "R@10")


@dataclass
class Tally:
    """Values by (engine, metric), by (category, metric) of MemoryHub, and how the posting went."""

    values: dict[tuple[str, str], list[float]] = field(default_factory=lambda: defaultdict(list))
    by_category: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    posted: dict[str, Posted] = field(default_factory=dict)


def run(options: SuiteOptions) -> SuiteResult:
    """fresh@1, stale@5, fresh_before_stale and R@10 a set, each beside plain search over the same turns."""
    result = SuiteResult(columns=ENGINES)
    for name, folder in sets_there(options, "updates", dict.fromkeys(PLANS, "q")).items():
        _measure(result, name, folder, options)
    return result


def scores(ranking: Sequence[str], question: Question) -> dict[str, float]:
    """One question's values, 0..1.

    fresh@1: the turn ranked first is one of the current statement's turns; a question whose current turn the set does not name
    cannot be won and counts as a miss (one of 20 in beam_100k; so counted, plain dense search over all turns has 30 there).
    stale@5: a superseded turn is among the first five. fresh_before_stale: a current turn is found, before any superseded one.
    What needs a current or a superseded turn leaves out questions without one.
    """
    current = frozenset().union(*question.evidence)
    fresh, stale = first_place(ranking, current), first_place(ranking, question.stale)
    found: dict[str, float] = {"fresh@1": float(fresh == 0)}
    if current:
        found["R@10"] = recall_at(ranking, question.evidence, 10)
    if question.stale:
        found["stale@5"] = float(stale < 5)
    if current and question.stale:
        found["fresh_before_stale"] = float(fresh < stale)
    return found


def _measure(result: SuiteResult, name: str, folder: Path, options: SuiteOptions) -> None:
    plan, tally = PLANS[name], Tally()
    for conversation in read_set(folder, options.split, options.limit):
        asked = [question for question in conversation.questions if question.category in plan.categories]
        if not asked:
            continue
        posted = tally.posted[conversation.id] = post_conversation(options, name, conversation)
        plain = Baselines(conversation.turns, get_embedder())
        for question in asked:
            answer = ask(posted, question)
            for engine, ranking in {"memoryhub": answer.ranking, **plain.rank(question.text)}.items():
                for metric, value in scores(ranking, question).items():
                    tally.values[engine, metric].append(value)
                    if engine == "memoryhub":
                        tally.by_category[f"{question.category}.{metric}"].append(value)
            told = scores(answer.ranking, question)
            if told.get("fresh@1") == 0 or told.get("stale@5"):
                result.failures.append(
                    {
                        "suite": "updates",
                        "set": name,
                        "conversation": conversation.id,
                        "question": question.id,
                        "text": question.text,
                        "failed": [m for m in ("fresh@1", "stale@5") if told.get(m) == (m == "stale@5")],
                        "evidence": [sorted(group) for group in question.evidence],
                        "stale": sorted(question.stale),
                        "said": _said(conversation.turns, question),
                        "first": shown(answer, posted),
                    }
                )
    if not tally.values:
        raise CannotMeasure(f"{name} has no question about an update")
    _report(result, name, plan, tally)


def _said(turns: Sequence[SaidTurn], question: Question) -> dict[str, str]:
    wanted = frozenset().union(*question.evidence, question.stale)
    return {turn.id: turn.text for turn in turns if turn.id in wanted}


def _report(result: SuiteResult, name: str, plan: Plan, tally: Tally) -> None:
    for metric in METRICS:
        if not tally.values["memoryhub", metric]:
            continue
        key = f"{name}.{plan.prefix}{metric}"
        found = {engine: percent(tally.values[engine, metric]) for engine in ENGINES}
        result.metrics[key] = found["memoryhub"]
        result.metrics.update({f"{key}.{engine}": found[engine] for engine in NAMES})
        result.table.append((key, tuple(f"{value:.1f}" for value in found.values())))
    result.info[f"{name}.updates"] = {
        "questions": len(tally.values["memoryhub", "fresh@1"]),
        "conversations": len(tally.posted),
        "turns_cut": sum(one.cut for one in tally.posted.values()),
        "seconds_a_conversation": round(fmean(one.seconds for one in tally.posted.values()), 2),
        "by_category": {key: percent(values) for key, values in sorted(tally.by_category.items())},
    }
    note_failed_jobs(result, f"{name}.updates", sum(one.failed for one in tally.posted.values()))
