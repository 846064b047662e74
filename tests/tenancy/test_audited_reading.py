"""R31: what people read of another person leaves one entry a request, with ids and no words; one's own reading leaves none."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import pytest
from django.urls import reverse

from accounts.models import AuditEntry
from memories.models import Memory, RecallTrace
from memoryhub.common.db import tenant_transaction
from sessions_app.models import Turn
from tests.tenancy.world import MARKER, World, build_world

pytestmark = pytest.mark.django_db


@pytest.fixture
def world(db: None) -> World:
    return build_world()


def entries(world: World) -> list[AuditEntry]:
    with tenant_transaction(world.acme.id):
        return list(AuditEntry.objects.order_by("seq"))


def _of_owner(path: str) -> Callable[[World], str]:
    return lambda world: f"/api/v1/{path}?subject={world.owner_external_id}"


READS: dict[str, tuple[Callable[[World], str], str]] = {
    "memories": (_of_owner("memories/"), "memories.list"),
    "memories of a state": (lambda w: _of_owner("memories/")(w) + "&status=forgotten", "memories.list"),
    "a memory": (lambda w: f"/api/v1/memories/{w[Memory].pk}/", "memory.read"),
    "its versions": (lambda w: f"/api/v1/memories/{w[Memory].pk}/versions/", "memory.read"),
    "stale ones": (_of_owner("memories/stale/"), "memories.stale"),
    "profile": (lambda w: f"/api/v1/subjects/{w.acme.subjects['user']}/profile/", "profile.read"),
    "rules": (_of_owner("constraints/"), "constraints.list"),
    "contradictions": (_of_owner("contradictions/"), "contradictions.list"),
    "approvals": (_of_owner("approvals/"), "approvals.list"),
    "requests to forget": (_of_owner("forget/requests/"), "forget_requests.list"),
    "what is never learnt": (_of_owner("forget/rules/"), "forget_rules.list"),
    "a trace": (lambda w: f"/api/v1/traces/{w[RecallTrace].pk}/", "trace.read"),
    "its replay": (lambda w: f"/api/v1/traces/{w[RecallTrace].pk}/replay/", "trace.read"),
}


@pytest.mark.parametrize("name", READS)
def test_an_operators_reading_over_rest_leaves_one_entry(world: World, name: str) -> None:
    url, action = READS[name][0](world), READS[name][1]
    before = len(entries(world))
    answer = world.client("operator").get(url)
    assert answer.status_code == 200, answer.content
    (entry,) = entries(world)[before:]
    assert (entry.action, entry.actor_id) == (action, str(world.acme.people["operator"].pk))
    assert [change["subject_id"] for change in entry.changes] == [str(world.acme.subjects["user"])]
    assert MARKER not in str(entry.changes)


@pytest.mark.parametrize("name", READS)
def test_ones_own_reading_and_a_programs_leave_none(world: World, name: str) -> None:
    url = READS[name][0](world)
    clients = [world.client("owner"), world.acme.api("read", "write")]
    before = len(entries(world))
    for client in clients:
        assert client.get(url).status_code == 200
    assert len(entries(world)) == before


def test_an_operator_who_recalls_anothers_memory_reads_it_a_program_uses_it(world: World) -> None:
    body = {"subject": world.owner_external_id, "query": "Where does the spare key lie?"}
    program = world.acme.api("read", "write")
    before = len(entries(world))
    assert program.post("/api/v1/recall/", body, "application/json").status_code == 200
    assert len(entries(world)) == before
    assert world.client("operator").post("/api/v1/recall/", body, "application/json").status_code == 200
    (entry,) = entries(world)[before:]
    assert entry.action == "memories.recall"


@pytest.mark.parametrize("model", [Memory, Turn])
def test_a_page_of_the_admin_leaves_one_entry_with_the_rows_on_it(world: World, model: type) -> None:
    base = f"admin:{model._meta.app_label}_{model._meta.model_name}"
    row: uuid.UUID = world[model].pk
    before = len(entries(world))
    assert world.client("operator").get(reverse(f"{base}_changelist")).status_code == 200
    assert world.client("operator").get(reverse(f"{base}_change", args=[row])).status_code == 200
    listed, read = entries(world)[before:]
    assert (listed.action, read.action) == ("admin.list", "admin.read")
    assert listed.changes[0]["detail"]["rows"] == [str(row)]
    assert read.changes[0]["target_id"] == str(row)
    assert MARKER not in f"{listed.changes}{read.changes}"


def test_lists_that_hold_nothing_of_people_leave_none(world: World) -> None:
    client = world.client("operator")
    before = len(entries(world))
    assert client.get(reverse("admin:memories_job_changelist")).status_code == 200
    assert client.get(reverse("admin:accounts_auditentry_changelist")).status_code == 200
    assert len(entries(world)) == before
