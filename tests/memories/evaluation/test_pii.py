"""The suite `pii`: what matches what, and what counts for and against."""

from __future__ import annotations

import json
from pathlib import Path

from memories.core.pii.detection import Span
from memories.evaluation.pii import Gold, match, run
from memories.evaluation.suites import SuiteOptions


def row(text: str, *spans: tuple[str, str]) -> dict[str, object]:
    found = [
        {"type": kind, "start": text.index(value), "end": text.index(value) + len(value), "value": value}
        for kind, value in spans
    ]
    return {"text": text, "spans": found}


def measured(tmp_path: Path, *rows: dict[str, object], name: str = "pii_en") -> dict[str, float]:
    (tmp_path / name).mkdir()
    (tmp_path / name / "dev.jsonl").write_text("\n".join(json.dumps(one) for one in rows))
    result = run(SuiteOptions(data=tmp_path))
    return {key.removeprefix(f"{name}."): value for key, value in result.metrics.items()}


def test_a_span_matches_once_by_type_and_place() -> None:
    gold = [Gold(5, 10, "BANK_CARD")]
    assert match(gold, [Span(5, 10, "bank_account")], exact=True)
    assert not match(gold, [Span(5, 10, "phone")], exact=True)
    assert not match(gold, [Span(5, 9, "card")], exact=True)
    assert match(gold, [Span(5, 9, "card")], exact=False)
    assert not match(gold, [Span(8, 20, "card")], exact=False)
    assert len(match([*gold, *gold], [Span(5, 10, "card")], exact=True)) == 1


def test_what_is_found_missed_and_made_up_counts(tmp_path: Path) -> None:
    found = measured(
        tmp_path,
        row("write to ana@example.org please", ("EMAIL_ADDRESS", "ana@example.org")),
        row("my badge says Q7, nothing else", ("US_SSN", "Q7")),
        row("the meeting is on Friday"),
        row("call me, or mail bo@example.org"),
    )
    # One found, one missed, one that the set does not know of.
    assert found["f1"] == 50.0
    assert found["structured.recall"] == 50.0
    assert found["negatives.flagged"] == 50.0


def test_types_that_are_not_ours_count_neither_way(tmp_path: Path) -> None:
    found = measured(
        tmp_path,
        row("she works in Lisbon since 2019", ("GPE", "Lisbon"), ("DATE_TIME", "2019")),
        row("mail bo@example.org", ("ORGANIZATION", "bo@example.org")),
        row("write to ana@example.org please", ("EMAIL_ADDRESS", "ana@example.org")),
    )
    assert found["f1"] == found["structured.recall"] == 100.0
    assert "negatives.flagged" not in found
