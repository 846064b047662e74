"""Go back to an earlier version of the policy: a new version with its contents."""

from __future__ import annotations

from accounts.actor import Actor
from accounts.permissions import Capability
from memories.models import PolicyVersion
from memories.services.policies import set_policy
from memories.services.policy_history import policy_version


def revert_policy(*, actor: Actor, number: int, expected: int, note: str = "") -> PolicyVersion:
    """The new version, with the rules and the own patterns and fields of version `number` (0: the table's own, nothing of one's own).

    Conflict when `expected` is not the version in force any more; NotFound for a number that is not there; PolicyError when the
    table does not allow what it held any more. Needs the capability to write policies.
    """
    actor.require(Capability.POLICY_WRITE)
    row = policy_version(actor=actor, number=number)
    return set_policy(
        actor=actor, overrides=row.overrides, custom=row.custom or {}, note=note, expected=expected
    )
