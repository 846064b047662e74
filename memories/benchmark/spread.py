"""A store of memories spread over many tenants, one of which has a fifth, with what operators' lists show beside them."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import psycopg

from accounts.models import Tenant
from memories.adapters.factory import get_embedder
from memories.benchmark.loading import TABLES, bare_tables, owner, put_people, put_texts, settle
from memories.benchmark.store import OTHERS, TEXTS, Plan, Store, clear, new_subjects
from memories.benchmark.texts import statements
from memories.benchmark.vectors import base_vectors
from memories.services.embedding_space import active_space

LARGEST = 0.2
"""The part of the memories that one tenant has; the others have the less the later they come."""


@dataclass(slots=True)
class Spread(Store):
    """`tenant_id` is the largest tenant; `smallest` the one with the fewest memories. `total` counts memories."""

    tenants: list[uuid.UUID] = field(default_factory=list)

    @property
    def smallest(self) -> uuid.UUID:
        return self.tenants[-1]

    def grow(self, total: int) -> None:
        """Add people with their memories, and what hangs on them, until all tenants together hold `total` memories."""
        added = [
            now - before
            for now, before in zip(
                shares(total, len(self.tenants)), shares(self.total, len(self.tenants)), strict=True
            )
        ]
        sizes = [
            [OTHERS] * (number // OTHERS) + [number % OTHERS] * (number % OTHERS > 0) for number in added
        ]
        # Before their table is locked for the keys that come and go.
        people = [
            new_subjects(tenant_id, len(its)) for tenant_id, its in zip(self.tenants, sizes, strict=True)
        ]
        with owner() as db:
            put_texts(db, statements(TEXTS, self.plan.seed))
            with bare_tables(db):
                for tenant_id, subjects, its in zip(self.tenants, people, sizes, strict=True):
                    self._put(db, tenant_id, subjects, its)
            for tenant_id, number in zip(self.tenants, added, strict=True):
                _put_around(db, tenant_id, number)
            db.commit()
            settle(db, (*TABLES, *_AROUND_TABLES))
        self.total = total

    def _put(
        self,
        db: psycopg.Connection[Any],
        tenant_id: uuid.UUID,
        subjects: Sequence[uuid.UUID],
        sizes: Sequence[int],
    ) -> None:
        """Memories alone: odd places are memories, whose turns another store would hold (loading.put_items)."""
        rng = np.random.default_rng((self.plan.seed, self.total, self.tenants.index(tenant_id)))
        put_people(
            db,
            tenant_id=tenant_id,
            subjects=subjects,
            places=[2 * np.arange(size) + 1 for size in sizes],
            texts=TEXTS,
            bases=self.bases,
            space_id=self.space_id,
            rng=rng,
        )


def open_spread(plan: Plan, tenants: int) -> Spread:
    """An empty store of so many tenants; `grow` fills it."""
    clear()
    embedder = get_embedder()
    made = [
        Tenant.objects.create(slug=f"bench-{uuid.uuid4().hex[:8]}", name=f"bench {at}").id
        for at in range(tenants)
    ]
    bases = base_vectors(embedder, statements(TEXTS, plan.seed)[:512])
    none = np.zeros((0, 0), np.float32)
    return Spread(plan, made[0], {}, active_space(embedder.identity), [], none, bases=bases, tenants=made)


def shares(total: int, tenants: int) -> list[int]:
    """Memories of each tenant: LARGEST for the first, of the rest the less the later it comes."""
    if tenants == 1:
        return [total]
    weights = [1 / (at + 4) for at in range(tenants - 1)]
    first = round(total * LARGEST)
    rest = [int((total - first) * weight / sum(weights)) for weight in weights]
    return [total - sum(rest), *rest]


_AROUND_TABLES = (
    "memories_memoryversion",
    "memories_tombstone",
    "memories_contradiction",
    "memories_recalltrace",
    "memories_redaction",
    "memories_experiment",
    "accounts_auditentry",
)


def _put_around(db: psycopg.Connection[Any], tenant_id: uuid.UUID, number: int) -> None:
    """What hangs on the tenant's newest memories, and what grows beside them, for so many memories more."""
    db.execute("SELECT set_config('memoryhub.tenant', %s, false)", [str(tenant_id)])
    values = {
        "tenant": tenant_id,
        "number": number,
        "hundredth": max(1, number // 100),
        "twentieth": max(1, number // 20),
    }
    for statement in _AROUND:
        db.execute(statement, values)


_NEWEST = "SELECT * FROM memories_memory WHERE tenant_id = %(tenant)s ORDER BY id DESC"
_AROUND: Sequence[str] = (
    f"""INSERT INTO memories_memoryversion (id, tenant_id, memory_id, number, change, content, state, actor_kind, actor_id, rule,
           reason, at)
       SELECT gen_random_uuid(), m.tenant_id, m.id, 1, 'created', m.content, '{{}}', 'system', '', 'extract', '', m.created_at
       FROM ({_NEWEST} LIMIT %(number)s) m""",
    f"""WITH gone AS (UPDATE memories_memory SET status = 'archived' WHERE tenant_id = %(tenant)s
           AND id IN (SELECT id FROM ({_NEWEST} OFFSET %(hundredth)s LIMIT %(hundredth)s) m) RETURNING *)
       INSERT INTO memories_tombstone (id, tenant_id, memory_id, subject_id, previous_status, cause, rule, reason, actor_kind,
           actor_id, at, purge_after)
       SELECT gen_random_uuid(), tenant_id, id, subject_id, 'current', 'swept', 'sweep.floor', '', 'system', '', now(),
           now() + interval '30 days' FROM gone""",
    f"""INSERT INTO memories_contradiction (id, tenant_id, subject_id, slot_key, older_id, newer_id, state, resolution, undo, rule,
           opened_at, resolved_by)
       SELECT gen_random_uuid(), tenant_id, subject_id, '', before, id, 'open', '', '{{}}', '', now(), ''
       FROM (SELECT m.*, lag(id) OVER (PARTITION BY subject_id ORDER BY id) AS before
             FROM ({_NEWEST} LIMIT %(hundredth)s) m) pair WHERE before IS NOT NULL""",
    f"""INSERT INTO memories_recalltrace (id, tenant_id, subject_id, query, standalone_query, considered, sections, context,
           budget_tokens, used_tokens, abstained, degraded, gate, policy_version, milliseconds, redacted, at)
       SELECT gen_random_uuid(), tenant_id, subject_id, content, '',
           jsonb_build_array(jsonb_build_object('id', id, 'item_kind', 'memory', 'used', true, 'score', 0.5)), '{{}}', '[]',
           2000, 300, random() < 0.1, '', '', 0, 5 + 20 * random(), 0, now() - random() * interval '90 days'
       FROM ({_NEWEST} LIMIT %(twentieth)s) m""",
    """INSERT INTO memories_redaction (id, tenant_id, scope, state, memory_ref, by_pattern, standing, reason, rules, found, place,
           subjects, subjects_done, requested_by_kind, requested_by, requested_at)
       SELECT gen_random_uuid(), %(tenant)s, 'memory', 'done', gen_random_uuid(), false, false, 'bench', '[]', '{}', '{}', 1, 1,
           'user', '', now() FROM generate_series(1, %(hundredth)s)""",
    """INSERT INTO memories_experiment (id, tenant_id, name, hypothesis, overrides, share, salt, state, note, created_at, created_by,
           started_by, stopped_by)
       SELECT gen_random_uuid(), %(tenant)s, 'bench', '', '{}', 0.5, '', 'stopped', '', now(), '', '', ''
       FROM generate_series(1, least(200, %(hundredth)s))""",
    # No chain that would verify: lists are measured here.
    """WITH head AS (
           INSERT INTO accounts_audithead AS h (id, tenant_id, seq, hash) VALUES (gen_random_uuid(), %(tenant)s, %(twentieth)s, '')
           ON CONFLICT (tenant_id) DO UPDATE SET seq = h.seq + %(twentieth)s RETURNING seq)
       INSERT INTO accounts_auditentry (id, tenant_id, seq, at, actor_kind, actor_id, door, action, changes, prev_hash, hash)
       SELECT gen_random_uuid(), %(tenant)s, head.seq - n, now(), 'system', '', 'task',
           (ARRAY['memory.created', 'memory.swept', 'admin.list'])[1 + n %% 3],
           jsonb_build_array(jsonb_build_object('action', 'memory.created', 'target_kind', 'memory', 'target_id', gen_random_uuid(),
               'subject_id', '', 'detail', jsonb_build_object())), '', ''
       FROM head, generate_series(0, %(twentieth)s - 1) n""",
)
