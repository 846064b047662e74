"""The session tables as content holders: where forget, redact and erase reach what was said in chats."""

from __future__ import annotations

import re
import uuid
from collections.abc import Sequence

from django.db.models import Q, QuerySet

from memories.core import tokens
from memories.holders import Found
from sessions_app.models import ChatSession, Digest, Turn


def holds(columns: Sequence[str], needles: Sequence[str]) -> Q:
    """Rows in which any column holds any of the needles, letter case aside."""
    wanted = Q(pk__in=[])
    for column in columns:
        for needle in needles:
            wanted |= Q(**{f"{column}__icontains": needle})
    return wanted


def masked(text: str, needles: Sequence[str], replacement: str) -> str:
    """The text with each needle replaced, the longest first, so that none survives inside another."""
    ordered = sorted(filter(None, needles), key=len, reverse=True)
    if not ordered:
        return text
    return re.sub(
        "|".join(re.escape(needle) for needle in ordered), lambda _: replacement, text, flags=re.IGNORECASE
    )


class TurnHolder:
    """Messages: what was said, a tool's full result, and the speaker's name. Archived and replaced turns, too."""

    name = "turns"
    table = Turn._meta.db_table
    columns = ("content", "full_content", "speaker")

    def _rows(self, subject_id: uuid.UUID) -> QuerySet[Turn]:
        rows: QuerySet[Turn] = Turn.objects.filter(session__subject_id=subject_id)
        return rows

    def find(self, subject_id: uuid.UUID, needles: Sequence[str]) -> list[Found]:
        """Each column of each turn that holds a needle."""
        found: list[Found] = []
        for column in self.columns:
            ids = (
                self._rows(subject_id)
                .filter(holds((column,), needles))
                .order_by("pk")
                .values_list("pk", flat=True)
            )
            found += [Found(self.name, self.table, str(pk), column) for pk in ids]
        return found

    def mask(self, subject_id: uuid.UUID, needles: Sequence[str], replacement: str) -> int:
        """Replaces in place; the turns' numbers, links and states stay."""
        changed = 0
        for turn in (
            self._rows(subject_id).filter(holds(self.columns, needles)).select_for_update(of=("self",))
        ):
            for column in self.columns:
                setattr(turn, column, masked(getattr(turn, column), needles, replacement))
            turn.tokens = tokens.count(turn.content)
            turn.save(update_fields=[*self.columns, "tokens"])
            changed += 1
        return changed

    def erase(self, subject_id: uuid.UUID) -> int:
        """Removes the turns."""
        gone, _ = self._rows(subject_id).delete()
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
        ids = (
            self._rows(subject_id)
            .filter(holds(self.columns, needles))
            .order_by("pk")
            .values_list("pk", flat=True)
        )
        return [Found(self.name, self.table, str(pk), "title") for pk in ids]

    def mask(self, subject_id: uuid.UUID, needles: Sequence[str], replacement: str) -> int:
        """Replaces inside titles."""
        changed = 0
        for session in (
            self._rows(subject_id).filter(holds(self.columns, needles)).select_for_update(of=("self",))
        ):
            session.title = masked(session.title, needles, replacement)[:200]
            session.save(update_fields=["title"])
            changed += 1
        return changed

    def erase(self, subject_id: uuid.UUID) -> int:
        """Removes the sessions with their digests and turns."""
        ids = list(ChatSession.objects.filter(subject_id=subject_id).values_list("pk", flat=True))
        Turn.objects.filter(session_id__in=ids).delete()
        Digest.objects.filter(session_id__in=ids).delete()
        gone, _ = ChatSession.objects.filter(pk__in=ids).delete()
        ChatSession.objects.filter(agent_id=subject_id).update(agent=None)
        return gone

    def count(self, subject_id: uuid.UUID) -> int:
        """Sessions that are there."""
        return ChatSession.objects.filter(subject_id=subject_id).count()
