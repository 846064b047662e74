"""The memories app's texts out of which words can be taken: memories, versions, evidence, episodes, slots and traces."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from re import Pattern
from typing import Any

from django.db import models

from memories import texts
from memories.core.forgetting.texts import ANY_MARK, nothing_left
from memories.models import Episode, Evidence, Memory, MemoryVersion, RecallTrace, Slot, Status
from memories.services.emptied import revive
from memories.services.jobs import enqueue
from memories.store.index import Indexed, put_postings, remove_from_index
from memories.texts import Passage

None_ = frozenset[uuid.UUID]()


class RowTexts:
    """Texts of one model, of the rows that `rows` gives to a subject."""

    def __init__(
        self, name: str, model: type[models.Model], columns: tuple[str, ...], path: str = ""
    ) -> None:
        self.name, self.model, self.columns, self._path = name, model, columns, path

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
            for column in self.columns:
                text = getattr(row, column)
                if text and (holding is None or holding.search(text)):
                    yield self.passage(row, column, text)

    def passage(self, row: Any, column: str, text: str) -> Passage:
        return Passage(self.name, str(row.pk), column, text)

    def get(self, subject_id: uuid.UUID, row_id: str, column: str) -> str | None:
        row = self.rows(subject_id, None_).select_for_update(of=("self",)).filter(pk=row_id).first()
        return None if row is None else getattr(row, column)

    def fits(self, subject_id: uuid.UUID, row_id: str, column: str, text: str) -> bool:
        del subject_id, row_id
        found = self.model._meta.get_field(column)
        return not isinstance(found, models.CharField) or len(text) <= (found.max_length or len(text))

    def put(self, subject_id: uuid.UUID, row_id: str, texts: Mapping[str, str]) -> None:
        self.model._default_manager.filter(pk=row_id).update(**texts)


class MemoryTexts(RowTexts):
    """Contents of memories, forgotten ones among them: what goes now must not come back with another one's restore."""

    def rows(self, subject_id: uuid.UUID, without: frozenset[uuid.UUID]) -> Any:
        return Memory.objects.of(subject_id).exclude(status=Status.REDACTED).exclude(id__in=without)

    def passage(self, row: Any, column: str, text: str) -> Passage:
        said = as_said(row, "said_at") if row.kind == "digest" else row.said_at
        return Passage(self.name, str(row.pk), column, text, said_at=said)

    def fits(self, subject_id: uuid.UUID, row_id: str, column: str, text: str) -> bool:
        """Keys of rules stay apart: current ones must, and a masked one must in case its memory comes back."""
        if not super().fits(subject_id, row_id, column, text):
            return False
        if column != "key" or not text:
            return True
        others = Memory.objects.of(subject_id).filter(kind="constraint", key=text).exclude(id=row_id)
        if ANY_MARK.search(text) is None:
            others = others.filter(status=Status.CURRENT)
        return not others.exists() or not Memory.objects.filter(id=row_id, kind="constraint").exists()

    def put(self, subject_id: uuid.UUID, row_id: str, texts: Mapping[str, str]) -> None:
        """A memory of which nothing is left (a digest of nothing else) is out of recall until something is again."""
        super().put(subject_id, row_id, texts)
        memory = Memory.objects.get(id=row_id)
        if "content" not in texts:
            return
        if memory.status == Status.CURRENT and nothing_left(memory.content):
            memory.status = Status.FORGOTTEN
        elif memory.status == Status.FORGOTTEN and not nothing_left(memory.content):
            if not revive(memory.id):
                return
            memory.status = Status.CURRENT
        elif memory.status not in {Status.CURRENT, Status.SUPERSEDED}:
            return
        Memory.objects.filter(id=memory.id).update(status=memory.status)
        remove_from_index([memory.id])
        if memory.status != Status.FORGOTTEN:
            _index("memory", memory.id, subject_id, memory.content, memory.speaker)


class EpisodeTexts(RowTexts):
    """What was said, as recall finds it; an episode of which nothing is left is out of recall."""

    def passage(self, row: Any, column: str, text: str) -> Passage:
        return Passage(
            self.name, str(row.pk), column, text, row.role, row.speaker, str(row.source_id), row.said_at
        )

    def put(self, subject_id: uuid.UUID, row_id: str, texts: Mapping[str, str]) -> None:
        super().put(subject_id, row_id, texts)
        row = Episode.objects.get(id=row_id)
        left = not nothing_left(row.text)
        if row.status not in {Status.CURRENT, Status.FORGOTTEN}:
            return
        row.status = Status.CURRENT if left else Status.FORGOTTEN
        row.save(update_fields=["status"])
        remove_from_index([row.id])
        if left:
            _index("episode", row.id, subject_id, row.text, row.speaker)


class VersionTexts(RowTexts):
    """What memories were; said when the memory was."""

    def rows(self, subject_id: uuid.UUID, without: frozenset[uuid.UUID]) -> Any:
        return super().rows(subject_id, without).select_related("memory")

    def passage(self, row: Any, column: str, text: str) -> Passage:
        return Passage(self.name, str(row.pk), column, text, said_at=row.memory.said_at)


class EvidenceTexts(RowTexts):
    """Quotes, each said at its own time."""

    def passage(self, row: Any, column: str, text: str) -> Passage:
        return Passage(self.name, str(row.pk), column, text, said_at=row.said_at)


class DerivedTexts(RowTexts):
    """Rows made of what was said up to a day before: made by late jobs, they are as old as what they come from."""

    made_at = "created_at"
    has_source = True

    def passage(self, row: Any, column: str, text: str) -> Passage:
        source = str(row.turn_id or "") if self.has_source else ""
        return Passage(
            self.name, str(row.pk), column, text, source=source, said_at=as_said(row, self.made_at)
        )


class SlotTexts(DerivedTexts):
    """Slots across sessions; no two of a kind have one key."""

    def fits(self, subject_id: uuid.UUID, row_id: str, column: str, text: str) -> bool:
        if not super().fits(subject_id, row_id, column, text):
            return False
        kind = Slot.objects.filter(id=row_id).values("kind")
        alike = Slot.objects.filter(subject_id=subject_id, kind__in=kind, key=text).exclude(id=row_id)
        return column != "key" or not alike.exists()


class TraceTexts(DerivedTexts):
    """What was searched for."""

    made_at = "at"
    has_source = False


class SourceLinks(RowTexts):
    """Which turn a memory was said in, as a text: a source that lost words gives way to whole ones, and comes back with them."""

    def passages(
        self, subject_id: uuid.UUID, holding: Pattern[str] | None, without: frozenset[uuid.UUID]
    ) -> Iterator[Passage]:
        """Nothing by itself: `spare` says which links may go."""
        return iter(())

    def get(self, subject_id: uuid.UUID, row_id: str, column: str) -> str | None:
        row = self.rows(subject_id, None_).select_for_update(of=("self",)).filter(pk=row_id).first()
        return None if row is None else str(row.turn_id or "")

    def put(self, subject_id: uuid.UUID, row_id: str, texts: Mapping[str, str]) -> None:
        Evidence.objects.filter(pk=row_id).update(turn_id=texts["turn_id"] or None)

    def spare(
        self, subject_id: uuid.UUID, turn_ids: frozenset[str], without: frozenset[uuid.UUID]
    ) -> list[Passage]:
        """Links of memories that stay to these turns, where the memory has been said in another, whole turn as well."""
        rows = self.rows(subject_id, without).filter(turn_id__isnull=False, memory__status=Status.CURRENT)
        said: dict[uuid.UUID, list[Evidence]] = {}
        for row in rows.filter(
            memory_id__in=Evidence.objects.filter(turn_id__in=turn_ids).values("memory_id")
        ).order_by("pk"):
            said.setdefault(row.memory_id, []).append(row)
        return [
            Passage(self.name, str(row.pk), "turn_id", str(row.turn_id), source=str(row.turn_id))
            for mine in said.values()
            if any(str(row.turn_id) not in turn_ids for row in mine)
            for row in mine
            if str(row.turn_id) in turn_ids
        ]


def as_said(row: models.Model, made_at: str) -> datetime:
    """The latest time at which what a derived row holds was surely said."""
    made: datetime = getattr(row, made_at)
    return made - timedelta(days=1)


def _index(kind: str, item_id: uuid.UUID, subject_id: uuid.UUID, text: str, speaker: str) -> None:
    """The words at once, the vector by a job: no transaction is open while the embedder works."""
    put_postings([Indexed(kind, item_id, subject_id, text, speaker)])
    enqueue(kind="index_pending", key="index_pending")


def register_texts() -> None:
    """Called once at start."""
    for holder in (
        MemoryTexts("memories", Memory, ("content", "content_encrypted", "key")),
        VersionTexts("versions", MemoryVersion, ("content", "content_encrypted"), "memory__"),
        EvidenceTexts("evidence", Evidence, ("quote",), "memory__"),
        SourceLinks("sources", Evidence, ("turn_id",), "memory__"),
        EpisodeTexts("episodes", Episode, ("text",)),
        SlotTexts("slots", Slot, ("key", "value")),
        TraceTexts("traces", RecallTrace, ("query", "standalone_query")),
    ):
        texts.register(holder)
