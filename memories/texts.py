"""The registry of texts out of which single words can be taken and put back, and of what is left out, with the reason."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from re import Pattern
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Passage:
    """One column of one row; `role` and `speaker` tell whose words they are, `source` which turn they come from, `said_at` when
    they were said (for derived rows the latest time at which all of it surely was), None where what is derived is as old as what it
    comes from, `made_at` when a derived row was made. Of a `whole` the text only decides (the key of an
    entry): all that `get` gives is taken out."""

    holder: str
    row_id: str
    column: str
    text: str
    role: str = "user"
    speaker: str = ""
    source: str = ""
    said_at: datetime | None = None
    whole: bool = False
    made_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """Some rows of a holder: their passages, the ids of all of them, and the last one ("" when there was none)."""

    passages: tuple[Passage, ...]
    row_ids: tuple[str, ...]

    @property
    def last(self) -> str:
        return self.row_ids[-1] if self.row_ids else ""


class TextHolder(Protocol):
    """Texts of one subject that may be rewritten; every method works in the open tenant transaction."""

    @property
    def name(self) -> str: ...

    @property
    def table(self) -> str: ...

    def everything(self) -> TextHolder:
        """The same texts, with the rows that requests to forget leave alone (operators' rules), for a redaction."""
        ...

    @property
    def reached(self) -> tuple[str, ...]:
        """The columns (as the database names them) in which it looks for words."""
        ...

    def passages(
        self, subject_id: uuid.UUID, holding: Pattern[str] | None, without: frozenset[uuid.UUID]
    ) -> Iterable[Passage]:
        """Texts in which the pattern occurs (all for None), and those nothing was learnt from yet.

        `without` are memories that go themselves: what hangs on them stays as it is.
        """
        ...

    def get(self, subject_id: uuid.UUID, row_id: str, column: str) -> str | None:
        """The text as it stands, its row locked; None when it is gone."""
        ...

    def load(self, subject_id: uuid.UUID, row_ids: Collection[str]) -> dict[str, Any]:
        """Those of the rows that are there, locked, by id; in one statement."""
        ...

    def value(self, row: Any, column: str) -> str | None:
        """The text of a loaded row, as `get` gives it."""
        ...

    def of_row(self, row: Any, holding: Pattern[str] | None) -> Iterable[Passage]:
        """The loaded row's columns in which the pattern occurs (all for None)."""
        ...

    def fits(self, subject_id: uuid.UUID, row_id: str, column: str, text: str) -> bool:
        """Whether the column takes this text: it is not too long, and no other row's where each must have its own."""
        ...

    def put(self, subject_id: uuid.UUID, row_id: str, texts: Mapping[str, str]) -> None:
        """Store the columns' new texts, with all that is derived from them (tokens, index, whether it is recalled)."""
        ...

    def put_many(
        self, subject_id: uuid.UUID, texts: Mapping[str, Mapping[str, str]], *, show: Collection[str] = ()
    ) -> None:
        """The same for many rows in a few statements; for the rows of `show`, with new texts or not, it ends what `hide` did."""
        ...

    def batch(
        self,
        subject_id: uuid.UUID,
        holding: Pattern[str] | None,
        without: frozenset[uuid.UUID],
        after: str,
        limit: int,
    ) -> Batch:
        """The passages of up to `limit` rows behind the row `after`, locked, in the order of their ids."""
        ...

    @property
    def hides(self) -> bool:
        """Whether its rows are recalled by themselves, so that `hide` does something."""
        ...

    def hidden(self, subject_id: uuid.UUID) -> frozenset[str]:
        """The rows that `hide` has taken out of recall, perhaps with others that nothing is left of."""
        ...

    def hide(self, subject_id: uuid.UUID, row_ids: Collection[str]) -> frozenset[str]:
        """Take those of the rows that are recalled out of it until `put_many` shows them again, in a few statements; which."""
        ...


_holders: dict[str, TextHolder] = {}
_unreached: dict[str, dict[str, str]] = {}


def leave_out(table: str, why: str, *columns: str) -> None:
    """Declare columns that hold content, but out of which no words are taken, and why."""
    _unreached.setdefault(table, {}).update(dict.fromkeys(columns, why))


def left_out() -> dict[str, dict[str, str]]:
    """Table to column to the reason why no words are taken out of it."""
    return {table: dict(columns) for table, columns in _unreached.items()}


def register(holder: TextHolder) -> None:
    """Add one at AppConfig.ready()."""
    _holders[holder.name] = holder


def text_holders() -> tuple[TextHolder, ...]:
    """All of them, in the order that they registered."""
    return tuple(_holders.values())


def text_holder(name: str) -> TextHolder | None:
    """The one of that name."""
    return _holders.get(name)
