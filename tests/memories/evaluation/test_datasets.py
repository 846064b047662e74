"""Evaluation sets on disk: both forms of file, alternatives, times, and what is missing."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memories.evaluation.datasets import evenly, read_set
from memories.evaluation.suites import CannotMeasure


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    text = "\n".join(json.dumps(row) for row in rows)
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text)


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz"])
def test_conversations_get_their_questions(tmp_path: Path, suffix: str) -> None:
    turn = {"id": "t1", "session": "s", "time": "2024-03-01T08:00", "speaker": "Ines", "text": "hello"}
    write(
        tmp_path / f"dev.conv{suffix}",
        [{"conv_id": "one", "turns": [turn]}, {"conv_id": "two", "turns": [turn]}],
    )
    asked = {
        "conv_id": "one",
        "qid": "q",
        "question": "?",
        "evidence": ["t1", "t2"],
        "evidence_alt": {"t1": ["t9"]},
        "category": "c",
        "question_date": "2023/05/30 (Tue) 20:42",
    }
    write(tmp_path / f"dev.q{suffix}", [asked])
    one, two = read_set(tmp_path, "dev")
    assert one.turns[0].time == datetime(2024, 3, 1, 8, 0, tzinfo=UTC)
    assert (one.turns[0].role, one.turns[0].name) == ("user", "Ines")
    assert one.questions[0].evidence == (frozenset({"t1", "t9"}), frozenset({"t2"}))
    assert one.questions[0].asked_at == datetime(2023, 5, 30, 20, 42, tzinfo=UTC)
    assert two.questions == ()
    assert len(read_set(tmp_path, "dev", limit=1)) == 1


def test_a_corpus_is_one_conversation_of_documents_without_neighbours(tmp_path: Path) -> None:
    write(tmp_path / "dev.corpus.jsonl", [{"id": "d0", "text": "a"}, {"id": "d1", "text": "b"}])
    write(tmp_path / "dev.q.jsonl", [{"qid": "q", "question": "?", "exclude": ["d0"], "evidence": ["d1"]}])
    [found] = read_set(tmp_path, "dev")
    assert found.turns[0].session != found.turns[1].session
    assert found.questions[0].excluded == {"d0"}


def test_a_missing_or_broken_file_cannot_be_measured(tmp_path: Path) -> None:
    with pytest.raises(CannotMeasure, match="is not there"):
        read_set(tmp_path, "dev")
    (tmp_path / "dev.q.jsonl").write_text("{broken")
    with pytest.raises(CannotMeasure, match="cannot be read"):
        read_set(tmp_path, "dev")


def test_rows_are_taken_evenly_and_always_the_same() -> None:
    assert evenly(range(10), 5) == [0, 2, 4, 6, 8]
    assert evenly(range(3), 5) == evenly(range(3), None) == [0, 1, 2]
