"""Remember beside the embedder alone, and import with given vectors beside COPY into the same tables' like."""

from __future__ import annotations

import time
import uuid
from collections.abc import Sequence
from typing import Any

import numpy as np
import psycopg

from memories.adapters.factory import get_embedder, override
from memories.benchmark.cases import Line, Options, Result
from memories.benchmark.loading import TABLES, owner
from memories.benchmark.store import Store, new_subject
from memories.benchmark.texts import statements
from memories.benchmark.vectors import mixed
from memories.services.import_memories import Given, import_memories
from memories.services.remember import remember

REMEMBERED = 50
WRITTEN = (
    *TABLES[:1],
    "memories_memoryversion",
    "memories_evidence",
    "memories_posting",
    "memories_embedding",
)
ROUNDS = 3


def remembering(store: Store, options: Options) -> Result:
    """Texts a second, one by one and fifty at once, beside those of the embedder alone in the same way; all texts are new."""
    cached = get_embedder()
    bare = getattr(cached, "inner", cached)
    number = max(2, min(options.rows, REMEMBERED))
    actor, subject_id = store.actor, new_subject(store.tenant_id)
    seconds = {"alone": 0.0, "remember": 0.0, "alone at once": 0.0, "at once": 0.0}
    bare.embed(["warm up"], kind="passage")
    with override(embedder=bare):
        remember(actor=actor, subject_id=subject_id, content="warm up", kind="fact", infer=False)
        for turn in range(ROUNDS):
            for place, name in enumerate(seconds):
                texts = statements(number, store.plan.seed + 1000 + 10 * turn + place)
                started = time.perf_counter()
                if name == "alone":
                    for text in texts:
                        bare.embed([text], kind="passage")
                elif name == "remember":
                    for text in texts:
                        remember(actor=actor, subject_id=subject_id, content=text, kind="fact", infer=False)
                elif name == "alone at once":
                    bare.embed(texts, kind="passage")
                else:
                    given = [Given(text) for text in texts]
                    import_memories(actor=actor, subject_id=subject_id, memories=given)
                seconds[name] += time.perf_counter() - started
    lines = []
    for name, floor in (("remember", "alone"), ("at once", "alone at once")):
        figures = {
            "per_second": round(ROUNDS * number / seconds[name], 2),
            "floor_per_second": round(ROUNDS * number / seconds[floor], 2),
            "ratio": round(seconds[floor] / seconds[name], 3),
        }
        label = "remember" if name == "remember" else f"remember, {number} at once"
        lines.append(Line(label, f"{ROUNDS * number:,} texts", figures, "embedder alone"))
    return Result(lines)


def importing(store: Store, options: Options) -> Result:
    """Memories a second of import_memories with given vectors beside COPY of the very rows that it wrote."""
    texts = statements(options.rows, store.plan.seed + 200)
    rng = np.random.default_rng(store.plan.seed + 200)
    vectors = mixed(store.bases, np.arange(len(texts)), rng)
    subject_id = new_subject(store.tenant_id)
    started = time.perf_counter()
    done = import_memories(
        actor=store.actor, subject_id=subject_id, memories=[Given(text) for text in texts], vectors=vectors
    )
    taken = time.perf_counter() - started
    with owner() as db:
        copied = _copy_alike(db, subject_id)
    figures = {
        "per_second": round(done.stored / taken, 1),
        "floor_per_second": round(done.stored / copied, 1),
        "ratio": round(copied / taken, 3),
    }
    return Result([Line("import", f"{done.stored:,} memories", figures, "COPY, same indexes")])


def _copy_alike(db: psycopg.Connection[Any], subject_id: uuid.UUID) -> float:
    """Seconds that COPY takes for the subject's rows, into tables with the same columns, rows, checks and indexes.

    They are plain tables like the real ones, so that both write their log and commit, and hold a copy of a part of the store
    first, so that the indexes are not empty ones.
    """
    seconds = 0.0
    for table in WRITTEN:
        mine = (
            "memory_id IN (SELECT id FROM memories_memory WHERE subject_id = %s)"
            if table in {"memories_memoryversion", "memories_evidence"}
            else "subject_id = %s"
        )
        # The owner, too, is held by the wall between tenants; only this transaction sees it down.
        db.execute("ALTER TABLE memories_memory NO FORCE ROW LEVEL SECURITY")
        db.execute(f"ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY")
        data: list[bytes] = []
        with db.cursor().copy(
            f"COPY (SELECT * FROM {table} WHERE {mine}) TO STDOUT WITH (FORMAT binary)", [subject_id]
        ) as out:
            data.extend(bytes(part) for part in out)
        db.execute(f"CREATE TABLE bench_like (LIKE {table} INCLUDING ALL)")
        db.execute(
            f"INSERT INTO bench_like SELECT * FROM {table} WHERE NOT ({mine}) LIMIT 100000", [subject_id]
        )
        for name in {"memories_memory", table}:
            db.execute(f"ALTER TABLE {name} FORCE ROW LEVEL SECURITY")
        db.commit()
        started = time.perf_counter()
        with db.cursor().copy("COPY bench_like FROM STDIN WITH (FORMAT binary)") as into:
            for part in _joined(data):
                into.write(part)
        db.commit()
        seconds += time.perf_counter() - started
        db.execute("DROP TABLE bench_like")
        db.commit()
    return seconds


def _joined(parts: Sequence[bytes]) -> list[bytes]:
    whole = b"".join(parts)
    return [whole[at : at + 262_144] for at in range(0, len(whole), 262_144)]
