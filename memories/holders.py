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

    def erase_some(self, subject_id: uuid.UUID, limit: int) -> int:
        """The same for about that many rows, so that a large subject goes in short transactions; 0 when none is left."""
        ...

    def count(self, subject_id: uuid.UUID) -> int:
        """Rows of the subject that hold content."""
        ...


class Place(Protocol):
    """Something about a subject that stands outside the tables: counters in Valkey, an answer that is being streamed."""

    @property
    def name(self) -> str: ...

    def begin(self, subject_id: uuid.UUID) -> None:
        """The subject is being erased: end what runs for it. Inside the transaction that puts it under quarantine."""
        ...

    def handles(self, subject_id: uuid.UUID) -> list[str]:
        """Names of what stands there (ids, no content), taken while the rows that lead to them are still there."""
        ...

    def clear(self, handles: Sequence[str]) -> None:
        """Remove what they name."""
        ...

    def left(self, handles: Sequence[str]) -> int:
        """How many of them are still there; raises when that cannot be known."""
        ...


_holders: dict[str, ContentHolder] = {}
_places: dict[str, Place] = {}
_plain: dict[str, dict[str, str]] = {}


def register(holder: ContentHolder) -> None:
    """Add a holder at AppConfig.ready(); two holders may not claim one table."""
    taken = next(
        (one for one in _holders.values() if one.table == holder.table and one.name != holder.name), None
    )
    if taken is not None:
        raise RuntimeError(f"{holder.table} is held by {taken.name} already")
    _holders[holder.name] = holder


def register_place(place: Place) -> None:
    """Add a place at AppConfig.ready()."""
    _places[place.name] = place


def places() -> tuple[Place, ...]:
    """All of them."""
    return tuple(_places.values())


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
