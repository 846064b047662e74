"""Discard an experiment that was never started."""

from __future__ import annotations

import uuid

from accounts import audit
from accounts.actor import Actor
from accounts.permissions import Capability
from memories.models import Experiment
from memories.services.experiments.rows import locked
from memoryhub.common.db import tenant_transaction


def discard_experiment(*, actor: Actor, experiment_id: uuid.UUID) -> None:
    """Delete a draft; one that ran stays, since traces and sessions name it: Conflict. Needs the capability to write policies."""
    actor.require(Capability.POLICY_WRITE)
    with tenant_transaction(actor.tenant_id):
        row = locked(experiment_id, {Experiment.State.DRAFT})
        audit.record(actor, "experiment.discarded", target_kind="experiment", target_id=row.pk)
        row.delete()
