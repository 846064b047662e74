"""Anchor: which known fact a statement means that does not name it, looked up before it is embedded and written."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import replace

from django.db.models import Q, QuerySet

from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.core.extraction.raw import BARE
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

MAX_RECENT = 200
"""Facts of a session among which what was just said is looked for."""

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
        near = next((one for one in statements if held and needs_recent(one)), None)
        just = _recent(rows, near, policy) if near is not None else []
        recent = [just if needs_recent(one) else None for one in statements]
        if wide and facts:
            known = known_entities(subject_id, facts)
            statements = [
                _under_one_key(one, known.key(one.fact.entity)) if one.fact else one for one in statements
            ]
    return _each_once(
        [anchor(one, held, just) for one, just in zip(statements, recent, strict=True)], statements
    )


def _each_once(found: list[Anchored], said: Sequence[Statement]) -> list[Anchored]:
    """Without the events of a clause of which a bare value was understood: they say no more than it does."""
    read = {
        one.statement.quote
        for one, before in zip(found, said, strict=True)
        if one.statement is not None and before.rule == BARE
    }
    return [
        Anchored(None)
        if one.statement is not None
        and before.rule != BARE
        and before.quote in read
        and _says_no_more(before)
        else one
        for one, before in zip(found, said, strict=True)
    ]


def _says_no_more(statement: Statement) -> bool:
    return statement.rule in {"en.event", "en.done"}


def _recent(rows: QuerySet[Fact], statement: Statement, policy: Policy) -> list[FactPart]:
    """What the statement's session said of these facts within the time in which a correction means what was just said."""
    window = SlotRules.of(policy).correction_window
    # A memory belongs to no session; what says where it was told is its evidence.
    found = rows.filter(
        memory__evidence__session_id=statement.session_id,
        memory__evidence__said_at__gte=statement.said_at - window,
        memory__evidence__said_at__lte=statement.said_at,
    )
    parts = [FactPart(*row) for row in found.order_by("-id").values_list(*_PART)[:MAX_RECENT]]
    return list(dict.fromkeys(parts))


def _under_one_key(statement: Statement, entity: str) -> Statement:
    assert statement.fact is not None
    return replace(statement, fact=replace(statement.fact, entity=entity))
