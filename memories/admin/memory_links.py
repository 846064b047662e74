"""What apps above this one know of memories: what stands beside one, and which answers cite it; each registers what finds it."""

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


Cited = Callable[[Sequence[uuid.UUID], Sequence[uuid.UUID]], int]
"""Takes the turns that were questions and the memories, in the open tenant transaction: how many answers to them cite one of these."""

_CITED: list[Cited] = []


def cited(counter: Cited) -> Cited:
    """Register who knows which answers cite what."""
    _CITED.append(counter)
    return counter


def answers_citing(question_turn_ids: Sequence[uuid.UUID], memory_ids: Sequence[uuid.UUID]) -> int:
    """How many answers to these questions cite one of the memories."""
    return sum(counter(question_turn_ids, memory_ids) for counter in _CITED)
