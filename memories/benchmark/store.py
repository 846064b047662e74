"""The store that is measured: people of the wanted sizes in one tenant, others around them, and the floor's own table."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import psycopg
from numpy.typing import NDArray

from accounts.actor import Actor, system_actor
from accounts.models import Subject, Tenant
from memories.adapters.factory import get_embedder
from memories.benchmark.loading import bare_tables, owner, put_people, put_texts, settle
from memories.benchmark.texts import questions, statements
from memories.benchmark.vectors import base_vectors
from memories.services.embedding_space import active_space
from memoryhub.common.db import tenant_transaction

TEXTS = 20_000
QUESTIONS = 64
OTHERS = 500
"""Items of each person who is only there to fill the store."""
FLOOR = "bench_floor"


@dataclass(frozen=True, slots=True)
class Plan:
    """Sizes of the measured people, items of the whole store, and the seed of everything."""

    people: tuple[int, ...]
    total: int
    seed: int = 0


@dataclass(slots=True)
class Store:
    """What is loaded: `people` maps a size to its subject; `questions` come with their vectors."""

    plan: Plan
    tenant_id: uuid.UUID
    people: dict[int, uuid.UUID]
    space_id: int
    questions: list[str]
    vectors: NDArray[np.float32]
    total: int = 0
    bases: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 0), np.float32))

    @property
    def actor(self) -> Actor:
        return system_actor(self.tenant_id, door="command", name="bench")

    def grow(self, total: int) -> None:
        """Add people until the store holds `total` items; those of the plan come as soon as they fit."""
        left = total - self.total
        measured: list[int] = []
        for size in self.plan.people:
            if size not in self.people and size <= left:
                measured.append(size)
                left -= size
        sizes = [*measured, *[OTHERS] * (left // OTHERS)]
        if not sizes:
            return
        subjects = new_subjects(self.tenant_id, len(sizes))
        self.people |= dict(zip(measured, subjects, strict=False))
        with owner() as db:
            put_texts(db, statements(TEXTS, self.plan.seed))
            with bare_tables(db):
                self._fill(db, subjects, sizes)
            _put_floor(db, [self.people[size] for size in measured], self.bases.shape[1])
            self.total += sum(sizes)
            _remember(db, self)

    def _fill(self, db: psycopg.Connection[Any], subjects: Sequence[uuid.UUID], sizes: Sequence[int]) -> None:
        rng = np.random.default_rng((self.plan.seed, self.total))
        put_people(
            db,
            tenant_id=self.tenant_id,
            subjects=subjects,
            places=[np.arange(size) for size in sizes],
            texts=TEXTS,
            bases=self.bases,
            space_id=self.space_id,
            rng=rng,
        )


def open_store(plan: Plan) -> Store:
    """The store of that plan: the one that stands there already, or a new one, still without items (`grow` adds them)."""
    found = _found(plan)
    texts = questions(QUESTIONS, plan.seed + 1)
    embedder = get_embedder()
    vectors = embedder.embed(texts, kind="query")
    space_id = active_space(embedder.identity)
    bases = base_vectors(embedder, statements(TEXTS, plan.seed)[:512])
    if found is not None:
        return Store(
            plan, found[0], found[1], space_id, texts, np.asarray(vectors), total=found[2], bases=bases
        )
    clear()
    tenant = Tenant.objects.create(slug=f"bench-{uuid.uuid4().hex[:8]}", name="bench")
    return Store(plan, tenant.id, {}, space_id, texts, np.asarray(vectors), bases=bases)


def new_subject(tenant_id: uuid.UUID) -> uuid.UUID:
    """An empty subject, for cases that write."""
    return new_subjects(tenant_id, 1)[0]


def new_subjects(tenant_id: uuid.UUID, number: int) -> list[uuid.UUID]:
    """So many empty subjects."""
    with tenant_transaction(tenant_id):
        made = Subject.objects.bulk_create(
            [Subject(external_id=uuid.uuid4().hex) for _ in range(number)], batch_size=5_000
        )
    return [one.id for one in made]


def _put_floor(db: psycopg.Connection[Any], subjects: Sequence[uuid.UUID], dimension: int) -> None:
    """The same rows as a plain float32 table with a btree on the subject, as one would write it without a library."""
    db.execute(
        f"CREATE TABLE IF NOT EXISTS {FLOOR} (subject_id uuid, item_id uuid, vector vector({dimension}))"
    )
    if subjects:
        db.execute("ALTER TABLE memories_embedding NO FORCE ROW LEVEL SECURITY")
        db.execute(
            f"INSERT INTO {FLOOR} SELECT subject_id, item_id, vector::vector FROM memories_embedding "
            "WHERE subject_id = ANY(%s)",
            [list(subjects)],
        )
        db.execute("ALTER TABLE memories_embedding FORCE ROW LEVEL SECURITY")
    db.execute(f"CREATE INDEX IF NOT EXISTS {FLOOR}_subject ON {FLOOR} (subject_id)")
    db.execute(f"GRANT ALL ON {FLOOR} TO PUBLIC")
    db.commit()
    settle(db, (FLOOR,))


_NOTE = "bench_store"


def _remember(db: psycopg.Connection[Any], store: Store) -> None:
    db.execute(f"CREATE TABLE IF NOT EXISTS {_NOTE} (plan jsonb, tenant uuid, people jsonb, total int)")
    db.execute(f"DELETE FROM {_NOTE}")
    people = json.dumps({str(size): str(one) for size, one in store.people.items()})
    db.execute(
        f"INSERT INTO {_NOTE} VALUES (%s, %s, %s, %s)",
        [json.dumps(asdict(store.plan)), store.tenant_id, people, store.total],
    )
    db.commit()


def _found(plan: Plan) -> tuple[uuid.UUID, dict[int, uuid.UUID], int] | None:
    with owner() as db:
        there = db.execute("SELECT to_regclass(%s)", [_NOTE]).fetchone()
        row = (
            db.execute(f"SELECT plan, tenant, people, total FROM {_NOTE}").fetchone()
            if there and there[0]
            else None
        )
    if row is None or row[0] != json.loads(json.dumps(asdict(plan))) or row[3] > plan.total:
        return None
    return row[1], {int(size): uuid.UUID(one) for size, one in row[2].items()}, row[3]


def clear() -> None:
    """An empty database: the generated rows of another plan are nobody's."""
    with owner() as db:
        db.execute("TRUNCATE accounts_tenant CASCADE")
        db.execute(f"DROP TABLE IF EXISTS {FLOOR}, {_NOTE}")
