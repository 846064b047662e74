"""The plan of the recall statement, read as the app role: it stays within one subject's rows, through the indexes."""

from __future__ import annotations

import re
import uuid

import numpy as np
import pytest
from django.db import connection

from memories.core.policy import Policy
from memories.models import EmbeddingSpace, Episode, Memory
from memories.store.candidates import Form, Search, explain
from memories.store.index import Indexed, put_postings, put_vectors
from memoryhub.common.db import tenant_transaction
from tests.conftest import owner_connection
from tests.support.factories import NOW, active_space, axis, make_subject, make_tenant

ITEMS = 240
BIG_TABLES = ("memories_embedding", "memories_posting", "memories_memory", "memories_episode")


def memory(subject_id: uuid.UUID, at: int) -> Memory:
    times = {"said_at": NOW, "created_at": NOW, "updated_at": NOW}
    return Memory(
        subject_id=subject_id,
        kind="fact",
        content=f"note{at} about tea{at % 50}",
        fingerprint=uuid.uuid4().bytes,
        **times,
    )


def episode(subject_id: uuid.UUID, at: int) -> Episode:
    return Episode(
        subject_id=subject_id,
        session_id=uuid.uuid5(subject_id, str(at // 10)),
        source_id=uuid.uuid4(),
        seq=at % 10,
        role="user",
        said_at=NOW,
        created_at=NOW,
        text=f"turn{at} about tea{at % 50}",
    )


@pytest.fixture
def many_subjects(transactional_db: None) -> tuple[uuid.UUID, uuid.UUID]:
    """Three tenants with two subjects of 240 items each, analysed; one of them is searched."""
    rng = np.random.default_rng(7)
    space = active_space()
    for name in ("acme", "globex", "initech"):
        tenant_id = make_tenant(name)
        for _ in range(2):
            subject_id = make_subject(tenant_id)
            with tenant_transaction(tenant_id):
                memories = [memory(subject_id, at) for at in range(ITEMS // 2)]
                episodes = [episode(subject_id, at) for at in range(ITEMS // 2)]
                Memory.objects.bulk_create(memories)
                Episode.objects.bulk_create(episodes)
                items = [Indexed("memory", m.id, subject_id, m.content) for m in memories]
                items += [Indexed("episode", e.id, subject_id, e.text) for e in episodes]
                put_postings(items)
                vectors = rng.normal(size=(ITEMS, space.dimension)).astype(np.float32)
                put_vectors(space.id, items, vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
    with owner_connection() as owner:
        owner.execute("ANALYZE")
    return tenant_id, subject_id


def test_the_plan_reads_one_subject_through_its_indexes(many_subjects: tuple[uuid.UUID, uuid.UUID]) -> None:
    tenant_id, subject_id = many_subjects
    wanted = Search(
        subject_id=subject_id,
        forms=[Form("note7 tea7", axis(1))],
        space_id=active_space().id,
        now=NOW,
        returned=20,
    )
    with tenant_transaction(tenant_id):
        with connection.cursor() as cursor:
            cursor.execute("SELECT current_user, rolbypassrls FROM pg_roles WHERE rolname = current_user")
            role, bypasses = cursor.fetchone()
        plan = explain(wanted, Policy.default())
    assert not bypasses, role
    for table in BIG_TABLES:
        assert f"Seq Scan on {table}" not in plan, plan
    assert "posting_by_term" in plan, plan
    assert "embedding_first_pass" in plan, plan
    # An exact scan of this subject's vectors, not a row of anybody else's: 120 memories and 120 turns.
    scanned = re.search(r"embedding_first_pass on memories_embedding.*?actual time=\S+ rows=([\d.]+)", plan)
    assert scanned is not None, plan
    assert float(scanned[1]) == ITEMS
    removed = [int(number) for number in re.findall(r"Rows Removed by Filter: (\d+)", plan)]
    assert max(removed, default=0) <= ITEMS, plan


def test_another_generation_beside_it_is_not_read(many_subjects: tuple[uuid.UUID, uuid.UUID]) -> None:
    tenant_id, subject_id = many_subjects
    other = EmbeddingSpace.objects.create(name="next", revision="1", dimension=12, state="building")
    vectors = np.random.default_rng(8).normal(size=(ITEMS, 12)).astype(np.float32)
    with tenant_transaction(tenant_id):
        items = [Indexed("memory", m.id, subject_id, m.content) for m in Memory.objects.of(subject_id)]
        items += [Indexed("episode", e.id, subject_id, e.text) for e in Episode.objects.of(subject_id)]
        put_vectors(other.id, items, vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
    wanted = Search(
        subject_id=subject_id,
        forms=[Form("note7 tea7", axis(1))],
        space_id=active_space().id,
        now=NOW,
        returned=20,
    )
    with tenant_transaction(tenant_id):
        plan = explain(wanted, Policy.default())
    scanned = re.search(r"embedding_first_pass on memories_embedding.*?actual time=\S+ rows=([\d.]+)", plan)
    assert scanned is not None and float(scanned[1]) == ITEMS, plan


def test_the_settings_of_the_statement_end_with_its_transaction(
    many_subjects: tuple[uuid.UUID, uuid.UUID],
) -> None:
    tenant_id, subject_id = many_subjects
    wanted = Search(subject_id=subject_id, forms=[Form("tea7")], space_id=None, now=NOW, returned=5)
    with tenant_transaction(tenant_id):
        explain(wanted, Policy.default())
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('plan_cache_mode')")
        assert cursor.fetchone()[0] == "auto"
