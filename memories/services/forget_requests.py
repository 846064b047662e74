"""Requests to forget that wait or were carried out: listed, answered with yes or no, and undone as a whole."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass
from datetime import datetime

from accounts import audit
from accounts.actor import Actor
from accounts.reading import note_reading
from memories.adapters.factory import get_clock
from memories.core.errors import MemoryGone
from memories.core.forgetting.target import Target
from memories.core.forgetting.targets import is_no, is_yes
from memories.core.outcomes import Reason
from memories.models import ForgetRequest, ForgetRule, Memory, Status, Tombstone
from memories.services.emptied import EMPTIED, emptied
from memories.services.forget_carry_out import carry_out
from memories.services.forget_cuts import put_back
from memories.services.forget_labels import described
from memories.services.forget_wide import finish_texts
from memories.services.outcome import Outcome
from memories.services.policies import policy_of
from memories.services.restore import restore
from memories.store.locks import lock_subject
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict, DomainError, NotFound

WORDS_AWAITED = "forget.words_awaited"
"""The rule of tombstones that were undone in vain: another request holds the memory's words, and its undo brings it back."""


@dataclass(frozen=True, slots=True)
class ListedRequest:
    """A request as people see it: what it is about (names veiled), its state, and how much it takes or took."""

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
        return [listed(row, now) for row in rows.order_by("-asked_at", "-id")[:200]]


def listed(row: ForgetRequest, now: datetime) -> ListedRequest:
    """The row as people see it."""
    return ListedRequest(
        row.id,
        described(target_of(row)) if row.target else "",
        row.state,
        row.scope,
        row.standing,
        row.memories,
        row.texts,
        row.asked_at,
        row.expires_at,
        row.state == ForgetRequest.State.DONE and row.purge_after is not None and row.purge_after > now,
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
        lock_subject(_mine(actor, request_id).subject_id)
        row = _mine(actor, request_id, lock=True)
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


@dataclass(frozen=True, slots=True)
class Undone:
    """How many memories came back, how many stayed forgotten, and how many cuts found their texts changed."""

    memories: int = 0
    stayed: int = 0
    missed: int = 0


def undo_request(*, actor: Actor, request_id: uuid.UUID) -> Undone:
    """Bring back all that a request took: memories, words, and that it may be learnt again.

    Memories that something newer replaces stay forgotten, and words whose texts changed stay encrypted: then the request
    stays done, with its rules, and can be undone again. Memories whose words another request took as well come back when that
    one is undone, too. Raises NotFound, MemoryGone past the retention.
    """
    undone = _undo(actor, request_id)
    with tenant_transaction(actor.tenant_id):
        row = _mine(actor, request_id)
        others = Tombstone.objects.filter(
            subject_id=row.subject_id, rule=WORDS_AWAITED, restored_at__isnull=True
        ).exclude(request_id=request_id)
        waiting = list(others.order_by("request_id").values_list("request_id", flat=True).distinct())
    for other in waiting:
        try:
            _undo(actor, other)
        except DomainError:
            continue  # Past its retention, say; this one is undone all the same.
    return undone


def _undo(actor: Actor, request_id: uuid.UUID) -> Undone:
    now = get_clock().now()
    with tenant_transaction(actor.tenant_id):
        subject_id = _mine(actor, request_id).subject_id
    # Words that a job has still to take out cannot be put back: its work is done first.
    finish_texts(actor.tenant_id, subject_id)
    with tenant_transaction(actor.tenant_id):
        row = _mine(actor, request_id)
        if row.state == ForgetRequest.State.RESTORED:
            return Undone()
        if row.state != ForgetRequest.State.DONE:
            raise Conflict(f"this request is {row.state}; there is nothing to bring back")
        if row.purge_after is None or row.purge_after <= now:
            raise MemoryGone("the retention time of this request has passed")
        stones = Tombstone.objects.filter(request_id=row.id, restored_at__isnull=True)
        ids = list(stones.filter(memory__status=Status.FORGOTTEN).values_list("memory_id", flat=True))
    back, left = 0, []
    for memory_id in ids:
        try:
            restore(actor=actor, memory_id=memory_id)
            back += 1
        except DomainError:
            # Counted below: one that lost all its words comes back with them.
            left.append(memory_id)
    with tenant_transaction(actor.tenant_id):
        lock_subject(row.subject_id)
        row = _mine(actor, request_id, lock=True)
        if row.state != ForgetRequest.State.DONE:
            return Undone(back)
        missed = put_back(row.subject_id, [row.id])
        wordless = [one.id for one in Memory.objects.filter(id__in=left) if emptied(one.content)]
        stones.filter(memory_id__in=wordless).exclude(rule=EMPTIED).update(rule=WORDS_AWAITED)
        gone = Tombstone.objects.filter(request_id=row.id, restored_at__isnull=True)
        stayed = gone.filter(memory__status=Status.FORGOTTEN).count()
        if missed or stayed:
            row.undo = json.dumps(missed, ensure_ascii=False) if missed else None
            row.save(update_fields=["undo"])
            _audit_undone(actor, row, Undone(back, stayed, len(missed)))
            return Undone(back, stayed, len(missed))
        row.state, row.undo = ForgetRequest.State.RESTORED, None
        row.save(update_fields=["state", "undo"])
        ForgetRule.objects.filter(request_id=row.id, removed_at__isnull=True).update(
            removed_at=now, label=None, target=None
        )
        _audit_undone(actor, row, Undone(back))
    return Undone(back)


def _audit_undone(actor: Actor, row: ForgetRequest, undone: Undone) -> None:
    audit.record(
        actor,
        "memory.forget_undone",
        target_kind="forget_request",
        target_id=row.id,
        subject_id=row.subject_id,
        memories=undone.memories,
        stayed=undone.stayed,
        missed=undone.missed,
    )


def _mine(actor: Actor, request_id: uuid.UUID, *, lock: bool = False) -> ForgetRequest:
    rows = ForgetRequest.objects.filter(id=request_id)
    row: ForgetRequest | None = (rows.select_for_update(of=("self",)) if lock else rows).first()
    if row is None:
        raise NotFound("no such request")
    try:
        actor.require_subject(row.subject_id, write=True)
    except NotFound:
        raise NotFound("no such request") from None
    return row
