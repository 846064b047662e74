"""What an experiment has shown so far: the numbers of both arms, with intervals and their differences."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from accounts.actor import Actor
from accounts.permissions import Capability
from memories.core.experiments import LEAST, Arm, ArmNumbers, Measure, compare
from memories.models import Experiment
from memories.session_numbers import numbers_of
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import NotFound


@dataclass(frozen=True, slots=True)
class Results:
    """`measures` is empty for a draft."""

    experiment: Experiment
    a: ArmNumbers
    b: ArmNumbers
    measures: list[Measure]

    @property
    def early(self) -> bool:
        """An arm has too few sessions."""
        return min(self.a.sessions, self.b.sessions) < LEAST


def experiment_results(*, actor: Actor, experiment_id: uuid.UUID) -> Results:
    """Of the newest sessions that were opened while it ran. NotFound for another tenant's. Needs the capability to read metrics."""
    actor.require(Capability.METRICS_READ)
    with tenant_transaction(actor.tenant_id):
        row: Experiment | None = Experiment.objects.filter(pk=experiment_id).first()
        if row is None:
            raise NotFound("no such experiment")
        if row.started_at is None:
            return Results(row, ArmNumbers(), ArmNumbers(), [])
        found = numbers_of(row.pk, row.started_at)
    a, b = found[Arm.A], found[Arm.B]
    return Results(row, a, b, compare(a, b))
