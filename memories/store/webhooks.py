"""SQL on the outbox of webhooks: whose turn it is, the lease of an endpoint, and how much waits."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from django.db import connection

from memories.models import Webhook, WebhookDelivery
from memoryhub.common.db import current_tenant_id

_HOOKS, _OUTBOX = Webhook._meta.db_table, WebhookDelivery._meta.db_table
# Of a subject's events the first that is not delivered, and events of nobody.
_FIRST = f"""
    NOT EXISTS (SELECT FROM {_OUTBOX} e WHERE e.tenant_id = d.tenant_id AND e.webhook_id = d.webhook_id AND e.state = 'pending'
                AND e.subject_ref = d.subject_ref AND e.seq < d.seq)
"""
_DUE = f"d.tenant_id = %(tenant)s AND d.state = 'pending' AND d.next_at <= %(now)s AND {_FIRST}"


def next_seq() -> int:
    """A place behind every event that stands in the outbox."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT nextval('memories_webhook_seq')")
        row = cursor.fetchone()
    assert row is not None
    return int(row[0])


def due_webhooks(now: datetime) -> list[uuid.UUID]:
    """The open tenant's endpoints that have something to be sent now and that nobody is at work for."""
    sql = f"""
        SELECT w.id FROM {_HOOKS} w
        WHERE w.tenant_id = %(tenant)s AND w.state <> 'disabled' AND (w.next_at IS NULL OR w.next_at <= %(now)s)
          AND (w.leased_until IS NULL OR w.leased_until < %(now)s)
          AND EXISTS (SELECT FROM {_OUTBOX} d WHERE d.webhook_id = w.id AND {_DUE})
        ORDER BY w.id
    """
    with connection.cursor() as cursor:
        cursor.execute(sql, {"tenant": current_tenant_id(), "now": now})
        return [row[0] for row in cursor.fetchall()]


def claim(webhook_id: uuid.UUID, *, owner: str, now: datetime, until: datetime) -> bool:
    """Lease an endpoint, or keep one's lease; of two workers one has it. False for one that is disabled or rests."""
    sql = f"""
        UPDATE {_HOOKS} SET lease_owner = %(owner)s, leased_until = %(until)s
        WHERE tenant_id = %(tenant)s AND id = %(id)s AND state <> 'disabled' AND (next_at IS NULL OR next_at <= %(now)s)
          AND (leased_until IS NULL OR leased_until < %(now)s OR lease_owner = %(owner)s)
    """
    values: dict[str, Any] = {
        "tenant": current_tenant_id(),
        "id": webhook_id,
        "owner": owner,
        "now": now,
        "until": until,
    }
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return bool(cursor.rowcount == 1)


def next_due(webhook_id: uuid.UUID, now: datetime) -> uuid.UUID | None:
    """The delivery whose turn it is; None when nothing is due. What failed waits behind what was not tried yet."""
    sql = f"""
        SELECT d.id FROM {_OUTBOX} d WHERE d.webhook_id = %(webhook)s AND {_DUE} ORDER BY d.next_at, d.seq LIMIT 1
    """
    with connection.cursor() as cursor:
        cursor.execute(sql, {"tenant": current_tenant_id(), "webhook": webhook_id, "now": now})
        row = cursor.fetchone()
    return row[0] if row else None


def waiting(webhook_id: uuid.UUID, limit: int) -> int:
    """How many events wait for an endpoint, counted up to `limit`."""
    sql = f"""
        SELECT count(*) FROM (SELECT FROM {_OUTBOX} d WHERE d.tenant_id = %(tenant)s AND d.webhook_id = %(webhook)s
                              AND d.state = 'pending' LIMIT %(limit)s) w
    """
    with connection.cursor() as cursor:
        cursor.execute(sql, {"tenant": current_tenant_id(), "webhook": webhook_id, "limit": limit})
        row = cursor.fetchone()
    return int(row[0]) if row else 0


def drop_finished(*, delivered_before: datetime, dead_before: datetime, limit: int) -> int:
    """Delete deliveries that were finished before then, at most so many; how many went."""
    sql = f"""
        DELETE FROM {_OUTBOX} WHERE tenant_id = %(tenant)s AND id IN (
            SELECT id FROM {_OUTBOX} WHERE tenant_id = %(tenant)s
              AND (state = 'delivered' AND finished_at < %(delivered)s OR state = 'dead' AND finished_at < %(dead)s)
            LIMIT %(limit)s)
    """
    values: dict[str, Any] = {
        "tenant": current_tenant_id(),
        "delivered": delivered_before,
        "dead": dead_before,
        "limit": limit,
    }
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return int(cursor.rowcount)
