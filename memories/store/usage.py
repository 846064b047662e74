"""The statements on what calls to models cost: add to a month, and read months."""

from __future__ import annotations

from collections import defaultdict
from datetime import date

from django.db import connection

from memories.core.budget import Spent, Use
from memories.models import ModelUsage
from memoryhub.common.db import current_tenant_id
from memoryhub.common.ids import uuid7

_TABLE = ModelUsage._meta.db_table


def add(month: date, use: Use, spent: Spent) -> None:
    """Add to the open tenant's row, which is locked until the transaction ends."""
    sql = f"""
        INSERT INTO {_TABLE} AS u (id, tenant_id, month, use, prompt_tokens, completion_tokens, calls, estimated)
        VALUES (%s, %s, %s, %s, %s, %s, %s, %s)
        ON CONFLICT (tenant_id, month, use) DO UPDATE SET
            prompt_tokens = u.prompt_tokens + excluded.prompt_tokens,
            completion_tokens = u.completion_tokens + excluded.completion_tokens,
            calls = u.calls + excluded.calls,
            estimated = u.estimated + excluded.estimated
    """
    numbers = (spent.prompt_tokens, spent.completion_tokens, spent.calls, spent.estimated)
    with connection.cursor() as cursor:
        cursor.execute(sql, [uuid7(), current_tenant_id(), month, use.value, *numbers])


def of_months(first: date, last: date) -> dict[date, dict[Use, Spent]]:
    """What the open tenant's calls cost in these months, by use; a use of a later release is left out."""
    rows = ModelUsage.objects.filter(month__gte=first, month__lte=last, use__in=list(Use))
    found: dict[date, dict[Use, Spent]] = defaultdict(dict)
    for row in rows:
        spent = Spent(row.prompt_tokens, row.completion_tokens, row.calls, row.estimated)
        found[row.month][Use(row.use)] = spent
    return dict(found)
