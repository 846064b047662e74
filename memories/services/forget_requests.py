"""Requests to forget that wait or were carried out: listed, and answered with yes or no."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from accounts import audit
from accounts.actor import Actor
from accounts.reading import note_reading
from memories.adapters.factory import get_clock
from memories.core.forgetting.target import Target
from memories.core.forgetting.targets import is_no, is_yes
from memories.core.outcomes import Reason
from memories.models import ForgetRequest
from memories.services.forget_carry_out import carry_out, match_request
from memories.services.forget_going import Going, going_of
from memories.services.forget_labels import described
from memories.services.outcome import Outcome
from memories.services.policies import policy_of
from memories.services.undo_texts import texts_left
from memories.store.locks import lock_subject
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict, NotFound

NAMED = 10
"""Waiting requests, the newest, that say in words what they would take: each is matched anew."""


@dataclass(frozen=True, slots=True)
class ListedRequest:
    """A request as people see it: what it is about (names veiled), its state, how much it takes or took, in how many texts words
    have still to be put back while it is undone, and, while it waits, the memories that a yes would take now."""

    id: uuid.UUID
    label: str
    state: str
    scope: str
    standing: bool
    memories: int
    texts: int
    asked_at: datetime
    expires_at: datetime
    restorable: bool
    texts_left: int
    going: tuple[Going, ...] = ()

    @property
    def took(self) -> bool:
        """Whether anything went, or is kept from being learnt for good: one that found nothing changed nothing."""
        return bool(self.memories or self.texts or self.standing)


def list_requests(*, actor: Actor, subject_id: uuid.UUID, waiting: bool = False) -> list[ListedRequest]:
    """The subject's requests, the newest first; those that waited too long are left out."""
    actor.require_subject(subject_id, write=False)
    now = get_clock().now()
    with tenant_transaction(actor.tenant_id):
        note_reading(actor, subject_id, "forget_requests.list")
        rows = ForgetRequest.objects.filter(subject_id=subject_id)
        rows = rows.exclude(state=ForgetRequest.State.WAITING, expires_at__lte=now)
        if waiting:
            rows = rows.filter(state=ForgetRequest.State.WAITING)
        found = list(rows.order_by("-asked_at", "-id")[:200])
        left = texts_left(found)
        open_ones = [row for row in found if row.state == ForgetRequest.State.WAITING][:NAMED]
        going = {row.id: _would_take(row) for row in open_ones}
        return [listed(row, now, left.get(row.id, 0), going.get(row.id)) for row in found]


def _would_take(row: ForgetRequest) -> list[uuid.UUID]:
    """What a yes would take now: more may have been said since it was asked."""
    matched = match_request(row.subject_id, target_of(row), None)
    return [one.id for one in (matched.clear or matched.likely)]


def listed(
    row: ForgetRequest, now: datetime, left: int = 0, would_take: Sequence[uuid.UUID] | None = None
) -> ListedRequest:
    """The row as people see it."""
    return ListedRequest(
        row.id,
        described(target_of(row)) if row.target else "",
        row.state,
        row.scope,
        row.standing,
        row.memories if would_take is None else len(would_take),
        row.texts,
        row.asked_at,
        row.expires_at,
        row.state == ForgetRequest.State.DONE and row.purge_after is not None and row.purge_after > now,
        left,
        going_of(would_take or ()),
    )


def target_of(row: ForgetRequest) -> Target:
    """What the request is about."""
    return Target.of_data(json.loads(str(row.target or "{}")))


def decide_request(
    *, actor: Actor, request_id: uuid.UUID, approve: bool, now: datetime | None = None
) -> list[Outcome]:
    """Carry a waiting request out after a yes, or drop it after a no; answering twice alike changes nothing.

    Raises NotFound for one that is not the actor's, Conflict when it was answered otherwise or waited too long.
    """
    at = now or get_clock().now()
    policy, _ = policy_of(actor.tenant_id)
    with tenant_transaction(actor.tenant_id):
        # Two answers at once wait here for each other.
        lock_subject(mine(actor, request_id).subject_id)
        row = mine(actor, request_id, lock=True)
        if row.state != ForgetRequest.State.WAITING:
            if row.state == (ForgetRequest.State.DONE if approve else ForgetRequest.State.REFUSED):
                return []
            raise Conflict(f"this request was {row.state} already")
        if row.expires_at <= at:
            raise Conflict("this request waited too long", hint="Ask again to forget it.")
        if not approve:
            row.state, row.decided_at, row.decided_by = ForgetRequest.State.REFUSED, at, actor.id[:64]
            row.target = None
            row.save(update_fields=["state", "decided_at", "decided_by", "target"])
            audit.record(
                actor,
                "memory.forget_refused",
                target_kind="forget_request",
                target_id=row.id,
                subject_id=row.subject_id,
            )
            return [
                Outcome(Reason.NOT_WORTH_KEEPING, rule="forget.refused", reasons=("nothing was removed",))
            ]
        return carry_out(
            actor, row, target_of(row), policy=policy, now=at, said_at=row.asked_at, last_turn=None, sure=True
        )


def answer_in_chat(
    *, actor: Actor, subject_id: uuid.UUID, text: str, last_turn_id: uuid.UUID | None, now: datetime
) -> list[Outcome]:
    """The outcomes of a yes or no to what the turn before asked for; [] for any other text."""
    if last_turn_id is None or not (is_yes(text) or is_no(text)):
        return []
    with tenant_transaction(actor.tenant_id):
        waiting = list(
            ForgetRequest.objects.filter(
                subject_id=subject_id,
                turn_id=last_turn_id,
                state=ForgetRequest.State.WAITING,
                expires_at__gt=now,
            ).values_list("id", flat=True)
        )
    return [
        outcome
        for request_id in waiting
        for outcome in decide_request(actor=actor, request_id=request_id, approve=is_yes(text), now=now)
    ]


def mine(actor: Actor, request_id: uuid.UUID, *, lock: bool = False) -> ForgetRequest:
    """The request, locked on demand; NotFound for one that is not there or of somebody whose memory is not the actor's to write."""
    rows = ForgetRequest.objects.filter(id=request_id)
    row: ForgetRequest | None = (rows.select_for_update(of=("self",)) if lock else rows).first()
    if row is None:
        raise NotFound("no such request")
    try:
        actor.require_subject(row.subject_id, write=True)
    except NotFound:
        raise NotFound("no such request") from None
    return row
