"""The session tables' texts out of which words can be taken: turns, archived ones too, and titles."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from re import Pattern
from typing import Any

from memories.adapters.factory import get_clock
from memories.core.forgetting.texts import nothing_left
from memories.core.text import tokens
from memories.texts import Passage
from sessions_app.core.limits import MAX_TITLE_CHARS
from sessions_app.models import ChatSession, Turn


class TurnTexts:
    """Messages and tools' full results; a message of which nothing is left is not learnt from, nor compacted."""

    name = "turns"
    columns = ("content", "full_content", "sealed")

    def passages(
        self, subject_id: uuid.UUID, holding: Pattern[str] | None, without: frozenset[uuid.UUID]
    ) -> Iterator[Passage]:
        del without
        rows = Turn.objects.filter(session__subject_id=subject_id).order_by("pk")
        for turn in rows.iterator(chunk_size=500):
            fresh = turn.learned_at is None and turn.role == Turn.Role.USER
            for column in self.columns:
                text = getattr(turn, column)
                if text and (holding is None or fresh or holding.search(text)):
                    yield Passage(
                        self.name,
                        str(turn.pk),
                        column,
                        text,
                        turn.role,
                        turn.speaker,
                        str(turn.pk),
                        turn.said_at,
                    )

    def get(self, subject_id: uuid.UUID, row_id: str, column: str) -> str | None:
        row = (
            Turn.objects.select_for_update(of=("self",))
            .filter(pk=row_id, session__subject_id=subject_id)
            .first()
        )
        return None if row is None else getattr(row, column)

    def fits(self, subject_id: uuid.UUID, row_id: str, column: str, text: str) -> bool:
        del subject_id, row_id, column, text
        return True

    def put(self, subject_id: uuid.UUID, row_id: str, texts: Mapping[str, str]) -> None:
        new: dict[str, Any] = dict(texts)
        if "content" in new:
            new["tokens"] = tokens.count(new["content"])
            new["forgotten_at"] = get_clock().now() if nothing_left(new["content"]) else None
        Turn.objects.filter(pk=row_id, session__subject_id=subject_id).update(**new)


class TitleTexts:
    """Titles are words of the first message."""

    name = "sessions"

    def passages(
        self, subject_id: uuid.UUID, holding: Pattern[str] | None, without: frozenset[uuid.UUID]
    ) -> Iterator[Passage]:
        del without
        rows = ChatSession.objects.filter(subject_id=subject_id).exclude(title="").order_by("pk")
        for pk, title in rows.values_list("pk", "title").iterator(chunk_size=500):
            if holding is None or holding.search(title):
                yield Passage(self.name, str(pk), "title", title)

    def get(self, subject_id: uuid.UUID, row_id: str, column: str) -> str | None:
        del column
        rows = ChatSession.objects.select_for_update(of=("self",)).filter(pk=row_id, subject_id=subject_id)
        title: str | None = rows.values_list("title", flat=True).first()
        return title

    def fits(self, subject_id: uuid.UUID, row_id: str, column: str, text: str) -> bool:
        del subject_id, row_id, column
        return len(text) <= MAX_TITLE_CHARS

    def put(self, subject_id: uuid.UUID, row_id: str, texts: Mapping[str, str]) -> None:
        title = texts.get("title", "")
        ChatSession.objects.filter(pk=row_id, subject_id=subject_id).update(title=title)
