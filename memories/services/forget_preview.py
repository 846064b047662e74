"""What a request would take, without taking it."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from accounts.actor import Actor
from memories.core.forgetting.reach import Matched
from memories.core.forgetting.target import Target
from memories.core.forgetting.targets import targets
from memories.services.forget_carry_out import match_request
from memories.services.forget_going import Going, going_of
from memories.services.forget_labels import described
from memories.services.forget_wanted import MAX_TEXT
from memories.services.tenant_subject import refuse_tenant_subject
from memoryhub.common.db import tenant_transaction


@dataclass(frozen=True, slots=True)
class Preview:
    """What one request would take: `memory_ids` for sure, `likely_ids` perhaps, `going` names the newest of the
    former in their words; `asks` says that a yes is needed first."""

    label: str
    scope: str
    standing: bool
    memory_ids: tuple[uuid.UUID, ...]
    likely_ids: tuple[uuid.UUID, ...]
    asks: bool
    why: str
    going: tuple[Going, ...] = ()


def preview(
    *,
    actor: Actor,
    subject_id: uuid.UUID,
    text: str = "",
    wanted: Sequence[Target] | None = None,
    last_turn_id: uuid.UUID | None = None,
) -> list[Preview]:
    """What the requests in the text, or those `wanted`, would take, without taking it; for who may take it."""
    actor.require_subject(subject_id, write=True)
    with tenant_transaction(actor.tenant_id):
        refuse_tenant_subject(subject_id)
        return [
            _preview(target, match_request(subject_id, target, last_turn_id))
            for target in (targets(text[:MAX_TEXT]) if wanted is None else wanted)
        ]


def _preview(target: Target, matched: Matched) -> Preview:
    return Preview(
        described(target),
        target.scope.value,
        target.standing,
        tuple(one.id for one in matched.clear),
        tuple(one.id for one in matched.likely),
        matched.ask,
        matched.why,
        going_of([one.id for one in (matched.clear or matched.likely)]),
    )
