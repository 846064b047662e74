"""The registry of every place that holds what people said, so that forget, redact and erase can reach all of it."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Found:
    """A row of a holder that holds one of the words looked for: ids only."""

    holder: str
    table: str
    row_id: str
    column: str


class ContentHolder(Protocol):
    """A table's columns that hold content, with what forget, redact and erase do to them.

    Every method works in the open tenant transaction, on one subject's rows. `needles` are texts, compared without
    regard to case; `replacement` takes each one's place.
    """

    @property
    def name(self) -> str: ...

    @property
    def table(self) -> str: ...

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns (as the database names them) that hold content."""
        ...

    def find(self, subject_id: uuid.UUID, needles: Sequence[str]) -> list[Found]:
        """Where any of the needles stands."""
        ...

    def mask(self, subject_id: uuid.UUID, needles: Sequence[str], replacement: str) -> int:
        """Put the replacement over each needle in place; the number of rows changed. Cannot be undone."""
        ...

    def erase(self, subject_id: uuid.UUID) -> int:
        """Remove the subject's rows (or empty their content); the number of rows gone."""
        ...

    def count(self, subject_id: uuid.UUID) -> int:
        """Rows of the subject that hold content."""
        ...


_holders: dict[str, ContentHolder] = {}
_plain: dict[str, dict[str, str]] = {}


def register(holder: ContentHolder) -> None:
    """Add a holder at AppConfig.ready(); two holders may not claim one table."""
    taken = next(
        (one for one in _holders.values() if one.table == holder.table and one.name != holder.name), None
    )
    if taken is not None:
        raise RuntimeError(f"{holder.table} is held by {taken.name} already")
    _holders[holder.name] = holder


def register_plain(table: str, why: str, *columns: str) -> None:
    """Declare text columns that never hold what people said (codes, hashes, names of rules), and why."""
    known = _plain.setdefault(table, {})
    known.update(dict.fromkeys(columns, why))


def holders() -> tuple[ContentHolder, ...]:
    """All of them, in the order that they registered."""
    return tuple(_holders.values())


def holder(name: str) -> ContentHolder:
    """The holder of that name; KeyError without."""
    return _holders[name]


def declared_plain() -> dict[str, dict[str, str]]:
    """Table to column to the reason why the column is no content."""
    return {table: dict(columns) for table, columns in _plain.items()}


def find_everywhere(subject_id: uuid.UUID, needles: Sequence[str]) -> list[Found]:
    """Where any of the needles stands, over all holders."""
    wanted = [needle for needle in needles if needle.strip()]
    return [found for one in holders() for found in one.find(subject_id, wanted)] if wanted else []
