"""The registry of texts out of which single words can be taken and put back: turns, titles, episodes, memories, slots, traces."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from re import Pattern
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Passage:
    """One column of one row; `role` and `speaker` tell whose words they are, `source` which turn they come from, `said_at` when
    they were said, None where what is derived is as old as what it comes from."""

    holder: str
    row_id: str
    column: str
    text: str
    role: str = "user"
    speaker: str = ""
    source: str = ""
    said_at: datetime | None = None


class TextHolder(Protocol):
    """Texts of one subject that may be rewritten; every method works in the open tenant transaction."""

    @property
    def name(self) -> str: ...

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

    def fits(self, subject_id: uuid.UUID, row_id: str, column: str, text: str) -> bool:
        """Whether the column takes this text: it is not too long, and no other row's where each must have its own."""
        ...

    def put(self, subject_id: uuid.UUID, row_id: str, texts: Mapping[str, str]) -> None:
        """Store the columns' new texts, with all that is derived from them (tokens, index, whether it is recalled)."""
        ...


_holders: dict[str, TextHolder] = {}


def register(holder: TextHolder) -> None:
    """Add one at AppConfig.ready()."""
    _holders[holder.name] = holder


def text_holders() -> tuple[TextHolder, ...]:
    """All of them, in the order that they registered."""
    return tuple(_holders.values())


def text_holder(name: str) -> TextHolder | None:
    """The one of that name."""
    return _holders.get(name)
