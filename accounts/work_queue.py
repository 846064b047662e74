"""What waits for an operator: each app registers its kinds of work, and the admin's home lists them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from accounts.actor import Actor

LIMIT = 1_000
"""Work is counted up to here: above it the home says "more than"."""


@dataclass(frozen=True)
class Work:
    """One row of the home: how much of a kind waits, since when, and where it is done."""

    title: Any
    count: int
    url: str
    since: datetime | None = None
    urgent: bool = False
    note: Any = ""

    @property
    def many(self) -> bool:
        return self.count >= LIMIT


Provider = Callable[[Actor], Work | None]
_providers: list[Provider] = []


def work(provider: Provider) -> Provider:
    """Register a kind of work: called inside the tenant's transaction, in a bounded number of queries; None hides it from
    an actor who may not do it. A count of 0 is listed as done."""
    _providers.append(provider)
    return provider


def waiting(actor: Actor) -> list[Work]:
    """Every kind that the actor may do: what is urgent first, then what waits, then what is done."""
    found = list(_of(actor))
    return sorted(found, key=lambda one: (not (one.urgent and one.count), not one.count))


def _of(actor: Actor) -> Iterator[Work]:
    for provider in _providers:
        if (one := provider(actor)) is not None:
            yield one
