"""Lists what was run over a tenant, for who may run it: sweeps, redactions, erasures and experiments."""

from __future__ import annotations

import uuid

from django.db.models import QuerySet

from accounts.actor import Actor
from accounts.permissions import Capability
from memories.models import Erasure, Experiment, Redaction, SweepRun
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import NotFound


def sweep_runs(*, actor: Actor) -> QuerySet[SweepRun]:
    """The reports of sweeps, for a door that pages in the open tenant transaction. Needs the capability to sweep."""
    actor.require(Capability.SWEEP)
    rows: QuerySet[SweepRun] = SweepRun.objects.all()
    return rows


def get_sweep_run(*, actor: Actor, run_id: uuid.UUID) -> SweepRun:
    """One report; NotFound when there is none."""
    with tenant_transaction(actor.tenant_id):
        found = sweep_runs(actor=actor).filter(pk=run_id).first()
    if found is None:
        raise NotFound("no such sweep")
    return found


def redactions(*, actor: Actor) -> QuerySet[Redaction]:
    """The records of redactions, without the words. Needs the capability to redact."""
    actor.require(Capability.REDACT)
    rows: QuerySet[Redaction] = Redaction.objects.defer("target")
    return rows


def get_redaction(*, actor: Actor, redaction_id: uuid.UUID) -> Redaction:
    """One record with its proof; NotFound when there is none."""
    with tenant_transaction(actor.tenant_id):
        found = redactions(actor=actor).filter(pk=redaction_id).first()
    if found is None:
        raise NotFound("no such redaction")
    return found


def erasures(*, actor: Actor) -> QuerySet[Erasure]:
    """All erasures of the tenant, for who may erase anybody."""
    actor.require(Capability.ERASE)
    rows: QuerySet[Erasure] = Erasure.objects.all()
    return rows


def experiments(*, actor: Actor) -> QuerySet[Experiment]:
    """The tenant's experiments. Needs the capability to read metrics."""
    actor.require(Capability.METRICS_READ)
    rows: QuerySet[Experiment] = Experiment.objects.all()
    return rows
