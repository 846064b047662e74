"""The session tables as content holders: where forget, redact and erase reach what was said in chats."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from django.db.models import Q, QuerySet

from memories.core.text import tokens
from memories.core.text.needles import holds, masked, pattern_of
from memories.holders import Found
from sessions_app.core.limits import MAX_TITLE_CHARS
from sessions_app.models import ChatSession, Digest, Turn

_ALL = 10_000_000


def _limit(column: str) -> int | None:
    """How long a turn's column may be: a replacement may be longer than what it replaces."""
    field: Any = Turn._meta.get_field(column)
    limit: int | None = field.max_length
    return limit


class TurnHolder:
    """Messages: what was said, a tool's full result, and the speaker's name. Archived and replaced turns, too."""

    name = "turns"
    table = Turn._meta.db_table
    columns = ("content", "full_content", "speaker", "sealed")

    def _rows(self, subject_id: uuid.UUID) -> QuerySet[Turn]:
        rows: QuerySet[Turn] = Turn.objects.filter(session__subject_id=subject_id)
        return rows

    def find(self, subject_id: uuid.UUID, needles: Sequence[str]) -> list[Found]:
        """Each column of each turn that holds a needle."""
        pattern = pattern_of(needles)
        if pattern is None:
            return []
        rows = self._rows(subject_id).order_by("pk").values_list("pk", *self.columns)
        return [
            Found(self.name, self.table, str(pk), column)
            for pk, *texts in rows.iterator(chunk_size=500)
            for column, text in zip(self.columns, texts, strict=True)
            if holds(text, pattern)
        ]

    def mask(self, subject_id: uuid.UUID, needles: Sequence[str], replacement: str) -> int:
        """Replaces in place; the turns' numbers, links and states stay."""
        pattern = pattern_of(needles)
        if pattern is None:
            return 0
        ids = {uuid.UUID(one.row_id) for one in self.find(subject_id, needles)}
        changed = 0
        for turn in self._rows(subject_id).filter(pk__in=ids).order_by("pk").select_for_update(of=("self",)):
            for column in self.columns:
                text = masked(getattr(turn, column), pattern, replacement)
                setattr(turn, column, text and text[: _limit(column)])
            turn.tokens = tokens.count(turn.content)
            turn.save(update_fields=[*self.columns, "tokens"])
            changed += 1
        return changed

    def erase(self, subject_id: uuid.UUID) -> int:
        """Removes the turns."""
        gone, _ = self._rows(subject_id).delete()
        return gone

    def erase_some(self, subject_id: uuid.UUID, limit: int) -> int:
        """Removes some of the turns."""
        ids = list(self._rows(subject_id).values_list("pk", flat=True)[:limit])
        gone, _ = Turn.objects.filter(pk__in=ids).delete()
        return gone

    def count(self, subject_id: uuid.UUID) -> int:
        """Turns that are there."""
        return self._rows(subject_id).count()


class SessionHolder:
    """Sessions: their titles are words of the first message."""

    name = "sessions"
    table = ChatSession._meta.db_table
    columns = ("title",)

    def _rows(self, subject_id: uuid.UUID) -> QuerySet[ChatSession]:
        rows: QuerySet[ChatSession] = ChatSession.objects.filter(
            Q(subject_id=subject_id) | Q(agent_id=subject_id)
        )
        return rows

    def find(self, subject_id: uuid.UUID, needles: Sequence[str]) -> list[Found]:
        """Sessions whose title holds a needle."""
        pattern = pattern_of(needles)
        if pattern is None:
            return []
        rows = self._rows(subject_id).order_by("pk").values_list("pk", "title")
        return [Found(self.name, self.table, str(pk), "title") for pk, title in rows if holds(title, pattern)]

    def mask(self, subject_id: uuid.UUID, needles: Sequence[str], replacement: str) -> int:
        """Replaces inside titles."""
        pattern = pattern_of(needles)
        if pattern is None:
            return 0
        ids = {uuid.UUID(one.row_id) for one in self.find(subject_id, needles)}
        changed = 0
        for session in (
            self._rows(subject_id).filter(pk__in=ids).order_by("pk").select_for_update(of=("self",))
        ):
            session.title = masked(session.title, pattern, replacement)[:MAX_TITLE_CHARS]
            session.save(update_fields=["title"])
            changed += 1
        return changed

    def erase(self, subject_id: uuid.UUID) -> int:
        """Removes the sessions with their digests and turns."""
        return self.erase_some(subject_id, _ALL)

    def erase_some(self, subject_id: uuid.UUID, limit: int) -> int:
        """Removes some of the sessions."""
        ids = list(ChatSession.objects.filter(subject_id=subject_id).values_list("pk", flat=True)[:limit])
        Turn.objects.filter(session_id__in=ids).delete()
        Digest.objects.filter(session_id__in=ids).delete()
        gone, _ = ChatSession.objects.filter(pk__in=ids).delete()
        ChatSession.objects.filter(agent_id=subject_id).update(agent=None)
        return gone

    def count(self, subject_id: uuid.UUID) -> int:
        """Sessions that are there."""
        return ChatSession.objects.filter(subject_id=subject_id).count()
