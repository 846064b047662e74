"""What hangs on memories, and slots, traces and links, as texts out of which words can be taken; and the list of all of them."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from re import Pattern
from typing import Any

from memories import texts
from memories.core.forgetting.marks import ANY_MARK
from memories.models import (
    Contradiction,
    Episode,
    Evidence,
    Fact,
    Memory,
    MemoryVersion,
    RecallTrace,
    Reveal,
    Slot,
    Status,
    Tombstone,
)
from memories.services.detail_texts import DetailTexts, EntryTexts
from memories.services.memory_texts import EpisodeTexts, MemoryTexts
from memories.services.text_rows import NO_MEMORIES, RowTexts, as_said
from memories.texts import Passage


class PartTexts(RowTexts):
    """What hangs on memories, said when the memory was, or at a time of its own."""

    def rows(self, subject_id: uuid.UUID, without: frozenset[uuid.UUID]) -> Any:
        found = super().rows(subject_id, without).select_related("memory")
        return found if self.every else found.exclude(memory__kind="constraint", memory__source="operator")

    def passage(self, row: Any, column: str, text: str) -> Passage:
        said: datetime = getattr(row, "said_at", None) or row.memory.said_at
        return Passage(self.name, str(row.pk), column, text, said_at=said)


class FactTexts(PartTexts):
    """Facts of memories that stay; no two masked slots are one."""

    def fits(self, subject_id: uuid.UUID, row_id: str, column: str, text: str) -> bool:
        if not super().fits(subject_id, row_id, column, text):
            return False
        if column != "slot_key" or ANY_MARK.search(text) is None:
            return True
        return not Fact.objects.filter(subject_id=subject_id, slot_key=text).exclude(id=row_id).exists()


class DerivedTexts(RowTexts):
    """Rows made of what was said up to a day before: made by late jobs, they are as old as what they come from."""

    made_at = "created_at"

    def passage(self, row: Any, column: str, text: str) -> Passage:
        source = str(getattr(row, "turn_id", None) or "") if self.made_at == "created_at" else ""
        made: datetime = getattr(row, self.made_at)
        said = as_said(row, self.made_at)
        return Passage(self.name, str(row.pk), column, text, source=source, said_at=said, made_at=made)


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


class PairTexts(DerivedTexts):
    """What two memories disagree about."""

    made_at = "opened_at"


class SourceLinks(RowTexts):
    """Which turn a memory was said in, as a text: a source that lost words gives way to whole ones, and comes back with them."""

    @property
    def reached(self) -> tuple[str, ...]:
        return ()

    def of_row(self, row: Any, holding: Pattern[str] | None) -> Iterator[Passage]:
        """Nothing by itself: `spare` says which links may go."""
        return iter(())

    def value(self, row: Any, column: str) -> str | None:
        return str(getattr(row, column) or "")

    def fits(self, subject_id: uuid.UUID, row_id: str, column: str, text: str) -> bool:
        return True

    def put_many(
        self, subject_id: uuid.UUID, texts: Mapping[str, Mapping[str, str]], *, show: Collection[str] = ()
    ) -> None:
        del show
        links = {row_id: new["turn_id"] for row_id, new in texts.items() if "turn_id" in new}
        rows = list(self.rows(subject_id, NO_MEMORIES).filter(pk__in=list(links)))
        for row in rows:
            row.turn_id = uuid.UUID(links[str(row.pk)]) if links[str(row.pk)] else None
        if rows:
            Evidence.objects.bulk_update(rows, ["turn_id"], batch_size=500)

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


STATE = ("tags", "metadata", "key", "speaker")
"""What of a version's state people wrote; the rest are codes, times and ids."""


def register_texts() -> None:
    """Called once at start."""
    for holder in (
        MemoryTexts("memories", Memory, ("content", "content_encrypted", "key", "speaker")),
        DetailTexts("details", Memory, ("tags", "metadata", "reasons")),
        EntryTexts("entries", Memory, ("metadata",)),
        PartTexts("versions", MemoryVersion, ("content", "content_encrypted", "reason"), "memory__"),
        DetailTexts("version details", MemoryVersion, ("state",), "memory__", STATE),
        EntryTexts("version entries", MemoryVersion, ("state",), "memory__", STATE),
        PartTexts("evidence", Evidence, ("quote", "speaker"), "memory__"),
        SourceLinks("sources", Evidence, ("turn_id",), "memory__"),
        FactTexts("facts", Fact, ("entity", "attribute", "value", "slot_key"), "memory__"),
        PartTexts("reveals", Reveal, ("reason",), "memory__"),
        PartTexts("tombstones", Tombstone, ("reason",), "memory__"),
        PairTexts("contradictions", Contradiction, ("slot_key",)),
        EpisodeTexts("episodes", Episode, ("text", "speaker")),
        SlotTexts("slots", Slot, ("key", "value")),
        TraceTexts("traces", RecallTrace, ("query", "standalone_query")),
    ):
        texts.register(holder)
    _leave_out()


def _leave_out() -> None:
    """What no words are taken out of, column by column, with the reason."""
    from accounts.models import Subject
    from memories import models as m

    sealed = "encrypted; listed and removed by the person, or destroyed when the retention ends"
    leave_out = texts.leave_out
    leave_out(m.ForgetRule._meta.db_table, sealed, "label", "target")
    leave_out(m.ForgetRequest._meta.db_table, sealed, "target", "undo")
    leave_out(m.Tombstone._meta.db_table, sealed, "undo")
    leave_out(m.Contradiction._meta.db_table, "ids, codes and times only", "undo")
    leave_out(
        m.QueuedText._meta.db_table,
        "encrypted, said before a request and so bound by it, and dropped when its job has read it",
        "given",
    )
    leave_out(m.RecallTrace._meta.db_table, "ids, scores and numbers only", "considered", "context")
    derived = "made anew from the text that it was made of"
    leave_out(m.Posting._meta.db_table, derived, "term")
    leave_out(m.Embedding._meta.db_table, derived, "vector")
    leave_out(
        m.IdempotencyKey._meta.db_table, "masked for good by clear_kept_answers, kept for hours", "response"
    )
    leave_out(
        m.Redaction._meta.db_table,
        "an operator's record of what was done; a redaction masks it itself",
        "reason",
        "target",
    )
    leave_out(
        Subject._meta.db_table,
        "the account of the person who asks, not what was said",
        "external_id",
        "display_name",
    )
