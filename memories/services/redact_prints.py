"""What keeps redacted words from being learnt again: keyed prints, of a subject or of the whole tenant (R26, decision 15)."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db.models import Q

from accounts.models import Subject
from accounts.models.subject import OF_TENANT
from memories.core.forgetting.marks import REDACTED as MARKS
from memories.core.forgetting.marks import Span, mark_for, masked
from memories.core.forgetting.redacting import known_spans, plain_form, too_short
from memories.core.statement import Statement
from memories.models import ForgetRule
from memories.services import fingerprints
from memoryhub.common.db import current_tenant_id

REDACTED = "redacted"
"""The kind of these rules. Their fingerprint is the keyed print of the words (32 bytes) and their length (2 bytes)."""
MAX_PRINTS = 300
"""Of one redaction and subject: each is looked for in whatever is learnt."""
_MAX_LENGTH = 2_000


def redacting(subject_id: uuid.UUID) -> Q:
    """The rules of this kind over a subject, its own and the tenant's; in the open tenant transaction."""
    tenants = Subject.objects.filter(kind=OF_TENANT).order_by().values("id")
    return Q(kind=REDACTED) & (Q(subject_id=subject_id) | Q(subject_id__in=tenants))


def bind_words(
    subject_id: uuid.UUID, words: Iterable[str], now: datetime, *, standing: bool = False
) -> list[uuid.UUID]:
    """Bind words that were redacted, said up to `now`, or for as long as the rule stands; the ids of the rules."""
    forms = {plain_form(word.strip())[0] for word in words if not too_short(word)}
    chosen = sorted((form for form in forms if len(form) <= _MAX_LENGTH), key=lambda form: (len(form), form))
    tenant_id = current_tenant_id()
    rows = ForgetRule.objects.bulk_create(
        ForgetRule(
            subject_id=subject_id,
            kind=REDACTED,
            fingerprint=_print(tenant_id, subject_id, form) + len(form).to_bytes(2, "big"),
            binds_before=None if standing else now,
            created_at=now,
        )
        for form in chosen[:MAX_PRINTS]
    )
    return [row.pk for row in rows]


def _print(tenant_id: uuid.UUID, subject_id: uuid.UUID, form: str) -> bytes:
    return fingerprints.keyed(REDACTED, tenant_id, subject_id, form)


class RedactedWords:
    """The words that were redacted, as rules know them; asked about texts, in a transaction or not."""

    def __init__(self, rows: Sequence[ForgetRule]) -> None:
        # By length, by whose rule it is.
        self._known: dict[int, dict[uuid.UUID, dict[bytes, datetime | None]]] = {}
        self._tenant_id = rows[0].tenant_id if rows else None
        for row in rows:
            print_, length = bytes(row.fingerprint)[:32], int.from_bytes(bytes(row.fingerprint)[32:], "big")
            of_subject = self._known.setdefault(length, {}).setdefault(row.subject_id, {})
            before = row.binds_before
            known = of_subject.get(print_, before)
            of_subject[print_] = None if before is None or known is None else max(before, known)

    def spans(self, text: str, said_at: datetime | None = None) -> list[Span]:
        """Where they stand in a text said then; at no known time, those that are never to be learnt."""
        if not self._known or not text:
            return []

        def known(form: str) -> bool:
            assert self._tenant_id is not None
            for subject_id, prints in self._known[len(form)].items():
                print_ = _print(self._tenant_id, subject_id, form)
                if print_ in prints:
                    before = prints[print_]
                    return before is None or (said_at is not None and said_at <= before)
            return False

        return known_spans(text, self._known, known)

    def clean(self, text: str, said_at: datetime | None = None) -> str:
        """The text with the mark in their place."""
        found = self.spans(text, said_at)
        return masked(text, found, mark_for(text, MARKS)) if found else text

    def holds(self, statement: Statement) -> bool:
        """Whether the statement says any of them."""
        if not self._known:
            return False
        parts = [statement.content, statement.clear or "", statement.quote, statement.key, statement.speaker]
        for fact in statement.facts:
            parts += [fact.entity, fact.attribute, fact.value]
        return bool(self.spans("\n".join(filter(None, parts)), statement.said_at))


def redacted_since(subject_id: uuid.UUID, since: datetime) -> RedactedWords:
    """What was redacted from then on, in the open transaction, whenever it was said."""
    rows = list(
        ForgetRule.objects.filter(redacting(subject_id), removed_at__isnull=True, created_at__gte=since)
    )
    for row in rows:
        row.binds_before = None
    return RedactedWords(rows)
