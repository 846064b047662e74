"""Find and redact words, or what a pattern matches, over a whole tenant: a preview, and the run that a job carries out."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Q

from accounts import audit
from accounts.actor import Actor
from accounts.models import Subject
from accounts.permissions import Capability
from memories.adapters.factory import get_clock
from memories.models import Episode, Memory, Redaction
from memories.services.jobs import enqueue
from memories.services.policies import policy_of
from memories.services.redact import check_confirmed
from memories.services.redact_places import find_places
from memories.services.redact_prints import bind_words
from memories.services.redact_wanted import Wanted, check_reason, no_standing_pattern, sought, wanted
from memories.services.screen import screen
from memories.services.tenant_subject import make_tenant_subject
from memories.store.locks import lock_redaction, lock_subject
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict, NotFound

KIND = "redact_everywhere"
PREVIEW_SUBJECTS = 100
"""Subjects that a preview reads: those that likely hold the words first, the newest of the others after them."""
SAMPLE = 20


@dataclass(slots=True)
class EverywherePreview:
    """`counts` by holder and `by_subject` of the `looked_at` subjects of `subjects`; `sample` are strings as they stand there."""

    subjects: int
    looked_at: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    by_subject: list[tuple[uuid.UUID, int]] = field(default_factory=list)
    sample: list[str] = field(default_factory=list)

    @property
    def whole(self) -> bool:
        """Whether every subject was looked at: otherwise there may be more."""
        return self.looked_at >= self.subjects


def preview_everywhere(*, actor: Actor, words: Sequence[str] = (), pattern: str = "") -> EverywherePreview:
    """What a run would find, in at most PREVIEW_SUBJECTS subjects; audited. Nothing of the texts around is shown."""
    actor.require(Capability.REDACT)
    what = wanted(words, pattern)
    looked = sought(what)
    with tenant_transaction(actor.tenant_id):
        found = EverywherePreview(_subjects().count())
        chosen = list(_likely_first(what))
        audit.record(actor, "memory.redact_preview", target_kind="tenant", subjects=len(chosen))
    strings: set[str] = set()
    for subject_id in chosen:
        with tenant_transaction(actor.tenant_id):
            try:
                lock_subject(subject_id)
            except NotFound:
                continue
            places = find_places(subject_id, looked)
        found.looked_at += 1
        for name, number in places.counts.items():
            found.counts[name] = found.counts.get(name, 0) + number
        if places.counts:
            found.by_subject.append((subject_id, sum(places.counts.values())))
        strings |= places.strings
    found.by_subject.sort(key=lambda one: (-one[1], str(one[0])))
    # Indexes and keys hold the same in small letters.
    once = {one.casefold(): one for one in sorted(strings, reverse=True)}
    found.sample = sorted(once.values())[:SAMPLE]
    return found


def redact_everywhere(
    *,
    actor: Actor,
    reason: str,
    confirmation: str,
    words: Sequence[str] = (),
    pattern: str = "",
    standing: bool = False,
) -> Redaction:
    """The run, begun: a job hides what holds the words from recall, then rewrites subject after subject, then says so.

    The words themselves are kept encrypted until it is done. With words, nobody's old turns, imports or compactions teach
    them again, nor, where it is `standing`, anything that is said later, until it is lifted. Conflict while another run is open.
    """
    actor.require(Capability.REDACT)
    check_confirmed(confirmation)
    what = wanted(words, pattern)
    if standing and pattern:
        raise no_standing_pattern()
    policy, _ = policy_of(actor.tenant_id)
    reason = screen(check_reason(reason, sought(what)), policy).text_masked[:200]
    now = get_clock().now()
    with tenant_transaction(actor.tenant_id):
        lock_redaction()
        open_ones = Redaction.objects.filter(scope=Redaction.Scope.TENANT, state=Redaction.State.RUNNING)
        if open_ones.exists():
            raise Conflict("another redaction of the whole tenant is at work", hint="Wait until it is done.")
        rules = bind_words(make_tenant_subject(), what.words, now, standing=standing) if what.words else []
        made = Redaction(
            scope=Redaction.Scope.TENANT,
            by_pattern=bool(pattern),
            standing=standing,
            reason=reason,
            target=what.as_text(),
            rules=[str(rule) for rule in rules],
            place={"phase": "hide", "after": ""},
            subjects=_subjects().count(),
            requested_by_kind=actor.kind,
            requested_by=actor.id[:64],
            requested_at=now,
        )
        made.save(force_insert=True)
        enqueue(kind=KIND, key=str(made.pk))
        audit.record(
            actor,
            "memory.redact_everywhere",
            target_kind="redaction",
            target_id=made.pk,
            subjects=made.subjects,
            standing=standing,
        )
    return made


def resume_redaction(*, actor: Actor, redaction_id: uuid.UUID) -> Redaction:
    """Ask for the job again, whose attempts may be used up: it goes on where it stopped. Nothing for one that is done."""
    actor.require(Capability.REDACT)
    with tenant_transaction(actor.tenant_id):
        found: Redaction | None = Redaction.objects.filter(pk=redaction_id).first()
        if found is None:
            raise NotFound("no such redaction")
        if found.state == Redaction.State.RUNNING:
            enqueue(kind=KIND, key=str(found.pk))
            audit.record(actor, "memory.redact_resumed", target_kind="redaction", target_id=found.pk)
        return found


def _subjects() -> Any:
    return Subject.objects.filter(erased_at__isnull=True)


def _likely_first(what: Wanted) -> Iterator[uuid.UUID]:
    seen: set[uuid.UUID] = set()
    for model, column in ((Memory, "content"), (Episode, "text")) if what.words else ():
        holding = Q()
        for word in what.words:
            holding |= Q(**{f"{column}__icontains": word})
        rows = model.objects.filter(holding).order_by().values_list("subject_id", flat=True)
        seen |= set(rows.distinct()[:PREVIEW_SUBJECTS])
    chosen = sorted(seen, key=str)[:PREVIEW_SUBJECTS]
    yield from chosen
    others = _subjects().exclude(pk__in=chosen).order_by("-pk").values_list("pk", flat=True)
    yield from others[: PREVIEW_SUBJECTS - len(chosen)]
