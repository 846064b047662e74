"""A tenant's policy in force, and a session's where an experiment runs, cached for a few seconds; and the one way to change it."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass

import structlog
from django.db import transaction
from django.db.models import QuerySet

from accounts import audit
from accounts.actor import Actor
from accounts.permissions import Capability
from memories.adapters.factory import get_clock
from memories.core.errors import PolicyError
from memories.core.experiments import Arm, Trial
from memories.core.policy import Policy
from memories.models import PolicyVersion
from memories.services.experiments.rows import end, running
from memories.services.screen import screen
from memories.store.locks import lock_policy
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict, Invalid
from memoryhub.common.texts import storable

log = structlog.get_logger(__name__)

CACHE_SECONDS = 5.0
MAX_NOTE = 200


@dataclass(frozen=True, slots=True)
class InForce:
    """What a session goes by: `version` is the tenant's; in arm B of an experiment `policy` has its rules over that version's."""

    policy: Policy
    version: int
    experiment_id: uuid.UUID | None = None
    arm: Arm | None = None


@dataclass(frozen=True, slots=True)
class _Kept:
    """`until` in time.monotonic()'s seconds."""

    until: float
    policy: Policy
    number: int
    trial: Trial | None


_cache: dict[uuid.UUID, _Kept] = {}
_lock = threading.Lock()


def policy_of(tenant_id: uuid.UUID) -> tuple[Policy, int]:
    """The tenant's policy and its version number (0: the defaults); at most CACHE_SECONDS old in this process.

    For what works on the whole tenant, or on what all sessions share; what works within a session takes policy_for.
    """
    kept = _kept(tenant_id)
    return kept.policy, kept.number


def policy_for(tenant_id: uuid.UUID, session_id: uuid.UUID | None) -> InForce:
    """The policy of a session: the tenant's, or arm B's while an experiment runs and puts the session there.

    The arm follows from the id alone. A session that was open when the experiment began goes by its arm from then on, too, and
    is not counted in its numbers. None is no session: the tenant's own.
    """
    kept = _kept(tenant_id)
    if session_id is None or kept.trial is None:
        return InForce(kept.policy, kept.number)
    arm = kept.trial.arm_of(session_id)
    policy = kept.trial.policy if arm is Arm.B else kept.policy
    return InForce(policy, kept.number, kept.trial.experiment_id, arm)


def stored_policy() -> tuple[Policy, int]:
    """The policy in force and its number as they stand in the open tenant transaction."""
    row: PolicyVersion | None = PolicyVersion.objects.order_by("-number").first()
    return (Policy.from_overrides(row.overrides, row.custom), row.number) if row else (Policy.default(), 0)


def _kept(tenant_id: uuid.UUID) -> _Kept:
    with _lock:
        found = _cache.get(tenant_id)
    if found is not None and found.until > time.monotonic():
        return found
    with tenant_transaction(tenant_id):
        policy, number = stored_policy()
        trial = _trial(policy)
    made = _Kept(time.monotonic() + CACHE_SECONDS, policy, number, trial)
    with _lock:
        _cache[tenant_id] = made
    return made


def _trial(base: Policy) -> Trial | None:
    row = running()
    if row is None:
        return None
    try:
        policy = base.with_overrides(row.overrides)
    except PolicyError as error:
        # A later release allows less than the one that it was started under: nobody's chat may stop for that.
        log.error("experiment.does_not_fit", experiment_id=str(row.pk), key=error.key)
        return None
    return Trial(row.pk, bytes(row.salt), row.share, policy)


def set_policy(
    *,
    actor: Actor,
    overrides: Mapping[str, object],
    custom: Mapping[str, object] | None = None,
    note: str = "",
    expected: int | None = None,
) -> PolicyVersion:
    """A new version that holds exactly these overrides, and these own patterns and fields (None: as they were).

    PolicyError names the first part that does not fit. `expected` is the number of the version that was edited: Conflict
    when there is a newer one. The note is screened like any text that is kept. A running experiment is stopped: its arm A is the version that was in force so far.
    """
    actor.require(Capability.POLICY_WRITE)
    if len(note) > MAX_NOTE:
        raise Invalid("the note is too long", fields={"note": f"at most {MAX_NOTE} characters"})
    if not storable(note):
        raise Invalid("the note is no text", fields={"note": "must hold no NUL and no lone surrogate"})
    policy = Policy.from_overrides(overrides, custom)
    # By the policy that it is about: what is in force is read, and kept for a while, only once this one stands.
    note = screen(note, policy).text_masked[:MAX_NOTE]
    with tenant_transaction(actor.tenant_id):
        lock_policy()
        newest: PolicyVersion | None = PolicyVersion.objects.order_by("-number").first()
        number = newest.number if newest else 0
        if expected is not None and expected != number:
            raise Conflict(
                f"the policy is at version {number}, not {expected}", hint="Read it again, then change it."
            )
        row: PolicyVersion = PolicyVersion.objects.create(
            number=number + 1,
            overrides=policy.overrides(),
            custom=policy.own.as_data() if custom is not None or newest is None else newest.custom,
            note=note,
            created_by=actor.id,
            created_at=get_clock().now(),
        )
        audit.record(
            actor,
            "policy.set",
            target_kind="policy",
            target_id=row.id,
            number=row.number,
            keys=sorted(policy.overrides()),
            own=sorted(policy.own.actions()),
        )
        if (trial := running(lock=True)) is not None:
            end(trial, actor, now=row.created_at, version=row.number)
        transaction.on_commit(lambda: forget_cached(actor.tenant_id))
    return row


def newest_policy(*, actor: Actor) -> PolicyVersion | None:
    """The version in force, for who may change it; None while the defaults are."""
    with tenant_transaction(actor.tenant_id):
        return policy_versions(actor=actor).order_by("-number").first()


def policy_versions(*, actor: Actor) -> QuerySet[PolicyVersion]:
    """All versions, for a door that pages; evaluated inside the tenant's transaction."""
    actor.require(Capability.POLICY_WRITE)
    rows: QuerySet[PolicyVersion] = PolicyVersion.objects.all()
    return rows


def forget_cached(tenant_id: uuid.UUID | None = None) -> None:
    """Read the policy again at the next call; of every tenant when none is named."""
    with _lock:
        if tenant_id is None:
            _cache.clear()
        else:
            _cache.pop(tenant_id, None)
