"""What waits in long-term memory, for the admin's home: each row bounded, indexed and linked to where it is done."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.actor import Actor
from accounts.models import Tenant
from accounts.permissions import Capability
from accounts.work_queue import LIMIT, Work, work
from memories.adapters.factory import get_clock
from memories.models import Approval, Contradiction, ForgetRequest, Job, Memory, SweepPause, SweepRun
from memories.services.embedding_space import generations
from memories.store.pending import late_memories
from memoryhub.common.ids import first_uuid7_at, made_at

LATE = timedelta(minutes=10)
"""How long a request to forget may take to be carried out, or undone, before an operator should look."""
OVERDUE = timedelta(hours=2)
"""Sweeps are hourly: after this long without one, beat or the workers are not running."""

FAILURES: list[tuple[Any, Sequence[str]]] = [
    (_("Compactions that failed"), ["compact_session"]),
    (_("Readings by the model that failed"), ["learn_with_model"]),
    (_("Turns that could not be learnt from"), ["learn_turn", "learn_turns", "remember_queued"]),
    (_("Sessions whose end failed"), ["close_session"]),
    (_("Topics that could not be kept"), ["promote_topic"]),
    (_("Embedding that failed"), ["index_pending", "drop_vectors"]),
    (
        _("Forgetting and erasure that failed"),
        ["forget_texts", "undo_texts", "erase_subject", "redact_everywhere"],
    ),
    (_("Sweeps and merges that failed"), ["sweep", "merge_confirmations"]),
]


def _row(
    title: Any,
    rows: QuerySet[Any],
    column: str,
    page: str,
    query: str = "",
    *,
    urgent: bool = False,
    note: Any = "",
) -> Work:
    """How many, up to the limit, and since when; two statements."""
    oldest = rows.order_by(column).values_list(column, flat=True).first()
    url = reverse(f"admin:{page}_changelist") + (f"?{query}" if query else "")
    count = rows.order_by()[:LIMIT].count() if oldest else 0
    return Work(title, count, url, since=oldest, urgent=urgent, note=note)


@work
def open_contradictions(actor: Actor) -> Work | None:
    """For whoever may settle them."""
    if Capability.RESOLVE not in actor.capabilities:
        return None
    rows = Contradiction.objects.filter(state=Contradiction.State.OPEN)
    return _row(_("Open contradictions"), rows, "opened_at", "memories_contradiction", "state__exact=open")


@work
def waiting_approvals(actor: Actor) -> Work | None:
    """The person alone says yes or no; an operator sees that much waits."""
    rows = Approval.objects.filter(state=Approval.State.WAITING)
    note = _("The person decides; nobody else may.")
    return _row(
        _("Memories that wait for a yes"),
        rows,
        "asked_at",
        "memories_approval",
        "state__exact=waiting",
        note=note,
    )


@work
def late_requests(actor: Actor) -> Work | None:
    """Requests to forget whose undoing has not come to its end."""
    rows = ForgetRequest.objects.filter(
        state=ForgetRequest.State.UNDOING, asked_at__lt=get_clock().now() - LATE
    )
    return _row(
        _("Requests to forget that take long"), rows, "asked_at", "memories_forgetrequest", "state__exact=undoing",
        urgent=True,
    )  # fmt: skip


def _failures(title: Any, kinds: Sequence[str]) -> None:
    @work
    def failed(actor: Actor) -> Work | None:
        if Capability.SWEEP not in actor.capabilities:
            return None
        rows = Job.objects.filter(state=Job.State.FAILED, kind__in=kinds)
        query = urlencode({"state__exact": "failed", "kind": ",".join(kinds)})
        return _row(title, rows, "finished_at", "memories_job", query, urgent=True)


for _title, _kinds in FAILURES:
    _failures(_title, _kinds)


@work
def late_embeddings(actor: Actor) -> Work | None:
    """Memories that only their words find, since no vector was made of them in ten minutes."""
    if Capability.SWEEP not in actor.capabilities:
        return None
    found = list(without_vector().order_by("id").values_list("pk", flat=True)[:LIMIT])
    return Work(
        _("Memories that wait long for their embedding"),
        len(found),
        reverse("admin:memories_memory_changelist") + "?vector=late",
        since=made_at(found[0]) if found else None,
        urgent=True,
        note=_("Only their words find them: see whether the embedder answers.") if found else "",
    )


def without_vector() -> QuerySet[Memory]:
    """What the row above counts, for the list that it leads to."""
    live = generations()
    return late_memories(live[0].space_id if live else 0, get_clock().now() - LATE)


@work
def overdue_sweeps(actor: Actor) -> Work | None:
    """No sweep for two hours, or none ever where there is something to sweep, and none paused: beat or the workers stand still."""
    if Capability.SWEEP not in actor.capabilities:
        return None
    url = reverse("admin:memories_sweeprun_changelist")
    due = get_clock().now() - OVERDUE
    last = SweepRun.objects.filter(dry_run=False).order_by("-id").values_list("started_at", flat=True).first()
    late = last is not None and last < due
    if last is None and Memory.objects.filter(pk__lt=first_uuid7_at(due)).exists():
        last, late = Tenant.objects.values_list("created_at", flat=True).get(pk=actor.tenant_id), True
    late = late and not SweepPause.objects.exists()
    return Work(
        _("Sweeps are overdue"), int(late), url, since=last if late else None, urgent=True,
        note=_("No sweep has begun for two hours: see whether beat and a worker run.") if late else "",
    )  # fmt: skip
