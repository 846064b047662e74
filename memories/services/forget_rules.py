"""Rules that keep what was forgotten from being learnt again, by value, slot and entity, and standing ones that last (R26)."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.core.forgetting.reach import Reach
from memories.core.statement import FactPart, Statement
from memories.core.values.normalise import canonical
from memories.models import Fact, ForgetRequest, ForgetRule, Memory
from memories.services import fingerprints
from memories.services.fingerprints import fact_print

TEXT, FACT, SLOT, ENTITY, EVERYTHING, STANDING = "text", "fact", "slot", "entity", "everything", "standing"


def prints_of(memories: Sequence[Memory]) -> set[bytes]:
    """Of the memories' words, facts, slots and entities, as rules know them; in one statement."""
    found = {bytes(memory.fingerprint) for memory in memories}
    tenants = {memory.pk: memory.tenant_id for memory in memories}
    for row in Fact.objects.filter(memory_id__in=list(tenants)):
        tenant_id, subject_id = tenants[row.memory_id], row.subject_id
        part = FactPart(row.entity, row.attribute, row.value, row.single_valued, row.negated)
        found.add(fact_print(tenant_id, subject_id, part))
        found |= {slot_print(tenant_id, subject_id, key, row.attribute) for key in _called(row.entity)}
        found |= {entity_print(tenant_id, subject_id, key) for key in parts_of(row.entity)}
    return found


def statement_prints(tenant_id: uuid.UUID, subject_id: uuid.UUID, statement: Statement) -> set[bytes]:
    """The slots and entities that a statement is about, as rules know them."""
    found: set[bytes] = set()
    for fact in statement.facts:
        found |= {slot_print(tenant_id, subject_id, key, fact.attribute) for key in _called(fact.entity)}
        found |= {entity_print(tenant_id, subject_id, key) for key in parts_of(fact.entity)}
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


def parts_of(entity: str) -> set[str]:
    """The key, the one that it hangs on (user:boss of user:boss:Ann), and the bare name; never the person themself."""
    parts = entity.split(":")
    keys = {entity, parts[-1], *(":".join(parts[:n]) for n in range(2, len(parts)))}
    return keys - {"user", "general", "assistant"}


def bind_memories(memories: Sequence[Memory], before: datetime, request: ForgetRequest | None = None) -> None:
    """What was said up to `before` is not to be learnt again, by whatever reads those turns later; in two statements."""
    facts: dict[uuid.UUID, list[FactPart]] = {}
    for row in Fact.objects.filter(memory_id__in=[memory.id for memory in memories]):
        part = FactPart(row.entity, row.attribute, row.value, row.single_valued, row.negated)
        facts.setdefault(row.memory_id, []).append(part)
    ForgetRule.objects.bulk_create(
        (
            ForgetRule(
                subject_id=memory.subject_id,
                kind=kind,
                fingerprint=fingerprint,
                request=request,
                binds_before=before,
                created_at=get_clock().now(),
            )
            for memory in memories
            for kind, fingerprint in (
                (TEXT, bytes(memory.fingerprint)),
                *(
                    (FACT, fact_print(memory.tenant_id, memory.subject_id, part))
                    for part in facts.get(memory.id, ())
                ),
            )
        ),
        batch_size=5_000,
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


def release(
    subject_id: uuid.UUID,
    prints: Collection[bytes],
    now: datetime,
    request: ForgetRequest | None = None,
) -> None:
    """What has these prints may be learnt again; with a request, only what that one laid ends. Lasting rules stay."""
    rules = ForgetRule.objects.filter(
        subject_id=subject_id, fingerprint__in=prints, removed_at__isnull=True, binds_before__isnull=False
    )
    (rules.filter(request=request) if request is not None else rules).update(removed_at=now)


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
