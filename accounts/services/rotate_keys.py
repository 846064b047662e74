"""Rotate a tenant's data key: a new one seals, everything is sealed anew in batches, the old ones are destroyed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from accounts import audit
from accounts.actor import Actor
from accounts.keyring import hold_keys_alone, make_key
from accounts.models import TenantKey
from accounts.permissions import Capability
from accounts.sealed_columns import SealedColumn, sealed_columns
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict
from memoryhub.common.fields import the_keyring
from memoryhub.common.sealing import KeyDestroyed

BATCH = 500
"""Rows of one transaction: readers and writers never wait longer than for one batch."""


@dataclass(frozen=True, slots=True)
class Rotation:
    """The key that seals now, values sealed anew by this call, and old keys destroyed by it."""

    number: int
    resealed: int
    destroyed: int


def rotate_keys(*, actor: Actor, now: datetime | None = None) -> Rotation:
    """The finished rotation. Cut short anywhere, the next call goes on where it stopped instead of making another key.

    Reading goes on meanwhile: both keys open until no value of the old one is left. Then the old one is destroyed, and
    what it sealed (in a backup, say) is refused from then on. KeyDestroyed for a tenant whose keys were destroyed.
    """
    actor.require(Capability.TENANTS_WRITE)
    at = now or datetime.now(UTC)
    number = _begin(actor, at)
    resealed = sum(_reseal(actor, column, number) for column in sealed_columns())
    return Rotation(number, resealed, _end(actor, number, at))


def destroy_keys(*, actor: Actor, now: datetime | None = None) -> int:
    """Destroy all of the tenant's keys: whatever is sealed for it can never be read again (crypto-shredding).

    The number of keys destroyed. Conflict while the tenant is served: suspend it first.
    """
    actor.require(Capability.TENANTS_WRITE)
    from accounts.models import Tenant

    with tenant_transaction(actor.tenant_id):
        tenant = Tenant.objects.get(pk=actor.tenant_id)
        if tenant.status == Tenant.Status.ACTIVE:
            raise Conflict("this tenant is being served", hint="Suspend it first, then destroy its keys.")
        hold_keys_alone()
        gone = _destroy(actor, TenantKey.objects.exclude(state=TenantKey.State.DESTROYED), now)
        if not TenantKey.objects.exists():
            # A tenant that never sealed anything must not begin to.
            TenantKey(
                number=1,
                state=TenantKey.State.DESTROYED,
                created_at=now or datetime.now(UTC),
                destroyed_at=now or datetime.now(UTC),
            ).save(force_insert=True)
    return gone


def _begin(actor: Actor, now: datetime) -> int:
    """The number of the key that seals: a new one, or that of a rotation that was not finished."""
    with tenant_transaction(actor.tenant_id):
        hold_keys_alone()
        rows = list(TenantKey.objects.order_by("number"))
        active = next((row for row in rows if row.state == TenantKey.State.ACTIVE), None)
        if active is None and any(row.state == TenantKey.State.DESTROYED for row in rows):
            raise KeyDestroyed("this tenant's keys were destroyed")
        if active is not None and any(row.state == TenantKey.State.RETIRED for row in rows):
            return int(active.number)
        TenantKey.objects.filter(state=TenantKey.State.ACTIVE).update(
            state=TenantKey.State.RETIRED, retired_at=now
        )
        made = make_key(max((row.number for row in rows), default=0) + 1, now)
        made.save(force_insert=True)
        audit.record(
            actor, "keys.rotated", target_kind="tenant", target_id=actor.tenant_id, number=made.number
        )
        return made.number


def _reseal(actor: Actor, column: SealedColumn, number: int) -> int:
    """Values of the column sealed anew; first those that nobody holds, then the others one by one."""
    done, wait = 0, False
    while True:
        with tenant_transaction(actor.tenant_id):
            rows = column.take(number, 1 if wait else BATCH, wait=wait)
            if rows:
                ring = the_keyring()
                column.put([(row_id, ring.seal(ring.open(token))) for row_id, token in rows])
        if not rows and wait:
            return done
        wait = not rows
        done += len(rows)


def _end(actor: Actor, number: int, now: datetime) -> int:
    """Destroy the retired keys, once nothing is sealed under them."""
    with tenant_transaction(actor.tenant_id):
        hold_keys_alone()
        left = sum(column.others(number) for column in sealed_columns())
        if left:
            raise Conflict(f"{left} values are still sealed under an old key", hint="Run it again.")
        return _destroy(actor, TenantKey.objects.filter(state=TenantKey.State.RETIRED), now)


def _destroy(actor: Actor, rows: object, now: datetime | None) -> int:
    queryset = TenantKey.objects.filter(pk__in=[row.pk for row in rows])  # type: ignore[attr-defined]
    numbers = sorted(queryset.values_list("number", flat=True))
    queryset.update(
        wrapped=b"", master="", state=TenantKey.State.DESTROYED, destroyed_at=now or datetime.now(UTC)
    )
    if numbers:
        audit.record(
            actor, "keys.destroyed", target_kind="tenant", target_id=actor.tenant_id, numbers=numbers
        )
    return len(numbers)
