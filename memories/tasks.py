"""Celery tasks of the memories app: each takes ids, enters a tenant and calls one service."""

from __future__ import annotations

import uuid
from datetime import timedelta

from celery import shared_task

from accounts.actor import system_actor
from memories.adapters.factory import get_clock
from memories.models import SweepRun
from memories.services import jobs
from memories.services.every_tenant import every_tenant


@shared_task(name="memories.tasks.run_job")
def run_job(tenant_id: str, job_id: str) -> None:
    """Run one job; nothing when another worker has it or it is done."""
    jobs.run(uuid.UUID(tenant_id), uuid.UUID(job_id))


@shared_task(name="memories.tasks.reconcile_jobs")
def reconcile_jobs() -> None:
    """Ring again for what is due."""
    jobs.ring_due(get_clock().now())


@shared_task(name="memories.tasks.deliver_webhooks")
def deliver_webhooks(tenant_id: str) -> None:
    """Send what is due to a tenant's endpoints."""
    from memories.services.webhooks.deliver import deliver

    deliver(uuid.UUID(tenant_id))


@shared_task(name="memories.tasks.reconcile_webhooks")
def reconcile_webhooks() -> None:
    """Keep what waits for endpoints bounded, and ring again for what is due, in every tenant."""
    from memories.services.webhooks.bell import ring_due
    from memories.services.webhooks.keep import keep_webhooks

    try:
        every_tenant(lambda tenant_id: keep_webhooks(actor=system_actor(tenant_id)))
    finally:
        ring_due(get_clock().now())


@shared_task(name="memories.tasks.index_pending")
def index_pending() -> None:
    """Ask for the embedding of what has no vector yet, and for the dropping of retired ones, in every tenant; then let a
    complete generation take over that is to do so by itself."""
    from memories.services.index_pending import ask_for_pending
    from memories.services.reembedding.drop import ask_for_dropping
    from memories.services.reembedding.switch import switch_what_is_complete

    def ask(tenant_id: uuid.UUID) -> None:
        ask_for_pending(actor=system_actor(tenant_id))
        ask_for_dropping(actor=system_actor(tenant_id))

    try:
        every_tenant(ask)
    finally:
        switch_what_is_complete()


@shared_task(name="memories.tasks.expire_slots")
def expire_slots() -> None:
    """Drop slots that are past their end, in every tenant."""
    from memories.services.expire_slots import expire_slots as run

    now = get_clock().now()
    every_tenant(lambda tenant_id: run(actor=system_actor(tenant_id), now=now))


@shared_task(name="memories.tasks.sweep_tenants")
def sweep_tenants() -> None:
    """Sweep every tenant's memories, except where sweeps are paused."""
    from memories.services.meters import note_sweeps
    from memories.services.pause_sweeps import sweeps_paused
    from memories.services.sweep import sweep

    runs: list[SweepRun] = []

    def sweep_unless_paused(tenant_id: uuid.UUID) -> None:
        if not sweeps_paused(tenant_id):
            runs.append(sweep(actor=system_actor(tenant_id)))

    try:
        every_tenant(sweep_unless_paused)
    finally:
        note_sweeps(runs)


@shared_task(name="memories.tasks.purge_tenants")
def purge_tenants() -> None:
    """Remove for good what is past its retention, in every tenant."""
    from memories.services.purge import purge

    every_tenant(lambda tenant_id: purge(actor=system_actor(tenant_id)))


@shared_task(name="memories.tasks.tidy_tenants")
def tidy_tenants() -> None:
    """Settle plans that came into force, and ask for the merge of what was confirmed since yesterday, in every tenant."""
    from memories.services.merge_confirmations import ask_for_all
    from memories.services.settle import settle_plans

    now = get_clock().now()

    def tidy(tenant_id: uuid.UUID) -> None:
        actor = system_actor(tenant_id)
        settle_plans(actor=actor, now=now)
        ask_for_all(actor=actor, since=now - timedelta(days=2))

    every_tenant(tidy)
