"""A statement of its own in one trip: within its tenant, leaving nothing behind; and ids that SQL makes."""

from __future__ import annotations

import gc
import threading
import time
import weakref
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, connections
from django.db.models import QuerySet

from accounts.models import Subject
from memories.models import Memory, RecallTrace
from memories.store.prepared import fetch_alone
from memoryhub.common.db import TENANT_SETTING, read_alone, tenant_transaction, writing_of_what_was_read
from memoryhub.common.errors import NotFound
from memoryhub.common.ids import UUID7_SQL, uuid7
from memoryhub.common.one_trip import ReadTogether
from tests.support.factories import make_subject, make_tenant

COUNT = "SELECT count(*) FROM accounts_subject WHERE external_id <> %s"


@pytest.mark.django_db(transaction=True)
def test_it_reads_one_tenants_rows_and_leaves_no_tenant_behind() -> None:
    for name, subjects in (("acme", 2), ("globex", 1)):
        tenant_id = make_tenant(name)
        for _ in range(subjects):
            make_subject(tenant_id)
        assert read_alone(tenant_id, COUNT, ["nobody"]) == [(subjects,)]
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting(%s, true)", [TENANT_SETTING])
        assert not cursor.fetchone()[0]
    assert not connection.in_atomic_block


@pytest.mark.django_db(transaction=True)
def test_more_than_one_statement_is_refused() -> None:
    with pytest.raises(ValueError, match="one statement"):
        read_alone(make_tenant("acme"), f"{COUNT}; SELECT 1", ["nobody"])


@pytest.mark.django_db(transaction=True)
def test_inside_a_transaction_it_joins_it() -> None:
    tenant_id = make_tenant("acme")
    with tenant_transaction(tenant_id):
        make_subject(tenant_id)
        assert read_alone(tenant_id, COUNT, ["nobody"]) == [(1,)]


@pytest.mark.django_db(transaction=True)
def test_settings_hold_from_the_first_statement_to_the_last() -> None:
    shown = "SELECT current_setting('enable_seqscan')"
    with (
        tenant_transaction(make_tenant("acme"), settings={"enable_seqscan": "off"}),
        connection.cursor() as cursor,
    ):
        cursor.execute(shown)
        assert cursor.fetchone() == ("off",)
    with connection.cursor() as cursor:
        cursor.execute(shown)
        assert cursor.fetchone() == ("on",)


ONE: tuple[str, dict[str, Any]] = ("SELECT 1", {})
NAMED = (
    "SELECT count(*), current_setting('enable_seqscan') FROM accounts_subject WHERE external_id <> %(name)s"
)


@pytest.mark.django_db(transaction=True)
def test_a_prepared_statement_alone_reads_one_tenants_rows_with_its_settings_and_leaves_neither_behind() -> (
    None
):
    for name, subjects in (("acme", 2), ("globex", 1)):
        tenant_id = make_tenant(name)
        for _ in range(subjects):
            make_subject(tenant_id)
        for _ in range(3):
            assert fetch_alone(tenant_id, ONE, (NAMED, {"name": "nobody"})) == [[(1,)], [(subjects, "off")]]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT current_setting(%s, true), current_setting('enable_seqscan')", [TENANT_SETTING]
        )
        assert cursor.fetchone() in {("", "on"), (None, "on")}
    assert not connection.in_atomic_block


@pytest.mark.django_db(transaction=True)
def test_a_prepared_statement_that_fails_alone_leaves_a_connection_that_works() -> None:
    tenant_id = make_tenant("acme")
    with pytest.raises(DatabaseError):
        fetch_alone(tenant_id, ("SELECT 1 / %(zero)s::int FROM accounts_tenant", {"zero": 0}), ONE)
    assert fetch_alone(tenant_id, (NAMED, {"name": "nobody"})) == [[(0, "off")]]


@pytest.mark.django_db(transaction=True)
def test_a_prepared_statement_inside_a_transaction_joins_it() -> None:
    tenant_id = make_tenant("acme")
    with tenant_transaction(tenant_id):
        make_subject(tenant_id)
        assert fetch_alone(tenant_id, ONE, (NAMED, {"name": "nobody"}))[1][0][0] == 1


def _rows(values: Mapping[str, Any]) -> list[QuerySet[Any, Any]]:
    return [
        Subject.objects.select_related("tenant").filter(created_at__lt=values["now"]).order_by("id"),
        Subject.objects.filter(id=values["one"]).values_list("id", flat=True)[:1],
        Subject.objects.filter(external_id="100% nobody"),
        *(() if values["more"] is None else (Subject.objects.exclude(id=values["more"]),)),
    ]


@pytest.mark.django_db(transaction=True)
def test_what_is_read_together_is_what_each_would_read_by_itself() -> None:
    together, now = ReadTogether(_rows), datetime.now(UTC) + timedelta(hours=1)
    for name in ("globex", "acme"):
        tenant_id = make_tenant(name)
        made = sorted([make_subject(tenant_id), make_subject(tenant_id)])
        for more in (None, made[1], made[0]):
            for one in made:
                values = {"now": now, "one": one, "more": more}
                subjects, first, nobody, *rest = together.read(tenant_id, values)
                assert [subject.id for subject in subjects] == made
                assert {subject.tenant_id for subject in subjects} == {
                    subject.tenant.id for subject in subjects
                }
                assert (first, nobody) == ([one], [])
                assert [[row.id for row in rows] for rows in rest] == (
                    [] if more is None else [[subject for subject in made if subject != more]]
                )
                with tenant_transaction(tenant_id):
                    assert together.read(tenant_id, values) == [subjects, first, nobody, *rest]
        assert (
            together.read(tenant_id, {"now": now - timedelta(days=9), "one": made[0], "more": None})[0] == []
        )
    assert not connection.in_atomic_block


@pytest.mark.django_db(transaction=True)
def test_a_value_that_is_computed_with_cannot_be_read_together() -> None:
    def rows(values: Mapping[str, Any]) -> list[QuerySet[Any, Any]]:
        return [Subject.objects.filter(created_at__lt=values["now"] - timedelta(days=1))]

    with pytest.raises(ValueError, match="changed on its way"):
        ReadTogether(rows).read(make_tenant("acme"), {"now": datetime.now(UTC)})


@pytest.mark.django_db(transaction=True)
def test_an_encrypted_column_cannot_be_read_together() -> None:
    tenant_id = make_tenant("acme")
    with pytest.raises(ValueError, match="defer it"):
        ReadTogether(lambda values: [Memory.objects.all()]).read(tenant_id, {})
    assert ReadTogether(lambda values: [Memory.objects.defer("content_encrypted")]).read(tenant_id, {}) == [
        []
    ]


@pytest.mark.django_db(transaction=True)
def test_the_connection_of_the_thread_that_composed_is_let_go() -> None:
    tenant_id = make_tenant("acme")
    together = ReadTogether(lambda values: [Subject.objects.filter(id=values["one"])])
    one = make_subject(tenant_id)
    held: list[weakref.ref[Any]] = []

    def compose() -> None:
        assert together.read(tenant_id, {"one": one})[0][0].id == one
        held.append(weakref.ref(connections["default"]))
        connections["default"].close()

    thread = threading.Thread(target=compose)
    thread.start()
    thread.join()
    gc.collect()
    assert held[0]() is None
    assert together.read(tenant_id, {"one": one})[0][0].id == one


@pytest.mark.django_db(transaction=True)
def test_what_was_deleted_between_reading_and_writing_is_told_as_gone() -> None:
    tenant_id = make_tenant("acme")
    with pytest.raises(NotFound, match="gone"), writing_of_what_was_read(tenant_id, NotFound("gone")):
        RecallTrace(subject_id=uuid7(), query="", policy_version=1, at=datetime.now(UTC)).save()
    with pytest.raises(IntegrityError), writing_of_what_was_read(tenant_id, NotFound("gone")):
        for _ in range(2):
            Subject(external_id="one").save(force_insert=True)
    with tenant_transaction(tenant_id):
        assert not RecallTrace.objects.exists() and not Subject.objects.exists()


@pytest.mark.django_db
def test_an_id_made_in_sql_is_one_of_python_s_kind() -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {UUID7_SQL} FROM generate_series(1, 50)")
        made = [row[0] for row in cursor.fetchall()]
    assert len(set(made)) == 50
    assert {(one.version, one.variant) for one in made} == {(7, uuid7().variant)}
    assert all(abs((one.int >> 80) / 1000 - time.time()) < 600 for one in made)
