"""Standing rules: "never remember anything about …", laid, listed, removed, and asked about whatever is to be kept (R26)."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Case, F, Q, TextField, Value, When

from accounts import audit
from accounts.actor import Actor
from accounts.reading import note_reading
from memories.adapters.factory import get_clock
from memories.core.forgetting.marks import masked
from memories.core.forgetting.matching import match
from memories.core.forgetting.reach import KnownFact, KnownMemory, Reach, mention, name_in
from memories.core.forgetting.remains import nothing_left
from memories.core.forgetting.target import Scope, Target
from memories.core.forgetting.texts import Spec, spans
from memories.core.statement import Statement
from memories.core.values.normalise import canonical
from memories.models import Fact, ForgetRequest, ForgetRule
from memories.services import fingerprints
from memories.services.forget_rules import EVERYTHING, STANDING, parts_of
from memoryhub.common.db import current_tenant_id, tenant_transaction
from memoryhub.common.errors import NotFound


@dataclass(frozen=True, slots=True)
class StandingRule:
    """One "do not remember" that lasts: what it is about, as it was asked."""

    id: uuid.UUID
    label: str
    scope: str
    created_at: datetime


def stand(
    actor: Actor, subject_id: uuid.UUID, reach: Reach, now: datetime, request: ForgetRequest
) -> ForgetRule:
    """Lay a standing rule, in the open transaction; the same one is not laid twice.

    It binds every name of whom it is about: those that the person did not use to ask stay in it as keyed prints only.
    """
    target = reach.target
    names = {
        _name_print(actor.tenant_id, subject_id, name) for key in reach.entities if (name := name_in(key))
    }
    data = {**target.as_data(), "names": sorted(names)}
    form = json.dumps(data, ensure_ascii=False, sort_keys=True)
    fingerprint = fingerprints.keyed(STANDING, actor.tenant_id, subject_id, _form(target))
    known: ForgetRule | None = ForgetRule.objects.filter(
        subject_id=subject_id, kind=STANDING, fingerprint=fingerprint, removed_at__isnull=True
    ).first()
    if known is not None:
        _bind_names(known, names)
        return known
    rule: ForgetRule = ForgetRule.objects.create(
        subject_id=subject_id,
        kind=STANDING,
        fingerprint=fingerprint,
        label=target.words or target.entity,
        target=form,
        request=request,
        created_at=now,
    )
    audit.record(
        actor, "forget_rule.laid", target_kind="forget_rule", target_id=rule.id, subject_id=subject_id
    )
    return rule


_LATIN = re.compile(r"[^\W\d_](?:[\w'’.-]*\w)?")
_HAN = re.compile(r"[\u3400-\u9fff·•]{2,}")
_LATIN_WORDS, _HAN_CHARS = 3, 6
"""How long a name is at most that is looked for by its print."""


def _name_print(tenant_id: uuid.UUID, subject_id: uuid.UUID, name: str) -> str:
    return fingerprints.keyed("name", tenant_id, subject_id, canonical(name)).hex()


def _bind_names(rule: ForgetRule, names: Iterable[str]) -> None:
    """Add prints of names to the rule."""
    data = json.loads(str(rule.target or "{}"))
    known = set(data.get("names", ()))
    if data and not set(names) <= known:
        rule.target = json.dumps(
            {**data, "names": sorted(known | set(names))}, ensure_ascii=False, sort_keys=True
        )
        rule.save(update_fields=["target"])


def _phrases(text: str) -> Iterator[str]:
    """What might be a name in the text: up to three words in Latin letters, up to six Chinese characters."""
    words = list(_LATIN.finditer(text))
    for at, first in enumerate(words):
        for last in words[at : at + _LATIN_WORDS]:
            yield text[first.start() : last.end()].removesuffix("'s").removesuffix("’s")
    for run in _HAN.finditer(text):
        for start in range(run.start(), run.end() - 1):
            for end in range(start + 2, min(run.end(), start + _HAN_CHARS) + 1):
                yield text[start:end]


def _form(target: Target) -> str:
    if target.scope is Scope.EVERYTHING:
        return EVERYTHING
    return f"{canonical(target.entity or target.words)}|{','.join(sorted(target.attributes))}|{target.value}"


def list_rules(*, actor: Actor, subject_id: uuid.UUID) -> list[StandingRule]:
    """The subject's standing rules, the newest first."""
    actor.require_subject(subject_id, write=False)
    with tenant_transaction(actor.tenant_id):
        note_reading(actor, subject_id, "forget_rules.list")
        rows = ForgetRule.objects.filter(
            subject_id=subject_id, removed_at__isnull=True, binds_before__isnull=True
        )
        return [
            StandingRule(
                row.id,
                row.label or "",
                _target(row).scope.value if row.target else EVERYTHING,
                row.created_at,
            )
            for row in rows.order_by("-created_at", "-id")
        ]


def remove_rule(*, actor: Actor, rule_id: uuid.UUID) -> None:
    """From now on it is learnt again. Removing twice changes nothing; NotFound for a rule that is not the actor's."""
    now = get_clock().now()
    with tenant_transaction(actor.tenant_id):
        rule: ForgetRule | None = (
            ForgetRule.objects.select_for_update(of=("self",))
            .filter(id=rule_id, binds_before__isnull=True)
            .first()
        )
        if rule is None:
            raise NotFound("no such rule")
        try:
            actor.require_subject(rule.subject_id, write=True)
        except NotFound:
            raise NotFound("no such rule") from None
        if rule.removed_at is not None:
            return
        # What it was about need not be known any more.
        rule.removed_at, rule.label, rule.target = now, None, None
        rule.save(update_fields=["removed_at", "label", "target"])
        audit.record(
            actor,
            "forget_rule.removed",
            target_kind="forget_rule",
            target_id=rule.id,
            subject_id=rule.subject_id,
        )


def _target(rule: ForgetRule) -> Target:
    return Target.of_data(json.loads(str(rule.target or "{}")))


def rules_over(subject_id: uuid.UUID, prints: Iterable[bytes]) -> tuple[list[ForgetRule], Standing]:
    """The rules over any of these fingerprints, those of the very words first, and the standing ones: one look-up."""
    rows = list(
        ForgetRule.objects.filter(
            _LASTING | Q(fingerprint__in=list(prints)), subject_id=subject_id, removed_at__isnull=True
        ).order_by("-kind", "id")
    )
    lasting = [row for row in rows if row.kind == STANDING and row.target is not None]
    return rows, Standing(subject_id, lasting)


_NAMELESS = frozenset({Scope.EVERYTHING, Scope.VALUE, Scope.LAST})
"""Requests that mean the same whatever is known."""
MAX_CALLED = 5_000


def called(subject_id: uuid.UUID, targets: Sequence[Target]) -> list[tuple[str, str, str]]:
    """(entity, attribute, value) of the facts that decide what the targets mean: who there is, and how they are called.

    However much is known of somebody, they come once, with an attribute only where a target is about it and a value only
    where it is a name; of the person themself comes nothing else at all.
    """
    wanted = {attribute for target in targets for attribute in target.attributes}
    if not wanted and all(target.scope in _NAMELESS for target in targets):
        return []
    matters = Q(attribute="name") | Q(attribute__in=wanted)
    rows = Fact.objects.filter(subject_id=subject_id).filter(matters | ~Q(entity="user"))
    rows = rows.annotate(
        about=Case(When(matters, then=F("attribute")), default=Value(""), output_field=TextField()),
        named=Case(When(attribute="name", then=F("value")), default=Value(""), output_field=TextField()),
    )
    return list(rows.order_by().values_list("entity", "about", "named").distinct()[:MAX_CALLED])


def reach_of(subject_id: uuid.UUID, target: Target) -> Reach:
    """Whom and what the target means by all that was ever known of it, forgotten or not."""
    facts = tuple(KnownFact(*fact) for fact in called(subject_id, [target]))
    found = match(target, [KnownMemory(uuid.UUID(int=0), "", "fact", facts=facts)]).reach
    return replace(found, everything=target.scope is Scope.EVERYTHING)


_LASTING = Q(kind=STANDING, target__isnull=False)


class Standing:
    """The standing rules of a subject, read once in the open transaction and asked about many texts."""

    def __init__(self, subject_id: uuid.UUID, rows: Iterable[ForgetRule] | None = None) -> None:
        if rows is None:
            rows = ForgetRule.objects.filter(_LASTING, subject_id=subject_id, removed_at__isnull=True)
        # Texts are looked at outside of the transaction, too.
        self._whose = (current_tenant_id(), subject_id)
        self._rules = list(rows)
        targets = [_target(row) for row in self._rules]
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
        prints = {_name_print(*self._whose, phrase): phrase for phrase in set(_phrases(text))}
        tied = [[prints[one] for one in names if one in prints] for names in self._names]
        return [
            replace(reach, entities=reach.entities | set(more), names=(*reach.names, *more))
            if more
            else reach
            for reach, more in zip(self.reaches, tied, strict=True)
        ]

    def forbids(self, statement: Statement) -> bool:
        """Whether the statement is about what is never to be learnt."""
        return any(self._concerns(statement, reach) for reach in self._over(_all_of(statement)))

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
            _bind_names(rule, {_name_print(*self._whose, name) for name in names - {""}})

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

    def clean(self, text: str, *, role: str = "user", speaker: str = "") -> str:
        """The text without what is never to be kept: what is indexed, and what goes into digests."""
        for reach in self._over(text):
            found = spans(text, Spec(reach), role=role, speaker=speaker)
            text = masked(text, found) if found else text
        return text


def _all_of(statement: Statement) -> str:
    """Its words, and whom its facts are about."""
    return "\n".join([statement.content, *(name_in(fact.entity) for fact in statement.facts)])


def without_standing(
    actor: Actor, subject_id: uuid.UUID, text: str, *, role: str = "user", speaker: str = ""
) -> str:
    """The text without what a standing rule says never to keep."""
    with tenant_transaction(actor.tenant_id):
        standing = Standing(subject_id)
    cleaned = standing.clean(text, role=role, speaker=speaker)
    return "" if cleaned != text and nothing_left(cleaned) else cleaned
