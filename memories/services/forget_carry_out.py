"""Carries one request out, in the open transaction, or stores it to wait for a yes."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from accounts import audit
from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.core.forgetting.exceptions import NOT_UNDERSTOOD
from memories.core.forgetting.matching import match
from memories.core.forgetting.reach import KnownMemory, Matched
from memories.core.forgetting.remains import clauses
from memories.core.forgetting.target import Scope, Target
from memories.core.forgetting.texts import Spec
from memories.core.outcomes import Reason
from memories.core.policy import Policy
from memories.models import Episode, ForgetRequest, Memory
from memories.services.emptied import lay_for_emptied
from memories.services.forget_cuts import Taken, keep_undo
from memories.services.forget_derived import clear_kept_answers
from memories.services.forget_hide import hide
from memories.services.forget_rules import bind_reach
from memories.services.forget_spans import Taking
from memories.services.forget_specs import known_memories, spec_of
from memories.services.forget_texts import take_out
from memories.services.forget_wide import unfinished
from memories.services.outcome import Outcome
from memories.services.removing import remove
from memories.services.standing_rules import stand
from memories.services.tombstones import audit_forgotten
from memories.store.locks import lock_subject
from memories.texts import text_holder

WIDE_MEMORIES, WIDE_TEXTS = 50, 200
"""More memories or episodes than these are forgotten in two steps."""


def carry_out(
    actor: Actor,
    request: ForgetRequest,
    target: Target,
    *,
    policy: Policy,
    now: datetime,
    said_at: datetime,
    last_turn: uuid.UUID | None,
    sure: bool,
) -> list[Outcome]:
    """Do what a request asks, in the open transaction, or store it to wait; `sure` after a yes."""
    subject_id = request.subject_id
    lock_subject(subject_id)
    matched = match_request(subject_id, target, last_turn, said_at)
    if matched.why == NOT_UNDERSTOOD:
        return [_not_understood(actor, request)]
    if matched.ask and not sure:
        return [_wait(actor, request, matched)]
    found = matched.clear + (matched.likely if sure else ())
    _store(request, target, policy, now, actor)
    ids = [one.id for one in found]
    rows = list(Memory.objects.select_for_update().filter(id__in=ids).order_by("id"))
    if _wide(subject_id, matched, rows):
        return _in_two_steps(actor, request, matched, rows, policy=policy, now=now, said_at=said_at)
    specs = {row.id: spec_of(row, leaving=ids) for row in rows}
    # What the same message says beside the request ("…, the new one is …") is said after it.
    before = said_at - timedelta(microseconds=1)
    laid = remove(
        rows, actor=actor, cause="user", reason="", policy=policy, now=now, before=before, request=request
    )
    audit_forgotten(rows, actor=actor, cause="user")
    stones = {stone.memory_id: stone for stone in laid}
    bind_reach(actor, subject_id, matched.reach, before, request)
    if target.standing:
        stand(actor, subject_id, matched.reach, now, request)
    takings = _takings(request, matched, {stones[key].id: spec for key, spec in specs.items()}, last_turn)
    spared = matched.reach.spared
    takings = [replace(taking, until=said_at, spec=replace(taking.spec, spared=spared)) for taking in takings]
    taken = take_out(subject_id, takings, without=frozenset(ids), request_turn=str(request.turn_id or ""))
    keep_undo(taken)
    emptied = taken.places.get("memories", set())
    lay_for_emptied(emptied, actor=actor, cause="user", policy=policy, now=now, request=request)
    clear_kept_answers(subject_id, [taking.spec for taking in takings])
    request.memories, request.texts = len(rows), taken.texts
    request.save(update_fields=["memories", "texts"])
    audit.record(
        actor,
        "memory.forget_request",
        target_kind="forget_request",
        target_id=request.id,
        subject_id=subject_id,
        memories=len(rows),
        texts=taken.texts,
        scope=request.scope,
    )
    return _outcomes(request, rows, taken)


def _wide(subject_id: uuid.UUID, matched: Matched, rows: Sequence[Memory]) -> bool:
    """Whether it is too much for one transaction, or another's words still stand in texts that are hidden."""
    if matched.reach.target.scope is Scope.LAST:
        return False
    if len(rows) > WIDE_MEMORIES or unfinished(subject_id):
        return True
    return matched.reach.everything and Episode.objects.of(subject_id).count() > WIDE_TEXTS


def _in_two_steps(
    actor: Actor,
    request: ForgetRequest,
    matched: Matched,
    rows: Sequence[Memory],
    *,
    policy: Policy,
    now: datetime,
    said_at: datetime,
) -> list[Outcome]:
    """Hidden at once, in a few statements; the texts are rewritten by a job."""
    before = said_at - timedelta(microseconds=1)
    bind_reach(actor, request.subject_id, matched.reach, before, request)
    if matched.reach.target.standing:
        stand(actor, request.subject_id, matched.reach, now, request)
    hidden = hide(request, rows, actor=actor, policy=policy, now=now, before=before)
    request.memories = len(rows)
    request.save(update_fields=["memories"])
    audit.record(
        actor,
        "memory.forget_request",
        target_kind="forget_request",
        target_id=request.id,
        subject_id=request.subject_id,
        memories=len(rows),
        scope=request.scope,
    )
    return _outcomes(request, rows, hidden)


def match_request(
    subject_id: uuid.UUID, target: Target, last_turn: uuid.UUID | None, said_at: datetime | None = None
) -> Matched:
    memories = known_memories(subject_id, digests=target.scope is Scope.EVERYTHING, until=said_at)
    return match(target, memories, last_turn)


def _takings(
    request: ForgetRequest, matched: Matched, specs: dict[uuid.UUID, Spec], last_turn: uuid.UUID | None
) -> list[Taking]:
    """Each memory's words under its tombstone, then what no memory rests on under the request."""
    takings = [Taking(owner, spec) for owner, spec in specs.items()]
    values = frozenset(value for spec in specs.values() for value in spec.values)
    kept = frozenset(value for spec in specs.values() for value in spec.kept)
    reach = matched.reach
    if not specs:
        values = frozenset(
            fact.value for one in matched.clear for fact in one.facts if _meant(fact.attribute, matched)
        )
    if reach.target.scope is not Scope.LAST:
        return [*takings, Taking(request.id, Spec(reach, frozenset(), values, kept))]
    if last_turn is None:
        return takings
    holder = text_holder("turns")
    said = holder.get(request.subject_id, str(last_turn), "content") if holder is not None else None
    whole = Spec(replace(reach, everything=True))
    takings.append(Taking(request.id, whole, frozenset({str(last_turn)})))
    if said:
        pieces = frozenset(said[start:end] for start, end in clauses(said) if end - start >= 4)
        takings.append(Taking(request.id, Spec(None, pieces)))
    return takings


def _meant(attribute: str, matched: Matched) -> bool:
    return not matched.reach.attributes or attribute in matched.reach.attributes


def _wait(actor: Actor, request: ForgetRequest, matched: Matched) -> Outcome:
    found: Sequence[KnownMemory] = matched.clear or matched.likely
    request.target = json.dumps(matched.reach.target.as_data(), ensure_ascii=False)
    request.state = ForgetRequest.State.WAITING
    request.memories = len(found)
    request.save(force_insert=True)
    audit.record(
        actor,
        "memory.forget_asked",
        target_kind="forget_request",
        target_id=request.id,
        subject_id=request.subject_id,
        memories=len(found),
        scope=request.scope,
    )
    return Outcome(
        Reason.NEEDS_APPROVAL,
        rule="forget.ask",
        reasons=(f"request {request.id}", f"{len(found)} memories", matched.why),
    )


def _not_understood(actor: Actor, request: ForgetRequest) -> Outcome:
    """Something is left out that fits nothing known: nothing may go, as just that could be among it."""
    if not request._state.adding:
        request.state, request.decided_at, request.target = (
            ForgetRequest.State.REFUSED,
            get_clock().now(),
            None,
        )
        request.decided_by = actor.id[:64]
        request.save(update_fields=["state", "decided_at", "decided_by", "target"])
    return Outcome(
        Reason.NOT_WORTH_KEEPING,
        rule="forget.exception",
        reasons=("what is to be left out fits nothing stored, so nothing was removed",),
    )


def _store(request: ForgetRequest, target: Target, policy: Policy, now: datetime, actor: Actor) -> None:
    new = request._state.adding
    request.state = ForgetRequest.State.DONE
    request.decided_at, request.decided_by = now, actor.id[:64]
    request.target = json.dumps(target.as_data(), ensure_ascii=False)
    request.purge_after = now + timedelta(days=policy.number("tombstone.retention_days"))
    request.save(force_insert=new)


def _outcomes(request: ForgetRequest, rows: Sequence[Memory], taken: Taken) -> list[Outcome]:
    reasons = (f"request {request.id}", f"{taken.texts} texts")
    if rows:
        return [Outcome(Reason.FORGOTTEN, row.id, row.kind, "forget.words", reasons) for row in rows]
    if taken.texts:
        return [Outcome(Reason.FORGOTTEN, rule="forget.words", reasons=reasons)]
    if request.standing:
        return [Outcome(Reason.FORGOTTEN, rule="forget.standing", reasons=reasons)]
    return [Outcome(Reason.NOT_WORTH_KEEPING, rule="forget.nothing_found", reasons=("nothing stored fits",))]
