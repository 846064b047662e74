"""Anchor: which known fact a statement means that does not name it, looked up before it is embedded and written."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import replace

from django.db.models import Q, QuerySet

from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.core.placement.anchoring import anchor, needs_recent, needs_values, other_names
from memories.core.placement.known import SlotRules
from memories.core.placement.part_named import Anchored
from memories.core.policy import Policy
from memories.core.statement import FactPart, Statement
from memories.models import Fact, Status
from memories.services.entities import known_entities
from memoryhub.common.db import tenant_transaction

MAX_FACTS = 5_000
"""Current facts among which an old value is looked for, the newest first."""

_PART = ("entity", "attribute", "value", "single_valued", "negated")
"""The columns of a FactPart, in its order."""


def anchored(
    actor: Actor, subject_id: uuid.UUID, statements: Sequence[Statement], policy: Policy
) -> list[Anchored]:
    """Each statement with its fact where it belongs; without one where it names none and none, or several, fit.

    Reads in a transaction of its own: the writer, under the subject's lock, still decides what becomes of it.
    """
    facts = [one.fact for one in statements if one.fact is not None]
    wide = any(needs_values(one) for one in statements)
    if not wide and not any(one.negated or other_names(one) for one in facts):
        # What it names, it names in full: nothing that is known could make another fact of it.
        return [Anchored(one) for one in statements]
    with tenant_transaction(actor.tenant_id):
        rows = Fact.objects.filter(
            Q(valid_to__isnull=True) | Q(memory__kind="todo", valid_to__gt=get_clock().now()),
            subject_id=subject_id,
            memory__status=Status.CURRENT,
            memory__scope="user",
        )
        if not wide:
            slots = {fact.slot for fact in facts} | {one.slot for fact in facts for one in other_names(fact)}
            rows = rows.filter(slot_key__in=slots)
        found = rows.order_by("-id").values_list(*_PART)
        held = [FactPart(*row) for row in found[:MAX_FACTS]]
        recent = [_recent(rows, one, policy) if needs_recent(one) else None for one in statements]
        if wide and facts:
            known = known_entities(subject_id, facts)
            statements = [
                _under_one_key(one, known.key(one.fact.entity)) if one.fact else one for one in statements
            ]
    return [anchor(one, held, just) for one, just in zip(statements, recent, strict=True)]


def _recent(rows: QuerySet[Fact], statement: Statement, policy: Policy) -> list[FactPart]:
    """What the statement's session said of these facts within the time in which a correction means what was just said."""
    window = SlotRules.of(policy).correction_window
    found = rows.filter(
        memory__session_id=statement.session_id,
        memory__said_at__gte=statement.said_at - window,
        memory__said_at__lte=statement.said_at,
    )
    return [FactPart(*row) for row in found.order_by("-id").values_list(*_PART)[:MAX_FACTS]]


def _under_one_key(statement: Statement, entity: str) -> Statement:
    assert statement.fact is not None
    return replace(statement, fact=replace(statement.fact, entity=entity))
