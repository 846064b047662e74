"""Delivery over real sockets: order a subject, attempts, dead letters, signatures, and a worker that is killed."""

from __future__ import annotations

import os
import signal
import threading
import uuid
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from accounts.services.ensure_subject import ensure_subject
from memories.adapters import factory
from memories.models import Memory, Webhook, WebhookDelivery
from memories.ports import FixedClock, SystemClock
from memories.services.forget import forget
from memories.services.webhooks.bell import ring
from memories.services.webhooks.deliver import deliver
from memories.services.webhooks.rotate_secret import rotate_webhook_secret
from memories.services.webhooks.send_again import replay_dead, send_test
from memoryhub.common.db import tenant_transaction
from tests.memories.services.helpers import keep
from tests.memories.webhooks.conftest import rounds
from tests.support.people import House
from tests.support.receiver import Message, Receiver
from tests.support.worker import worker

pytestmark = pytest.mark.django_db(transaction=True)


def subjects(house: House, number: int) -> list[uuid.UUID]:
    admin = house.actor("admin", "rest")
    made = [ensure_subject(actor=admin, kind="user", external_id=f"person {at}") for at in range(number)]
    return [one.pk for one in made]


def remember_in_turn(house: House, people: list[uuid.UUID], times: int, first: int = 0) -> None:
    """Each of them so many memories, one person after the other."""
    for at in range(first, first + times):
        for person in people:
            keep(house.actor("admin", "rest"), person, f"The spare key number {at} lies under pot {at}.")


def versions_by_subject(messages: list[Message]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for one in messages:
        found[one.data["data"]["subject"]["id"]].append(one.data["sequence"])
    return found


def outbox(house: House, **where: Any) -> list[WebhookDelivery]:
    with tenant_transaction(house.id):
        return list(WebhookDelivery.objects.filter(**where).order_by("seq"))


def test_a_receiver_that_was_down_for_thirty_attempts_gets_everything_in_order(
    acme: House, hook: tuple[Webhook, str], post_box: Receiver, clock: FixedClock
) -> None:
    _, secret = hook
    people = subjects(acme, 3)
    remember_in_turn(acme, people, 2)
    post_box.answer = lambda data: 503
    assert rounds(acme, clock, 30) == 30
    # What is remembered meanwhile waits, too.
    remember_in_turn(acme, people, 1, first=2)
    assert post_box.taken == []
    assert len(outbox(acme, state="pending")) == 9
    post_box.answer = lambda data: 200
    rounds(acme, clock)
    taken = post_box.taken
    assert [one.state for one in outbox(acme)] == ["delivered"] * 9
    assert {one.headers["webhook-id"] for one in taken} == {str(one.pk) for one in outbox(acme)}
    by_subject = versions_by_subject(taken)
    assert by_subject.keys() == set(map(str, people))
    assert all(found == sorted(found) and len(found) == 3 for found in by_subject.values())
    assert all(one.signed_by(secret) for one in post_box.messages)


def test_a_forged_message_does_not_verify(
    acme: House, hook: tuple[Webhook, str], post_box: Receiver, clock: FixedClock
) -> None:
    webhook, secret = hook
    send_test(actor=acme.actor("admin", "rest"), webhook_id=webhook.pk)
    rounds(acme, clock)
    [message] = post_box.taken
    assert message.data["type"] == "webhook.test"
    assert message.signed_by(secret)
    other = "whsec_" + "A" * 43 + "="
    assert not message.signed_by(other)
    assert not message.signed_by(secret, body=message.body.replace(b"webhook.test", b"memory.store"))
    assert not message.signed_by(secret, message_id=str(uuid.uuid4()))
    assert not message.signed_by(secret, timestamp=str(int(message.headers["webhook-timestamp"]) + 1))
    # A genuine one, sent again later by somebody who overheard it.
    late = int(message.headers["webhook-timestamp"]) + timedelta(minutes=6).total_seconds()
    assert not message.signed_by(secret, now=late)


def test_after_a_rotation_both_secrets_sign_until_the_overlap_ends(
    acme: House, hook: tuple[Webhook, str], post_box: Receiver, clock: FixedClock
) -> None:
    webhook, old = hook
    admin = acme.actor("admin", "rest")
    _, new = rotate_webhook_secret(actor=admin, webhook_id=webhook.pk, overlap=timedelta(hours=1))
    for _ in range(2):
        send_test(actor=admin, webhook_id=webhook.pk)
        rounds(acme, clock)
    during, after = post_box.taken
    assert during.signed_by(old)
    assert during.signed_by(new)
    assert after.signed_by(new)
    assert not after.signed_by(old)


def test_a_later_event_waits_for_the_earlier_of_its_subject_and_nobody_else_does(
    acme: House, hook: tuple[Webhook, str], post_box: Receiver, clock: FixedClock
) -> None:
    poisoned, well = subjects(acme, 2)
    remember_in_turn(acme, [poisoned, well], 2)
    refused = str(outbox(acme, subject_ref=poisoned)[0].pk)
    post_box.answer = lambda data: 422 if data["id"] == refused else 200
    assert rounds(acme, clock) == 3
    assert {one.data["data"]["subject"]["id"] for one in post_box.taken} == {str(well)}
    post_box.answer = lambda data: 200
    rounds(acme, clock)
    assert [one.state for one in outbox(acme)] == ["delivered"] * 4
    theirs = [one for one in post_box.taken if one.data["data"]["subject"]["id"] == str(poisoned)]
    assert theirs[0].data["id"] == refused


def test_after_the_last_attempt_it_is_a_dead_letter_that_can_be_replayed(
    acme: House, hook: tuple[Webhook, str], post_box: Receiver, clock: FixedClock, settings: Any
) -> None:
    settings.WEBHOOK_ATTEMPTS = 3
    webhook, _ = hook
    [person] = subjects(acme, 1)
    remember_in_turn(acme, [person], 2)
    first, second = (str(one.pk) for one in outbox(acme))
    post_box.answer = lambda data: 400 if data["id"] == first else 200
    rounds(acme, clock, 3)
    # What comes after a dead letter goes on.
    assert [one.state for one in outbox(acme)] == ["dead", "delivered"]
    post_box.answer = lambda data: 200
    assert rounds(acme, clock) == 0
    assert replay_dead(actor=acme.actor("admin", "rest"), webhook_id=webhook.pk) == 1
    rounds(acme, clock)
    assert [one.data["id"] for one in post_box.taken] == [second, first]
    assert replay_dead(actor=acme.actor("admin", "rest"), webhook_id=webhook.pk) == 0


def test_an_endpoint_that_says_it_is_gone_is_not_asked_again(
    acme: House, hook: tuple[Webhook, str], post_box: Receiver, clock: FixedClock
) -> None:
    remember_in_turn(acme, subjects(acme, 2), 1)
    post_box.answer = lambda data: 410
    assert rounds(acme, clock, 3) == 1
    with tenant_transaction(acme.id):
        found = Webhook.objects.get(pk=hook[0].pk)
    assert (found.state, found.disabled_why) == ("disabled", "gone")


def test_a_redirect_is_not_followed(
    acme: House, hook: tuple[Webhook, str], post_box: Receiver, clock: FixedClock
) -> None:
    post_box.answer = lambda data: 302
    post_box.headers = {"location": post_box.url + "/elsewhere"}
    send_test(actor=acme.actor("admin", "rest"), webhook_id=hook[0].pk)
    rounds(acme, clock)
    assert len(post_box.messages) == 1
    assert [one.error_code for one in outbox(acme)] == ["http_302"]


def test_no_transaction_is_open_while_a_receiver_thinks_and_another_worker_does_not_send_it_too(
    acme: House, hook: tuple[Webhook, str], post_box: Receiver, clock: FixedClock
) -> None:
    from tests.conftest import owner_connection

    seen: list[tuple[Any, ...]] = []
    twice: list[int] = []

    def look() -> None:
        with owner_connection() as owner:
            seen.extend(
                owner.execute(
                    "SELECT state FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() "
                    "AND xact_start IS NOT NULL AND backend_type = 'client backend'"
                ).fetchall()
            )

    def second() -> None:
        from django.db import connections

        twice.append(deliver(acme.id))
        connections.close_all()

    def meanwhile() -> None:
        look()
        other = threading.Thread(target=second)
        other.start()
        other.join()

    post_box.before = meanwhile
    send_test(actor=acme.actor("admin", "rest"), webhook_id=hook[0].pk)
    assert deliver(acme.id) == 1
    assert seen == []
    assert twice == [0]
    assert len(post_box.taken) == 1


def test_a_slow_endpoint_does_not_keep_another_waiting(
    acme: House, hook: tuple[Webhook, str], post_box: Receiver, clock: FixedClock
) -> None:
    """The slow one answers only after the other has everything."""
    from memories.services.webhooks.create_webhook import create_webhook
    from tests.support.receiver import receiver

    with receiver() as quick:
        create_webhook(actor=acme.actor("admin", "rest"), url=quick.url)
        done = threading.Event()

        def note(data: dict[str, Any]) -> int:
            if len(quick.messages) == 3:
                done.set()
            return 200

        quick.answer = note
        post_box.before = lambda: None if done.wait(8) else pytest.fail("the other one waited")
        remember_in_turn(acme, subjects(acme, 2), 2)
        deliver(acme.id)
        assert done.is_set()
        assert len(quick.taken) == 4


def test_a_worker_killed_in_the_middle_of_a_delivery_loses_nothing(
    acme: House, hook: tuple[Webhook, str], post_box: Receiver, tmp_path: Path
) -> None:
    """A real worker, killed with SIGKILL while the receiver has its message and has not answered."""
    came, go_on = threading.Event(), threading.Event()

    def hold() -> None:
        came.set()
        go_on.wait(60)

    post_box.before = hold
    allowed = {"WEBHOOK_PRIVATE_ADDRESSES": "1", "WEBHOOK_PLAIN_HTTP": "1", "WEBHOOK_SECONDS": "60"}
    now = FixedClock(datetime.now(UTC))
    with factory.override(clock=SystemClock()):
        remember_in_turn(acme, subjects(acme, 2), 3)
        with worker(tmp_path / "worker.log", **allowed) as process:
            assert ring(acme.id)
            assert came.wait(90), (tmp_path / "worker.log").read_text()[-2000:]
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
    go_on.set()
    assert [one.state for one in outbox(acme)] == ["pending"] * 6
    with factory.override(clock=now):
        # Its lease holds others off for a while, and no longer.
        assert deliver(acme.id) == 0
        now.advance(minutes=5)
        rounds(acme, now)
    assert [one.state for one in outbox(acme)] == ["delivered"] * 6
    assert {one.data["id"] for one in post_box.taken} == {str(one.pk) for one in outbox(acme)}
    assert all(found == sorted(found) for found in versions_by_subject(post_box.taken[1:]).values())


def test_a_change_rings_a_real_worker(
    acme: House, hook: tuple[Webhook, str], post_box: Receiver, tmp_path: Path
) -> None:
    came = threading.Event()
    post_box.before = came.set
    allowed = {"WEBHOOK_PRIVATE_ADDRESSES": "1", "WEBHOOK_PLAIN_HTTP": "1"}
    [person] = subjects(acme, 1)
    with factory.override(clock=SystemClock()), worker(tmp_path / "worker.log", **allowed):
        remember_in_turn(acme, [person], 1)
        assert came.wait(90), (tmp_path / "worker.log").read_text()[-2000:]
    assert post_box.messages[0].data["type"] == "memory.stored"


def test_what_is_rolled_back_was_never_told(acme: House, hook: tuple[Webhook, str]) -> None:
    [person] = subjects(acme, 1)
    admin = acme.actor("admin", "rest")
    kept = keep(admin, person, "The spare key lies under the blue pot.")
    assert kept.memory_id is not None
    before = len(outbox(acme))
    with pytest.raises(ZeroDivisionError), tenant_transaction(acme.id):
        forget(actor=admin, memory_id=kept.memory_id)
        assert WebhookDelivery.objects.count() == before + 1
        raise ZeroDivisionError
    assert len(outbox(acme)) == before
    with tenant_transaction(acme.id):
        assert Memory.objects.get(pk=kept.memory_id).status == "current"
