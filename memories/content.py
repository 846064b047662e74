"""The memories app's own content holders, registered at start: which columns hold what people said, and how to reach them."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from django.db import models
from django.db.models import Q

from memories.core.text.needles import holds, masked, pattern_of
from memories.holders import Found, register, register_plain

Scope = Callable[[uuid.UUID], Q]


class ModelHolder:
    """A holder over one model: text, JSON, arrays and encrypted text, of the rows that `scope` gives to a subject.

    Encrypted columns cannot be searched in the database, so the subject's rows are read and compared here; one subject's
    rows are few. `keep_rows` empties the content instead of removing rows (for rows that belong to the subject's life,
    but hold a name in only some columns); `erased` says what stands in a column then, where empty will not do.
    """

    def __init__(
        self,
        name: str,
        model: type[models.Model],
        columns: Sequence[str],
        scope: Scope,
        *,
        keep_rows: bool = False,
        erased: Mapping[str, Callable[[uuid.UUID], Any]] | None = None,
    ) -> None:
        self.name, self.model, self._scope, self._keep_rows = name, model, scope, keep_rows
        self._erased = dict(erased or {})
        self._fields: list[Any] = [model._meta.get_field(column) for column in columns]

    @property
    def table(self) -> str:
        return self.model._meta.db_table

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(field.column for field in self._fields)

    def find(self, subject_id: uuid.UUID, needles: Sequence[str]) -> list[Found]:
        pattern = pattern_of(needles)
        if pattern is None:
            return []
        return [
            Found(self.name, self.table, str(row.pk), field.name)
            for row in self._rows(subject_id)
            for field in self._fields
            if holds(getattr(row, field.name), pattern)
        ]

    def values(self, subject_id: uuid.UUID, column: str) -> Iterator[tuple[Any, Any]]:
        """(primary key, value) of one column of the subject's rows, where there is one."""
        for pk, value in self._queryset(subject_id).order_by("pk").values_list("pk", column):
            if value:
                yield pk, value

    def put(self, subject_id: uuid.UUID, pk: Any, column: str, value: Any) -> None:
        """Store one column's new value."""
        self._queryset(subject_id).filter(pk=pk).update(**{column: value})

    def mask(self, subject_id: uuid.UUID, needles: Sequence[str], replacement: str) -> int:
        pattern = pattern_of(needles)
        if pattern is None:
            return 0
        changed = 0
        for row in self._rows(subject_id):
            new = {
                field.name: masked(value, pattern, replacement)
                for field in self._fields
                if holds(value := getattr(row, field.name), pattern)
            }
            if new:
                self._queryset(subject_id).filter(pk=row.pk).update(**new)
                changed += 1
        return changed

    def erase(self, subject_id: uuid.UUID) -> int:
        rows = self._queryset(subject_id)
        if self._keep_rows:
            empty = {field.name: _empty(field) for field in self._fields}
            return int(rows.update(**empty | {name: of(subject_id) for name, of in self._erased.items()}))
        return int(rows._raw_delete(rows.db))

    def erase_some(self, subject_id: uuid.UUID, limit: int) -> int:
        if self._keep_rows:
            return 0  # One row, emptied by `erase`.
        rows = self._queryset(subject_id)
        # Index rows go an item at a time: their key has three parts.
        by = "item_id" if any(field.name == "item_id" for field in self.model._meta.concrete_fields) else "pk"
        some = list(rows.values_list(by, flat=True).distinct()[:limit])
        if not some:
            return 0
        chosen = rows.filter(**{f"{by}__in": some})
        return int(chosen._raw_delete(chosen.db))

    def count(self, subject_id: uuid.UUID) -> int:
        return int(self._queryset(subject_id).count())

    def _queryset(self, subject_id: uuid.UUID) -> Any:
        return self.model._default_manager.filter(self._scope(subject_id))

    def _rows(self, subject_id: uuid.UUID) -> Any:
        return (
            self._queryset(subject_id)
            .only("pk", *[field.name for field in self._fields])
            .iterator(chunk_size=500)
        )


def _empty(field: Any) -> Any:
    if field.null:
        return None
    return field.get_default() if field.has_default() else ""


def _own(subject_id: uuid.UUID) -> Q:
    return Q(subject_id=subject_id)


def _of_memory(subject_id: uuid.UUID) -> Q:
    from memories.models import Memory

    return Q(memory_id__in=Memory.objects.of(subject_id).values("id"))


def register_content() -> None:
    """Called once at start. Parts come before the memory that they hang on, so that erasing runs in this order."""
    from accounts.models import Subject
    from memories import models as m

    for holder in (
        ModelHolder("facts", m.Fact, ("entity", "attribute", "value", "slot_key"), _own),
        ModelHolder("evidence", m.Evidence, ("quote", "speaker"), _of_memory),
        ModelHolder(
            "versions", m.MemoryVersion, ("content", "content_encrypted", "state", "reason"), _of_memory
        ),
        ModelHolder("reveals", m.Reveal, ("reason",), _of_memory),
        ModelHolder("tombstones", m.Tombstone, ("reason", "undo"), _own),
        ModelHolder("approvals", m.Approval, (), _own),
        ModelHolder("contradictions", m.Contradiction, ("slot_key", "undo"), _own),
        ModelHolder("feedback", m.Feedback, (), _own),
        ModelHolder("forget rules", m.ForgetRule, ("label", "target"), _own),
        ModelHolder("forget requests", m.ForgetRequest, ("target", "undo"), _own),
        ModelHolder("postings", m.Posting, ("term",), _own),
        ModelHolder("vectors", m.Embedding, ("vector",), _own),
        ModelHolder("slots", m.Slot, ("key", "value"), _own),
        ModelHolder("traces", m.RecallTrace, ("query", "standalone_query", "considered", "context"), _own),
        ModelHolder("queued work", m.Job, (), _own),
        ModelHolder("queued texts", m.QueuedText, ("given",), _own),
        ModelHolder("episodes", m.Episode, ("text", "speaker"), _own),
        ModelHolder(
            "memories",
            m.Memory,
            ("content", "content_encrypted", "key", "tags", "metadata", "speaker", "reasons"),
            _own,
        ),
        ModelHolder("kept answers", m.IdempotencyKey, ("response",), _own),
        ModelHolder("redactions", m.Redaction, ("reason", "target"), _own),
        ModelHolder(
            "subjects",
            Subject,
            ("external_id", "display_name"),
            lambda subject_id: Q(id=subject_id),
            keep_rows=True,
            # External ids are unique, so no two may be empty.
            erased={"external_id": lambda subject_id: f"erased:{subject_id}"},
        ),
    ):
        register(holder)
    _register_plain()


def _register_plain() -> None:
    """Text columns of this app and the one below that never hold what people said."""
    from accounts import models as a
    from memories import models as m

    code = "a code, a name of a rule, an id or a keyed fingerprint"
    register_plain(
        m.Memory._meta.db_table, code, "kind", "language", "importance_level", "rule", "fingerprint", "claim"
    )
    register_plain(m.MemoryVersion._meta.db_table, code, "change", "actor_kind", "actor_id", "rule")
    register_plain(m.Evidence._meta.db_table, code, "role")
    register_plain(m.Fact._meta.db_table, code, "entity_kind")
    register_plain(
        m.Tombstone._meta.db_table, code, "previous_status", "cause", "rule", "actor_kind", "actor_id"
    )
    register_plain(m.Reveal._meta.db_table, code, "actor_kind", "actor_id")
    register_plain(m.Contradiction._meta.db_table, code, "rule", "resolved_by")
    register_plain(m.Approval._meta.db_table, code, "rule", "decided_by")
    register_plain(m.Feedback._meta.db_table, code, "verdict")
    register_plain(m.ForgetRule._meta.db_table, code, "kind", "fingerprint")
    register_plain(m.ForgetRequest._meta.db_table, code, "scope", "decided_by")
    register_plain(m.Episode._meta.db_table, code, "source_kind", "role")
    register_plain(m.RecallTrace._meta.db_table, code, "sections", "degraded", "gate", "arm")
    register_plain(
        m.Job._meta.db_table, "ids and numbers only", "kind", "key", "payload", "lease_owner", "error_code"
    )
    register_plain(
        m.SweepRun._meta.db_table, "counts by rule and kind", "counts", "actor_kind", "actor_id", "error_code"
    )
    register_plain(m.ModelUsage._meta.db_table, "numbers by month and use", "use")
    register_plain(m.SweepPause._meta.db_table, "who paused", "paused_by_kind", "paused_by")
    register_plain(
        m.Webhook._meta.db_table,
        "set by an admin about their own programs, with keys that sign",
        "name",
        "url",
        "events",
        "disabled_why",
        "secret",
        "previous_secret",
        "lease_owner",
        "last_error",
        "created_by",
    )
    register_plain(
        m.WebhookDelivery._meta.db_table,
        "ids, numbers and codes; content is read when it is delivered",
        "event",
        "detail",
        "error_code",
    )
    register_plain(
        m.Erasure._meta.db_table,
        "ids, counts and keyed fingerprints; outlives the subject on purpose",
        "external_print",
        "requested_by_kind",
        "requested_by",
        "found",
        "handles",
        "receipt",
    )
    register_plain(
        m.Redaction._meta.db_table,
        "ids and numbers by place",
        "rules",
        "found",
        "place",
        "proof",
        "requested_by_kind",
        "requested_by",
    )
    register_plain(
        m.PolicyVersion._meta.db_table,
        "set by an admin about the rules",
        "overrides",
        "custom",
        "note",
        "created_by",
    )
    register_plain(
        m.Experiment._meta.db_table,
        "set by an admin about the rules",
        "name",
        "hypothesis",
        "overrides",
        "salt",
        "note",
        "created_by",
        "started_by",
        "stopped_by",
    )
    register_plain(m.QueuedText._meta.db_table, "ids and codes of what became of a text", "outcomes", "error")
    register_plain(
        m.IdempotencyKey._meta.db_table,
        "ids, hashes and the caller's key",
        "principal",
        "key",
        "request_hash",
    )
    register_plain(a.Subject._meta.db_table, code, "time_zone", "locale")
    register_plain(a.TenantKey._meta.db_table, "wrapped keys and their names", "wrapped", "master")
    register_plain(
        a.AuditEntry._meta.db_table,
        "ids and numbers only",
        "actor_kind",
        "actor_id",
        "door",
        "action",
        "changes",
    )
    register_plain(a.AuditEntry._meta.db_table, "hashes", "prev_hash", "hash")
    register_plain(a.AuditHead._meta.db_table, "hashes", "hash")
