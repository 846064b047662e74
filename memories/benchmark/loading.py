"""Loads a generated store with COPY as the owner: rows first, then indexes, keys and the wall between tenants again."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import psycopg
from django.db import connection
from numpy.typing import NDArray

from memories.benchmark import binary
from memories.benchmark.vectors import mixed
from memories.core.names import LENGTH_TERM
from memories.core.text import lexical
from memoryhub import env
from memoryhub.common.db import direct_address

TABLES = (
    "memories_memory",
    "memories_episode",
    "memories_evidence",
    "memories_fact",
    "memories_posting",
    "memories_embedding",
)
CHUNK = 20_000
TURNS_A_SESSION = 40
_START = 1_767_225_600.0  # 2026-01-01
_STEP = 1_800.0
"""Seconds between two turns of a subject, back from the newest."""


def owner() -> psycopg.Connection[Any]:
    """The owner's connection to the database that Django uses now."""
    found, database = env.database("DATABASE_OWNER_URL"), connection.settings_dict
    own = {**database, "USER": str(found["USER"]), "PASSWORD": str(found["PASSWORD"])}
    return psycopg.connect(**direct_address(own))


@contextmanager
def bare_tables(db: psycopg.Connection[Any]) -> Iterator[None]:
    """The tables without keys, indexes and row-level security while the block fills them; all of it again at its end."""
    indexes = db.execute(
        "SELECT i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid) FROM pg_index i "
        "LEFT JOIN pg_constraint c ON c.conindid = i.indexrelid AND c.contype IN ('p', 'u') "
        "WHERE i.indrelid = ANY(%s::regclass[]) AND c.oid IS NULL",
        [list(TABLES)],
    ).fetchall()
    found = db.execute(
        "SELECT conrelid::regclass::text, quote_ident(conname), pg_get_constraintdef(oid), contype, confrelid::regclass::text "
        "FROM pg_constraint WHERE contype IN ('f', 'p', 'u') "
        "AND (conrelid = ANY(%s::regclass[]) OR confrelid = ANY(%s::regclass[]))",
        [list(TABLES), list(TABLES)],
    ).fetchall()
    # Keys that point at a table go before the index that they lean on, and come back after it.
    keys = sorted(found, key=lambda row: row[3] != "f")
    walls = {name for row in keys for name in (row[0], row[4]) if name != "-"} | set(TABLES)
    forced = [
        name
        for name in walls
        if _one(db, "SELECT relforcerowsecurity FROM pg_class WHERE oid = %s::regclass", [name])
    ]
    for name in forced:
        db.execute(f"ALTER TABLE {name} NO FORCE ROW LEVEL SECURITY")
    for table, name, *_ in keys:
        db.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
    for name, _ in indexes:
        db.execute(f"DROP INDEX {name}")
    yield
    db.execute("SET maintenance_work_mem = '512MB'")
    for table, name, definition, *_ in reversed(keys):
        db.execute(f"ALTER TABLE {table} ADD CONSTRAINT {name} {definition}")
    for _, definition in indexes:
        db.execute(definition)
    for name in forced:
        db.execute(f"ALTER TABLE {name} FORCE ROW LEVEL SECURITY")
    db.commit()
    settle(db, TABLES)


def settle(db: psycopg.Connection[Any], tables: Sequence[str]) -> None:
    """Vacuum and analyse until every page is known to be visible to all, as in a store at rest: an autovacuum that began
    before the rows were committed puts that off."""
    db.autocommit = True
    deadline = time.monotonic() + 60
    while True:
        db.execute("VACUUM ANALYZE " + ", ".join(tables))
        hidden = _one(
            db,
            "SELECT sum(relpages - relallvisible) FROM pg_class WHERE oid = ANY(%s::regclass[])",
            [list(tables)],
        )
        if not hidden or time.monotonic() > deadline:
            break
        time.sleep(1)
    db.autocommit = False


def put_texts(db: psycopg.Connection[Any], texts: Sequence[str]) -> None:
    """The texts with their terms, which the items' rows are made from."""
    db.execute(
        "CREATE TEMP TABLE bench_text (no int, language text, content text, terms text[], counts int[], length int)"
    )
    with db.cursor().copy("COPY bench_text FROM STDIN") as copy:
        for at, text in enumerate(texts):
            counted = lexical.terms(text)
            length = sum(counted.values())
            copy.write_row(
                (
                    at,
                    ("en", "zh")[at % 2],
                    text,
                    [LENGTH_TERM, *counted],
                    [1, *counted.values()],
                    max(1, length),
                )
            )
    db.execute("ANALYZE bench_text")


def put_people(
    db: psycopg.Connection[Any],
    *,
    tenant_id: uuid.UUID,
    subjects: Sequence[uuid.UUID],
    places: Sequence[NDArray[np.int64]],
    texts: int,
    bases: NDArray[np.float32],
    space_id: int,
    rng: np.random.Generator,
) -> None:
    """The items of several subjects, `places[n]` those of `subjects[n]` (put_items tells what a place is), in chunks.

    Each says one of the `texts` texts, and has a vector mixed of two of `bases`.
    """
    who = np.repeat(
        np.frombuffer(b"".join(one.bytes for one in subjects), dtype="V16"), [len(one) for one in places]
    )
    all_places = np.concatenate(places)
    for start in range(0, len(who), CHUNK):
        part = slice(start, start + CHUNK)
        numbers = rng.integers(0, texts, len(all_places[part]))
        put_items(
            db,
            tenant_id=tenant_id,
            subjects=who[part],
            places=all_places[part],
            text_numbers=numbers,
            vectors=mixed(bases, numbers, rng),
            space_id=space_id,
            rng=rng,
        )


def put_items(
    db: psycopg.Connection[Any],
    *,
    tenant_id: uuid.UUID,
    subjects: NDArray[np.void],
    places: NDArray[np.int64],
    text_numbers: NDArray[np.int64],
    vectors: NDArray[np.float32],
    space_id: int,
    rng: np.random.Generator,
) -> None:
    """One item a place: an even one is a turn, an odd one the memory that was learnt from the turn before it.

    `subjects` are raw ids and `places` the number of the item in its subject. Rows of a chunk are stored out of order, as
    those of people who talk at the same time are.
    """
    number = len(places)
    made = binary.ids(number, rng)
    turns = binary.ids(number, rng)
    turns[1::2] = turns[::2][: number // 2]
    sessions = np.frombuffer(
        b"".join(
            uuid.uuid5(uuid.UUID(bytes=bytes(subject)), str(at // (2 * TURNS_A_SESSION))).bytes
            for subject, at in zip(subjects.tolist(), places.tolist(), strict=True)
        ),
        dtype="V16",
    )
    order = rng.permutation(number)
    columns = {
        "id": made,
        "subject": subjects,
        "turn": turns,
        "session": sessions,
        "seq": (places // 2 % TURNS_A_SESSION).astype(">i4"),
        "turn_row": (places % 2 == 0).astype("V1"),
        "text_no": text_numbers.astype(">i4"),
        "at": binary.times(_START - _STEP * (places // 2)),
    }
    db.execute(
        "CREATE TEMP TABLE IF NOT EXISTS bench_item "
        "(id uuid, subject uuid, turn uuid, session uuid, seq int, turn_row bool, text_no int, at timestamptz)"
    )
    db.execute("TRUNCATE bench_item")
    _copy(db, "bench_item", {name: values[order] for name, values in columns.items()})
    for kind, wanted in (("episode", places % 2 == 0), ("memory", places % 2 == 1)):
        rows = order[wanted[order]]
        if not len(rows):
            continue
        count = len(rows)
        _copy(
            db,
            "memories_embedding (id, tenant_id, subject_id, space_id, item_kind, item_id, vector, bits)",
            {
                "id": binary.ids(count, rng),
                "tenant": binary.same(tenant_id, count),
                "subject": subjects[rows],
                "space": np.full(count, space_id, dtype=">i2"),
                "kind": binary.word(kind, count),
                "item": made[rows],
                "vector": binary.halfvecs(vectors[rows]),
                "bits": binary.signs(vectors[rows]),
            },
        )
    for statement in _ROWS:
        db.execute(statement, {"tenant": tenant_id})


def _copy(db: psycopg.Connection[Any], target: str, columns: dict[str, NDArray[Any]]) -> None:
    with db.cursor().copy(f"COPY {target} FROM STDIN WITH (FORMAT binary)") as copy:
        copy.write(binary.rows(columns))


def _one(db: psycopg.Connection[Any], sql: str, values: list[Any]) -> Any:
    row = db.execute(sql, values).fetchone()
    return None if row is None else row[0]


_ROWS = (
    """INSERT INTO memories_episode (id, tenant_id, subject_id, session_id, source_kind, source_id, part, seq, role, speaker,
           said_at, text, hits, hit_events, status, created_at)
       SELECT i.id, %(tenant)s, i.subject, i.session, 'turn', i.turn, 0, i.seq, 'user', '', i.at, t.content, 0, 0, 'current', i.at
       FROM bench_item i JOIN bench_text t ON t.no = i.text_no WHERE i.turn_row""",
    """INSERT INTO memories_memory (id, tenant_id, subject_id, scope, kind, content, language, key, tags, metadata, fingerprint,
           source, speaker, importance, importance_level, credibility, strength, hits, hit_events, pinned, said_at, valid_from,
           expires_with_session, status, rule, reasons, version, created_at, updated_at)
       SELECT i.id, %(tenant)s, i.subject, 'user', 'fact', t.content, t.language, '', '{}', '{}', uuid_send(i.id),
           'user', '', 0.5, '', 1, 1, 0, 0, false, i.at, i.at, false, 'current', 'extract', '[]', 1, i.at, i.at
       FROM bench_item i JOIN bench_text t ON t.no = i.text_no WHERE NOT i.turn_row""",
    """INSERT INTO memories_evidence (id, tenant_id, memory_id, turn_id, session_id, quote, role, speaker, said_at, created_at)
       SELECT gen_random_uuid(), %(tenant)s, i.id, i.turn, i.session, t.content, 'user', '', i.at, i.at
       FROM bench_item i JOIN bench_text t ON t.no = i.text_no WHERE NOT i.turn_row""",
    """INSERT INTO memories_fact (id, tenant_id, memory_id, subject_id, entity, entity_kind, attribute, value, slot_key,
           single_valued, negated, valid_from)
       SELECT gen_random_uuid(), %(tenant)s, i.id, i.subject, 'user', 'user', 'note ' || i.text_no %% 97, t.content,
           'user|note_' || i.text_no %% 97, false, false, i.at
       FROM bench_item i JOIN bench_text t ON t.no = i.text_no WHERE NOT i.turn_row""",
    """INSERT INTO memories_posting (tenant_id, subject_id, item_kind, item_id, term, frequency, length)
       SELECT %(tenant)s, i.subject, CASE WHEN i.turn_row THEN 'episode' ELSE 'memory' END, i.id, u.term, u.count, t.length
       FROM bench_item i JOIN bench_text t ON t.no = i.text_no, unnest(t.terms, t.counts) u (term, count)""",
)
