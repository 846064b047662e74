"""A tenant's newest rows are found by an index of its own, however much others have written since."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

from accounts.tenancy import NEWEST
from memories.models import Fact, Memory
from memoryhub.common.db import tenant_transaction
from tests.conftest import owner_connection
from tests.support.people import House, make_house

pytestmark = pytest.mark.django_db(transaction=True)

OURS, THEIRS = 4_000, 16_000
MODELS: list[Any] = [Memory, Fact]


def fill(house: House, number: int) -> None:
    now = timezone.now()
    with tenant_transaction(house.id):
        subject_id = house.subjects["user"]
        rows = Memory.objects.bulk_create(
            [
                Memory(
                    subject_id=subject_id, kind="fact", content="x", fingerprint=uuid.uuid4().bytes,
                    said_at=now, created_at=now, updated_at=now,
                )
                for _ in range(number)
            ],
            batch_size=500,
        )  # fmt: skip
        Fact.objects.bulk_create(
            [
                Fact(
                    memory=row,
                    subject_id=subject_id,
                    entity="user",
                    attribute="a",
                    value="x",
                    slot_key="user|a",
                )
                for row in rows
            ],
            batch_size=500,
        )


def index_of(rows: QuerySet[Any]) -> str:
    """The index by which PostgreSQL would read the first fifty."""
    sql, values = rows[:50].query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN (FORMAT JSON) " + sql, values)
        ((plans,),) = cursor.fetchall()
    plan = plans[0]["Plan"]
    while "Index Name" not in plan:
        (plan,) = plan["Plans"]
    return str(plan["Index Name"])


def test_the_newest_are_not_looked_for_among_what_others_wrote_since(transactional_db: None) -> None:
    acme = make_house("acme")
    fill(acme, OURS)
    fill(make_house("globex"), THEIRS)
    with owner_connection() as owner:
        for model in MODELS:
            owner.execute(f"VACUUM ANALYZE {model._meta.db_table}")
    with tenant_transaction(acme.id):
        found = {model: index_of(model.objects.order_by(NEWEST)) for model in MODELS}
        tempting = index_of(Memory.objects.order_by("-id"))
    assert found == {Memory: "memory_newest_first", Fact: "fact_newest_first"}
    # Else this would try nothing: in the other order the primary key looks cheaper, which holds the others' rows, too.
    assert tempting == "memories_memory_pkey"
