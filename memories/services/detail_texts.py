"""Texts inside tags and JSON columns out of which words can be taken, each text by its path: tags, metadata, version state."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping
from re import Pattern
from typing import Any

from django.db import models

from memories import texts
from memories.models import Fact, Memory, MemoryVersion, Status
from memories.services.text_rows import RowTexts
from memories.texts import Passage

Path = tuple[str | int, ...]
MAX_TAG_CHARS = 64
STATE = ("tags", "metadata", "key")
"""What of a version's state people wrote; the rest are codes, times and ids."""


class DetailTexts(RowTexts):
    """Texts within structured columns of memories, or of what hangs on them; a passage's column is a path as JSON."""

    def __init__(
        self,
        name: str,
        model: type[models.Model],
        columns: tuple[str, ...],
        path: str = "",
        only: tuple[str, ...] = (),
    ) -> None:
        super().__init__(name, model, columns, path)
        self._only = only

    def rows(self, subject_id: uuid.UUID, without: frozenset[uuid.UUID]) -> Any:
        if self._path:
            return super().rows(subject_id, without).select_related("memory")
        return super().rows(subject_id, without).exclude(status=Status.REDACTED).exclude(id__in=without)

    def passages(
        self, subject_id: uuid.UUID, holding: Pattern[str] | None, without: frozenset[uuid.UUID]
    ) -> Iterator[Passage]:
        for row in self.rows(subject_id, without).order_by("pk").iterator(chunk_size=500):
            memory = row.memory if self._path else row
            for column in self.columns:
                for path, text in _texts(getattr(row, column), (column,)):
                    if self._only and path[1] not in self._only:
                        continue
                    if holding is None or holding.search(text):
                        yield Passage(self.name, str(row.pk), json.dumps(path), text, said_at=memory.said_at)

    def get(self, subject_id: uuid.UUID, row_id: str, column: str) -> str | None:
        row = self.rows(subject_id, frozenset()).select_for_update(of=("self",)).filter(pk=row_id).first()
        if row is None:
            return None
        first, *rest = json.loads(column)
        found = getattr(row, first)
        for step in rest:
            try:
                found = found[step]
            except (KeyError, IndexError, TypeError):
                return None
        return found if isinstance(found, str) else None

    def fits(self, subject_id: uuid.UUID, row_id: str, column: str, text: str) -> bool:
        return "tags" not in json.loads(column)[:2] or len(text) <= MAX_TAG_CHARS

    def put(self, subject_id: uuid.UUID, row_id: str, texts: Mapping[str, str]) -> None:
        row = self.model._default_manager.get(pk=row_id)
        new: dict[str, Any] = {}
        for column, text in texts.items():
            first, *between, last = json.loads(column)
            found = new.setdefault(first, getattr(row, first))
            for step in between:
                found = found[step]
            found[last] = text
        self.model._default_manager.filter(pk=row_id).update(**new)


def _texts(value: Any, path: Path) -> Iterator[tuple[Path, str]]:
    if isinstance(value, str):
        if value.strip():
            yield path, value
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from _texts(part, (*path, key))
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from _texts(part, (*path, number))


class FactTexts(RowTexts):
    """Values of facts of memories that stay."""

    def rows(self, subject_id: uuid.UUID, without: frozenset[uuid.UUID]) -> Any:
        return super().rows(subject_id, without).select_related("memory")

    def passage(self, row: Any, column: str, text: str) -> Passage:
        return Passage(self.name, str(row.pk), column, text, said_at=row.memory.said_at)


def register_detail_texts() -> None:
    """Called once at start."""
    for holder in (
        DetailTexts("details", Memory, ("tags", "metadata")),
        DetailTexts("version details", MemoryVersion, ("state",), "memory__", STATE),
        FactTexts("facts", Fact, ("value",), "memory__"),
    ):
        texts.register(holder)
