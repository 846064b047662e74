"""A tenant's policy in force, cached for a few seconds, and the one way to change it."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Mapping

from django.db import transaction

from accounts import audit
from accounts.actor import Actor
from accounts.permissions import Capability
from memories.adapters.factory import get_clock
from memories.core.policy import Policy
from memories.models import PolicyVersion
from memories.store.locks import lock_policy
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid

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
    policy = Policy.from_overrides(row.overrides) if row else Policy.default()
    number = row.number if row else 0
    with _lock:
        _cache[tenant_id] = (time.monotonic() + CACHE_SECONDS, policy, number)
    return policy, number


def set_policy(*, actor: Actor, overrides: Mapping[str, object], note: str = "") -> PolicyVersion:
    """A new version that holds exactly these overrides; PolicyError names the first that does not fit."""
    actor.require(Capability.POLICY_WRITE)
    if len(note) > MAX_NOTE:
        raise Invalid("the note is too long", fields={"note": f"at most {MAX_NOTE} characters"})
    policy = Policy.from_overrides(overrides)
    with tenant_transaction(actor.tenant_id):
        lock_policy()
        newest = PolicyVersion.objects.order_by("-number").values_list("number", flat=True).first() or 0
        row: PolicyVersion = PolicyVersion.objects.create(
            number=newest + 1,
            overrides=policy.overrides(),
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
        )
        transaction.on_commit(lambda: forget_cached(actor.tenant_id))
    return row


def forget_cached(tenant_id: uuid.UUID | None = None) -> None:
    """Read the policy again at the next call; of every tenant when none is named."""
    with _lock:
        if tenant_id is None:
            _cache.clear()
        else:
            _cache.pop(tenant_id, None)
