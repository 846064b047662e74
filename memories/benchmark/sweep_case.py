"""A sweep of a tenant's memories beside one UPDATE over the same rows, with the longest single batch."""

from __future__ import annotations

import time
import uuid
from datetime import timedelta
from typing import Any

import numpy as np

from accounts.actor import system_actor
from accounts.models import Tenant
from memories.adapters.factory import get_clock
from memories.benchmark.cases import Line, Options, Result
from memories.benchmark.loading import CHUNK, bare_tables, owner, put_items, put_texts
from memories.benchmark.store import OTHERS, TEXTS, Store, new_subject
from memories.benchmark.texts import statements
from memories.benchmark.vectors import mixed
from memories.services import sweep as sweeping
from memories.services.sweep import sweep

FLOOR_SQL = "UPDATE memories_memory SET status = 'archived', version = version + 1, updated_at = now() WHERE tenant_id = %s"
GOING = 0.1
"""Share of the rows that the sweep takes: most of a real one's rows are only looked at."""


def run(store: Store, options: Options) -> Result:
    """A tenant of `rows` memories of its own; a tenth of them is past its end."""
    tenant = Tenant.objects.create(slug=f"sweep-{uuid.uuid4().hex[:8]}", name="sweep")
    _fill(store, tenant.id, options.rows)
    floor = _one_update(tenant.id)
    batches: list[float] = []
    whole: Any = sweeping._Sweep._transaction

    def timed(*args: Any) -> Any:
        started = time.perf_counter()
        try:
            return whole(*args)
        finally:
            # Locks are held from the statement to the commit; what is given up holds them, too.
            batches.append(time.perf_counter() - started)

    actor = system_actor(tenant.id, door="command", name="bench")
    setattr(sweeping._Sweep, "_transaction", timed)  # noqa: B010
    started = time.perf_counter()
    try:
        report = sweep(actor=actor, now=get_clock().now())
    finally:
        setattr(sweeping._Sweep, "_transaction", whole)  # noqa: B010
    taken = time.perf_counter() - started
    gone = sum(number for kinds in report.counts["rules"].values() for number in kinds.values())
    figures = {
        "seconds": round(taken, 2),
        "floor_seconds": round(floor, 2),
        "ratio": round(taken / floor, 2),
        "taken": gone,
        "batches": len(batches),
        "longest_ms": round(1000 * max(batches, default=0.0), 1),
    }
    return Result([Line("sweep", f"{options.rows:,} memories", figures, "one UPDATE")])


def _fill(store: Store, tenant_id: uuid.UUID, rows: int) -> None:
    rng = np.random.default_rng(store.plan.seed + 300)
    subjects = np.frombuffer(
        b"".join(new_subject(tenant_id).bytes for _ in range(max(1, -(-rows // OTHERS)))), dtype="V16"
    )
    with owner() as db:
        put_texts(db, statements(TEXTS, store.plan.seed))
        with bare_tables(db):
            for start in range(0, rows, CHUNK):
                number = min(CHUNK, rows - start)
                numbers = rng.integers(0, TEXTS, number)
                put_items(
                    db,
                    tenant_id=tenant_id,
                    subjects=subjects[(start + np.arange(number)) // OTHERS],
                    places=np.arange(number) * 2 + 1,
                    text_numbers=numbers,
                    vectors=mixed(store.bases, numbers, rng),
                    space_id=store.space_id,
                    rng=rng,
                )
            db.execute(
                "UPDATE memories_memory SET expires_at = %s, created_at = now(), last_hit_at = now() "
                "WHERE tenant_id = %s AND get_byte(uuid_send(id), 15) < %s",
                [get_clock().now() - timedelta(days=1), tenant_id, int(256 * GOING)],
            )
            db.execute("UPDATE memories_memory SET last_hit_at = now() WHERE tenant_id = %s", [tenant_id])


def _one_update(tenant_id: uuid.UUID) -> float:
    """Seconds of one UPDATE over all of the tenant's memories, undone afterwards."""
    with owner() as db:
        db.execute("SELECT set_config('memoryhub.tenant', %s, true)", [str(tenant_id)])
        started = time.perf_counter()
        db.execute(FLOOR_SQL, [tenant_id])
        taken = time.perf_counter() - started
        db.rollback()
    return taken
