"""The open tenant's keys: read once a transaction, made at first use, locked against a rotation while they seal."""

from __future__ import annotations

import hashlib
import uuid
from dataclasses import dataclass, field
from datetime import UTC, datetime

from django.conf import settings
from django.db import connection

from accounts.models.tenant_key import TenantKey
from memoryhub.common import sealing
from memoryhub.common.db import current_scope, current_tenant_id

_KEPT = "keyring"


@dataclass(slots=True)
class _Ring:
    """Keys by number (None for the derived one), those that are gone, and which one seals."""

    keys: dict[int, bytes | None] = field(default_factory=dict)
    destroyed: set[int] = field(default_factory=set)
    active: int | None = None


class TenantKeyring:
    """What encrypted fields use. A key stays in memory for one transaction, so that a destroyed one is gone everywhere."""

    def seal(self, text: str) -> bytes:
        """Under the newest key; the first text of a tenant makes its first key.

        The shared lock holds a rotation off until this transaction ends: no text is left behind under a key that is
        about to be destroyed.
        """
        hold_keys()
        ring = _ring(anew=True)
        if ring.active is None:
            ring = _first_key()
        assert ring.active is not None
        key = ring.keys[ring.active]
        assert key is not None
        return sealing.seal(text, key, ring.active, current_tenant_id())

    def open(self, token: bytes) -> str:
        """The text; WrongKey or KeyDestroyed."""
        number = sealing.number_of(token)
        ring = _ring()
        if number not in ring.keys:
            # A rotation may have made it since this transaction began.
            ring = _ring(anew=True)
        if number in ring.destroyed:
            raise sealing.KeyDestroyed(
                "the key of this value was destroyed", hint="What it sealed cannot be brought back."
            )
        if number not in ring.keys:
            raise sealing.WrongKey("a stored value names a key that this tenant does not have")
        key = ring.keys[number]
        if key is None:
            return sealing.open_derived(token, _masters(), current_tenant_id())
        return sealing.unseal(token, key, current_tenant_id())


def hold_keys() -> None:
    """Until this transaction ends no rotation begins in the open tenant; many may hold, a rotation waits for all of them.

    For whoever seals, and for SQL that copies sealed values. Asked for at each value: a savepoint that is rolled back
    gives the lock away again.
    """
    _lock("pg_advisory_xact_lock_shared")


def hold_keys_alone() -> None:
    """The rotation's side: waits for everybody who seals just now."""
    _lock("pg_advisory_xact_lock")


def make_key(number: int, now: datetime) -> TenantKey:
    """An unsaved, active key under the newest master key."""
    tenant_id, master = current_tenant_id(), _masters()[0]
    wrapped = sealing.wrap(sealing.new_key(), master, tenant_id, number)
    return TenantKey(number=number, wrapped=wrapped, master=sealing.master_id(master), created_at=now)


def _ring(*, anew: bool = False) -> _Ring:
    kept = current_scope().kept
    if anew or _KEPT not in kept:
        kept[_KEPT] = _read()
    ring: _Ring = kept[_KEPT]
    return ring


def _read() -> _Ring:
    ring = _Ring()
    for row in TenantKey.objects.order_by("number"):
        if row.state == TenantKey.State.DESTROYED:
            ring.destroyed.add(row.number)
            continue
        ring.keys[row.number] = _opened(row)
        if row.state == TenantKey.State.ACTIVE:
            ring.active = row.number
    return ring


def _opened(row: TenantKey) -> bytes | None:
    if row.number == sealing.DERIVED:
        return None
    return sealing.unwrap(bytes(row.wrapped), _masters(), row.master, row.tenant_id, row.number)


def _first_key() -> _Ring:
    """Of two that make it at once one wins, the other waits and reads it. Not kept: a savepoint may take it back."""
    numbers = TenantKey.objects.order_by("-number").values_list("number", "state")
    if any(state == TenantKey.State.DESTROYED for _, state in numbers):
        raise sealing.KeyDestroyed("this tenant's keys were destroyed: nothing can be sealed for it any more")
    newest = max((number for number, _ in numbers), default=0)
    TenantKey.objects.bulk_create([make_key(newest + 1, datetime.now(UTC))], ignore_conflicts=True)
    current_scope().kept.pop(_KEPT, None)
    return _read()


def _masters() -> list[str]:
    return sealing.masters(settings.FIELD_ENCRYPTION_KEY)


def _lock(function: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {function}(%s)", [_lock_number(current_tenant_id())])


def _lock_number(tenant_id: uuid.UUID) -> int:
    digest = hashlib.blake2b(b"tenant keys" + tenant_id.bytes, digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)
