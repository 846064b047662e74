"""What changes is told to a tenant's webhooks in the transaction that changes it: triggers that write the outbox.

Versions are written by every change of a memory, from bulk SQL too, so one trigger on them knows of all. Each works once a statement, and
does nothing where the tenant has no enabled webhook. Who commits learns from the setting memoryhub.told that somebody is to be rung for.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings
from django.db import migrations

from memoryhub.common.ids import UUID7_SQL
from memoryhub.common.rls import _SqlOperation

SEQUENCE = "memories_webhook_seq"
_ANYBODY = """
    IF NOT EXISTS (SELECT FROM memories_webhook WHERE tenant_id = current_setting('memoryhub.tenant')::uuid AND state = 'enabled') THEN
        RETURN NULL;
    END IF;
"""
_INSERT = f"""
    INSERT INTO memories_webhookdelivery (id, tenant_id, webhook_id, seq, event, subject_ref, memory_ref, other_ref, detail, at,
                                          state, attempts, next_at, error_code)
    SELECT {UUID7_SQL}, o.tenant_id, o.webhook_id, nextval('{SEQUENCE}'), o.event, o.subject_ref, o.memory_ref, o.other_ref,
           jsonb_strip_nulls(o.detail), o.at, 'pending', 0, o.at, ''
    FROM (
        SELECT t.*, w.id AS webhook_id FROM (%s) t
        JOIN memories_webhook w ON w.tenant_id = t.tenant_id AND w.state = 'enabled'
            AND (cardinality(w.events) = 0 OR t.event = ANY (w.events))
        WHERE t.event IS NOT NULL ORDER BY t.at, t.place
    ) o;
    IF FOUND THEN PERFORM set_config('memoryhub.told', 'on', true); END IF;
    RETURN NULL;
"""  # noqa: S608
# By what a memory was and is. That it was set aside and shown again while its words were looked through is nobody's business.
_OF_VERSIONS = """
    SELECT v.tenant_id, m.subject_id AS subject_ref, v.memory_id AS memory_ref, NULL::uuid AS other_ref, v.at, v.number AS place,
           jsonb_build_object('version', v.number, 'change', v.change, 'rule', nullif(v.rule, ''), 'kind', v.state ->> 'kind',
                              'superseded_by', v.state ->> 'superseded_by_id') AS detail,
           CASE WHEN v.change = 'redacted' THEN 'memory.redacted'
                WHEN b.status IS NULL AND v.state ->> 'status' <> 'current' THEN NULL
                WHEN b.status = 'pending' AND v.state ->> 'status' <> 'current' THEN NULL
                WHEN b.status = v.state ->> 'status' AND (b.status <> 'current' OR b.content = v.content) THEN NULL
                ELSE CASE v.state ->> 'status'
                    WHEN 'current' THEN 'memory.stored'
                    WHEN 'superseded' THEN 'memory.superseded'
                    WHEN 'merged' THEN 'memory.superseded'
                    WHEN 'archived' THEN 'memory.swept'
                    WHEN 'expired' THEN 'memory.swept'
                    WHEN 'forgotten' THEN 'memory.forgotten'
                    WHEN 'redacted' THEN 'memory.redacted'
                END
           END AS event
    FROM made v
    JOIN memories_memory m ON m.tenant_id = v.tenant_id AND m.id = v.memory_id
    LEFT JOIN LATERAL (
        SELECT p.state ->> 'status' AS status, p.content FROM memories_memoryversion p
        WHERE p.tenant_id = v.tenant_id AND p.memory_id = v.memory_id AND p.number < v.number
          AND p.change NOT IN ('hidden', 'shown')
        ORDER BY p.number DESC LIMIT 1
    ) b ON true
    WHERE v.change NOT IN ('hidden', 'shown')
"""
_OF_CONTRADICTIONS = """
    SELECT n.tenant_id, n.subject_id AS subject_ref, NULL::uuid AS memory_ref, n.id AS other_ref,
           coalesce(n.resolved_at, n.opened_at) AS at, 1 AS place,
           jsonb_build_object('older', n.older_id, 'newer', n.newer_id, 'rule', nullif(n.rule, ''),
                              'resolution', nullif(n.resolution, ''), 'by', nullif(n.resolved_by, '')) AS detail,
           CASE n.state WHEN 'open' THEN 'contradiction.opened' ELSE 'contradiction.resolved' END AS event
    FROM made n
"""
_OPENED = f"{_OF_CONTRADICTIONS} WHERE n.state = 'open'"
_TURNED = f"{_OF_CONTRADICTIONS} JOIN was o ON o.id = n.id WHERE o.state <> n.state"
_ERASED = """
    SELECT n.tenant_id, n.subject_ref, NULL::uuid AS memory_ref, n.id AS other_ref, n.finished_at AS at, 1 AS place,
           jsonb_build_object('replayed', n.replayed) AS detail, 'subject.erased' AS event
    FROM made n JOIN was o ON o.id = n.id WHERE n.state = 'done' AND o.state <> 'done'
"""


class _Sequence(_SqlOperation):
    """The order of events, of all tenants."""

    def up(self) -> Sequence[str]:
        return [
            f"CREATE SEQUENCE {SEQUENCE}",
            f'GRANT USAGE ON SEQUENCE {SEQUENCE} TO "{settings.APP_DB_ROLE}"',
        ]

    def down(self) -> Sequence[str]:
        return [f"DROP SEQUENCE {SEQUENCE}"]

    def describe(self) -> str:
        return "The order of events"


class _Told(_SqlOperation):
    """A trigger after a statement; it runs as whoever changes, within their tenant's wall."""

    def __init__(self, name: str, table: str, verb: str, rows: str) -> None:
        self.name_, self.table, self.verb, self.rows = name, table, verb, rows

    def up(self) -> Sequence[str]:
        seen = "NEW TABLE AS made" + (" OLD TABLE AS was" if self.verb == "UPDATE" else "")
        # The expression of ids holds no percent sign; what is filled in does not either.
        body = f"BEGIN {_ANYBODY} {_INSERT % self.rows} END"
        return [
            f"CREATE FUNCTION {self.name_}() RETURNS trigger LANGUAGE plpgsql "
            f"SET search_path = pg_catalog, public, pg_temp AS $fn$ {body} $fn$",
            f"CREATE TRIGGER {self.name_} AFTER {self.verb} ON {self.table} REFERENCING {seen} "
            f"FOR EACH STATEMENT EXECUTE FUNCTION {self.name_}()",
        ]

    def down(self) -> Sequence[str]:
        return [f"DROP TRIGGER {self.name_} ON {self.table}", f"DROP FUNCTION {self.name_}()"]

    def describe(self) -> str:
        return f"Tell of {self.table}"


class Migration(migrations.Migration):
    dependencies = [("memories", "0035_webhooks_wall")]

    operations = [
        _Sequence(),
        _Told("memories_tell_versions", "memories_memoryversion", "INSERT", _OF_VERSIONS),
        _Told("memories_tell_opened", "memories_contradiction", "INSERT", _OPENED),
        _Told("memories_tell_turned", "memories_contradiction", "UPDATE", _TURNED),
        _Told("memories_tell_erased", "memories_erasure", "UPDATE", _ERASED),
    ]
