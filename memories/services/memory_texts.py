"""Memories and episodes as texts out of which words can be taken: hidden until that is done, and shown again."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from accounts.actor import system_actor
from memories.adapters.factory import get_clock
from memories.core.forgetting.marks import ANY_MARK
from memories.core.forgetting.remains import nothing_left
from memories.models import Episode, Memory, MemoryVersion, Status
from memories.services.emptied import revive
from memories.services.text_rows import RowTexts, as_said, index_words, named
from memories.services.versioning import HIDDEN, SHOWN, Change, save_changes
from memories.store.index import Indexed, remove_from_index
from memories.texts import Passage

_RULE = "forget.words"


class MemoryTexts(RowTexts):
    """Contents of memories, forgotten ones among them: what goes now must not come back with another one's restore."""

    hides = True

    def rows(self, subject_id: uuid.UUID, without: frozenset[uuid.UUID]) -> Any:
        found = Memory.objects.of(subject_id).exclude(id__in=without)
        if self.every:
            return found
        return found.exclude(status=Status.REDACTED).exclude(kind="constraint", source="operator")

    def passage(self, row: Any, column: str, text: str) -> Passage:
        digest = row.kind == "digest"
        said = as_said(row, "said_at") if digest else row.said_at
        made = row.said_at if digest else None
        return Passage(self.name, str(row.pk), column, text, said_at=said, made_at=made)

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

    def put_many(
        self, subject_id: uuid.UUID, texts: Mapping[str, Mapping[str, str]], *, show: Collection[str] = ()
    ) -> None:
        """A memory of which nothing is left (a digest of nothing else) is out of recall until something is again."""
        stored = self.stored(subject_id, texts)
        hidden = [row for row in stored if row.status == Status.QUARANTINED and str(row.pk) in show]
        _unhide(hidden)
        back = {row.pk for row in hidden}
        touched = [
            row for row in stored if row.pk in back or {"content", "speaker"} & set(texts[str(row.pk)])
        ]
        left = {row.pk for row in touched if not nothing_left(row.content)}
        revive([row for row in touched if row.status == Status.FORGOTTEN and row.pk in left])
        recalled = [row for row in touched if row.status in {Status.CURRENT, Status.SUPERSEDED}]
        shown = [row for row in recalled if row.pk in left or row.status == Status.SUPERSEDED]
        gone = {row.pk for row in recalled} - {row.pk for row in shown}
        Memory.objects.filter(id__in=gone).update(status=Status.FORGOTTEN)
        remove_from_index([*(one.id for one in shown), *gone])
        index_words(Indexed("memory", one.id, subject_id, one.content, named(one.speaker)) for one in shown)

    def hidden(self, subject_id: uuid.UUID) -> frozenset[str]:
        rows = self.rows(subject_id, frozenset()).filter(status=Status.QUARANTINED)
        return frozenset(map(str, rows.values_list("pk", flat=True)))

    def hide(self, subject_id: uuid.UUID, row_ids: Collection[str]) -> frozenset[str]:
        """History, too: questions about the past would find it."""
        rows = self.rows(subject_id, frozenset()).filter(
            id__in=list(row_ids), status__in=[Status.CURRENT, Status.SUPERSEDED]
        )
        found = list(rows.order_by("id"))
        _set_aside(found)
        return frozenset(str(row.pk) for row in found)


def _set_aside(rows: Sequence[Memory]) -> None:
    if not rows:
        return
    actor, now = system_actor(rows[0].tenant_id), get_clock().now()
    for before in (Status.CURRENT, Status.SUPERSEDED):
        some = [row for row in rows if row.status == before]
        save_changes(some, actor, Change(HIDDEN, _RULE, before.value), now, status=Status.QUARANTINED)
    remove_from_index([row.pk for row in rows])


def _unhide(rows: Sequence[Memory]) -> None:
    """Back to what they were; one that was said again meanwhile is replaced by what was said."""
    if not rows:
        return
    actor, now = system_actor(rows[0].tenant_id), get_clock().now()
    change = Change(SHOWN, _RULE)
    hidden = MemoryVersion.objects.filter(memory_id__in=[row.pk for row in rows], change=HIDDEN)
    before = dict(hidden.order_by("number").values_list("memory_id", "reason"))
    alike = Memory.objects.of(rows[0].subject_id).filter(
        status=Status.CURRENT, fingerprint__in=[row.fingerprint for row in rows]
    )
    again = {_place(one): one for one in alike}
    replaced = [row for row in rows if _place(row) in again]
    history = [row for row in rows if before.get(row.pk) == Status.SUPERSEDED and row not in replaced]
    rest = [row for row in rows if row not in replaced and row not in history]
    save_changes(rest, actor, change, now, status=Status.CURRENT)
    save_changes(history, actor, change, now, status=Status.SUPERSEDED)
    for row in replaced:
        values = {"status": Status.SUPERSEDED, "superseded_by": again[_place(row)]}
        save_changes([row], actor, change, now, **values)


def _place(row: Memory) -> tuple[object, ...]:
    """Two current memories must not have the same."""
    return row.agent_id, row.scope, row.session_id, bytes(row.fingerprint)


class EpisodeTexts(RowTexts):
    """What was said, as recall finds it; an episode of which nothing is left is out of recall."""

    hides = True

    def passage(self, row: Any, column: str, text: str) -> Passage:
        return Passage(
            self.name, str(row.pk), column, text, row.role, row.speaker, str(row.source_id), row.said_at
        )

    def put_many(
        self, subject_id: uuid.UUID, texts: Mapping[str, Mapping[str, str]], *, show: Collection[str] = ()
    ) -> None:
        touched = [
            row
            for row in self.stored(subject_id, texts)
            if (row.status == Status.QUARANTINED and str(row.pk) in show)
            or (texts[str(row.pk)] and row.status in {Status.CURRENT, Status.FORGOTTEN})
        ]
        left = [row for row in touched if not nothing_left(row.text)]
        Episode.objects.filter(id__in=[row.pk for row in left]).update(status=Status.CURRENT)
        gone = {row.pk for row in touched} - {row.pk for row in left}
        Episode.objects.filter(id__in=gone).update(status=Status.FORGOTTEN)
        remove_from_index([row.pk for row in touched])
        index_words(Indexed("episode", row.pk, subject_id, row.text, named(row.speaker)) for row in left)

    def hidden(self, subject_id: uuid.UUID) -> frozenset[str]:
        rows = self.rows(subject_id, frozenset()).filter(status=Status.QUARANTINED)
        return frozenset(map(str, rows.values_list("pk", flat=True)))

    def hide(self, subject_id: uuid.UUID, row_ids: Collection[str]) -> frozenset[str]:
        rows = self.rows(subject_id, frozenset()).filter(pk__in=list(row_ids), status=Status.CURRENT)
        ids = list(rows.values_list("pk", flat=True))
        Episode.objects.filter(id__in=ids).update(status=Status.QUARANTINED)
        remove_from_index(ids)
        return frozenset(map(str, ids))
