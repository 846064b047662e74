"""A large subject is searched by bits first: the same answers as exactly, through the index, whatever stands in the way."""

from __future__ import annotations

import time
import uuid
from dataclasses import replace

import numpy as np
import pytest

from memories.core.policy import Policy
from memories.models import Embedding, Memory
from memories.store import candidates as candidates_module
from memories.store import first_pass_sql, sizes
from memories.store.candidates import Form, Search, candidates, explain, nearest
from memories.store.first_pass_sql import passed
from memories.store.index import Indexed, put_postings, put_vectors
from memoryhub.common.db import tenant_transaction
from tests.conftest import owner_connection
from tests.support.factories import DIM, NOW, active_space, make_subject, make_tenant

ITEMS = 240
EXACT = Policy.default()
BITS = EXACT.with_overrides({"recall.exact_up_to": 100, "recall.first_pass": 80})


@pytest.fixture
def large(transactional_db: None) -> tuple[uuid.UUID, uuid.UUID, np.ndarray]:
    """Two subjects of 240 memories in clusters; one of them is searched."""
    sizes.forget_cached()
    rng = np.random.default_rng(3)
    centres = rng.normal(size=(20, DIM))
    tenant_id = make_tenant()
    space = active_space()
    for _ in range(2):
        subject_id = make_subject(tenant_id)
        vectors = centres[np.arange(ITEMS) % 20] + 0.8 * rng.normal(size=(ITEMS, DIM))
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        with tenant_transaction(tenant_id):
            rows = Memory.objects.bulk_create(
                Memory(
                    subject_id=subject_id,
                    kind="fact" if at % 8 else "event",
                    content=f"note{at} about tea{at % 50} everywhere",
                    fingerprint=uuid.uuid4().bytes,
                    said_at=NOW,
                    created_at=NOW,
                    updated_at=NOW,
                )
                for at in range(ITEMS)
            )
            items = [Indexed("memory", row.id, subject_id, row.content) for row in rows]
            put_postings(items)
            put_vectors(space.id, items, vectors.astype(np.float32))
    with owner_connection() as owner:
        owner.execute("ANALYZE")
    return tenant_id, subject_id, vectors


def asked(subject_id: uuid.UUID, vector: np.ndarray, text: str = "note7 tea7", **more: object) -> Search:
    return Search(
        subject_id=subject_id,
        forms=[Form(text, vector.tolist())],
        space_id=active_space().id,
        now=NOW,
        returned=10,
        **more,  # type: ignore[arg-type]
    )


def test_the_nearest_by_bits_are_the_nearest_exactly(large: tuple[uuid.UUID, uuid.UUID, np.ndarray]) -> None:
    tenant_id, subject_id, vectors = large
    shared = []
    with tenant_transaction(tenant_id):
        for at in range(0, ITEMS, 20):
            search = asked(subject_id, vectors[at])
            by_bits, exact = nearest(search, BITS, 10), nearest(search, EXACT, 10)
            shared.append(len(set(by_bits) & set(exact)) / 10)
    assert np.mean(shared) >= 0.98


def test_what_lies_beyond_the_edge_of_a_sample_is_not_missed(
    large: tuple[uuid.UUID, uuid.UUID, np.ndarray], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sample is a part of the subject here, as it is of a really large one."""
    tenant_id, subject_id, vectors = large
    monkeypatch.setattr(first_pass_sql, "SAMPLE", 100)
    monkeypatch.setattr(first_pass_sql, "EDGE", 30)
    few = BITS.with_overrides({"recall.first_pass": 60})
    candidates_module._statement.cache_clear()
    try:
        shared = []
        with tenant_transaction(tenant_id):
            for at in range(0, ITEMS, 20):
                search = asked(subject_id, vectors[at])
                by_bits, exact = nearest(search, few, 10), nearest(search, EXACT, 10)
                assert len(by_bits) == 10
                shared.append(len(set(by_bits) & set(exact)) / 10)
            plan = explain(asked(subject_id, vectors[0]), few)
    finally:
        candidates_module._statement.cache_clear()
    assert np.mean(shared) >= 0.98
    left_out = [int(line.rsplit(":", 1)[1]) for line in plan.splitlines() if "Rows Removed by Filter" in line]
    assert max(left_out) > ITEMS / 3


@pytest.mark.parametrize(
    ("items", "compared"), [(5_001, 200), (20_000, 268), (100_000, 600), (1_000_000, 600)]
)
def test_larger_subjects_have_more_compared_exactly(items: int, compared: int) -> None:
    assert passed(600, items) == compared
    assert passed(80, items) == 80


def test_the_ranked_answers_are_the_same(large: tuple[uuid.UUID, uuid.UUID, np.ndarray]) -> None:
    tenant_id, subject_id, vectors = large
    with tenant_transaction(tenant_id):
        for at in (0, 33, 150):
            search = asked(subject_id, vectors[at])
            found, exact = candidates(search, BITS), candidates(search, EXACT)
            assert [row.item_id for row in found][:3] == [row.item_id for row in exact][:3]
            assert found[0].cosine == pytest.approx(exact[0].cosine)
            assert found[0].covered == pytest.approx(exact[0].covered, abs=0.01)


def vacuumed() -> None:
    """Vacuum until every page is all-visible, which an index-only scan needs: a snapshot of another connection puts it off."""
    state = "SELECT relpages, relallvisible FROM pg_class WHERE oid = 'memories_embedding'::regclass"
    deadline = time.monotonic() + 30
    with owner_connection() as owner:
        while True:
            owner.execute("VACUUM ANALYZE memories_embedding")
            pages, visible = owner.execute(state).fetchone() or (0, 0)
            if visible == pages > 0:
                return
            assert time.monotonic() < deadline, "a connection keeps an old snapshot open"
            time.sleep(0.1)


def test_the_first_pass_stays_in_the_subjects_index(large: tuple[uuid.UUID, uuid.UUID, np.ndarray]) -> None:
    tenant_id, subject_id, vectors = large
    vacuumed()
    with tenant_transaction(tenant_id):
        plan = explain(asked(subject_id, vectors[0]), BITS)
    assert "Index Only Scan using embedding_first_pass" in plan, plan
    assert "Seq Scan on memories_" not in plan, plan


def test_a_word_that_stands_everywhere_is_not_read_and_a_rare_one_is_found(
    large: tuple[uuid.UUID, uuid.UUID, np.ndarray], monkeypatch: pytest.MonkeyPatch
) -> None:
    from memories.store import candidates as module
    from memories.store import candidates_sql, first_pass_sql

    monkeypatch.setattr(first_pass_sql, "MOST_HITS", 100)
    monkeypatch.setattr(module, "_statement", candidates_sql.statement)
    tenant_id, subject_id, vectors = large
    with tenant_transaction(tenant_id):
        search = replace(asked(subject_id, vectors[0], "everywhere note239"), returned=100)
        found = candidates(search, BITS)
    wanted = [row for row in found if row.text.startswith("note239 ")]
    assert wanted and wanted[0].lexical == 1.0
    assert all(row.lexical == 0.0 for row in found if row is not wanted[0])


def test_what_has_no_bits_yet_is_found_all_the_same(
    large: tuple[uuid.UUID, uuid.UUID, np.ndarray],
) -> None:
    tenant_id, subject_id, vectors = large
    with tenant_transaction(tenant_id):
        [best] = nearest(asked(subject_id, vectors[40]), BITS, 1)
        Embedding.objects.filter(item_id=best).update(bits=None)
        assert nearest(asked(subject_id, vectors[40]), BITS, 1) == [best]


def test_filters_that_leave_little_over_search_exactly(
    large: tuple[uuid.UUID, uuid.UUID, np.ndarray],
) -> None:
    tenant_id, subject_id, vectors = large
    with tenant_transaction(tenant_id):
        search = asked(subject_id, vectors[1], kinds=["event"])
        assert [row.item_id for row in candidates(search, BITS)] == [
            row.item_id for row in candidates(search, EXACT)
        ]
        assert len(candidates(search, BITS)) == 10


def test_a_size_is_counted_once_a_minute(large: tuple[uuid.UUID, uuid.UUID, np.ndarray]) -> None:
    tenant_id, subject_id, _ = large
    with tenant_transaction(tenant_id):
        sizes.forget_cached()
        first = sizes.size_of(tenant_id, subject_id)
        assert first.items == ITEMS
        put_postings([Indexed("memory", uuid.uuid4(), subject_id, "one more")])
        assert sizes.size_of(tenant_id, subject_id) == first
        sizes.forget_cached()
        assert sizes.size_of(tenant_id, subject_id).items == ITEMS + 1
