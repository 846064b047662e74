"""Start an experiment: from then on each new session belongs to one of its arms."""

from __future__ import annotations

import uuid

from django.db import transaction

from accounts import audit
from accounts.actor import Actor
from accounts.permissions import Capability
from memories.adapters.factory import get_clock
from memories.core.experiments import arm_b
from memories.models import Experiment
from memories.services.experiments.rows import locked, running
from memories.services.policies import forget_cached, stored_policy
from memories.store.locks import lock_policy
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict


def start_experiment(*, actor: Actor, experiment_id: uuid.UUID) -> Experiment:
    """The running experiment; arm A is the version of the policy that is in force now.

    Conflict while another one runs, or when it is no draft; PolicyError where the policy in force leaves no room for arm B's rules any
    more. Needs the capability to write policies.
    """
    actor.require(Capability.POLICY_WRITE)
    with tenant_transaction(actor.tenant_id):
        # No version is saved, and no other experiment started, between this check and the commit.
        lock_policy()
        row = locked(experiment_id, {Experiment.State.DRAFT})
        if running() is not None:
            raise Conflict("another experiment is running", hint="Stop it first: at most one runs at a time.")
        base, row.base_version = stored_policy()
        arm_b(base, row.overrides)
        row.state = Experiment.State.RUNNING
        row.started_at, row.started_by = get_clock().now(), actor.id[:64]
        row.save(update_fields=["state", "base_version", "started_at", "started_by"])
        audit.record(
            actor,
            "experiment.started",
            target_kind="experiment",
            target_id=row.pk,
            base=row.base_version,
            share=row.share,
        )
        transaction.on_commit(lambda: forget_cached(actor.tenant_id))
    return row
