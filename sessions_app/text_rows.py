"""The session tables' texts out of which words can be taken: turns, archived ones too, and titles."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterator, Mapping
from re import Pattern
from typing import Any

from memories.adapters.factory import get_clock
from memories.core.forgetting.remains import nothing_left
from memories.core.text import tokens
from memories.services.text_rows import NO_MEMORIES, RowTexts
from memories.texts import Passage
from sessions_app.core.limits import MAX_TITLE_CHARS
from sessions_app.models import ChatSession, Turn
from sessions_app.services.record_turn import ask_to_learn


class TurnTexts(RowTexts):
    """Messages and tools' full results; a message of which nothing is left is not learnt from, nor compacted."""

    hides = True

    def __init__(self) -> None:
        # The speaker last: who spoke decides what the words mean.
        super().__init__("turns", Turn, ("content", "full_content", "sealed", "speaker"))

    def rows(self, subject_id: uuid.UUID, without: frozenset[uuid.UUID]) -> Any:
        return Turn.objects.filter(session__subject_id=subject_id)

    def of_row(self, row: Any, holding: Pattern[str] | None) -> Iterator[Passage]:
        """What holds the pattern, and what nothing was learnt from yet."""
        fresh = row.learned_at is None and row.role == Turn.Role.USER
        for column in self.columns:
            text = getattr(row, column)
            unread = fresh and column != "speaker"
            if text and (holding is None or unread or holding.search(text)):
                role, speaker = ("user", "") if column == "speaker" else (row.role, row.speaker)
                yield Passage(self.name, str(row.pk), column, text, role, speaker, str(row.pk), row.said_at)

    def fits(self, subject_id: uuid.UUID, row_id: str, column: str, text: str) -> bool:
        return column != "speaker" or super().fits(subject_id, row_id, column, text)

    def put_many(
        self, subject_id: uuid.UUID, texts: Mapping[str, Mapping[str, str]], *, show: Collection[str] = ()
    ) -> None:
        found = self.rows(subject_id, NO_MEMORIES).filter(pk__in=list(texts))
        rows = list(found.select_related("session").order_by("pk"))
        now = get_clock().now()
        changed = []
        for turn in rows:
            new = texts[str(turn.pk)]
            hidden = turn.forgotten_at is not None
            if not new and not (hidden and str(turn.pk) in show):
                continue
            shows = str(turn.pk) in show or not hidden or nothing_left(turn.content)
            for column, text in new.items():
                setattr(turn, column, text)
            turn.tokens = tokens.count(turn.content)
            if nothing_left(turn.content):
                turn.forgotten_at = turn.forgotten_at or now
            elif shows:
                turn.forgotten_at = None
                if hidden and turn.learned_at is None:
                    # Its own job may have come while it was hidden, and learnt nothing.
                    ask_to_learn(turn, turn.session, now)
            changed.append(turn)
        if changed:
            Turn.objects.bulk_update(changed, [*self.columns, "tokens", "forgotten_at"], batch_size=500)

    def hidden(self, subject_id: uuid.UUID) -> frozenset[str]:
        rows = self.rows(subject_id, NO_MEMORIES).filter(forgotten_at__isnull=False)
        return frozenset(map(str, rows.values_list("pk", flat=True)))

    def hide(self, subject_id: uuid.UUID, row_ids: Collection[str]) -> frozenset[str]:
        """Not listed, read into contexts nor learnt from until its words were taken out."""
        rows = self.rows(subject_id, NO_MEMORIES).filter(pk__in=list(row_ids), forgotten_at__isnull=True)
        ids = list(rows.values_list("pk", flat=True))
        Turn.objects.filter(pk__in=ids).update(forgotten_at=get_clock().now())
        return frozenset(map(str, ids))


class TitleTexts(RowTexts):
    """Titles are words of the first message."""

    def __init__(self) -> None:
        super().__init__("sessions", ChatSession, ("title",))

    def fits(self, subject_id: uuid.UUID, row_id: str, column: str, text: str) -> bool:
        return len(text) <= MAX_TITLE_CHARS
