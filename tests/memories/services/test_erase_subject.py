"""Erasing a subject: nothing of it is left anywhere, nobody else is touched, and the receipt proves what was checked."""

from __future__ import annotations

import json
import logging
import threading
import uuid
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from string import ascii_letters, digits
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.db.utils import IntegrityError
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from accounts import receipts
from accounts.actor import Actor, system_actor
from accounts.audit import verify as verify_audit
from accounts.models import ApiKey, AuditEntry, Subject
from accounts.services.ensure_subject import ensure_subject
from memories.models import (
    Contradiction,
    Embedding,
    Episode,
    Erasure,
    Feedback,
    ForgetRule,
    IdempotencyKey,
    Job,
    Memory,
    Posting,
    RecallTrace,
    Slot,
)
from memories.services import carry_out_erasure, jobs
from memories.services.erase_subject import erase_subject, get_erasure
from memories.services.feedback import give_feedback
from memories.services.forget import forget
from memories.services.recall import recall
from memories.services.remember import remember
from memories.services.replay_erasures import replay_erasures
from memories.store.locks import lock_subject
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import NotFound, PermissionDenied, Unavailable
from memoryhub.common.valkey import valkey
from sessions_app import relay
from sessions_app.generation import generate
from sessions_app.models import ChatSession, Digest, Turn
from sessions_app.services.end_session import end_session
from sessions_app.services.open_session import open_session
from sessions_app.services.post_message import post_message
from sessions_app.services.record_turn import record_turn
from sessions_app.services.rename_session import rename_session
from tests.support.dump import database_dump, places_of, valkey_dump
from tests.support.people import House, make_house

pytestmark = pytest.mark.django_db(transaction=True)

EXTERNAL = "customer-Zephyrine-0x1f"


class Markers:
    """Words that occur nowhere else, each handed out once."""

    def __init__(self) -> None:
        self.made: list[str] = []

    def __call__(self, prefix: str = "Qz") -> str:
        word = f"{prefix}{uuid.uuid4().hex[:10]}vx"
        self.made.append(word)
        return word


@pytest.fixture(autouse=True)
def ledger(settings: Settings, tmp_path: Path) -> Path:
    settings.ERASURE_LEDGER_DIR = tmp_path / "erasures"
    return tmp_path / "erasures"


@pytest.fixture
def house(transactional_db: None) -> House:
    return make_house("acme")


@pytest.fixture
def log_text() -> Iterator[list[str]]:
    """Every line that is logged, as it is written."""
    lines: list[str] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(f"{record.getMessage()} {record.args} {record.msg}")

    handler = Keep()
    logging.getLogger().addHandler(handler)
    yield lines
    logging.getLogger().removeHandler(handler)


async def nobody(frame: dict[str, Any]) -> None:
    """A reader that is not there."""


def subject_of(house: House, external_id: str = EXTERNAL) -> uuid.UUID:
    return ensure_subject(actor=house.actor("admin", "rest"), external_id=external_id).pk


def plant(house: House, subject_id: uuid.UUID, mark: Markers, api: Client, external_id: str) -> None:
    """Through every door that takes a text: some 520 markers a call."""
    admin = system_actor(house.id, door="rest")
    session = open_session(actor=admin, subject_id=subject_id, title=f"About {mark()}")
    for number in range(30):
        record_turn(
            actor=admin,
            session_id=session.pk,
            role="user",
            speaker=mark("Sp"),
            content=f"I like {mark()} and my {mark()} number is {number}. My hobby is {mark()}. "
            f"I work at {mark()} with {mark()}, my cat is called {mark()}, my boat {mark()}.",
        )
    for _ in range(6):
        record_turn(
            actor=admin,
            session_id=session.pk,
            role="tool",
            content=f"Result {mark()}\n" + "row of text, nothing special. " * 60 + mark(),
        )
        posted = post_message(actor=admin, session_id=session.pk, content=f"What about {mark()}, {mark()}?")
        async_to_sync(generate)(posted, actor=admin, publish=nobody)
    rename_session(actor=admin, session_id=session.pk, title=f"All about {mark()}")
    jobs.run_due(house.id, now=timezone.now() + timedelta(seconds=5))
    end_session(actor=admin, session_id=session.pk)
    jobs.run_due(house.id, now=timezone.now() + timedelta(seconds=5))
    kept = [
        remember(
            actor=admin,
            subject_id=subject_id,
            content=f"Keeps {mark()} in the cellar",
            infer=False,
            tags=[mark("tag"), mark("tag")],
            metadata={mark("key"): mark(), "note": [mark()]},
            speaker=mark("Sp"),
        )[0].memory_id
        for _ in range(36)
    ]
    remember(
        actor=admin,
        subject_id=subject_id,
        content=f"Never mention {mark()}",
        kind="constraint",
        key=mark("rule"),
        infer=False,
    )
    remember(actor=admin, subject_id=subject_id, content=f"Sealed {mark()}", kind="sensitive", infer=False)
    for memory_id in kept[:3]:
        assert memory_id is not None
        forget(actor=admin, memory_id=memory_id)
    for _ in range(10):
        recall(actor=admin, subject_id=subject_id, query=f"Where is {mark()}?")
    give_feedback(actor=admin, subject_id=subject_id, verdict="right", memory_id=kept[5])
    for _ in range(3):
        body = {"subject": external_id, "content": f"By the API: {mark()}", "infer": False}
        answer = api.post(
            "/api/v1/memories/",
            body,
            content_type="application/json",
            headers={"idempotency-key": mark("idem")},
        )
        assert answer.status_code == 201, answer.content
    now = timezone.now()
    with tenant_transaction(house.id):
        Slot.objects.create(
            subject_id=subject_id,
            kind="entity",
            key=mark("slot"),
            value=mark(),
            created_at=now,
            updated_at=now,
            expires_at=now + timedelta(days=1),
        )
        ForgetRule.objects.create(
            subject_id=subject_id, kind="text", fingerprint=b"p", label=mark(), created_at=now
        )
        IdempotencyKey.objects.create(
            subject_id=subject_id,
            principal="p",
            key=f"kept-{uuid.uuid4()}",
            request_hash=b"h",
            response={"results": [mark()]},
            created_at=now,
            expires_at=now + timedelta(days=1),
        )
        ids = [one for one in kept if one is not None]
        Contradiction.objects.create(
            subject_id=subject_id,
            slot_key=f"user|{mark()}",
            older_id=ids[5],
            newer_id=ids[6],
            undo={"was": mark()},
            opened_at=now,
        )
        Subject.objects.filter(pk=subject_id).update(display_name=mark("Name"))
    valkey().set(relay.keys_of(session.pk)[0], 5)


def counts(house: House, subject_id: uuid.UUID) -> dict[str, int]:
    with tenant_transaction(house.id):
        models = (
            Memory,
            Episode,
            Embedding,
            Posting,
            RecallTrace,
            ChatSession,
            Slot,
            Feedback,
            IdempotencyKey,
        )
        found = {model.__name__: model.objects.filter(subject_id=subject_id).count() for model in models}
        found["Turn"] = Turn.objects.filter(session__subject_id=subject_id).count()
        found["Digest"] = Digest.objects.filter(session__subject_id=subject_id).count()
        return found


def test_nothing_of_an_erased_subject_is_left_anywhere(
    house: House, log_text: list[str], ledger: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    mark, other_mark = Markers(), Markers()
    api = house.api("read", "write")
    subject_id, other = subject_of(house), subject_of(house, "somebody-else")
    plant(house, subject_id, mark, api, EXTERNAL)
    plant(house, other, other_mark, api, "somebody-else")
    mark.made.append(EXTERNAL)
    name = str(connection.settings_dict["NAME"])
    before = places_of(mark.made, database_dump(name))
    assert len(mark.made) >= 500
    found = {place for places in before.values() for place in places}
    assert found >= {
        "sessions_app_turn",
        "sessions_app_chatsession",
        "memories_memory",
        "memories_memoryversion",
        "memories_evidence",
        "memories_fact",
        "memories_episode",
        "memories_posting",
        "memories_recalltrace",
        "memories_slot",
        "memories_idempotencykey",
        "memories_contradiction",
        "accounts_subject",
    }, "the markers stand nowhere, so that finding none would prove nothing"
    others = counts(house, other)
    assert all(number for kind, number in counts(house, subject_id).items()), counts(house, subject_id)

    erasure = erase_subject(actor=house.actor("admin", "rest"), subject_id=subject_id)

    assert erasure.state == "done"
    assert places_of(mark.made, database_dump(name)) == {}
    assert places_of(mark.made, valkey_dump()) == {}
    assert places_of(mark.made, {"log": "\n".join(log_text), "stderr": capfd.readouterr().err}) == {}
    files = {str(path): path.read_text() for path in ledger.rglob("*") if path.is_file()}
    assert len(files) == 2
    assert places_of(mark.made, files) == {}
    assert set(counts(house, subject_id).values()) == {0}
    assert counts(house, other) == others
    assert len(places_of(other_mark.made, database_dump(name))) >= 300
    with tenant_transaction(house.id):
        assert not Subject.objects.filter(pk=subject_id).exists()
        assert list(verify_audit()) == []
        assert AuditEntry.objects.filter(action="subject.erase_requested").count() == 1
    receipts.verify(erasure.receipt)
    checked = {row["place"]: row for row in erasure.receipt["checked"]}
    assert {row["left"] for row in checked.values()} == {0}
    for place in ("turns", "memories", "postings", "vectors", "versions", "slots", "traces", "kept answers"):
        assert checked[place]["found"] > 0, place
    assert checked["valkey: chat keys"]["found"] == 2


def test_each_changed_field_of_a_receipt_is_noticed(house: House, tmp_path: Path, capsys: Any) -> None:
    erasure = erase_subject(actor=house.actor("admin", "rest"), subject_id=subject_of(house))
    receipt: dict[str, Any] = erasure.receipt
    receipts.verify(receipt)
    changed = 0
    for path, value in leaves(receipt):
        forged = json.loads(json.dumps(receipt))
        put(
            forged,
            path,
            not value if isinstance(value, bool) else value + 1 if isinstance(value, int) else f"{value}x",
        )
        with pytest.raises(receipts.ReceiptError):
            receipts.verify(forged)
        changed += 1
    assert changed > 60
    for forged in ({**receipt, "note": "one more"}, {k: v for k, v in receipt.items() if k != "scope"}):
        with pytest.raises(receipts.ReceiptError):
            receipts.verify(forged)
    file = tmp_path / "receipt.json"
    file.write_text(json.dumps(receipt, indent=3, ensure_ascii=False))
    call_command("verify_receipt", str(file))
    assert f"subject {receipt['subject']} was erased" in capsys.readouterr().out
    file.write_text(file.read_text().replace('"left": 0', '"left": 1', 1))
    with pytest.raises(CommandError, match="the receipt was changed"):
        call_command("verify_receipt", str(file))
    file.write_text('{"left": 0, "left": 0}')
    with pytest.raises(CommandError, match="no receipt"):
        call_command("verify_receipt", str(file))


def test_only_a_trusted_key_counts(house: House, settings: Settings, tmp_path: Path, capsys: Any) -> None:
    erasure = erase_subject(actor=house.actor("admin", "rest"), subject_id=subject_of(house))
    old = receipts.public_key()
    settings.RECEIPT_KEY = "another key of this installation, long enough"
    with pytest.raises(receipts.ReceiptError, match="not trusted"):
        receipts.verify(erasure.receipt)
    settings.RECEIPT_PUBLIC_KEYS = [old]
    receipts.verify(erasure.receipt)
    settings.RECEIPT_PUBLIC_KEYS = []
    file = tmp_path / "receipt.json"
    file.write_text(json.dumps(erasure.receipt))
    call_command("verify_receipt", str(file), "--public-key", old)
    with pytest.raises(CommandError, match="not trusted"):
        call_command("verify_receipt", str(file))


def test_only_one_writing_of_a_signature_holds(house: House) -> None:
    receipt = erase_subject(actor=house.actor("admin", "rest"), subject_id=subject_of(house)).receipt
    assert receipt["signature"].endswith("==")
    for last in ascii_letters + digits + "+/":
        other = {**receipt, "signature": f"{receipt['signature'][:-3]}{last}=="}
        if other == receipt:
            continue
        with pytest.raises(receipts.ReceiptError):
            receipts.verify(other)


def test_a_signed_receipt_that_says_something_is_left_or_is_of_another_form_is_none(
    house: House, tmp_path: Path
) -> None:
    receipt = erase_subject(actor=house.actor("admin", "rest"), subject_id=subject_of(house)).receipt
    receipts.check_erased(receipt)
    bare = {name: part for name, part in receipt.items() if name != "signature"}
    left = [{**row, "left": 1} for row in receipt["checked"]]
    for change in ({"format": "memoryhub.note/1"}, {"checked": left}, {"checked": []}, {"checked": None}):
        file = tmp_path / "signed.json"
        file.write_text(json.dumps(receipts.sign({**bare, **change})))
        with pytest.raises(CommandError, match="receipt"):
            call_command("verify_receipt", str(file))


def test_a_deeply_nested_file_is_no_receipt(tmp_path: Path) -> None:
    file = tmp_path / "deep.json"
    file.write_text('{"signature": ' + "[" * 100_000 + "]" * 100_000 + "}")
    with pytest.raises(CommandError, match="no receipt"):
        call_command("verify_receipt", str(file))


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if isinstance(value, dict):
        for name, part in value.items():
            yield from leaves(part, (*path, name))
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from leaves(part, (*path, index))
    else:
        yield path, value


def put(value: Any, path: tuple[Any, ...], new: Any) -> None:
    for step in path[:-1]:
        value = value[step]
    value[path[-1]] = new


def test_a_person_erases_themself_and_begins_afresh(house: House) -> None:
    me = house.actor("user")
    assert me.subject_id is not None
    remember(actor=me, subject_id=me.subject_id, content="I keep bees", infer=False)
    session = open_session(actor=me, subject_id=me.subject_id)
    erasure = erase_subject(actor=me, subject_id=me.subject_id)
    assert erasure.state == "done"
    assert get_erasure(actor=house.actor("user"), erasure_id=erasure.id).pk == erasure.pk
    again = house.actor("user")
    assert again.subject_id not in {None, me.subject_id}
    assert recall(actor=again, subject_id=again.subject_id, query="bees").items == []  # type: ignore[arg-type]
    with pytest.raises(NotFound):
        record_turn(actor=me, session_id=session.pk, role="user", content="Still there?")
    with pytest.raises(NotFound):
        erase_subject(actor=house.actor("admin"), subject_id=me.subject_id)


def test_a_persons_own_key_does_not_erase_them(house: House) -> None:
    me = house.subjects["user"]
    key = house.api("read", "write", subject="user")
    for url in (f"/api/v1/subjects/{me}/", f"/api/v1/subjects/?subject={house.people['user'].pk}"):
        answer = key.delete(url)
        assert answer.status_code == 403 and "Sign in" in answer.content.decode()
    with tenant_transaction(house.id):
        assert Subject.objects.get(pk=me).erased_at is None and not Erasure.objects.exists()
    assert house.client("user").delete(f"/api/v1/subjects/{me}/").status_code == 200


def test_who_may_erase_whom(house: House) -> None:
    theirs = house.subjects["user"]
    with pytest.raises(NotFound):
        erase_subject(actor=house.actor("other"), subject_id=theirs)
    with pytest.raises(PermissionDenied):
        erase_subject(actor=house.actor("operator", "rest"), subject_id=theirs)
    foreign = make_house("globex")
    with pytest.raises(NotFound):
        erase_subject(actor=foreign.actor("admin", "rest"), subject_id=theirs)
    done = erase_subject(actor=house.actor("admin", "rest"), subject_id=theirs)
    for who in ("other", "operator"):
        with pytest.raises(NotFound):
            get_erasure(actor=house.actor(who, "rest"), erasure_id=done.pk)


def test_over_rest_a_small_subject_answers_with_the_receipt_and_a_large_one_with_an_erasure_to_read(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    admin_key = house.api("admin")
    small, large = subject_of(house), subject_of(house, "large one")
    answer = admin_key.delete(f"/api/v1/subjects/?subject={EXTERNAL}")
    assert answer.status_code == 200, answer.content
    body = answer.json()
    assert (body["state"], body["subject"]) == ("done", str(small))
    receipts.verify(body["receipt"])
    assert admin_key.delete(f"/api/v1/subjects/?subject={EXTERNAL}").status_code == 404

    monkeypatch.setattr("memories.services.erase_subject.AT_ONCE", -1)
    answer = admin_key.delete(f"/api/v1/subjects/{large}/")
    assert answer.status_code == 202
    url = f"/api/v1/erasures/{answer.json()['id']}/"
    assert admin_key.get(url).json()["receipt"] is None
    # Nothing of it is given out while it waits.
    assert house.api("read", "write").get("/api/v1/memories/?subject=large one").status_code == 404
    again = admin_key.delete(f"/api/v1/subjects/{large}/")
    assert (again.status_code, again.json()["id"]) == (202, answer.json()["id"])
    jobs.run_due(house.id, now=timezone.now() + timedelta(seconds=5))
    body = admin_key.get(url).json()
    assert body["state"] == "done"
    receipts.verify(body["receipt"])


def test_keys_bound_to_the_subject_are_refused_at_once(house: House) -> None:
    bound = house.api("read", "write", subject="user")
    assert bound.get("/api/v1/memories/").status_code == 200
    erase_subject(actor=house.actor("admin", "rest"), subject_id=house.subjects["user"])
    assert bound.get("/api/v1/memories/").status_code == 401
    with tenant_transaction(house.id):
        assert not ApiKey.objects.filter(subject_id=house.subjects["user"]).exists()


def test_cut_short_anywhere_it_goes_on_where_it_stopped(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    subject_id = subject_of(house)
    mark = Markers()
    plant(house, subject_id, mark, house.api("read", "write"), EXTERNAL)
    monkeypatch.setattr(carry_out_erasure, "BATCH", 7)
    real, calls = carry_out_erasure._batch, []

    def batch(actor: Actor, name: str, of: uuid.UUID) -> int:
        calls.append(name)
        if len(calls) == 25:
            raise OSError("the machine went away")
        return real(actor, name, of)

    monkeypatch.setattr(carry_out_erasure, "_batch", batch)
    with pytest.raises(OSError, match="went away"):
        erase_subject(actor=system_actor(house.id), subject_id=subject_id)
    with pytest.raises(NotFound):
        recall(actor=system_actor(house.id), subject_id=subject_id, query="anything")
    with tenant_transaction(house.id):
        erasure = Erasure.objects.get()
        job = Job.objects.get(kind=carry_out_erasure.KIND)
    found = dict(erasure.found)
    assert jobs.run(house.id, job.pk, now=timezone.now() + timedelta(seconds=5))
    done = get_erasure(actor=system_actor(house.id), erasure_id=erasure.pk)
    assert (done.state, done.found) == ("done", found)
    assert places_of(mark.made, database_dump(str(connection.settings_dict["NAME"]))) == {}


def test_nothing_goes_while_the_ledger_cannot_be_written(
    house: House, settings: Settings, tmp_path: Path
) -> None:
    subject_id = subject_of(house)
    remember(actor=system_actor(house.id), subject_id=subject_id, content="Keeps bees", infer=False)
    blocked = tmp_path / "a file"
    blocked.write_text("not a folder")
    settings.ERASURE_LEDGER_DIR = blocked
    with pytest.raises(Unavailable):
        erase_subject(actor=system_actor(house.id), subject_id=subject_id, wait=True)
    assert counts(house, subject_id)["Memory"] == 1
    settings.ERASURE_LEDGER_DIR = tmp_path / "erasures"
    jobs.run_due(house.id, now=timezone.now() + timedelta(minutes=1))
    assert counts(house, subject_id)["Memory"] == 0


def test_what_was_begun_before_writes_nothing_after(house: House) -> None:
    """A writer inside its transaction is waited for; one that only begins is refused; the database refuses the rest."""
    subject_id = subject_of(house)
    holds, go_on = threading.Event(), threading.Event()
    outcome: list[str] = []

    def writer() -> None:
        with tenant_transaction(house.id):
            lock_subject(subject_id)
            now = timezone.now()
            Memory.objects.create(
                subject_id=subject_id,
                kind="fact",
                content="Late",
                fingerprint=b"f",
                said_at=now,
                created_at=now,
                updated_at=now,
            )
            holds.set()
            go_on.wait(20)
        outcome.append("committed")
        connection.close()

    thread = threading.Thread(target=writer)
    thread.start()
    assert holds.wait(20)
    eraser = threading.Thread(
        target=lambda: (
            erase_subject(actor=system_actor(house.id), subject_id=subject_id),
            connection.close(),
        )
    )
    eraser.start()
    eraser.join(0.5)
    assert eraser.is_alive(), "the erasure has to wait for the writer"
    go_on.set()
    thread.join(20)
    eraser.join(30)
    assert outcome == ["committed"]
    assert set(counts(house, subject_id).values()) == {0}
    with pytest.raises(NotFound), tenant_transaction(house.id):
        lock_subject(subject_id)
    now = timezone.now()
    with pytest.raises(IntegrityError), tenant_transaction(house.id), transaction.atomic():
        RecallTrace.objects.create(subject_id=subject_id, query="late", at=now)
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


def test_an_answer_that_is_being_streamed_is_not_stored(house: House) -> None:
    me = house.actor("user")
    assert me.subject_id is not None
    session = open_session(actor=me, subject_id=me.subject_id)
    posted = post_message(actor=me, session_id=session.pk, content="What do you know of bees?")
    frames: list[dict[str, Any]] = []

    async def publish(frame: dict[str, Any]) -> None:
        if not frames:
            from memoryhub.common.executor import run_in_services

            await run_in_services(erase_subject, actor=me, subject_id=me.subject_id)
        frames.append(frame)

    with pytest.raises(NotFound):
        async_to_sync(generate)(posted, actor=me, publish=publish)
    with tenant_transaction(house.id):
        assert Turn.objects.count() == 0


def test_what_others_have_with_an_agent_stays(house: House) -> None:
    admin = house.actor("admin", "rest")
    agent = ensure_subject(actor=admin, kind="agent", external_id="agent-Isolde").pk
    theirs = subject_of(house)
    session = open_session(actor=system_actor(house.id), subject_id=theirs, agent_id=agent)
    record_turn(
        actor=system_actor(house.id), session_id=session.pk, role="user", content="I keep bees in Ulm."
    )
    jobs.run_due(house.id, now=timezone.now() + timedelta(seconds=5))
    before = counts(house, theirs)
    assert before["Episode"] == 1
    erasure = erase_subject(actor=admin, subject_id=agent)
    assert erasure.state == "done"
    receipts.verify(erasure.receipt)
    receipts.check_erased(erasure.receipt)
    left_rows = {row["place"]: row["left"] for row in erasure.receipt["checked"] if row["left"]}
    assert left_rows == {row["place"]: row["rows"] for row in erasure.receipt["kept"]} == {"subjects": 1}
    assert counts(house, theirs) == before
    with tenant_transaction(house.id):
        left = Subject.objects.get(pk=agent)
    assert left.external_id == f"erased:{agent}"


def test_after_a_restore_the_ledger_brings_the_database_up_to_date(house: House, capsys: Any) -> None:
    subject_id = subject_of(house)
    actor = system_actor(house.id)
    remember(actor=actor, subject_id=subject_id, content="Keeps bees", infer=False)
    with tenant_transaction(house.id):
        subject = Subject.objects.get(pk=subject_id)
    erase_subject(actor=actor, subject_id=subject_id)
    newer = subject_of(house)  # Came back since: another subject, with a right to be remembered.
    with tenant_transaction(house.id):
        Subject.objects.filter(pk=newer).update(created_at=timezone.now() + timedelta(minutes=1))
    assert replay_erasures(actor=actor).due == []

    with tenant_transaction(house.id):  # The backup from before comes back.
        Erasure.objects.filter(pk__isnull=False).update(subject_ref=uuid.uuid4())
        Subject.objects.filter(pk=newer).update(external_id="renamed")
        subject.save(force_insert=True)
    remember(actor=actor, subject_id=subject_id, content="Keeps bees", infer=False)
    call_command("replay_erasures", "--tenant", "acme", "--dry-run")
    assert f"subject {subject_id} would be erased again" in capsys.readouterr().out
    call_command("replay_erasures")
    assert f"subject {subject_id} was erased again (entry 1)" in capsys.readouterr().out
    assert set(counts(house, subject_id).values()) == {0}
    with tenant_transaction(house.id):
        again = Erasure.objects.get(replayed=True)
        assert Subject.objects.filter(pk=newer).exists()
    assert (again.state, again.receipt["replayed_after_restore"], again.receipt["ledger_entry"]) == (
        "done",
        True,
        1,
    )
    receipts.verify(again.receipt)
    assert replay_erasures(actor=actor).due == []


def test_a_changed_ledger_is_noticed(house: House, ledger: Path) -> None:
    for name in ("one", "two"):
        erase_subject(actor=system_actor(house.id), subject_id=subject_of(house, name))
    path = ledger / f"{house.id}.jsonl"
    first, second = path.read_text().splitlines()
    path.write_text(second + "\n")
    with pytest.raises(CommandError, match="2 line"):
        call_command("replay_erasures")
    path.write_text(first.replace('"seq": 1', '"seq": 7') + "\n" + second + "\n")
    assert replay_erasures(actor=system_actor(house.id), dry_run=True).broken == [1]


@pytest.mark.parametrize("witness", ["receipts", "database"])
def test_a_ledger_whose_end_was_cut_off_is_noticed(
    house: House, ledger: Path, capsys: Any, witness: str
) -> None:
    for name in ("one", "two", "three"):
        erase_subject(actor=system_actor(house.id), subject_id=subject_of(house, name))
    path = ledger / f"{house.id}.jsonl"
    path.write_text(path.read_text().splitlines()[0] + "\n")
    if witness == "receipts":  # A backup from before came back.
        with tenant_transaction(house.id):
            Erasure.objects.filter(pk__isnull=False).update(ledger_seq=None)
    else:
        for kept in (ledger / str(house.id)).iterdir():
            kept.unlink()
    report = replay_erasures(actor=system_actor(house.id), dry_run=True)
    assert (report.broken, report.lost) == ([], [2, 3])
    with pytest.raises(CommandError, match="missing"):
        call_command("replay_erasures", "--dry-run")
    assert "entry 3 is missing" in capsys.readouterr().out
    erase_subject(actor=system_actor(house.id), subject_id=subject_of(house, "four"))
    assert replay_erasures(actor=system_actor(house.id), dry_run=True).lost == [2, 3]


def test_the_command_prints_a_receipt_that_holds(house: House, capsys: Any, tmp_path: Path) -> None:
    subject_of(house)
    call_command("erase", EXTERNAL, "--tenant", "acme")
    receipts.verify(json.loads(capsys.readouterr().out))
    with pytest.raises(CommandError, match="no such subject"):
        call_command("erase", EXTERNAL, "--tenant", "acme")
    with pytest.raises(CommandError, match="no tenant"):
        call_command("erase", EXTERNAL, "--tenant", "nobody")
    again = subject_of(house)
    call_command("erase", str(again), "--tenant", "acme", "--id", "--out", str(tmp_path / "r.json"))
    receipts.verify(receipts.parse((tmp_path / "r.json").read_text()))
