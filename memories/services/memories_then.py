"""Memories as they were believed at a past time: which they were, and what they said, read from their versions (R19)."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from copy import copy
from datetime import datetime
from typing import Any

from django.db.models import BooleanField, F, OuterRef, QuerySet, Subquery
from django.db.models.fields.json import KT
from django.db.models.functions import Cast
from django.utils.dateparse import parse_datetime

from memories.models import Memory, MemoryVersion
from memories.store.past_sql import NEVER_AGAIN
from memoryhub.common.errors import Invalid

_TIMES = ("said_at", "event_start", "event_end", "valid_from", "valid_to", "expires_at")


def checked_time(name: str, value: datetime | None) -> datetime | None:
    """The time itself; Invalid without a zone."""
    if value is not None and value.tzinfo is None:
        raise Invalid(
            f"{name} has no time zone", hint="Give an offset, or Z.", fields={name: "needs a time zone"}
        )
    return value


def known_then(subject_id: uuid.UUID, as_of: datetime) -> QuerySet[Any]:
    """The subject's memories that there were at `as_of`, with `then_status`, `then_kind`, `then_pinned` and `then_content`.

    What was forgotten, redacted or quarantined since is not among them.
    """
    version = MemoryVersion.objects.filter(memory_id=OuterRef("pk"), at__lte=as_of).order_by("-number")

    def state(name: str) -> Subquery:
        return Subquery(version.annotate(then=KT(f"state__{name}")).values("then")[:1])

    rows: QuerySet[Any] = Memory.objects.of(subject_id).exclude(status__in=NEVER_AGAIN)
    named: QuerySet[Any] = rows.annotate(
        then_status=state("status"),
        then_kind=state("kind"),
        then_pinned=Cast(state("pinned"), BooleanField()),
        then_content=Subquery(version.values("content")[:1]),
    ).filter(then_status__isnull=False)
    return named


def today(subject_id: uuid.UUID) -> QuerySet[Any]:
    """The same names for memories as they stand."""
    rows: QuerySet[Any] = Memory.objects.of(subject_id)
    named: QuerySet[Any] = rows.annotate(
        then_status=F("status"), then_kind=F("kind"), then_pinned=F("pinned"), then_content=F("content")
    )
    return named


def as_they_were(memories: Sequence[Memory], as_of: datetime) -> list[Memory]:
    """Copies with the text and the state of their newest version at `as_of`, in the same order; never to be saved.

    `strength` and hits are not versioned and stay as they are. One look-up.
    """
    rows = MemoryVersion.objects.filter(memory_id__in=[memory.pk for memory in memories], at__lte=as_of)
    newest = {row.memory_id: row for row in rows.order_by("memory_id", "number")}
    return [_as_it_was(memory, newest[memory.pk]) for memory in memories if memory.pk in newest]


def _as_it_was(memory: Memory, version: MemoryVersion) -> Memory:
    then = copy(memory)
    then.content = version.content
    then.content_encrypted = version.content_encrypted
    then.version = version.number
    then.updated_at = version.at
    for name, value in version.state.items():
        setattr(then, name, _value(name, value))
    return then


def _value(name: str, value: Any) -> Any:
    if name in _TIMES and isinstance(value, str):
        return parse_datetime(value)
    return uuid.UUID(value) if name == "superseded_by_id" and isinstance(value, str) else value
