"""Export: subjects with their memories, versions, quotes and facts as lines of JSON, page by page."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from django.db.models import Q, QuerySet
from django.db.models.functions import Collate

from accounts import audit
from accounts.actor import Actor
from accounts.models import Subject
from accounts.permissions import Capability
from accounts.reading import note_reading
from memories.adapters.factory import get_clock
from memories.core.transfer import lines
from memories.core.transfer.columns import plain, written
from memories.models import Contradiction, Evidence, Fact, Memory, MemoryVersion
from memories.services.embedding_space import generations
from memories.services.subjects import check_readable
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import PermissionDenied

PAGE = 500
"""Memories of one transaction, and of what is held at once."""


def export_lines(*, actor: Actor, subject_id: uuid.UUID | None = None) -> Iterator[str]:
    """The lines of one subject's export, or of the whole tenant's, each with its line end; docs/api/transfer.md describes them.

    Rights are checked at once, before the first line: a subject's own, or the right to read memories; a tenant's needs that of
    ERASE as well, which admins have. Each page is read in a transaction of its own: what changes meanwhile may be seen or not,
    but no memory without its versions. Sealed contents, and what was forgotten or redacted, are left out and counted at the end.
    """
    if subject_id is not None:
        check_readable(actor, subject_id, "memories.export")
    else:
        actor.require(Capability.MEMORY_READ)
        actor.require(Capability.ERASE)
        if actor.subject_id is not None and actor.kind == "api_key":
            raise PermissionDenied("a key that is bound to a person exports that person only")
    return _lines(actor, subject_id)


def _lines(actor: Actor, subject_id: uuid.UUID | None) -> Iterator[str]:
    told = {"subjects": 0, "memories": 0, "contradictions": 0, "left_out": 0}
    digest = hashlib.sha256()

    def line(kind: str, data: dict[str, Any]) -> str:
        text = json.dumps({"type": kind, **data}, ensure_ascii=False, separators=(",", ":")) + "\n"
        digest.update(text.encode())
        return text

    yield _header(actor, subject_id)
    for one in _subjects(actor, subject_id):
        with tenant_transaction(actor.tenant_id):
            subject = Subject.objects.filter(pk=one, erased_at__isnull=True).first()
        if subject is None:
            continue
        told["subjects"] += 1
        yield line("subject", written(lines.SUBJECT, subject))
        for kind, data in _of_subject(actor, subject, told):
            yield line(kind, data)
    yield json.dumps({"type": "end", **told, "sha256": digest.hexdigest()}, separators=(",", ":")) + "\n"
    with tenant_transaction(actor.tenant_id):
        audit.record(
            actor,
            "memory.exported",
            target_kind="subject" if subject_id else "tenant",
            target_id=subject_id or actor.tenant_id,
            subject_id=subject_id,
            memories=told["memories"],
        )


def _header(actor: Actor, subject_id: uuid.UUID | None) -> str:
    with tenant_transaction(actor.tenant_id):
        live = generations()
    space = live[0].identity if live else None
    head = {
        "type": "header",
        "format": lines.FORMAT,
        "version": lines.VERSION,
        "exported_at": plain(get_clock().now()),
        "scope": "subject" if subject_id else "tenant",
        "vectors": {"model": space.name, "revision": space.revision, "dimension": space.dim}
        if space
        else None,
    }
    return json.dumps(head, ensure_ascii=False, separators=(",", ":")) + "\n"


def _subjects(actor: Actor, subject_id: uuid.UUID | None) -> list[uuid.UUID]:
    """Their ids in the order of kind and external id, byte by byte: agents come before who they speak with."""
    if subject_id is not None:
        return [subject_id]
    with tenant_transaction(actor.tenant_id):
        rows = Subject.objects.filter(erased_at__isnull=True)
        return list(rows.order_by("kind", Collate("external_id", "C")).values_list("id", flat=True))


def _of_subject(actor: Actor, subject: Subject, told: dict[str, int]) -> Iterator[tuple[str, dict[str, Any]]]:
    after: Memory | None = None
    while True:
        with tenant_transaction(actor.tenant_id):
            if after is None:
                note_reading(actor, subject.pk, "memories.export", programs=True)
                told["left_out"] += _left_out(subject).count()
            page = list(_exported(subject, after)[:PAGE])
            data = _with_parts(page)
        told["memories"] += len(page)
        yield from (("memory", one) for one in data)
        if len(page) < PAGE:
            break
        after = page[-1]
    with tenant_transaction(actor.tenant_id):
        kept = Q(older__status__in=lines.STATUSES, newer__status__in=lines.STATUSES)
        rows = list(Contradiction.objects.filter(kept, subject=subject).order_by("opened_at", "id"))
    told["contradictions"] += len(rows)
    yield from (("contradiction", written(lines.CONTRADICTION, row)) for row in rows)


def _left_out(subject: Subject) -> QuerySet[Memory]:
    return Memory.objects.filter(subject=subject).exclude(
        status__in=lines.STATUSES, content_encrypted__isnull=True
    )


def _exported(subject: Subject, after: Memory | None) -> QuerySet[Memory]:
    rows = Memory.objects.filter(subject=subject, status__in=lines.STATUSES, content_encrypted__isnull=True)
    if after is not None:
        rows = rows.filter(
            Q(created_at__gt=after.created_at) | Q(created_at=after.created_at, id__gt=after.id)
        )
    return rows.select_related("agent").order_by("created_at", "id")


def _with_parts(page: Sequence[Memory]) -> list[dict[str, Any]]:
    ids = [memory.pk for memory in page]
    successors = {memory.superseded_by_id for memory in page if memory.superseded_by_id}
    known = set(
        Memory.objects.filter(id__in=successors, status__in=lines.STATUSES).values_list("id", flat=True)
    )
    versions = _grouped(
        MemoryVersion.objects.filter(memory_id__in=ids).order_by("number"),
        lambda row: written(lines.VERSION_OF, row),
    )
    evidence = _grouped(
        Evidence.objects.filter(memory_id__in=ids).order_by("id"), lambda row: written(lines.EVIDENCE, row)
    )
    facts = _grouped(
        Fact.objects.filter(memory_id__in=ids).order_by("id"), lambda row: written(lines.FACT, row)
    )
    found = []
    for memory in page:
        data = written(lines.MEMORY, memory)
        if memory.superseded_by_id not in known:
            data["superseded_by_id"] = None
        data["agent"] = memory.agent.external_id if memory.agent else None
        data |= {"versions": versions[memory.pk], "evidence": evidence[memory.pk], "facts": facts[memory.pk]}
        found.append(data)
    return found


def _grouped(
    rows: QuerySet[Any], form: Callable[[Any], dict[str, Any]]
) -> defaultdict[uuid.UUID, list[dict[str, Any]]]:
    found: defaultdict[uuid.UUID, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        found[row.memory_id].append(form(row))
    return found
