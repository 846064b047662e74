"""The audit in the admin: found by what it touched, explained with the way back, verified and exported."""

from __future__ import annotations

import csv
import io
import json
import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts import audit
from accounts.models import AuditEntry
from memories.models import Contradiction
from memories.services.remember import remember
from memories.services.resolve import resolve
from memoryhub.common.db import tenant_transaction
from tests.support.people import House

pytestmark = pytest.mark.django_db

LIST, EXPORT, VERIFY = (f"admin:accounts_auditentry_{name}" for name in ("changelist", "export", "verify"))


def settled(house: House) -> Contradiction:
    """Two towns of the sister, settled by the operator."""
    for town in ("Leeds", "Bristol"):
        remember(
            actor=house.actor(), subject_id=house.subjects["user"], content=f"My sister lives in {town}."
        )
    with tenant_transaction(house.id):
        row: Contradiction = Contradiction.objects.get()
    resolve(actor=house.actor("operator"), contradiction_id=row.pk, resolution="keep_new")
    return row


def test_an_entry_is_found_by_what_it_touched_and_leads_there_and_back(acme: House) -> None:
    row = settled(acme)
    client = acme.client("operator")
    listed = client.get(reverse(LIST), {"q": str(row.pk)}).content.decode()
    assert "contradiction.resolved" in listed and "member.invited" not in listed
    with tenant_transaction(acme.id):
        entry = AuditEntry.objects.get(action="contradiction.resolved")
    page = client.get(reverse("admin:accounts_auditentry_change", args=[entry.pk])).content.decode()
    assert reverse("admin:memories_contradiction_change", args=[row.pk]) in page
    assert reverse("admin:memories_contradiction_undo", args=[row.pk]) in page
    assert reverse("admin:accounts_subject_change", args=[acme.subjects["user"]]) in page
    assert bytes(entry.hash).hex() in page and bytes(entry.prev_hash).hex() in page
    assert "Leeds" not in page
    grouped = client.get(reverse(LIST), {"group": "contradiction."}).content.decode()
    assert "contradiction.resolved" in grouped and "memory.created" not in grouped
    assert client.get(reverse(LIST), {"q": str(uuid.uuid4())}).status_code == 200


def test_the_newest_part_is_verified_on_a_page(acme: House) -> None:
    settled(acme)
    client = acme.client("operator")
    assert "follow from one another" in client.get(reverse(VERIFY)).content.decode()
    with tenant_transaction(acme.id):
        entry = AuditEntry.objects.get(action="contradiction.resolved")
        # In the place of an owner's hand: the app role itself may not.
        with pytest.raises(Exception, match="permission denied"), connection.cursor() as cursor:
            cursor.execute("SAVEPOINT mine")
            try:
                cursor.execute("UPDATE accounts_auditentry SET action = 'x' WHERE id = %s", [entry.pk])
            finally:
                cursor.execute("ROLLBACK TO SAVEPOINT mine")


def test_a_chain_that_is_verified_from_the_middle_still_shows_an_edit(acme: House) -> None:
    settled(acme)
    with tenant_transaction(acme.id):
        last = AuditEntry.objects.latest("seq").seq
        assert list(audit.verify(after=last - 2)) == []
        assert next(breach.seq for breach in audit.verify(after=last + 5)) == last + 5


def test_the_export_holds_every_entry_in_order_and_is_itself_audited(acme: House) -> None:
    settled(acme)
    client = acme.client("operator")
    answer = client.get(reverse(EXPORT))
    rows = [json.loads(line) for line in answer.content.decode().splitlines()]
    assert [row["seq"] for row in rows] == list(range(1, len(rows) + 1)) and len(rows) >= 3
    assert answer["Content-Disposition"] == f'attachment; filename="audit-1-{len(rows)}.jsonl"'
    assert "Leeds" not in answer.content.decode()
    with tenant_transaction(acme.id):
        assert AuditEntry.objects.latest("seq").action == "audit.exported"
    behind = client.get(reverse(EXPORT), {"after": str(len(rows))}).content.decode().splitlines()
    assert [json.loads(line)["action"] for line in behind] == ["audit.exported"]
    for odd in ("x", "-1", "9" * 40):
        assert client.get(reverse(EXPORT), {"after": odd}).status_code == 200


def test_nobody_else_reads_verifies_or_exports_it(acme: House, globex: House) -> None:
    row = settled(acme)
    with tenant_transaction(acme.id):
        entry = AuditEntry.objects.get(action="contradiction.resolved")
    foreign = globex.client("operator")
    assert "contradiction.resolved" not in foreign.get(reverse(EXPORT)).content.decode()
    found = foreign.get(reverse(LIST), {"q": str(row.pk)})
    assert found.context_data is not None and not found.context_data["cl"].result_list
    assert foreign.get(reverse("admin:accounts_auditentry_change", args=[entry.pk])).status_code == 302
    for name in (EXPORT, VERIFY):
        assert acme.client("user").get(reverse(name)).status_code == 302


def test_the_list_asks_a_bounded_number_of_queries(acme: House) -> None:
    settled(acme)
    client = acme.client("operator")
    for query in ({}, {"q": str(acme.subjects["user"])}, {"group": "memory."}):
        client.get(reverse(LIST), query)
        with CaptureQueriesContext(connection) as asked:
            client.get(reverse(LIST), query)
        assert len(asked) <= 14, "\n".join(one["sql"][:100] for one in asked)


def test_the_export_keeps_to_the_lists_filters_and_comes_as_a_table_too(acme: House) -> None:
    row = settled(acme)
    client = acme.client("operator")
    filters = {"group": "contradiction.", "q": str(row.pk)}
    lines = client.get(reverse(EXPORT), filters).content.decode().splitlines()
    assert [json.loads(line)["action"] for line in lines] == ["contradiction.resolved"]
    answer = client.get(reverse(EXPORT), {"group": "contradiction.", "format": "csv"})
    table = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert answer["Content-Type"].startswith("text/csv")
    assert {one["action"].split(".")[0] for one in table} == {"contradiction"}
    assert any(str(row.pk) in one["changes"] for one in table)
    assert client.get(reverse(EXPORT), {"nonsense": "1"}).status_code in {302, 400}
    page = client.get(reverse(LIST), {"group": "contradiction."}).content.decode()
    assert f"{reverse(EXPORT)}?group=contradiction.&amp;format=csv" in page
