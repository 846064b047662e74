"""The audit chain: whole under parallel writers, and every kind of tampering shows."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import ProgrammingError, connection, connections

from accounts import audit
from accounts.actor import Actor, system_actor
from accounts.anchors import anchor_path, write_anchor
from accounts.models import AuditEntry, AuditHead
from accounts.tasks import anchor_audit
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import NotFound
from tests.conftest import owner_connection
from tests.support.people import House

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def anchors(settings: Any, tmp_path: Path) -> Path:
    settings.AUDIT_ANCHOR_DIR = tmp_path / "anchors"
    return settings.AUDIT_ANCHOR_DIR


def write(house: House, times: int = 1) -> None:
    for number in range(times):
        with tenant_transaction(house.id):
            audit.record(system_actor(house.id), "test.wrote", number=number)


def breaches(house: House) -> list[str]:
    with tenant_transaction(house.id):
        return [breach.problem for breach in audit.verify()]


def tamper(sql: str, *params: Any) -> None:
    """As the owner, who may bypass the grants; row-level security is lifted for the blink of it."""
    with owner_connection() as owner:
        for table in ("accounts_auditentry", "accounts_audithead"):
            owner.execute(f"ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY")
        owner.execute(sql, params)
        for table in ("accounts_auditentry", "accounts_audithead"):
            owner.execute(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")


def test_one_transaction_is_one_entry_with_all_its_changes(acme: House) -> None:
    with tenant_transaction(acme.id):
        audit.record(system_actor(acme.id), "first", target_kind="memory", target_id="a")
        with tenant_transaction(acme.id):
            audit.record(acme.actor("admin"), "second")
    with tenant_transaction(acme.id):
        entry = AuditEntry.objects.get()
    assert [change["action"] for change in entry.changes] == ["first", "second"]
    assert entry.changes[1]["actor"]["id"] == str(acme.user_of("admin").pk)
    assert breaches(acme) == []


def test_a_transaction_that_fails_leaves_no_entry(acme: House) -> None:
    with pytest.raises(RuntimeError), tenant_transaction(acme.id):
        audit.record(system_actor(acme.id), "never")
        raise RuntimeError
    with tenant_transaction(acme.id):
        assert not AuditEntry.objects.exists()


def test_an_inner_step_that_rolled_back_is_not_in_the_entry(acme: House) -> None:
    with tenant_transaction(acme.id):
        audit.record(system_actor(acme.id), "kept")
        try:
            with tenant_transaction(acme.id):
                audit.record(system_actor(acme.id), "undone")
                raise NotFound("x")
        except NotFound:
            pass
    with tenant_transaction(acme.id):
        assert [change["action"] for change in AuditEntry.objects.get().changes] == ["kept"]


def test_tenants_have_chains_of_their_own(acme: House, globex: House) -> None:
    write(acme, 2)
    write(globex, 1)
    with tenant_transaction(globex.id):
        assert [entry.seq for entry in AuditEntry.objects.all()] == [1]
    assert breaches(acme) == breaches(globex) == []


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM accounts_auditentry WHERE seq = 1",
        "UPDATE accounts_auditentry SET action = 'other' WHERE seq = 1",
        "UPDATE accounts_auditentry SET changes = changes WHERE seq = 1",
        "TRUNCATE accounts_auditentry",
        "DROP TABLE accounts_auditentry",
        "ALTER TABLE accounts_auditentry NO FORCE ROW LEVEL SECURITY",
    ],
)
def test_the_serving_role_can_neither_change_nor_delete_an_entry(acme: House, sql: str) -> None:
    write(acme, 2)
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user")
        assert cursor.fetchone()[0] == settings.APP_DB_ROLE
    with (
        pytest.raises(ProgrammingError, match=r"permission denied|must be owner"),
        tenant_transaction(acme.id),
        connection.cursor() as cursor,
    ):
        cursor.execute(sql)
    with tenant_transaction(acme.id):
        assert AuditEntry.objects.count() == 2
    assert breaches(acme) == []


@pytest.mark.django_db(transaction=True)
def test_many_parallel_writers_keep_the_chain_whole(acme: House) -> None:
    writers, each = 8, 15
    failures: list[BaseException] = []

    def work() -> None:
        try:
            write(acme, each)
        except BaseException as error:
            failures.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=work) for _ in range(writers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    with tenant_transaction(acme.id):
        assert sorted(AuditEntry.objects.values_list("seq", flat=True)) == list(range(1, writers * each + 1))
        assert AuditHead.objects.get().seq == writers * each
    assert breaches(acme) == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("sql", "found"),
    [
        ("UPDATE accounts_auditentry SET action = 'other' WHERE seq = 2", "was changed"),
        ("UPDATE accounts_auditentry SET changes = '[]' WHERE seq = 2", "was changed"),
        ("DELETE FROM accounts_auditentry WHERE seq = 2", "entries are missing"),
        ("DELETE FROM accounts_auditentry WHERE seq = 4", "the head does not match"),
        ("DELETE FROM accounts_audithead", "the head does not match"),
    ],
)
def test_tampering_shows(acme: House, sql: str, found: str) -> None:
    write(acme, 4)
    tamper(sql)
    assert any(found in problem for problem in breaches(acme))


@pytest.mark.django_db(transaction=True)
def test_a_tail_cut_off_together_with_the_head_is_found_by_its_anchor(acme: House, capsys: Any) -> None:
    write(acme, 4)
    anchor_audit()
    tamper("DELETE FROM accounts_auditentry WHERE seq > 2")
    tamper(
        "UPDATE accounts_audithead SET seq = 2, hash = (SELECT hash FROM accounts_auditentry WHERE seq = 2)"
    )
    assert breaches(acme) == ["was anchored outside of the database and is missing"]
    with pytest.raises(CommandError, match="1 breach"):
        call_command("verify_audit", tenant="acme")
    assert "acme: entry 4" in capsys.readouterr().out


@pytest.mark.django_db(transaction=True)
def test_a_wiped_chain_is_found_by_its_anchor(acme: House) -> None:
    write(acme, 3)
    anchor_audit()
    tamper("DELETE FROM accounts_auditentry")
    tamper("DELETE FROM accounts_audithead")
    write(acme, 3)
    assert "is not the entry that was anchored outside of the database" in breaches(acme)


def test_an_anchor_is_written_once_a_link_and_readable_by_the_owner_only(acme: House) -> None:
    write(acme, 2)
    with tenant_transaction(acme.id):
        assert write_anchor() == 2
        assert write_anchor() is None
    write(acme, 1)
    assert anchor_audit() == 1
    lines = [json.loads(line) for line in anchor_path(acme.id).read_text().splitlines()]
    assert [line["seq"] for line in lines] == [2, 3]
    assert anchor_path(acme.id).stat().st_mode & 0o077 == 0
    assert breaches(acme) == []


def test_a_forged_anchor_shows(acme: House) -> None:
    write(acme, 2)
    anchor_audit()
    path = anchor_path(acme.id)
    path.write_text(path.read_text().replace('"seq": 2', '"seq": 1'))
    assert any("anchor on line 1" in problem for problem in breaches(acme))


def test_the_command_says_that_a_sound_chain_is_whole(acme: House, capsys: Any) -> None:
    write(acme, 2)
    call_command("verify_audit")
    assert "acme: 2 entries, whole" in capsys.readouterr().out


def test_an_actor_of_a_person_is_named(acme: House) -> None:
    actor: Actor = acme.actor("operator", "admin")
    with tenant_transaction(acme.id):
        audit.record(actor, "looked")
    with tenant_transaction(acme.id):
        entry = AuditEntry.objects.get()
    assert (entry.actor_kind, entry.actor_id, entry.door) == ("user", actor.id, "admin")
