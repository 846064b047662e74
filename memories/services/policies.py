"""A tenant's policy in force, cached for a few seconds, and the one way to change it."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Mapping

from django.db import transaction
from django.db.models import QuerySet

from accounts import audit
from accounts.actor import Actor
from accounts.permissions import Capability
from memories.adapters.factory import get_clock
from memories.core.policy import Policy
from memories.models import PolicyVersion
from memories.services.limits import storable
from memories.store.locks import lock_policy
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict, Invalid

CACHE_SECONDS = 5.0
MAX_NOTE = 200

_cache: dict[uuid.UUID, tuple[float, Policy, int]] = {}
_lock = threading.Lock()


def policy_of(tenant_id: uuid.UUID) -> tuple[Policy, int]:
    """The tenant's policy and its version number (0: the defaults); at most CACHE_SECONDS old in this process."""
    with _lock:
        found = _cache.get(tenant_id)
    if found is not None and found[0] > time.monotonic():
        return found[1], found[2]
    with tenant_transaction(tenant_id):
        row = PolicyVersion.objects.order_by("-number").first()
    policy = Policy.from_overrides(row.overrides, row.custom) if row else Policy.default()
    number = row.number if row else 0
    with _lock:
        _cache[tenant_id] = (time.monotonic() + CACHE_SECONDS, policy, number)
    return policy, number


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
    when there is a newer one.
    """
    actor.require(Capability.POLICY_WRITE)
    if len(note) > MAX_NOTE:
        raise Invalid("the note is too long", fields={"note": f"at most {MAX_NOTE} characters"})
    if not storable(note):
        raise Invalid("the note is no text", fields={"note": "must hold no NUL and no lone surrogate"})
    policy = Policy.from_overrides(overrides, custom)
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
