"""The suite `pii`: does the detector that stands before every write find personal data, and leave the rest alone?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memories.core.pii.detection import Span, detect
from memories.evaluation.datasets import evenly, read_rows
from memories.evaluation.metrics import f1, percent
from memories.evaluation.sets import sets_there
from memories.evaluation.suites import CannotMeasure, SuiteOptions, SuiteResult

A_LIMIT_OF = 30
"""Texts for each conversation that a limit allows."""

TYPES: dict[str, frozenset[str]] = {
    kind: frozenset(ours.split())
    for kind, ours in {
        "NAME": "person",
        "PERSON": "person",
        "ADDRESS": "address",
        "STREET_ADDRESS": "address",
        "MOBILE": "phone",
        "LANDLINE": "phone",
        "PHONE_NUMBER": "phone",
        "BANK_CARD": "card bank_account",
        "CREDIT_CARD": "card",
        "IBAN_CODE": "bank_account",
        "ID_CARD": "id_number",
        "US_SSN": "id_number",
        "US_DRIVER_LICENSE": "id_number",
        "PASSPORT": "passport",
        "EMAIL": "email",
        "EMAIL_ADDRESS": "email",
        "IP": "ip",
        "IP_ADDRESS": "ip",
        "PLATE": "plate",
        "WECHAT": "handle",
        "QQ": "handle",
        "SECRET": "secret credential",
        "PASSWORD": "credential secret",
    }.items()
}
"""A set's types and ours that say the same. Types that are not here (cities, dates, ages, organisations, titles) are no
personal data of ours: their spans are not asked for, and a span of ours on one of them counts neither way."""
UNSTRUCTURED = frozenset({"NAME", "PERSON", "ADDRESS", "STREET_ADDRESS"})
"""Types without a form of their own; all the other ones of TYPES are structured."""
SETS = ("pii_zh_synth", "pii_en")


@dataclass(frozen=True, slots=True)
class Gold:
    """A span of the set: offsets into the text."""

    start: int
    end: int
    type: str


@dataclass
class Tally:
    """Counts of exact and of overlapping matches; per type of the set what was found of how many."""

    exact: Counter[str] = field(default_factory=Counter)
    overlap: Counter[str] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    false_alarms: Counter[str] = field(default_factory=Counter)
    negatives: list[float] = field(default_factory=list)


def run(options: SuiteOptions) -> SuiteResult:
    """Span F1, recall of structured types, and the share of texts without personal data in which something was found."""
    result = SuiteResult(columns=("%",))
    for name, folder in sets_there(options, "pii", dict.fromkeys(SETS, "")).items():
        _measure(result, name, folder, options)
    return result


def match(gold: Sequence[Gold], ours: Sequence[Span], *, exact: bool) -> list[tuple[Gold, Span]]:
    """Pairs of a gold span and one of ours of a type that says the same, each used once.

    Exact: the same first and last character. Otherwise more than half of the characters that either covers are covered by both.
    """
    pairs: list[tuple[Gold, Span]] = []
    free = list(ours)
    for one in gold:
        fits = [span for span in free if span.type in TYPES[one.type] and _fits(one, span, exact)]
        if fits:
            best = max(fits, key=lambda span: _share(one, span))
            free.remove(best)
            pairs.append((one, best))
    return pairs


def _fits(gold: Gold, span: Span, exact: bool) -> bool:
    return _share(gold, span) > 0.5 if not exact else (gold.start, gold.end) == (span.start, span.end)


def _share(gold: Gold, span: Span) -> float:
    both = min(gold.end, span.end) - max(gold.start, span.start)
    return max(0, both) / (max(gold.end, span.end) - min(gold.start, span.start))


def _measure(result: SuiteResult, name: str, folder: Path, options: SuiteOptions) -> None:
    rows = list(read_rows(folder, options.split))
    chosen = evenly(rows, options.limit and options.limit * A_LIMIT_OF)
    if not chosen:
        raise CannotMeasure(f"{name} holds no text")
    tally = Tally()
    for at, row in enumerate(chosen):
        failed = _judge(tally, str(row["text"]), row.get("spans") or ())
        if failed:
            result.failures.append({"suite": "pii", "set": name, "row": row.get("id", at), **failed})
    _report(result, name, tally, len(chosen))


def _judge(tally: Tally, text: str, spans: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Count one text; what went wrong in it, for a developer's local file, or nothing."""
    every = [Gold(int(span["start"]), int(span["end"]), str(span["type"])) for span in spans]
    gold = [one for one in every if one.type in TYPES]
    other = [one for one in every if one.type not in TYPES]
    ours = detect(text)
    if not every:
        tally.negatives.append(float(bool(ours)))
    matched = {"exact": match(gold, ours, exact=True), "overlap": match(gold, ours, exact=False)}
    # What lies on a span that is not asked for counts neither way.
    judged = [span for span in ours if not any(span.start < o.end and o.start < span.end for o in other)]
    for how, counts in (("exact", tally.exact), ("overlap", tally.overlap)):
        used = [span for _, span in matched[how]]
        counts["found"] += len(used)
        counts["missed"] += len(gold) - len(used)
        counts["wrong"] += sum(span not in used for span in judged)
    for one in gold:
        tally.asked[one.type] += 1
    for one, _ in matched["exact"]:
        tally.found[one.type] += 1
    used = [span for _, span in matched["overlap"]]
    for span in judged:
        tally.false_alarms[span.type] += span not in used
    done = [one for one, _ in matched["exact"]]
    missed = [one for one in gold if one not in done]
    wrong = [span for span in judged if span not in [span for _, span in matched["exact"]]]
    if not missed and not wrong:
        return {}
    return {
        "text": text,
        "missed": [(one.type, text[one.start : one.end]) for one in missed],
        "wrong": [(span.type, text[span.start : span.end]) for span in wrong],
    }


def _report(result: SuiteResult, name: str, tally: Tally, texts: int) -> None:
    structured = [kind for kind in tally.asked if kind not in UNSTRUCTURED]
    asked = sum(tally.asked[kind] for kind in structured)
    precision, recall, mean = f1(tally.exact["found"], tally.exact["wrong"], tally.exact["missed"])
    loose = f1(tally.overlap["found"], tally.overlap["wrong"], tally.overlap["missed"])
    found = {"f1": mean, "f1.overlap": loose[2]}
    if asked:
        found["structured.recall"] = round(100 * sum(tally.found[kind] for kind in structured) / asked, 2)
    if tally.negatives:
        found["negatives.flagged"] = percent(tally.negatives)
    for metric, value in found.items():
        result.metrics[f"{name}.{metric}"] = value
        result.table.append((f"{name}.{metric}", (f"{value:.1f}",)))
    result.info[f"{name}.spans"] = {
        "texts": texts,
        "negatives": len(tally.negatives),
        "precision": precision,
        "recall": recall,
        "overlap": {"precision": loose[0], "recall": loose[1]},
        "recall_by_type": {
            kind: [round(100 * tally.found[kind] / number, 1), number]
            for kind, number in sorted(tally.asked.items())
        },
        "false_alarms": {kind: number for kind, number in sorted(tally.false_alarms.items()) if number},
    }
