"""Reads evaluation sets: conversations and questions as JSON lines, gzipped or plain."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, TypeVar

from memories.evaluation.suites import CannotMeasure

Row = TypeVar("Row")
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
    """A question with its evidence: groups of turn ids, any of a group counts. `excluded` turns do not count at all.

    `main` are the turns named first, one a group, without those that say the same. Where the set says so: `stale` turns hold a superseded statement, `pair` are the two sides of a contradiction,
    `forgotten` turns were to be forgotten by the turn `request`, and `old_answer` is what held before. `answer` is the set's own.
    """

    id: str
    text: str
    category: str
    evidence: tuple[frozenset[str], ...]
    answerable: bool = True
    excluded: frozenset[str] = frozenset()
    asked_at: datetime | None = None
    main: frozenset[str] = frozenset()
    stale: frozenset[str] = frozenset()
    pair: tuple[frozenset[str], ...] = ()
    forgotten: frozenset[str] = frozenset()
    request: str = ""
    old_answer: str = ""
    answer: str = ""


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
    if find_file(folder, f"{split}.corpus") is not None:
        turns = tuple(_document(at, row) for at, row in enumerate(read_rows(folder, f"{split}.corpus")))
        questions = [_question(row) for row in read_rows(folder, f"{split}.q")]
        # A document more or less changes the haystack, so a limit takes questions: 100 for each conversation allowed.
        return [Conversation(folder.name, turns, tuple(questions[: limit and 100 * limit]))]
    asked: dict[str, list[Question]] = {}
    for row in read_rows(folder, f"{split}.q"):
        asked.setdefault(str(row["conv_id"]), []).append(_question(row))
    found: list[Conversation] = []
    for row in read_rows(folder, f"{split}.conv"):
        if limit is not None and len(found) >= limit:
            break
        name = str(row["conv_id"])
        found.append(
            Conversation(name, tuple(_turn(turn) for turn in row["turns"]), tuple(asked.get(name, ())))
        )
    return found


def evenly(rows: Sequence[Row], number: int | None) -> list[Row]:
    """`number` of the rows, spread evenly over them, always the same ones; all of them when None or not fewer."""
    if number is None or number >= len(rows):
        return list(rows)
    return [rows[at * len(rows) // number] for at in range(number)]


def find_file(folder: Path, name: str) -> Path | None:
    """The path of `name`.jsonl.gz or `name`.jsonl, None when neither is there."""
    for suffix in (".jsonl.gz", ".jsonl"):
        path = folder / f"{name}{suffix}"
        if path.is_file():
            return path
    return None


def read_rows(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    """The objects of `name`.jsonl(.gz), one a line; CannotMeasure when the file is missing or not readable."""
    path = find_file(folder, name)
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
        main=frozenset(map(str, row.get("evidence") or ())),
        stale=frozenset(map(str, row.get("stale") or ())),
        pair=tuple(frozenset(map(str, side)) for side in row.get("pair") or ()),
        forgotten=frozenset(map(str, row.get("forgotten") or ())),
        request=str(row.get("request") or ""),
        old_answer=str(row.get("old_answer") or ""),
        answer=str(row.get("answer") or ""),
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
