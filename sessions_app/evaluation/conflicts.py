"""The suite `conflicts`: is what cannot both hold flagged, and what only says the same again left alone?"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from memories.adapters.factory import get_embedder, override
from memories.evaluation.baselines import NAMES, Baselines
from memories.evaluation.datasets import SaidTurn, evenly, find_file, read_rows, read_set
from memories.evaluation.metrics import all_at, f1, percent
from memories.evaluation.sets import sets_there
from memories.evaluation.suites import CannotMeasure, SuiteOptions, SuiteResult
from memories.ports import FixedClock
from sessions_app.evaluation.posting import (
    ask,
    flagged_turns,
    new_tenant,
    note_failed_jobs,
    open_contradictions,
    post,
    post_conversation,
    shown,
    undone_jobs,
)

ENGINES = ("memoryhub", *NAMES)
BEGIN = datetime(2024, 3, 1, 8, tzinfo=UTC)
A_LIMIT_OF = 30
"""Pairs for each conversation that a limit allows."""
Rows = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Pair:
    """Turns of one speaker and the other; the last one contradicts what was said before it, or not."""

    name: str
    turns: tuple[SaidTurn, ...]
    conflict: bool


def run(options: SuiteOptions) -> SuiteResult:
    """Pairs, restatements and both sides' recall; what each set offers of them."""
    result = SuiteResult(columns=("value", "dense"))
    needs = {"update_synth_zh": "q", "beam_100k": "q", "cdconv_zh": ""}
    for name, folder in sets_there(options, "conflicts", needs).items():
        if name == "cdconv_zh":
            _pairs(result, name, f"{name}.", dialogues(list(read_rows(folder, options.split))), options)
            continue
        if find_file(folder, f"{options.split}.pairs"):
            pairs = statements(list(read_rows(folder, f"{options.split}.pairs")))
            _pairs(result, name, f"{name}.conflict.", pairs, options)
        _conversations(result, name, folder, options)
    return result


def statements(rows: Rows) -> list[Pair]:
    """`old`, and `new` a minute later, both said by the user whose memory it is."""
    return [
        Pair(
            str(at),
            tuple(_turn(place, "user", row[part]) for place, part in enumerate(("old", "new"))),
            bool(row["conflict"]),
        )
        for at, row in enumerate(rows)
    ]


def dialogues(rows: Rows) -> list[Pair]:
    """Four turns of two people, a minute apart; the second and the last are the utterances that are compared.

    Both are first-person statements of one person, so that person is the user whose memory it is, and the other one a person
    with a name of our own: what the other one says must not be taken for the user's.
    """
    return [
        Pair(
            str(at),
            tuple(
                _turn(place, "user" if place % 2 else "另一个人", text)
                for place, text in enumerate(row["ctx"])
            ),
            row["label"] == "contradiction",
        )
        for at, row in enumerate(rows)
    ]


def _turn(place: int, speaker: str, text: str) -> SaidTurn:
    return SaidTurn(str(place), "1", BEGIN + timedelta(minutes=place), speaker, text)


def _pairs(result: SuiteResult, name: str, prefix: str, pairs: Sequence[Pair], options: SuiteOptions) -> None:
    """Each pair with a subject of its own; flagged when its last turn superseded or contradicted, or left one open."""
    chosen = evenly(pairs, options.limit and options.limit * A_LIMIT_OF)
    if not chosen:
        raise CannotMeasure(f"{name} holds no pair")
    actor = new_tenant("Pairs")
    clock = FixedClock(BEGIN)
    counts = {(truth, flag): 0 for truth in (True, False) for flag in (True, False)}
    with override(clock=clock):
        for pair in chosen:
            clock.at = BEGIN
            posted = post(pair.turns, clock, actor=actor, name=f"{pair.name}-{uuid.uuid4().hex[:8]}")
            flag = pair.turns[-1].id in flagged_turns(posted) or open_contradictions(posted) > 0
            counts[pair.conflict, flag] += 1
            if flag != pair.conflict:
                result.failures.append(
                    {
                        "suite": "conflicts",
                        "set": name,
                        "pair": pair.name,
                        "conflict": pair.conflict,
                        "flagged": flag,
                        "said": [turn.text for turn in pair.turns],
                    }
                )
    precision, recall, mean = f1(counts[True, True], counts[False, True], counts[True, False])
    result.metrics[f"{prefix}f1"] = mean
    result.info[f"{prefix}pairs"] = {
        "precision": precision,
        "recall": recall,
        "pairs": len(chosen),
        "of": len(pairs),
        "found": counts[True, True],
        "false_alarms": counts[False, True],
        "missed": counts[True, False],
    }
    note_failed_jobs(result, f"{prefix}pairs", undone_jobs(actor))
    result.table.append((f"{prefix}f1", (f"{mean:.1f}", "")))
    result.table.append((f"{prefix}precision / recall", (f"{precision:.1f} / {recall:.1f}", "")))


def _conversations(result: SuiteResult, name: str, folder: Path, options: SuiteOptions) -> None:
    """Within whole conversations: restatements flagged, contradictions flagged, and both sides among the first ten.

    A side counts when any of its turns is there; three of beam_100k's 20 contradictions stand within one turn, which is both
    sides at once. So counted, plain dense search with the default embedder has 85 there.
    """
    values: dict[str, list[float]] = {}
    undone = 0
    for conversation in read_set(folder, options.split, options.limit):
        asked = [one for one in conversation.questions if one.pair or one.category == "reaffirm"]
        if not asked:
            continue
        posted = post_conversation(options, name, conversation)
        undone += posted.failed
        flagged = flagged_turns(posted)
        plain = Baselines(conversation.turns, get_embedder())
        texts = {turn.id: turn.text for turn in conversation.turns}
        for question in asked:
            if not question.pair:
                told = question.main & flagged
                values.setdefault("reaffirm.flagged", []).append(float(bool(told)))
                failed = bool(told)
            else:
                sides = frozenset().union(*question.pair)
                values.setdefault("contradiction.flagged", []).append(float(bool(sides & flagged)))
                answer = ask(posted, question)
                failed = not all_at(answer.ranking, question.pair, 10)
                for engine, ranking in {"memoryhub": answer.ranking, **plain.rank(question.text)}.items():
                    value = all_at(ranking, question.pair, 10)
                    values.setdefault(f"both.{engine}", []).append(value)
            if failed:
                wanted = question.main | frozenset().union(*question.pair, *question.evidence)
                result.failures.append(
                    {
                        "suite": "conflicts",
                        "set": name,
                        "conversation": conversation.id,
                        "question": question.id,
                        "category": question.category,
                        "text": question.text,
                        "said": {turn: texts[turn] for turn in sorted(wanted) if turn in texts},
                        "first": shown(answer, posted, 10) if question.pair else [],
                    }
                )
    for metric in ("reaffirm.flagged", "contradiction.flagged"):
        if metric in values and (metric, name) != ("contradiction.flagged", "beam_100k"):
            result.metrics[f"{name}.{metric}"] = percent(values[metric])
            result.table.append((f"{name}.{metric}", (f"{percent(values[metric]):.1f}", "")))
    if "both.memoryhub" in values:
        key = f"{name}.conflict.both@10"
        result.metrics[key] = percent(values["both.memoryhub"])
        result.metrics.update({f"{key}.{one}": percent(values[f"both.{one}"]) for one in NAMES})
        result.table.append(
            (key, (f"{percent(values['both.memoryhub']):.1f}", f"{percent(values['both.dense']):.1f}"))
        )
        result.info[f"{name}.conflict.questions"] = len(values["both.memoryhub"])
    if values:
        note_failed_jobs(result, f"{name}.conflict", undone)
