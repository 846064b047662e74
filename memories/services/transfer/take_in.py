"""Takes an export in: batch by batch, screened by the policy here, never what was forgotten here, the same once or twice."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from accounts import audit
from accounts.actor import Actor
from accounts.models import Subject
from accounts.models.subject import OF_TENANT
from accounts.permissions import Capability
from accounts.services.ensure_subject import ensure_subject
from memories.adapters.factory import get_clock
from memories.core.policy import Policy
from memories.core.transfer.ids import Move, kept, moved_into, moved_tree
from memories.models import Contradiction, Memory, Status
from memories.services.index_pending import KIND as INDEX_PENDING
from memories.services.jobs import enqueue
from memories.services.policies import policy_of
from memories.services.subjects import subject_to_write
from memories.services.tenant_subject import make_tenant_subject
from memories.services.transfer.prepare import Prepared, Refused, prepare
from memories.services.transfer.reading import Line, read_lines
from memories.services.transfer.store import store
from memories.store.locks import lock_subject
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict, DomainError, Invalid

BATCH = 500
"""Memories of one transaction: other writers of the subject wait for no more than that."""
MAX_TOLD = 200
"""Lines of a report that are named one by one; all are counted."""


@dataclass(slots=True)
class Report:
    """What became of the lines: counts by code (stored, known, invalid, blocked_sensitive, forgotten, …), and why of the first.

    `told` holds (line number, code, reason) of what was not taken. `complete` is False when the file ends early or was changed.
    """

    counts: dict[str, int] = field(default_factory=dict)
    told: list[tuple[int, str, str]] = field(default_factory=list)
    subjects: int = 0
    complete: bool = False

    def count(self, code: str, number: int = 0, reason: str = "") -> None:
        self.counts[code] = self.counts.get(code, 0) + 1
        if number and len(self.told) < MAX_TOLD:
            self.told.append((number, code, reason))


class _RollBack(Exception):
    """Ends a dry run's transaction."""


def import_lines(
    *,
    actor: Actor,
    source: Iterable[str],
    into: uuid.UUID | None = None,
    keep_ids: bool = False,
    dry_run: bool = False,
) -> Report:
    """Take the lines of an export in, each batch of BATCH memories in one transaction with its audit entry.

    `into` puts the memories of one exported person under this subject, whatever they were called there; else subjects are found
    or made by kind and external id, which needs the right to write all memories (and constraints, for the tenant's own rules).
    Texts are screened by the policy in force here. What is there already is passed over, so a broken import is simply run again.
    `keep_ids` keeps the memories' ids, for a tenant that moves here from another installation; else they get others, the same
    each time. A `dry_run` does all of it and takes it back. Invalid for what is no export.
    """
    move = kept if keep_ids else moved_into(actor.tenant_id)
    if into is None:
        actor.require(Capability.MEMORY_WRITE)
    else:
        subject_to_write(actor, into)
    taking = _Taking(actor, into, move, dry_run, Report())
    for line in read_lines(source):
        taking.take(line)
    taking.finish_subject()
    return taking.report


@dataclass(slots=True)
class _Taking:
    """An import at work: the subject it is at, and what of it waits to be stored."""

    actor: Actor
    into: uuid.UUID | None
    move: Move
    dry_run: bool
    report: Report
    subject_id: uuid.UUID | None = None
    waiting: list[Prepared] = field(default_factory=list)
    successors: dict[uuid.UUID, uuid.UUID] = field(default_factory=dict)
    same: dict[uuid.UUID, uuid.UUID] = field(default_factory=dict)
    """Memories that are known here under another id."""
    disputes: list[dict[str, Any]] = field(default_factory=list)
    agents: dict[str, uuid.UUID] = field(default_factory=dict)
    seen: set[uuid.UUID] = field(default_factory=set)
    """The memories of the subject's lines: what they dispute among themselves the export tells."""

    @property
    def policy(self) -> Policy:
        return policy_of(self.actor.tenant_id)[0]

    def take(self, line: Line) -> None:
        if line.kind == "end":
            self.report.complete = not line.problem
            if line.problem:
                self.report.count("incomplete", line.number, line.problem)
        elif line.problem:
            self.report.count("invalid", line.number, line.problem)
        elif line.kind == "subject":
            self.finish_subject()
            self._begin(line)
        elif self.subject_id is None:
            self.report.count("invalid", line.number, "its subject was not taken")
        elif line.kind == "contradiction":
            self.disputes.append(line.data)
        else:
            self._memory(line, self.subject_id)

    def _begin(self, line: Line) -> None:
        data = line.data
        if self.into is not None:
            if data["kind"] in {"agent", OF_TENANT}:
                self.report.count("not_yours", line.number, "only one person's memories are taken here")
                return
            if self.report.subjects:
                raise Invalid(
                    "the export holds several people",
                    hint="Take it in as a whole, without naming one.",
                    fields={"subject": "the export holds several people"},
                )
            self.subject_id = self.into
        else:
            try:
                self.subject_id = self._subject(data)
            except DomainError as problem:
                self.report.count(problem.code, line.number, problem.message)
                return
        self.report.subjects += 1

    def _subject(self, data: dict[str, Any]) -> uuid.UUID:
        if data["kind"] == OF_TENANT:
            self.actor.require(Capability.CONSTRAINTS_WRITE)
            with tenant_transaction(self.actor.tenant_id):
                return make_tenant_subject()
        made = ensure_subject(actor=self.actor, kind=data["kind"], external_id=data["external_id"])
        subject_to_write(self.actor, made.pk)
        with tenant_transaction(self.actor.tenant_id):
            # One that has a name, or is a member here, keeps what it has.
            Subject.objects.filter(pk=made.pk, display_name="", user=None).update(
                **{name: data[name] for name in ("display_name", "time_zone", "locale", "memory_paused")}
            )
        return made.pk

    def _memory(self, line: Line, subject_id: uuid.UUID) -> None:
        agent_id = self._agent(line.data["agent"])
        one = prepare(self.actor.tenant_id, subject_id, agent_id, line, self.policy, self.move)
        if isinstance(one, Refused):
            self.report.count(one.code, line.number, one.reason)
            return
        if line.data["superseded_by_id"] is not None:
            self.successors[one.memory.pk] = self.move(line.data["superseded_by_id"])
        self.seen.add(one.memory.pk)
        self.waiting.append(one)
        if len(self.waiting) >= BATCH:
            self._store()

    def _agent(self, external_id: str | None) -> uuid.UUID | None:
        if external_id is None:
            return None
        if external_id not in self.agents:
            self.agents[external_id] = ensure_subject(
                actor=self.actor, kind="agent", external_id=external_id
            ).pk
        return self.agents[external_id]

    def _store(self) -> None:
        if not self.waiting or self.subject_id is None:
            return
        now = get_clock().now()
        try:
            with tenant_transaction(self.actor.tenant_id), transaction.atomic():
                lock_subject(self.subject_id)
                stored = store(self.actor, self.subject_id, self.waiting, self.policy, now, self.seen)
                for line, code, reason in stored.told:
                    self.report.count(code, 0 if code == "stored" else line, reason)
                self.same |= stored.same
                if stored.made:
                    enqueue(kind=INDEX_PENDING, key=INDEX_PENDING)
                    audit.record(
                        self.actor,
                        "memory.imported",
                        target_kind="subject",
                        target_id=self.subject_id,
                        subject_id=self.subject_id,
                        stored=stored.made,
                    )
                if self.dry_run:
                    raise _RollBack
        except _RollBack:
            pass
        except IntegrityError:
            raise Conflict(
                "ids of the export are taken", hint="They are another tenant's here: leave keep_ids out."
            ) from None
        self.waiting = []

    def finish_subject(self) -> None:
        """Store what waits, then tie what refers to another line: successors and contradictions."""
        self._store()
        if self.subject_id is not None and not self.dry_run and (self.successors or self.disputes):
            with tenant_transaction(self.actor.tenant_id):
                lock_subject(self.subject_id)
                self._tie(self.subject_id, get_clock().now())
        self.subject_id, self.successors, self.same, self.disputes, self.seen = None, {}, {}, [], set()

    def _tie(self, subject_id: uuid.UUID, now: datetime) -> None:
        rows = Memory.objects.filter(subject_id=subject_id)
        wanted = {one: self.same.get(other, other) for one, other in self.successors.items()}
        there = set(rows.filter(id__in=set(wanted.values())).values_list("id", flat=True))
        ended = (Status.SUPERSEDED, Status.MERGED)
        changed = []
        for row in rows.filter(id__in=wanted, superseded_by=None, status__in=ended):
            if wanted[row.pk] in there and wanted[row.pk] != row.pk:
                row.superseded_by_id = wanted[row.pk]
                changed.append(row)
        Memory.objects.bulk_update(changed, ["superseded_by"], batch_size=BATCH)
        made = []
        for data in self.disputes:
            pair = [self.move(data[name]) for name in ("older_id", "newer_id")]
            older, newer = (self.same.get(one, one) for one in pair)
            if older != newer and rows.filter(id__in=(older, newer)).count() == 2:
                fields = {**data, "id": self.move(data["id"]), "older_id": older, "newer_id": newer}
                fields["undo"] = moved_tree(data["undo"], self.move)
                made.append(Contradiction(subject_id=subject_id, **fields))
        Contradiction.objects.bulk_create(made, ignore_conflicts=True)
