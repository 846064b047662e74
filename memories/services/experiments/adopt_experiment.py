"""Adopt arm B of an experiment: its rules become a version of the policy, for every session."""

from __future__ import annotations

import uuid

from accounts.actor import Actor
from accounts.permissions import Capability
from memories.adapters.factory import get_clock
from memories.models import Experiment
from memories.services.experiments.rows import MAX_NOTE, checked_text, end, locked
from memories.services.policies import set_policy, stored_policy
from memories.store.locks import lock_policy
from memoryhub.common.db import tenant_transaction


def adopt_experiment(
    *, actor: Actor, experiment_id: uuid.UUID, expected: int | None = None, note: str = ""
) -> Experiment:
    """The adopted experiment; it is stopped, and version `ended_by_version` holds arm B's rules over those in force.

    The version's note is `note`, or names the experiment. A draft cannot be adopted, and none twice: Conflict; as when `expected` is not
    the number of the version in force any more. PolicyError where B's rules do not fit it. Needs the capability to write policies.
    """
    actor.require(Capability.POLICY_WRITE)
    note = checked_text("note", note, MAX_NOTE, needed=False)
    with tenant_transaction(actor.tenant_id):
        lock_policy()
        row = locked(experiment_id, {Experiment.State.RUNNING, Experiment.State.STOPPED})
        policy, number = stored_policy()
        # Before the version is saved, which would stop what runs beside it.
        end(
            row,
            actor,
            now=get_clock().now(),
            note=note,
            version=number + 1,
            state=Experiment.State.ADOPTED,
        )
        set_policy(
            actor=actor,
            overrides={**policy.overrides(), **row.overrides},
            note=note or f"Adopted from the experiment {row.name}"[:MAX_NOTE],
            expected=expected if expected is not None else number,
        )
    return row
