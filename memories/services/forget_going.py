"""What a request to forget would take, in the words of the memories: a person says yes to those, not to a number."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from dataclasses import dataclass

from memories.models import Memory

MAX_GOING = 50
"""Memories that are named, of all that would go."""


@dataclass(frozen=True, slots=True)
class Going:
    """A memory that would go, in the words that it has."""

    id: uuid.UUID
    content: str


def going_of(ids: Collection[uuid.UUID]) -> tuple[Going, ...]:
    """The newest MAX_GOING of these memories, in the open tenant transaction."""
    rows = Memory.objects.filter(id__in=ids).order_by("-said_at", "-id").values_list("id", "content")
    return tuple(Going(one, content) for one, content in rows[:MAX_GOING])
