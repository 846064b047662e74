"""Texts inside tags and JSON columns out of which words can be taken: values by their path, and entries by their key."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping
from re import Pattern
from typing import Any

from django.db import models

from memories.models import Status
from memories.services.text_rows import NO_MEMORIES, RowTexts
from memories.texts import Passage

Path = tuple[str | int, ...]
MAX_TAG_CHARS = 64
_MISSING = object()


class DetailTexts(RowTexts):
    """Texts within structured columns of memories, or of what hangs on them; a passage's column is a path as JSON."""

    whole = False

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
            found = super().rows(subject_id, without).select_related("memory")
            return (
                found if self.every else found.exclude(memory__kind="constraint", memory__source="operator")
            )
        found = super().rows(subject_id, without).exclude(id__in=without)
        if self.every:
            return found
        return found.exclude(status=Status.REDACTED).exclude(kind="constraint", source="operator")

    def of_row(self, row: Any, holding: Pattern[str] | None) -> Iterator[Passage]:
        memory = row.memory if self._path else row
        for column in self.columns:
            for path, text in self.found(getattr(row, column), (column,)):
                if self._only and path[1] not in self._only:
                    continue
                if holding is None or holding.search(text):
                    yield Passage(
                        self.name,
                        str(row.pk),
                        json.dumps(path),
                        text,
                        said_at=memory.said_at,
                        whole=self.whole,
                    )

    def found(self, value: Any, path: Path) -> Iterator[tuple[Path, str]]:
        """(path, text) of each text in the value."""
        return _texts(value, path)

    def value(self, row: Any, column: str) -> str | None:
        """The text; "" where its place is gone for now (an entry around it was taken out), so that its cut waits."""
        found = _at(row, json.loads(column))
        return found if isinstance(found, str) else ""

    def fits(self, subject_id: uuid.UUID, row_id: str, column: str, text: str) -> bool:
        return "tags" not in json.loads(column)[:2] or len(text) <= MAX_TAG_CHARS

    def stored(self, subject_id: uuid.UUID, texts: Mapping[str, Mapping[str, str]]) -> list[Any]:
        changed = {row_id for row_id, new in texts.items() if new}
        rows = list(self.rows(subject_id, NO_MEMORIES).filter(pk__in=changed).order_by("pk"))
        for row in rows:
            # What is outside comes back before what is in it.
            for column, text in sorted(texts[str(row.pk)].items(), key=lambda one: len(json.loads(one[0]))):
                self.set(row, json.loads(column), text)
        if rows:
            self.model._default_manager.bulk_update(rows, list(self.columns), batch_size=500)
        return rows

    def set(self, row: Any, path: list[str | int], text: str) -> None:
        """Put the text at the path of the row, where that is still there."""
        holder = _at(row, path[:-1])
        last: Any = path[-1]
        if isinstance(holder, dict) or (isinstance(holder, list) and int(last) < len(holder)):
            holder[last] = text


class EntryTexts(DetailTexts):
    """Whole entries whose key says what is to go: such an entry is its key and value as JSON, and "" while it is out."""

    whole = True

    @property
    def reached(self) -> tuple[str, ...]:
        return ()

    def found(self, value: Any, path: Path) -> Iterator[tuple[Path, str]]:
        """(path, key) of each entry of the person's own JSON; `of_entry` gives what is taken out."""
        if isinstance(value, dict):
            for key, part in value.items():
                if len(path) > 1 or not self._only:
                    yield (*path, key), key
                yield from self.found(part, (*path, key))
        elif isinstance(value, list):
            for number, part in enumerate(value):
                yield from self.found(part, (*path, number))

    def value(self, row: Any, column: str) -> str | None:
        found = _at(row, json.loads(column))
        return "" if found is _MISSING else json.dumps(found, ensure_ascii=False)

    def fits(self, subject_id: uuid.UUID, row_id: str, column: str, text: str) -> bool:
        return True

    def set(self, row: Any, path: list[str | int], text: str) -> None:
        holder = _at(row, path[:-1])
        if not isinstance(holder, dict):
            return
        if text:
            holder[path[-1]] = json.loads(text)
        else:
            holder.pop(path[-1], None)


def _at(row: Any, path: list[str | int]) -> Any:
    first, *rest = path
    found = getattr(row, str(first))
    for step in rest:
        try:
            found = found[step]
        except (KeyError, IndexError, TypeError):
            return _MISSING
    return found


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
