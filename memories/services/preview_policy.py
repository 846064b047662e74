"""What a changed policy would do to the tenant's own data, before it is saved: to the next sweep, and to the last recalls."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from accounts import audit
from accounts.actor import Actor
from accounts.permissions import Capability
from accounts.reading import note_reading
from memories.adapters.factory import get_clock
from memories.core.policy import Policy
from memories.core.policy_changes import OwnChange, RuleChange, own_changes, rule_changes
from memories.core.reweigh import Frozen, Shift, reweighed, shift, unseen
from memories.models import RecallTrace
from memories.services.experiments.policies_then import key_of, policies_then
from memories.services.policy_history import policy_version
from memories.services.would_sweep import MILLISECONDS, would_sweep
from memories.store.sweep import Counts
from memoryhub.common.db import tenant_transaction

TRACES = 100
MOST_CHANGED = 10


@dataclass(frozen=True, slots=True)
class SweepChange:
    """What a sweep would take now under the policy in force and under the changed one, by rule and kind; of `examined` memories."""

    before: Counts
    after: Counts
    examined: int

    @property
    def rows(self) -> list[tuple[str, str, int, int]]:
        """(rule, kind, number before, number after) wherever one of them is not 0."""
        keys = {
            (rule, kind) for counts in (self.before, self.after) for rule in counts for kind in counts[rule]
        }
        return [
            (rule, kind, self.before.get(rule, {}).get(kind, 0), self.after.get(rule, {}).get(kind, 0))
            for rule, kind in sorted(keys)
        ]

    @property
    def totals(self) -> tuple[int, int]:
        rows = self.rows
        return sum(row[2] for row in rows), sum(row[3] for row in rows)


@dataclass(frozen=True, slots=True)
class ChangedRecall:
    """A recall whose ranking would be another; `query` as its trace holds it, with what is sensitive masked."""

    trace_id: uuid.UUID
    subject_id: uuid.UUID
    at: datetime
    query: str
    shift: Shift


@dataclass(frozen=True, slots=True)
class RecallChange:
    """The last `examined` recalls, ranked anew from what their traces froze.

    For how many the first row, the rows of the first `k` (the changed policy's), or any place changes; the means of Shift's overlap and correlation; in
    how many some part does not follow from the trace (`partly`); and those that change most.
    """

    examined: int
    top: int
    chosen: int
    order: int
    overlap: float
    correlation: float
    partly: int
    most: list[ChangedRecall]
    k: int


@dataclass(frozen=True, slots=True)
class PolicyPreview:
    """`base` is the version in force that it is compared with; `sweep` is None where counting took too long.

    `unseen` are the changed rules that bear on rankings, but not on what a trace holds.
    """

    base: int
    rules: list[RuleChange]
    own: list[OwnChange]
    sweep: SweepChange | None
    recalls: RecallChange
    unseen: list[str]


def preview_policy(
    *,
    actor: Actor,
    overrides: Mapping[str, object],
    custom: Mapping[str, object] | None = None,
    now: datetime | None = None,
    patience: int = MILLISECONDS,
) -> PolicyPreview:
    """What would change with exactly these overrides, and these own patterns and fields (None: as they are); changes nothing.

    PolicyError names the first part that does not fit. `patience` in milliseconds bounds each count of what a sweep would take.
    Needs the capability to read metrics; the questions that it shows are noted as read.
    """
    actor.require(Capability.METRICS_READ)
    base = policy_version(actor=actor)
    policy = Policy.from_overrides(overrides, base.custom if custom is None else custom)
    present = Policy.from_overrides(base.overrides, base.custom)
    at = now or get_clock().now()
    rules = rule_changes(base.overrides, policy.overrides())
    with tenant_transaction(actor.tenant_id):
        recalls = _recalls(actor, present, policy)
        audit.record(actor, "policy.previewed", target_kind="policy", keys=[one.key for one in rules])
    return PolicyPreview(
        base=base.number,
        rules=rules,
        own=own_changes(base.custom, policy.own.as_data()),
        sweep=_sweep(actor, present, policy, at, patience),
        recalls=recalls,
        unseen=unseen([one.key for one in rules if one.old != one.new]),
    )


def _sweep(actor: Actor, present: Policy, policy: Policy, at: datetime, patience: int) -> SweepChange | None:
    changed = policy.overrides() != present.overrides()
    found = would_sweep(
        actor=actor, policies=[present, policy] if changed else [present], now=at, patience=patience
    )
    return SweepChange(found[0][0], found[0][-1], found[1]) if found else None


def _recalls(actor: Actor, present: Policy, policy: Policy) -> RecallChange:
    """Rankings under the policy in force and under the changed one, both from what was frozen under the policy of then."""
    traces = list(
        RecallTrace.objects.filter(subject__erased_at__isnull=True)
        .order_by("-id")
        .only("subject_id", "at", "query", "considered", "policy_version", "experiment_id", "arm")[:TRACES]
    )
    then = policies_then(key_of(trace) for trace in traces)
    k = present.integer("recall.k"), policy.integer("recall.k")
    changed: list[ChangedRecall] = []
    shifts: list[Shift] = []
    partly = 0
    for trace in traces:
        rows = [Frozen(entry["score"], entry["scores"]) for entry in trace.considered]
        old, _ = reweighed(rows, then[key_of(trace)], present)
        new, whole = reweighed(rows, then[key_of(trace)], policy)
        apart = shift(old, new, k)
        shifts.append(apart)
        partly += not whole
        if apart.order or apart.chosen:
            changed.append(ChangedRecall(trace.pk, trace.subject_id, trace.at, trace.query, apart))
    changed.sort(key=lambda one: (one.shift.overlap, not one.shift.top, one.shift.correlation))
    most = changed[:MOST_CHANGED]
    for one in most:
        note_reading(actor, one.subject_id, "trace.read", target_kind="trace", target_id=one.trace_id)
    count = len(shifts) or 1
    return RecallChange(
        examined=len(shifts),
        top=sum(one.top for one in shifts),
        chosen=sum(one.chosen for one in shifts),
        order=sum(one.order for one in shifts),
        overlap=sum(one.overlap for one in shifts) / count if shifts else 1.0,
        correlation=sum(one.correlation for one in shifts) / count if shifts else 1.0,
        partly=partly,
        most=most,
        k=k[1],
    )
