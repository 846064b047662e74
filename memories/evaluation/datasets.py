"""Reads evaluation sets: conversations and questions as JSON lines, gzipped or plain."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from memories.evaluation.suites import CannotMeasure

ROLES = frozenset({"user", "assistant", "tool", "system"})


@dataclass(frozen=True, slots=True)
class SaidTurn:
    """One turn of a conversation; `speaker` is a role (user, assistant) or a person's name."""

    id: str
    session: str
    time: datetime
    speaker: str
    text: str

    @property
    def role(self) -> str:
        """A named person speaks as a user."""
        return self.speaker if self.speaker in ROLES else "user"

    @property
    def name(self) -> str:
        """The name of a named person, else ""."""
        return "" if self.speaker in ROLES else self.speaker


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its evidence: groups of turn ids, any of a group counts. `excluded` turns do not count at all."""

    id: str
    text: str
    category: str
    evidence: tuple[frozenset[str], ...]
    answerable: bool = True
    excluded: frozenset[str] = frozenset()
    asked_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Conversation:
    """A haystack and the questions about it."""

    id: str
    turns: tuple[SaidTurn, ...]
    questions: tuple[Question, ...] = field(default=())


def read_set(folder: Path, split: str, limit: int | None = None) -> list[Conversation]:
    """The set's conversations, each with its questions; CannotMeasure when a file is missing or not readable.

    A set with a `corpus` file instead of conversations is one conversation of documents that stand for themselves.
    """
    if _find(folder, f"{split}.corpus") is not None:
        turns = tuple(_document(at, row) for at, row in enumerate(_rows(folder, f"{split}.corpus")))
        questions = [_question(row) for row in _rows(folder, f"{split}.q")]
        # A document more or less changes the haystack, so a limit takes questions: 100 for each conversation allowed.
        return [Conversation(folder.name, turns, tuple(questions[: limit and 100 * limit]))]
    asked: dict[str, list[Question]] = {}
    for row in _rows(folder, f"{split}.q"):
        asked.setdefault(str(row["conv_id"]), []).append(_question(row))
    found: list[Conversation] = []
    for row in _rows(folder, f"{split}.conv"):
        if limit is not None and len(found) >= limit:
            break
        name = str(row["conv_id"])
        found.append(
            Conversation(name, tuple(_turn(turn) for turn in row["turns"]), tuple(asked.get(name, ())))
        )
    return found


def _find(folder: Path, name: str) -> Path | None:
    for suffix in (".jsonl.gz", ".jsonl"):
        path = folder / f"{name}{suffix}"
        if path.is_file():
            return path
    return None


def _rows(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    path = _find(folder, name)
    if path is None:
        raise CannotMeasure(f"{folder / name}.jsonl(.gz) is not there")
    try:
        with _open(path) as lines:
            for line in lines:
                if line.strip():
                    yield json.loads(line)
    except (OSError, ValueError) as error:
        raise CannotMeasure(f"{path} cannot be read: {type(error).__name__}") from error


def _open(path: Path) -> IO[str]:
    return gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8")


def _turn(row: Mapping[str, Any]) -> SaidTurn:
    return SaidTurn(
        id=str(row["id"]),
        session=str(row.get("session", "")),
        time=_time(row.get("time")) or datetime(2024, 1, 1, tzinfo=UTC),
        speaker=str(row.get("speaker", "user")),
        text=str(row["text"]),
    )


def _document(at: int, row: Mapping[str, Any]) -> SaidTurn:
    # Each document is a session of its own: what stands beside it in the file says nothing about it.
    return SaidTurn(
        str(row["id"]), f"document-{at}", datetime(2024, 1, 1, tzinfo=UTC), "user", str(row["text"])
    )


def _question(row: Mapping[str, Any]) -> Question:
    alternatives = row.get("evidence_alt") or {}
    groups = tuple(
        frozenset({str(one), *map(str, alternatives.get(one, ()))}) for one in row.get("evidence") or ()
    )
    return Question(
        id=str(row.get("qid", "")),
        text=str(row["question"]),
        category=str(row.get("category", "")),
        evidence=groups,
        answerable=bool(row.get("answerable", True)),
        excluded=frozenset(map(str, row.get("exclude") or ())),
        asked_at=_time(row.get("question_date")),
    )


def _time(value: object) -> datetime | None:
    """An instant in UTC from an ISO date or time, or from "2023/05/30 (Tue) 20:42"; None when there is none."""
    if not isinstance(value, str) or not value.strip():
        return None
    text = value.strip()
    if "/" in text:
        parts = text.replace("/", "-").split()
        text = f"{parts[0]}T{parts[-1]}" if len(parts) > 1 else parts[0]
    try:
        parsed = datetime.fromisoformat(text)
    except ValueError:
        return None
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)
