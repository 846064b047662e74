"""Stop an experiment: every session goes by the policy in force again; its numbers stay."""

from __future__ import annotations

import uuid

from django.db import transaction

from accounts.actor import Actor
from accounts.permissions import Capability
from memories.adapters.factory import get_clock
from memories.models import Experiment
from memories.services.experiments.rows import MAX_NOTE, checked_text, end, locked
from memories.services.policies import forget_cached, policy_of
from memories.services.screen import screen
from memoryhub.common.db import tenant_transaction


def stop_experiment(*, actor: Actor, experiment_id: uuid.UUID, note: str = "") -> Experiment:
    """The stopped experiment. Conflict when it does not run. Needs the capability to write policies."""
    actor.require(Capability.POLICY_WRITE)
    note = checked_text("note", note, MAX_NOTE, needed=False)
    note = screen(note, policy_of(actor.tenant_id)[0]).text_masked[:MAX_NOTE]
    with tenant_transaction(actor.tenant_id):
        row = locked(experiment_id, {Experiment.State.RUNNING})
        end(row, actor, now=get_clock().now(), note=note)
        transaction.on_commit(lambda: forget_cached(actor.tenant_id))
    return row
