"""Postings of many items in one statement: each term with its own item, whatever subjects and kinds stand beside each other."""

from __future__ import annotations

import uuid

import pytest

from memories.core.names import LENGTH_TERM
from memories.core.text.lexical import terms
from memories.models import Posting
from memories.store.index import Indexed, put_postings
from memoryhub.common.db import tenant_transaction
from tests.support.factories import make_subject, make_tenant

pytestmark = pytest.mark.django_db
TEXTS = ["The kettle stands on the left shelf.", "蓝色的雨伞挂在门后。", "Tram 9, tram 9 & KX-7731", ""]


@pytest.mark.parametrize(("subjects", "kinds"), [(1, 1), (2, 1), (1, 2), (2, 2)])
def test_each_term_is_stored_with_its_item(subjects: int, kinds: int) -> None:
    tenant_id, other = make_tenant(), make_tenant()
    who = [make_subject(tenant_id) for _ in range(subjects)]
    items = [
        Indexed(
            ("memory", "episode")[at % kinds], uuid.uuid4(), who[at % subjects], text, "Mia" if at else ""
        )
        for at, text in enumerate(TEXTS)
    ]
    with tenant_transaction(tenant_id):
        put_postings(items)
        assert put_postings(items) == Posting.objects.count()
        for at, item in enumerate(items):
            rows = Posting.objects.filter(item_id=item.item_id)
            wanted = {LENGTH_TERM: 1, **terms(item.text), **({"@mia": 1} if at else {})}
            assert dict(rows.values_list("term", "frequency")) == wanted
            length = sum(terms(item.text).values())
            assert set(rows.values_list("subject_id", "item_kind", "length")) == {
                (item.subject_id, item.item_kind, length)
            }
    with tenant_transaction(other):
        assert Posting.objects.count() == 0
