"""Tenants' own keys: what one sealed another cannot open, a rotation leaves nothing behind, a destroyed key is final."""

from __future__ import annotations

import threading
from datetime import UTC, datetime
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from pytest_django import Settings

from accounts.actor import system_actor
from accounts.audit import verify
from accounts.keyring import TenantKeyring
from accounts.models import Tenant, TenantKey
from accounts.sealed_columns import sealed_columns
from accounts.services import rotate_keys as service
from accounts.services.create_tenant import suspend_tenant
from accounts.services.rotate_keys import destroy_keys, rotate_keys
from memories.models import ForgetRule, Memory
from memoryhub.common import sealing
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict
from memoryhub.common.sealing import KeyDestroyed, WrongKey
from tests.support.factories import make_memory
from tests.support.people import House, make_house

pytestmark = pytest.mark.django_db
CLEAR = "Door code of the shed: 4471 北门"
MASTER = "the first master key of this test, long enough"
NEXT = "the second master key of this test, long enough"


def sealed_memory(house: House, clear: str = CLEAR) -> Memory:
    with tenant_transaction(house.id):
        return make_memory(house.subjects["user"], "[sensitive]", kind="sensitive", content_encrypted=clear)


def raw(house: House, memory: Memory) -> bytes:
    with tenant_transaction(house.id), connection.cursor() as cursor:
        cursor.execute("SELECT content_encrypted FROM memories_memory WHERE id = %s", [memory.pk])
        row = cursor.fetchone()
    assert row is not None
    return bytes(row[0])


def clear_of(house: House, memory: Memory) -> str:
    with tenant_transaction(house.id):
        return str(Memory.objects.get(pk=memory.pk).content_encrypted)


def test_a_text_is_sealed_at_rest_and_open_in_its_tenant(acme: House) -> None:
    memory = sealed_memory(acme)
    token = raw(acme, memory)
    assert sealing.number_of(token) == 1
    assert CLEAR.encode() not in token
    assert clear_of(acme, memory) == CLEAR
    assert raw(acme, sealed_memory(acme)) != token, "the same text twice must not look the same"


def test_another_tenant_cannot_open_it(acme: House, globex: House) -> None:
    token = raw(acme, sealed_memory(acme))
    sealed_memory(globex)
    with tenant_transaction(globex.id), pytest.raises(WrongKey):
        TenantKeyring().open(token)


@pytest.mark.parametrize("at", [0, 4, 8, -1])
def test_a_changed_bit_is_noticed(acme: House, at: int) -> None:
    token = bytearray(raw(acme, sealed_memory(acme)))
    token[at] ^= 1
    with tenant_transaction(acme.id), pytest.raises(WrongKey):
        TenantKeyring().open(bytes(token))


def test_a_wrong_master_key_says_what_to_look_at(acme: House, settings: Settings) -> None:
    memory = sealed_memory(acme)
    settings.FIELD_ENCRYPTION_KEY = NEXT
    with pytest.raises(WrongKey) as caught:
        clear_of(acme, memory)
    assert "FIELD_ENCRYPTION_KEY" in caught.value.hint
    assert CLEAR not in str(caught.value)


def test_a_new_master_key_in_front_reads_and_after_a_rotation_stands_alone(
    acme: House, settings: Settings
) -> None:
    settings.FIELD_ENCRYPTION_KEY = MASTER
    memory = sealed_memory(acme)
    settings.FIELD_ENCRYPTION_KEY = f"{NEXT}, {MASTER}"
    assert clear_of(acme, memory) == CLEAR
    rotate_keys(actor=system_actor(acme.id))
    settings.FIELD_ENCRYPTION_KEY = NEXT
    assert clear_of(acme, memory) == CLEAR
    settings.FIELD_ENCRYPTION_KEY = MASTER
    with pytest.raises(WrongKey):
        clear_of(acme, memory)


def test_every_sealed_column_is_found_and_sealed_anew(acme: House, globex: House) -> None:
    memories = [sealed_memory(acme, f"{CLEAR} {number}") for number in range(5)]
    foreign = sealed_memory(globex)
    now = datetime(2026, 3, 1, tzinfo=UTC)
    with tenant_transaction(acme.id):
        rule = ForgetRule.objects.create(
            subject_id=acme.subjects["user"], kind="text", fingerprint=b"x", label=CLEAR, created_at=now
        )
    assert {(one.table, one.column) for one in sealed_columns()} >= {
        ("memories_memory", "content_encrypted"),
        ("memories_memoryversion", "content_encrypted"),
        ("memories_forgetrule", "label"),
    }
    before, old = raw(globex, foreign), raw(acme, memories[0])
    done = rotate_keys(actor=system_actor(acme.id))
    assert (done.number, done.resealed, done.destroyed) == (2, 6, 1)
    assert [clear_of(acme, memory)[-1] for memory in memories] == ["0", "1", "2", "3", "4"]
    assert {sealing.number_of(raw(acme, memory)) for memory in memories} == {2}
    with tenant_transaction(acme.id):
        assert ForgetRule.objects.get(pk=rule.pk).label == CLEAR
        with pytest.raises(KeyDestroyed):
            TenantKeyring().open(old)
        assert [bytes(key.wrapped) for key in TenantKey.objects.filter(number=1)] == [b""]
        assert list(verify()) == []
    assert raw(globex, foreign) == before


def test_a_rotation_that_was_cut_short_goes_on(acme: House, monkeypatch: pytest.MonkeyPatch) -> None:
    memories = [sealed_memory(acme, f"{CLEAR} {number}") for number in range(7)]
    monkeypatch.setattr(service, "BATCH", 2)
    real, calls = service.SealedColumn.put, []

    def put(self: Any, rows: Any) -> None:
        calls.append(len(rows))
        if len(calls) == 3:
            raise OSError("the machine went away")
        real(self, rows)

    monkeypatch.setattr(service.SealedColumn, "put", put)
    with pytest.raises(OSError, match="went away"):
        rotate_keys(actor=system_actor(acme.id))
    assert [clear_of(acme, memory) for memory in memories] == [f"{CLEAR} {n}" for n in range(7)]
    done = rotate_keys(actor=system_actor(acme.id))
    assert (done.number, done.resealed, done.destroyed) == (2, 3, 1)
    assert {sealing.number_of(raw(acme, memory)) for memory in memories} == {2}


def test_what_was_sealed_under_the_derived_key_stays_readable_until_a_rotation(acme: House) -> None:
    memory = sealed_memory(acme)
    old = _derived_token(acme, CLEAR)
    with tenant_transaction(acme.id):
        TenantKey.objects.all().delete()
        TenantKey.objects.create(number=0, state="retired", created_at=datetime(2026, 1, 1, tzinfo=UTC))
        with connection.cursor() as cursor:
            cursor.execute(
                "UPDATE memories_memory SET content_encrypted = %s WHERE id = %s", [old, memory.pk]
            )
    assert clear_of(acme, memory) == CLEAR
    assert rotate_keys(actor=system_actor(acme.id)).resealed == 1
    assert clear_of(acme, memory) == CLEAR
    with tenant_transaction(acme.id), pytest.raises(KeyDestroyed):
        TenantKeyring().open(old)


def test_a_tenant_without_such_texts_refuses_a_derived_token(acme: House) -> None:
    with tenant_transaction(acme.id), pytest.raises(WrongKey):
        TenantKeyring().open(_derived_token(acme, CLEAR))


def _derived_token(house: House, text: str) -> bytes:
    """As the field wrote it before tenants had keys: Fernet under HKDF(master, tenant)."""
    import base64
    import hashlib

    from cryptography.fernet import Fernet
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF
    from django.conf import settings

    info = b"memoryhub field " + house.id.bytes
    material = hashlib.sha256(settings.FIELD_ENCRYPTION_KEY.encode()).digest()
    key = HKDF(algorithm=SHA256(), length=32, salt=None, info=info).derive(material)
    return Fernet(base64.urlsafe_b64encode(key)).encrypt(text.encode())


def test_a_tenant_whose_keys_are_destroyed_is_unreadable_for_ever(acme: House, globex: House) -> None:
    memory, foreign = sealed_memory(acme), sealed_memory(globex)
    token = raw(acme, memory)
    with pytest.raises(Conflict):
        destroy_keys(actor=system_actor(acme.id))
    suspend_tenant(actor=system_actor(acme.id))
    assert destroy_keys(actor=system_actor(acme.id)) == 1
    assert raw(acme, memory) == token, "the row stands, only nobody can read it"
    with pytest.raises(KeyDestroyed):
        clear_of(acme, memory)
    with pytest.raises(KeyDestroyed):
        sealed_memory(acme)
    with pytest.raises(KeyDestroyed):
        rotate_keys(actor=system_actor(acme.id))
    assert clear_of(globex, foreign) == CLEAR


def test_the_command_rotates_and_destroys(acme: House, globex: House, capsys: Any) -> None:
    sealed_memory(acme)
    call_command("rotate_keys", "--tenant", "acme")
    assert "acme: key 2 seals; 1 values sealed anew, 1 old keys destroyed" in capsys.readouterr().out
    with pytest.raises(CommandError, match="no tenant"):
        call_command("rotate_keys", "--tenant", "nobody")
    with pytest.raises(CommandError, match="--tenant"):
        call_command("rotate_keys", "--destroy")
    with pytest.raises(CommandError, match="Suspend it first"):
        call_command("rotate_keys", "--destroy", "--tenant", "acme")
    Tenant.objects.filter(pk=acme.id).update(status=Tenant.Status.SUSPENDED)
    call_command("rotate_keys", "--destroy", "--tenant", "acme")
    call_command("rotate_keys")
    assert "acme: its keys were destroyed" in capsys.readouterr().out


@pytest.mark.django_db(transaction=True)
def test_readers_and_writers_go_on_during_a_rotation(transactional_db: None, monkeypatch: Any) -> None:
    house = make_house("acme")
    memories = [sealed_memory(house, f"{CLEAR} {number}") for number in range(40)]
    monkeypatch.setattr(service, "BATCH", 3)
    wrong: list[str] = []
    written: list[Memory] = []
    done = threading.Event()

    def read() -> None:
        try:
            while not done.is_set():
                for number, memory in enumerate(memories):
                    if clear_of(house, memory) != f"{CLEAR} {number}":
                        wrong.append(str(memory.pk))
        except Exception as error:
            wrong.append(repr(error))
        finally:
            connection.close()

    def write() -> None:
        try:
            while not done.is_set() and len(written) < 200:
                written.append(sealed_memory(house))
        except Exception as error:
            wrong.append(repr(error))
        finally:
            connection.close()

    threads = [threading.Thread(target=one) for one in (read, read, write)]
    for thread in threads:
        thread.start()
    try:
        for number in (2, 3, 4):
            assert rotate_keys(actor=system_actor(house.id)).number == number
    finally:
        done.set()
        for thread in threads:
            thread.join(30)
    assert wrong == []
    assert written
    assert {clear_of(house, memory) for memory in written} == {CLEAR}
    assert {sealing.number_of(raw(house, memory)) for memory in memories} == {4}
