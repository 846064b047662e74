"""What standing rules forbid: asked about whatever is to be kept, and cleaned out of texts (R26)."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from django.db.models import Q

from accounts.actor import Actor
from memories.core.forgetting.marks import masked
from memories.core.forgetting.matching import match
from memories.core.forgetting.reach import KnownFact, KnownMemory, Reach, mention, name_in
from memories.core.forgetting.remains import nothing_left
from memories.core.forgetting.texts import Spec, spans
from memories.core.statement import Statement
from memories.core.values.normalise import canonical
from memories.models import ForgetRule
from memories.services.forget_rules import STANDING, parts_of
from memories.services.reach_known import called
from memories.services.redact_prints import REDACTED, RedactedWords, redacting
from memories.services.rule_names import bind_names, name_print, phrases_of, target_of
from memoryhub.common.db import current_tenant_id, tenant_transaction

_LASTING = Q(kind=STANDING, target__isnull=False)


class Standing:
    """The standing rules of a subject, and what was redacted, read once in the open transaction and asked about many texts."""

    def __init__(self, subject_id: uuid.UUID, rows: Iterable[ForgetRule] | None = None) -> None:
        if rows is None:
            rows = ForgetRule.objects.filter(
                Q(_LASTING, subject_id=subject_id) | redacting(subject_id), removed_at__isnull=True
            )
        # Texts are looked at outside of the transaction, too.
        self._whose = (current_tenant_id(), subject_id)
        found = list(rows)
        self._redacted = RedactedWords([row for row in found if row.kind == REDACTED])
        self._rules = [row for row in found if row.kind != REDACTED]
        targets = [target_of(row) for row in self._rules]
        self._names = [frozenset(json.loads(str(row.target)).get("names", ())) for row in self._rules]
        self.reaches: list[Reach] = []
        if targets:
            facts = tuple(KnownFact(*fact) for fact in called(subject_id, targets))
            known = [KnownMemory(uuid.UUID(int=0), "", "fact", facts=facts)]
            self.reaches = [match(target, known).reach for target in targets]

    def _over(self, text: str) -> list[Reach]:
        """The rules' reaches, with those names in the text that a rule knows by their prints."""
        if not any(self._names):
            return self.reaches
        prints = {name_print(*self._whose, phrase): phrase for phrase in set(phrases_of(text))}
        tied = [[prints[one] for one in names if one in prints] for names in self._names]
        return [
            replace(reach, entities=reach.entities | set(more), names=(*reach.names, *more))
            if more
            else reach
            for reach, more in zip(self.reaches, tied, strict=True)
        ]

    def forbids(self, statement: Statement) -> bool:
        """Whether the statement is about what is never to be learnt, or says what was redacted."""
        return self.redacts(statement) or any(
            self._concerns(statement, reach) for reach in self._over(_all_of(statement))
        )

    def redacts(self, statement: Statement) -> bool:
        """Whether the statement says what was redacted after it was said, or for good."""
        return self._redacted.holds(statement)

    def note_names(self, statement: Statement) -> None:
        """Bind the names that a forbidden statement gives to whom a rule is about ("my boss is Ann")."""
        for rule, reach in zip(self._rules, self._over(_all_of(statement)), strict=True):
            forms = {canonical(key) for key in reach.entities}
            about = [
                fact
                for fact in statement.facts
                if {canonical(one) for one in parts_of(fact.entity) | {fact.entity}} & forms
            ]
            names = {name_in(fact.entity) for fact in about}
            names |= {fact.value for fact in about if fact.attribute == "name" and fact.entity != "user"}
            bind_names(rule, {name_print(*self._whose, name) for name in names - {""}})

    def _concerns(self, statement: Statement, reach: Reach) -> bool:
        if reach.everything:
            return True
        forms = {canonical(key) for key in reach.entities}
        for fact in statement.facts:
            about = {canonical(one) for one in parts_of(fact.entity) | {fact.entity}}
            if about & forms and (not reach.attributes or fact.attribute in reach.attributes):
                return True
        if reach.attributes or reach.own or statement.kind == "digest":
            # A digest is made of texts that lost these words already.
            return False
        pattern = mention(reach)
        return pattern is not None and pattern.search(statement.content) is not None

    def clean(
        self, text: str, *, role: str = "user", speaker: str = "", said_at: datetime | None = None
    ) -> str:
        """The text, said then, without what is never to be kept: what is indexed, and what goes into digests."""
        text = self._redacted.clean(text, said_at)
        for reach in self._over(text):
            found = spans(text, Spec(reach), role=role, speaker=speaker)
            text = masked(text, found) if found else text
        return text


def _all_of(statement: Statement) -> str:
    """Its words, and whom its facts are about."""
    return "\n".join([statement.content, *(name_in(fact.entity) for fact in statement.facts)])


def rules_over(subject_id: uuid.UUID, prints: Iterable[bytes]) -> tuple[list[ForgetRule], Standing]:
    """The rules over any of these fingerprints, those of the very words first, and the standing ones: one look-up."""
    rows = list(
        ForgetRule.objects.filter(
            Q(_LASTING | Q(fingerprint__in=list(prints)), subject_id=subject_id) | redacting(subject_id),
            removed_at__isnull=True,
        ).order_by("-kind", "id")
    )
    lasting = [
        row for row in rows if row.kind == REDACTED or (row.kind == STANDING and row.target is not None)
    ]
    return rows, Standing(subject_id, lasting)


def without_standing(
    actor: Actor,
    subject_id: uuid.UUID,
    text: str,
    *,
    role: str = "user",
    speaker: str = "",
    said_at: datetime | None = None,
) -> str:
    """The text, said then, without what a standing rule says never to keep, and what was redacted."""
    with tenant_transaction(actor.tenant_id):
        standing = Standing(subject_id)
    cleaned = standing.clean(text, role=role, speaker=speaker, said_at=said_at)
    return "" if cleaned != text and nothing_left(cleaned) else cleaned
