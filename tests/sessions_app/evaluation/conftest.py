"""A small set of our own, written as the evaluation sets are."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

Said = tuple[str, str, str, str]
"""id, session, time, text"""


class Folder:
    """Writes sets as JSON lines; the options of a suite point here."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, name: str, file: str, rows: Sequence[dict[str, Any]]) -> None:
        (self.path / name).mkdir(exist_ok=True)
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (self.path / name / f"{file}.jsonl").write_text(text, encoding="utf-8")

    def conversation(
        self, name: str, said: Sequence[Said], questions: Sequence[dict[str, Any]], speaker: str = "user"
    ) -> None:
        turns = [
            {"id": turn, "session": session, "time": at, "speaker": speaker, "text": text}
            for turn, session, at, text in said
        ]
        self.write(name, "dev.conv", [{"conv_id": "c", "turns": turns}])
        rows = [{"conv_id": "c", "qid": f"q{at}", "answer": "", **row} for at, row in enumerate(questions)]
        self.write(name, "dev.q", rows)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)
