"""What stands beside a memory in apps above this one: each registers what finds it, and the memory's page lists it."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from memories.models import Memory


@dataclass(frozen=True)
class Link:
    """A page that has to do with the memory; `title` is made of numbers and codes, never of content."""

    title: Any
    url: str


Beside = Callable[[Memory, Sequence[uuid.UUID]], Sequence[Link]]
"""Takes the memory and the turns in which it was said, in the open tenant transaction; a bounded number of queries and links."""

_BESIDE: list[Beside] = []


def beside(finder: Beside) -> Beside:
    """Register a finder."""
    _BESIDE.append(finder)
    return finder


def links_of(memory: Memory, turn_ids: Sequence[uuid.UUID]) -> list[Link]:
    """All that was found."""
    return [link for finder in _BESIDE for link in finder(memory, turn_ids)]
