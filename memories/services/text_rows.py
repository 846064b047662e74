"""Texts of one model's rows out of which words can be taken: found, locked, rewritten in bulk, hidden meanwhile."""

from __future__ import annotations

import copy
import uuid
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from re import Pattern
from typing import Any, Self

from django.db import models

from memories.core.forgetting.marks import ANY_MARK
from memories.services.jobs import enqueue
from memories.store.index import Indexed, put_postings
from memories.texts import Batch, Passage

NO_MEMORIES = frozenset[uuid.UUID]()


class RowTexts:
    """Texts of one model, of the rows that `rows` gives to a subject."""

    hides = False
    every = False
    """Whether it reaches what no request to forget does: operators' rules, and what was redacted before."""

    def __init__(
        self, name: str, model: type[models.Model], columns: tuple[str, ...], path: str = ""
    ) -> None:
        self.name, self.model, self.columns, self._path = name, model, columns, path

    def everything(self) -> Self:
        """The same texts, with every row of the subject's."""
        found = copy.copy(self)
        found.every = True
        return found

    @property
    def table(self) -> str:
        return self.model._meta.db_table

    @property
    def reached(self) -> tuple[str, ...]:
        return self.columns

    def rows(self, subject_id: uuid.UUID, without: frozenset[uuid.UUID]) -> Any:
        """The subject's rows, those of the memories `without` left out."""
        found = self.model._default_manager.filter(**{f"{self._path}subject_id": subject_id})
        if without and self._path:
            found = found.exclude(**{f"{self._path.removesuffix('__')}_id__in": without})
        return found

    def passages(
        self, subject_id: uuid.UUID, holding: Pattern[str] | None, without: frozenset[uuid.UUID]
    ) -> Iterator[Passage]:
        """The columns in which the pattern occurs."""
        for row in self.rows(subject_id, without).order_by("pk").iterator(chunk_size=500):
            yield from self.of_row(row, holding)

    def of_row(self, row: Any, holding: Pattern[str] | None) -> Iterator[Passage]:
        """The row's columns in which the pattern occurs."""
        for column in self.columns:
            text = getattr(row, column)
            if text and (holding is None or holding.search(text)):
                yield self.passage(row, column, text)

    def passage(self, row: Any, column: str, text: str) -> Passage:
        return Passage(self.name, str(row.pk), column, text)

    def batch(
        self,
        subject_id: uuid.UUID,
        holding: Pattern[str] | None,
        without: frozenset[uuid.UUID],
        after: str,
        limit: int,
    ) -> Batch:
        rows = self.rows(subject_id, without).order_by("pk").select_for_update(of=("self",))
        found = list((rows.filter(pk__gt=after) if after else rows)[:limit])
        passages = tuple(passage for row in found for passage in self.of_row(row, holding))
        return Batch(passages, tuple(str(row.pk) for row in found))

    def get(self, subject_id: uuid.UUID, row_id: str, column: str) -> str | None:
        row = self.load(subject_id, [row_id]).get(row_id)
        return None if row is None else self.value(row, column)

    def load(self, subject_id: uuid.UUID, row_ids: Collection[str]) -> dict[str, Any]:
        found = (
            self.rows(subject_id, NO_MEMORIES).select_for_update(of=("self",)).filter(pk__in=list(row_ids))
        )
        return {str(row.pk): row for row in found.order_by("pk")}

    def value(self, row: Any, column: str) -> str | None:
        text: str | None = getattr(row, column)
        return text

    def fits(self, subject_id: uuid.UUID, row_id: str, column: str, text: str) -> bool:
        del subject_id, row_id
        found = self.model._meta.get_field(column)
        return not isinstance(found, models.CharField) or len(text) <= (found.max_length or len(text))

    def put(self, subject_id: uuid.UUID, row_id: str, texts: Mapping[str, str]) -> None:
        self.put_many(subject_id, {row_id: texts})

    def put_many(
        self, subject_id: uuid.UUID, texts: Mapping[str, Mapping[str, str]], *, show: Collection[str] = ()
    ) -> None:
        del show
        self.stored(subject_id, texts)

    def stored(self, subject_id: uuid.UUID, texts: Mapping[str, Mapping[str, str]]) -> list[Any]:
        """All the rows named, with their new texts stored where they have any."""
        rows = list(self.rows(subject_id, NO_MEMORIES).filter(pk__in=list(texts)).order_by("pk"))
        fields: set[str] = set()
        changed = []
        for row in rows:
            new = texts[str(row.pk)]
            for column, text in new.items():
                setattr(row, column, text)
            fields |= set(new)
            changed += [row] if new else []
        if changed:
            self.model._default_manager.bulk_update(changed, sorted(fields), batch_size=500)
        return rows

    def hidden(self, subject_id: uuid.UUID) -> frozenset[str]:
        del subject_id
        return frozenset()

    def hide(self, subject_id: uuid.UUID, row_ids: Collection[str]) -> frozenset[str]:
        """Nothing is recalled from most rows by themselves."""
        del subject_id, row_ids
        return frozenset()


def as_said(row: models.Model, made_at: str) -> datetime:
    """The latest time at which what a derived row holds was surely said."""
    made: datetime = getattr(row, made_at)
    return made - timedelta(days=1)


def index_words(items: Iterable[Indexed]) -> None:
    """The words at once, the vectors by a job: no transaction is open while the embedder works."""
    found = list(items)
    if found:
        put_postings(found)
        enqueue(kind="index_pending", key="index_pending")


def named(speaker: str) -> str:
    """The speaker's name; "" for one that was taken out."""
    return "" if ANY_MARK.search(speaker) else speaker
