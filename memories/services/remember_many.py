"""Remember many texts in one call, each with an answer of its own."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from accounts.actor import Actor
from memories.services.embedding import embed_passages
from memories.services.limits import MAX_CONTENT, clean
from memories.services.outcome import Outcome
from memories.services.policies import policy_of
from memories.services.remember import remember
from memories.services.screen import screen
from memories.services.subjects import subject_to_write
from memoryhub.common.errors import DomainError

AT_ONCE = 50
"""Texts that a caller waits for; more are remembered by a job."""


@dataclass(frozen=True, slots=True)
class Part:
    """What became of one text, by its place in the call: outcomes, or the code of the error that refused it, and in which fields."""

    index: int
    outcomes: list[Outcome] = field(default_factory=list)
    error: str = ""
    fields: dict[str, str] = field(default_factory=dict)


def remember_many(
    *, actor: Actor, subject_id: uuid.UUID, items: Sequence[Mapping[str, Any]], first: int = 0
) -> list[Part]:
    """One Part an item, in order; an item is the arguments of `remember`. One that is refused stops none of the others.

    NotFound for a subject that the actor may not write. Embeds: not to be called inside a transaction.
    """
    subject_to_write(actor, subject_id)
    policy, _ = policy_of(actor.tenant_id)
    # In one call, before anything is written: each text finds its vector in the cache then.
    texts = [screen(clean(str(item["content"]))[:MAX_CONTENT], policy).text_masked for item in items]
    embed_passages(texts, policy)
    return [remember_part(actor, subject_id, item, first + at) for at, item in enumerate(items)]


def remember_part(actor: Actor, subject_id: uuid.UUID, item: Mapping[str, Any], index: int) -> Part:
    """One of them."""
    try:
        return Part(index, remember(actor=actor, subject_id=subject_id, **item))
    except DomainError as error:
        return Part(index, error=error.code, fields=error.fields)
