"""Sweep: let go of what has ended, faded or is too much, in resumable batches, with a report (R24)."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from django.db import OperationalError
from psycopg.errors import QueryCanceled

from accounts import audit
from accounts.actor import Actor
from accounts.permissions import Capability
from memories.adapters.factory import get_clock
from memories.core.pace import BOUND, Pace
from memories.core.policy import Policy
from memories.models import SweepPause, SweepRun
from memories.services.policies import policy_of
from memories.store import sweep as store
from memories.store import sweep_preview
from memories.store.locks import try_lock_sweep
from memories.store.sweep_preview import Doomed
from memoryhub.common.db import joins_open_work, tenant_transaction
from memoryhub.common.errors import Conflict

ABANDONED = timedelta(hours=2)
"""A run that is older and still open died with its worker; its batches stand, and the next run goes on from there."""


def sweep(*, actor: Actor, dry_run: bool = False, now: datetime | None = None) -> SweepRun:
    """The report: counts by rule and kind under `rules`, with how many were looked at.

    In order: what is past its end expires; what has faded below the floor and is old enough is archived; of a subject above
    its capacity the least valuable are archived. Each batch is a transaction of its own with its audit entry, of as many rows as
    go in a quarter of a second (the policy says how many at most), so a sweep
    may be killed and run again. Several sweeps at once take turns by batch and never take a memory twice; one that finds
    another at work in its tenant ends with `yielded`, one that is paused meanwhile with the state `paused`. A dry run changes nothing
    and tells the same counts.

    Needs the capability to sweep. Conflict while sweeps are paused, except for a dry run.
    """
    actor.require(Capability.SWEEP)
    at = now or get_clock().now()
    policy, number = policy_of(actor.tenant_id)
    with tenant_transaction(actor.tenant_id):
        _close_abandoned()
        if not dry_run:
            refuse_while_paused()
        run: SweepRun = SweepRun.objects.create(
            dry_run=dry_run,
            policy_version=number,
            actor_kind=actor.kind,
            actor_id=actor.id[:64],
            now=at,
            started_at=get_clock().now(),
            counts={"rules": {}, "examined": 0},
        )
    try:
        _Sweep(actor, policy, run, at).preview() if dry_run else _Sweep(actor, policy, run, at).work()
    except Exception as error:
        with tenant_transaction(actor.tenant_id):
            SweepRun.objects.filter(id=run.id).update(
                state=SweepRun.State.FAILED,
                finished_at=get_clock().now(),
                error_code=type(error).__name__[:64],
            )
        raise
    return run


def refuse_while_paused() -> None:
    """Conflict while the open tenant's sweeps are paused."""
    if SweepPause.objects.exists():
        raise Conflict("sweeps are paused", hint="Resume them, then sweep.")


def plan_sweep(*, actor: Actor, limit: int = 1_000, now: datetime | None = None) -> list[tuple[Doomed, str]]:
    """What a sweep would take now, at most `limit`, each with why in numbers; changes nothing.

    Ids and numbers only. Needs the capability to sweep.
    """
    actor.require(Capability.SWEEP)
    at = now or get_clock().now()
    policy, _ = policy_of(actor.tenant_id)
    with tenant_transaction(actor.tenant_id):
        broom = store.Broom(policy, at, uuid.UUID(int=0), actor.kind, actor.id)
        return [(one, _why(one, policy, at)) for one in sweep_preview.doomed(broom, limit)]


def _why(one: Doomed, policy: Policy, now: datetime) -> str:
    match one.rule:
        case "sweep.ttl":
            return f"ended {one.expires_at:%Y-%m-%d %H:%M %Z}"
        case "sweep.floor":
            days = (now - one.created_at).total_seconds() / 86400
            return (
                f"strength {one.strength:.3f} < {policy.number('sweep.floor'):g}, "
                f"age {days:.1f} d > {policy.number('sweep.min_age_days'):g} d"
            )
        case _:
            return f"value {one.worth:.3f} among the least, {one.excess} above {policy.integer('sweep.capacity')}"


class _Sweep:
    """One run with its counts so far."""

    def __init__(self, actor: Actor, policy: Policy, run: SweepRun, now: datetime) -> None:
        self.actor, self.policy, self.run = actor, policy, run
        self.broom = store.Broom(policy, now, run.id, actor.kind, actor.id)
        self.counts: store.Counts = {}
        self.examined = 0
        self.yielded = False
        self.paused = False
        self.pace = Pace(policy.integer("sweep.batch"))

    def preview(self) -> None:
        with tenant_transaction(self.actor.tenant_id):
            self.counts, self.examined = sweep_preview.preview(self.broom)
            self._report(self.counts, done=True)

    def work(self) -> None:
        self._ended() and self._faded() and self._excess()
        with tenant_transaction(self.actor.tenant_id):
            self._report(self.counts, done=True)

    def _ended(self) -> bool:
        while True:
            counts = self._batch(lambda: store.take_ended(self.broom))
            self.examined += sum(number for kinds in counts.values() for number in kinds.values())
            if not counts:
                return not self.stopped

    def _faded(self) -> bool:
        after: uuid.UUID | None = None
        seen, last = 0, None

        def look() -> store.Counts:
            nonlocal seen, last
            counts, seen, last = store.take_faded(self.broom, after)
            return counts

        while True:
            self._batch(look)
            if self.stopped:
                return False
            self.examined += seen
            if last is None:
                return True
            after = last

    def _excess(self) -> bool:
        with tenant_transaction(self.actor.tenant_id):
            crowded = store.crowded_subjects(self.broom)
        for subject_id in crowded:
            while self._batch(lambda subject=subject_id: store.take_excess(self.broom, subject)):  # type: ignore[misc]
                continue
            if self.stopped:
                return False
        return True

    @property
    def stopped(self) -> bool:
        """Whether somebody else sweeps, or nobody may."""
        return self.yielded or self.paused

    def _batch(self, take: Callable[[], store.Counts]) -> store.Counts:
        """One transaction of as many rows as the pace allows; one that takes too long is undone and goes again with fewer."""
        while True:
            self.broom = replace(self.broom, rows=self.pace.rows)
            started = time.monotonic()
            try:
                counts = self._transaction(take)
            except OperationalError as error:
                if not (self.pace.bounded and isinstance(error.__cause__, QueryCanceled)):
                    raise
                self.pace.gave_up()
                continue
            self.pace.took(time.monotonic() - started)
            return counts

    def _transaction(self, take: Callable[[], store.Counts]) -> store.Counts:
        """The lock, the statement, the report so far, the audit entry."""
        # In somebody else's transaction it would go on to bind what comes after.
        bounded = self.pace.bounded and not joins_open_work()
        bound = {"statement_timeout": f"{int(1000 * BOUND)}ms"} if bounded else {}
        with tenant_transaction(self.actor.tenant_id, settings=bound):
            if SweepPause.objects.exists():
                self.paused = True
                return {}
            if not try_lock_sweep():
                self.yielded = True
                return {}
            counts = take()
            if counts:
                total: store.Counts = {}
                store.merge(total, self.counts)
                store.merge(total, counts)
                self._report(total, done=False)
                audit.record(
                    self.actor, "memory.swept", target_kind="sweep_run", target_id=self.run.id, counts=counts
                )
        store.merge(self.counts, counts)
        return counts

    def _report(self, counts: store.Counts, *, done: bool) -> None:
        run = self.run
        run.counts = {"rules": counts, "examined": self.examined}
        if self.yielded:
            run.counts["yielded"] = True
        if done:
            run.state = SweepRun.State.PAUSED if self.paused else SweepRun.State.DONE
            run.finished_at = get_clock().now()
        run.save(update_fields=["counts", "state", "finished_at"])


def _close_abandoned() -> None:
    SweepRun.objects.filter(
        state=SweepRun.State.RUNNING, started_at__lt=get_clock().now() - ABANDONED
    ).update(state=SweepRun.State.FAILED, error_code="abandoned")
