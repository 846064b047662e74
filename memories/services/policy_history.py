"""The versions of a tenant's policy for who runs it: what is in force, what each version changed, and who made it."""

from __future__ import annotations

from dataclasses import dataclass

from accounts.actor import Actor
from accounts.member_names import names_of
from accounts.permissions import Capability
from memories.core.policy_changes import OwnChange, RuleChange, own_changes, rule_changes
from memories.models import PolicyVersion
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import NotFound

PAGE = 20


@dataclass(frozen=True, slots=True)
class VersionChange:
    """A version with what it did to the one before it; `by` is the name of a member, or the address, else the actor's id."""

    version: PolicyVersion
    rules: list[RuleChange]
    own: list[OwnChange]
    by: str


def policy_version(*, actor: Actor, number: int | None = None) -> PolicyVersion:
    """A version by its number, the one in force by default; number 0 is the table's own and not stored.

    Needs the capability to read metrics: who runs a tenant may see what it runs by. NotFound for a number that is not there.
    """
    actor.require(Capability.METRICS_READ)
    with tenant_transaction(actor.tenant_id):
        rows = PolicyVersion.objects.order_by("-number")
        row: PolicyVersion | None = (rows if number is None else rows.filter(number=number)).first()
    if row is not None:
        return row
    if number:
        raise NotFound("no such version")
    return PolicyVersion(number=0, overrides={}, custom={})


def policy_history(
    *, actor: Actor, before: int | None = None, limit: int = PAGE
) -> tuple[list[VersionChange], bool]:
    """At most `limit` versions, the newest first, from below the number `before` on; and whether there are older ones.

    Needs the capability to read metrics.
    """
    actor.require(Capability.METRICS_READ)
    with tenant_transaction(actor.tenant_id):
        rows = PolicyVersion.objects.order_by("-number")
        found = list((rows.filter(number__lt=before) if before is not None else rows)[: limit + 1])
        names = names_of(row.created_by for row in found[:limit])
    nothing = PolicyVersion(number=0, overrides={}, custom={})
    pairs = zip(found[:limit], [*found[1:], nothing], strict=False)
    changes = [
        VersionChange(
            row,
            rule_changes(older.overrides, row.overrides),
            own_changes(older.custom, row.custom),
            names.get(row.created_by, row.created_by),
        )
        for row, older in pairs
    ]
    return changes, len(found) > limit
