"""Rules that keep what was forgotten from being learnt again, by value, slot and entity, and standing ones that last (R26)."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Case, F, Q, TextField, Value, When

from accounts import audit
from accounts.actor import Actor
from accounts.reading import note_reading
from memories.adapters.factory import get_clock
from memories.core.forgetting.matching import KnownFact, KnownMemory, Reach, match, mention
from memories.core.forgetting.targets import Scope, Target
from memories.core.forgetting.texts import Spec, masked, nothing_left, spans
from memories.core.statement import FactPart, Statement
from memories.core.values.normalise import canonical
from memories.models import Fact, ForgetRequest, ForgetRule, Memory
from memories.services import fingerprints
from memories.services.fingerprints import fact_print
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import NotFound

TEXT, FACT, SLOT, ENTITY, EVERYTHING, STANDING = "text", "fact", "slot", "entity", "everything", "standing"


@dataclass(frozen=True, slots=True)
class StandingRule:
    """One "do not remember" that lasts: what it is about, as it was asked."""

    id: uuid.UUID
    label: str
    scope: str
    created_at: datetime


def prints_of(memory: Memory) -> list[tuple[str, bytes]]:
    """(kind of rule, fingerprint) of the memory's words and of each of its facts."""
    prints = [(TEXT, bytes(memory.fingerprint))]
    for row in Fact.objects.filter(memory_id=memory.id):
        part = FactPart(row.entity, row.attribute, row.value, row.single_valued, row.negated)
        prints.append((FACT, fact_print(memory.tenant_id, memory.subject_id, part)))
    return prints


def reach_prints(memory: Memory) -> list[bytes]:
    """The slots and entities of a memory's facts, as rules that a request laid know them."""
    found: set[bytes] = set()
    for entity, attribute in Fact.objects.filter(memory_id=memory.id).values_list("entity", "attribute"):
        found |= {slot_print(memory.tenant_id, memory.subject_id, key, attribute) for key in _called(entity)}
        found |= {entity_print(memory.tenant_id, memory.subject_id, key) for key in _parts(entity)}
    return list(found)


def statement_prints(tenant_id: uuid.UUID, subject_id: uuid.UUID, statement: Statement) -> set[bytes]:
    """The slots and entities that a statement is about, as rules know them."""
    found: set[bytes] = set()
    for fact in statement.facts:
        found |= {slot_print(tenant_id, subject_id, key, fact.attribute) for key in _called(fact.entity)}
        found |= {entity_print(tenant_id, subject_id, key) for key in _parts(fact.entity)}
    return found


def slot_print(tenant_id: uuid.UUID, subject_id: uuid.UUID, entity: str, attribute: str) -> bytes:
    """Of an entity's attribute, whatever its value."""
    return fingerprints.keyed(SLOT, tenant_id, subject_id, f"{canonical(entity)}|{canonical(attribute)}")


def entity_print(tenant_id: uuid.UUID, subject_id: uuid.UUID, entity: str) -> bytes:
    """Of somebody or something, whatever is said of it."""
    return fingerprints.keyed(ENTITY, tenant_id, subject_id, canonical(entity))


def _called(entity: str) -> set[str]:
    """The key, and the name in it: "my colleague Ann" may be kept as Ann."""
    parts = entity.split(":")
    return {entity, parts[2]} if len(parts) == 3 else {entity}


def _parts(entity: str) -> set[str]:
    """The key, the one that it hangs on (user:boss of user:boss:Ann), and the bare name; never the person themself."""
    parts = entity.split(":")
    keys = {entity, parts[-1], *(":".join(parts[:n]) for n in range(2, len(parts)))}
    return keys - {"user", "general", "assistant"}


def bind_memory(memory: Memory, before: datetime, request: ForgetRequest | None = None) -> None:
    """What was said up to `before` is not to be learnt again, by whatever reads those turns later."""
    ForgetRule.objects.bulk_create(
        ForgetRule(
            subject_id=memory.subject_id,
            kind=kind,
            fingerprint=fingerprint,
            request=request,
            binds_before=before,
            created_at=get_clock().now(),
        )
        for kind, fingerprint in prints_of(memory)
    )


def bind_reach(
    actor: Actor, subject_id: uuid.UUID, reach: Reach, now: datetime, request: ForgetRequest
) -> None:
    """The same for a whole slot or entity: another turn may have said another value of it."""
    prints: dict[bytes, str] = {}
    if reach.everything:
        prints[fingerprints.everything_print(actor.tenant_id, subject_id)] = EVERYTHING
    elif reach.attributes and not reach.target.value and not reach.target.past:
        for entity in reach.entities:
            for attribute in reach.attributes:
                prints[slot_print(actor.tenant_id, subject_id, entity, attribute)] = SLOT
    elif reach.entities and not reach.attributes:
        for entity in reach.entities - {"user", "general"}:
            prints[entity_print(actor.tenant_id, subject_id, entity)] = ENTITY
    ForgetRule.objects.bulk_create(
        ForgetRule(
            subject_id=subject_id,
            kind=kind,
            fingerprint=one,
            request=request,
            binds_before=now,
            created_at=now,
        )
        for one, kind in prints.items()
    )


def stand(
    actor: Actor, subject_id: uuid.UUID, target: Target, now: datetime, request: ForgetRequest
) -> ForgetRule:
    """Lay a standing rule, in the open transaction; the same one is not laid twice."""
    form = json.dumps(target.as_data(), ensure_ascii=False, sort_keys=True)
    fingerprint = fingerprints.keyed(STANDING, actor.tenant_id, subject_id, _form(target))
    known: ForgetRule | None = ForgetRule.objects.filter(
        subject_id=subject_id, kind=STANDING, fingerprint=fingerprint, removed_at__isnull=True
    ).first()
    if known is not None:
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


_LASTING = Q(kind=STANDING, target__isnull=False)


class Standing:
    """The standing rules of a subject, read once in the open transaction and asked about many texts."""

    def __init__(self, subject_id: uuid.UUID, rows: Iterable[ForgetRule] | None = None) -> None:
        if rows is None:
            rows = ForgetRule.objects.filter(_LASTING, subject_id=subject_id, removed_at__isnull=True)
        targets = [_target(row) for row in rows]
        self.reaches: list[Reach] = []
        if targets:
            facts = tuple(KnownFact(*fact) for fact in called(subject_id, targets))
            known = [KnownMemory(uuid.UUID(int=0), "", "fact", facts=facts)]
            self.reaches = [match(target, known).reach for target in targets]

    def forbids(self, statement: Statement) -> bool:
        """Whether the statement is about what is never to be learnt."""
        return any(self._concerns(statement, reach) for reach in self.reaches)

    def _concerns(self, statement: Statement, reach: Reach) -> bool:
        if reach.everything:
            return True
        forms = {canonical(key) for key in reach.entities}
        for fact in statement.facts:
            about = {canonical(one) for one in _parts(fact.entity) | {fact.entity}}
            if about & forms and (not reach.attributes or fact.attribute in reach.attributes):
                return True
        if reach.attributes or reach.own or statement.kind == "digest":
            # A digest is made of texts that lost these words already.
            return False
        pattern = mention(reach)
        return pattern is not None and pattern.search(statement.content) is not None

    def clean(self, text: str, *, role: str = "user", speaker: str = "") -> str:
        """The text without what is never to be kept: what is indexed, and what goes into digests."""
        for reach in self.reaches:
            found = spans(text, Spec(reach), role=role, speaker=speaker)
            text = masked(text, found) if found else text
        return text


def without_standing(
    actor: Actor, subject_id: uuid.UUID, text: str, *, role: str = "user", speaker: str = ""
) -> str:
    """The text without what a standing rule says never to keep."""
    with tenant_transaction(actor.tenant_id):
        standing = Standing(subject_id)
    cleaned = standing.clean(text, role=role, speaker=speaker)
    return "" if cleaned != text and nothing_left(cleaned) else cleaned


def forbidding(rules: Sequence[ForgetRule], said_at: datetime, prints: Iterable[bytes]) -> ForgetRule | None:
    """The rule that keeps a statement from being learnt: said before the request, or a lasting one.

    What is said again after the request is a new statement and is learnt.
    """
    wanted = set(prints)
    for rule in rules:
        binds = rule.binds_before is None or said_at <= rule.binds_before
        if binds and bytes(rule.fingerprint) in wanted:
            return rule
    return None
