"""The index of recall: what stands in it, and that taking things out leaves nothing behind."""

from __future__ import annotations

import uuid

import numpy as np
import pytest

from memories.core.text import lexical
from memories.models import Embedding, Posting
from memories.store.index import Indexed, put_postings, put_vectors, remove_from_index
from memories.store.pending import without_vector
from memoryhub.common.db import tenant_transaction
from memoryhub.common.ids import uuid7
from tests.support.factories import active_space, make_memory, make_subject, make_tenant

pytestmark = pytest.mark.django_db


@pytest.fixture
def tenant_id(db: None) -> uuid.UUID:
    return make_tenant()


@pytest.fixture
def item(tenant_id: uuid.UUID) -> Indexed:
    return Indexed(
        "memory", uuid7(), make_subject(tenant_id), "合同编号是 KX-7731, the contract of the harbour"
    )


def vector(*weights: float) -> np.ndarray:
    row = np.zeros((1, 896), dtype=np.float32)
    row[0, : len(weights)] = weights
    return row / np.linalg.norm(row)


def test_postings_are_the_terms_with_their_frequency_and_the_items_length(
    tenant_id: uuid.UUID, item: Indexed
) -> None:
    with tenant_transaction(tenant_id):
        put_postings([item])
        put_postings([item])
        rows = {row.term: (row.frequency, row.length) for row in Posting.objects.filter(item_id=item.item_id)}
    terms = lexical.terms(item.text)
    assert {term: frequency for term, (frequency, _) in rows.items() if term} == dict(terms)
    assert {length for _, length in rows.values()} == {sum(terms.values())}
    assert rows[""][0] == 1


def test_a_vector_comes_back_as_it_went_in_and_is_replaced(tenant_id: uuid.UUID, item: Indexed) -> None:
    space = active_space()
    with tenant_transaction(tenant_id):
        put_vectors(space.id, [item], vector(1.0))
        put_vectors(space.id, [item], vector(3.0, 4.0))
        [row] = Embedding.objects.filter(item_id=item.item_id)
        assert list(row.vector)[:3] == pytest.approx([0.6, 0.8, 0.0], abs=1e-3)


@pytest.mark.parametrize("bad", [np.zeros((1, 896), np.float32), np.full((1, 896), np.nan, np.float32)])
def test_a_zero_or_broken_vector_is_refused(tenant_id: uuid.UUID, item: Indexed, bad: np.ndarray) -> None:
    space = active_space()
    with tenant_transaction(tenant_id), pytest.raises(ValueError, match="zero or not finite"):
        put_vectors(space.id, [item], bad)


def test_removing_leaves_no_vector_and_no_posting(tenant_id: uuid.UUID, item: Indexed) -> None:
    space = active_space()
    with tenant_transaction(tenant_id):
        put_postings([item])
        put_vectors(space.id, [item], vector(1.0))
        remove_from_index([item.item_id])
        assert not Posting.objects.exists()
        assert not Embedding.objects.exists()


def test_what_has_no_vector_in_a_space_is_found(tenant_id: uuid.UUID) -> None:
    space = active_space()
    subject_id = make_subject(tenant_id)
    with tenant_transaction(tenant_id):
        made = make_memory(subject_id, "has one", [1.0] + [0.0] * 895)
        missing = make_memory(subject_id, "has none")
        make_memory(subject_id, "is archived", status="archived")
        assert [one.item_id for one in without_vector(space.id, 10)] == [missing.id]
        assert made.id != missing.id


def test_another_tenant_neither_sees_nor_removes_it(tenant_id: uuid.UUID, item: Indexed) -> None:
    with tenant_transaction(tenant_id):
        put_postings([item])
    with tenant_transaction(make_tenant()):
        assert not Posting.objects.exists()
        remove_from_index([item.item_id])
    with tenant_transaction(tenant_id):
        assert Posting.objects.filter(item_id=item.item_id).exists()
