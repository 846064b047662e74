"""Which digests of a session are to be condensed into one of the next generation (R9)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from memories.core.policy import Policy


class HasGeneration(Protocol):
    """What the choice has to know of a digest."""

    @property
    def generation(self) -> int: ...


D = TypeVar("D", bound=HasGeneration)


def pile(digests: Sequence[D], policy: Policy) -> list[D]:
    """The oldest neighbours of one generation that become one digest now; none while there are at most `digest.pile`.

    `digests` are the session's live ones, oldest first. The newest ones, which stand in every context, are left alone,
    and so is whatever has reached `digest.max_generation`: a digest of that generation is never compacted again.
    """
    highest = policy.integer("digest.max_generation")
    young = [digest for digest in digests if digest.generation < highest]
    if len(young) <= policy.integer("digest.pile"):
        return []
    keep = max(1, min(policy.integer("digest.in_context"), len(young) - 2))
    oldest = young[: len(young) - keep]
    same = [digest for digest in oldest if digest.generation == oldest[0].generation]
    return same if len(same) > 1 else []
