"""Decay and reinforcement in SQL: the formulas of core/decay.py, set-based, so that no hit is lost between two recalls."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.db import connection

from memories.core.decay import Hit, half_life_days
from memories.core.kinds import NEVER_DECAYS, Kind, Level
from memories.core.policy import Policy
from memories.models import Episode, Memory
from memoryhub.common.db import current_tenant_id

Values = dict[str, Any]

_BITS = {event: 1 << at for at, event in enumerate(Hit)}


def half_life_sql(policy: Policy, row: str = "m") -> tuple[str, Values]:
    """An expression for the half-life in days of `row` (null: never decays), and its named values."""
    if not policy.flag("decay.enabled"):
        return "NULL::float8", {}
    values: Values = {
        "never": [kind.value for kind in NEVER_DECAYS],
        "hl_unknown": half_life_days(policy, "unknown"),
    }
    levels, kinds = [], []
    for level in Level:
        values[f"hl_level_{level.value}"] = half_life_days(policy, "unknown", level.value)
        levels.append(f"WHEN '{level.value}' THEN %(hl_level_{level.value})s::float8")
    for kind in Kind:
        if kind not in NEVER_DECAYS:
            values[f"hl_{kind.value}"] = half_life_days(policy, kind.value)
            kinds.append(f"WHEN '{kind.value}' THEN %(hl_{kind.value})s::float8")
    sql = (
        f"CASE WHEN {row}.kind = ANY(%(never)s) THEN NULL "
        f"WHEN {row}.importance_level <> '' THEN CASE {row}.importance_level {' '.join(levels)} END "
        f"ELSE CASE {row}.kind {' '.join(kinds)} ELSE %(hl_unknown)s::float8 END END"
    )
    return sql, values


def decay_sql(half_life: str, row: str = "m") -> str:
    """2^(-age/half_life) in 0..1 at %(now)s, 1 where the half-life is null; age from the last hit, else from creation.

    The exponent stops at -500, because PostgreSQL raises an underflow error where Python gives 0.
    """
    age = (
        f"greatest(0, extract(epoch FROM (%(now)s::timestamptz - coalesce({row}.last_hit_at, {row}.created_at))))"
        "::float8 / 86400"
    )
    return f"CASE WHEN ({half_life}) IS NULL THEN 1::float8 ELSE power(2::float8, greatest(-500, -({age}) / ({half_life}))) END"


def strength_sql(policy: Policy, row: str = "m") -> tuple[str, Values]:
    """The decayed strength of `row` at %(now)s, and the expression's named values (without `now`)."""
    half_life, values = half_life_sql(policy, row)
    return f"({row}.strength * {decay_sql(half_life, row)})", values


def reinforce_rows(
    *,
    subject_id: uuid.UUID,
    ids: Collection[uuid.UUID],
    event: str,
    turn_id: uuid.UUID | None,
    policy: Policy,
    now: datetime,
) -> int:
    """Apply one hit to current memories and episodes of the subject; the number of rows that it counted for.

    strength = least(decayed + bonus, cap), in one statement, locked in the order of ids so that two recalls cannot wait
    for each other. The same event counts once for a row and turn. `wrong` halves and is no hit. Episodes have no strength:
    a hit is counted and dated.
    """
    if not ids:
        return 0
    hit = Hit(event)
    counts = hit is not Hit.WRONG
    if counts and not policy.flag("reinforce.enabled"):
        return 0
    decayed, values = strength_sql(policy)
    if counts:
        changed = f"least(%(cap)s::float8, {decayed} + %(bonus)s::float8)"
        values["bonus"] = policy.number(f"reinforce.{hit.value}")
    else:
        changed = f"least(%(cap)s::float8, {decayed} * %(bonus)s::float8)"
        values["bonus"] = policy.number("reinforce.wrong_factor")
    values |= {
        "cap": policy.number("strength.cap"),
        "now": now,
        "tenant": current_tenant_id(),
        "subject": subject_id,
        "ids": list(ids),
        "turn": turn_id,
        "bit": _BITS[hit],
        "hit": int(counts),
    }
    fresh = "(%(turn)s::uuid IS NULL OR m.hit_turn_id IS DISTINCT FROM %(turn)s::uuid OR m.hit_events & %(bit)s = 0)"
    mask = (
        "hit_turn_id = coalesce(%(turn)s::uuid, m.hit_turn_id), "
        "hit_events = CASE WHEN %(turn)s::uuid IS NULL THEN m.hit_events "
        "WHEN m.hit_turn_id = %(turn)s::uuid THEN m.hit_events | %(bit)s ELSE %(bit)s END"
    )
    hits = "hits = m.hits + %(hit)s, last_hit_at = %(now)s"
    changed_rows = 0
    with connection.cursor() as cursor:
        for table, strength in (
            (Memory._meta.db_table, f"strength = {changed}, "),
            (Episode._meta.db_table, ""),
        ):
            if not strength and not counts:
                continue
            locked = (
                f"SELECT m.id FROM {table} m WHERE m.tenant_id = %(tenant)s AND m.id = ANY(%(ids)s) "
                f"AND m.subject_id = %(subject)s AND m.status = 'current' AND {fresh} ORDER BY m.id FOR NO KEY UPDATE"
            )
            cursor.execute(
                f"WITH hit AS ({locked}) UPDATE {table} m SET {strength}{hits}, {mask} FROM hit "
                f"WHERE m.tenant_id = %(tenant)s AND m.id = hit.id AND {fresh}",
                values,
            )
            changed_rows += max(0, cursor.rowcount)
    return changed_rows
