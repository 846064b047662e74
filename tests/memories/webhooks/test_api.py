"""Webhooks over REST: made with the secret shown once, changed, rotated, tested, read and replayed by admins alone."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from django.test import Client

from accounts.models import AuditEntry
from memories.models import Webhook, WebhookDelivery
from memories.ports import FixedClock
from memoryhub.common.db import tenant_transaction
from tests.memories.services.helpers import keep
from tests.memories.webhooks.conftest import rounds
from tests.support.people import House
from tests.support.receiver import Receiver

pytestmark = pytest.mark.django_db

URL = "/api/v1/webhooks/"


@pytest.fixture
def program(acme: House) -> Client:
    """acme's own program, with a key of scope admin."""
    return acme.api("admin")


def ask(client: Client, verb: str, path: str = "", body: Any = None, **headers: str) -> Any:
    return client.generic(verb, URL + path, json.dumps(body or {}), "application/json", headers=headers)


def test_from_a_first_endpoint_to_a_replayed_dead_letter(
    acme: House, program: Client, post_box: Receiver, clock: FixedClock, settings: Any
) -> None:
    settings.WEBHOOK_ATTEMPTS = 2
    made = ask(program, "POST", body={"url": post_box.url, "events": ["memory.stored"], "name": "mirror"})
    assert made.status_code == 201
    assert made["Cache-Control"] == "no-store"
    secret, path = made.json()["secret"], made.json()["id"] + "/"
    assert secret.startswith("whsec_")
    assert "secret" not in ask(program, "GET", path).json()
    assert [one["id"] for one in ask(program, "GET").json()["results"]] == [made.json()["id"]]

    assert ask(program, "POST", path + "test/").status_code == 202
    rounds(acme, clock)
    assert post_box.taken[0].signed_by(secret)

    post_box.answer = lambda data: 400
    keep(acme.actor("user"), acme.subjects["user"], "The spare key lies under the blue pot.")
    rounds(acme, clock, 2)
    [dead] = ask(program, "GET", path + "deliveries/?state=dead").json()["results"]
    assert (dead["event"], dead["attempts"], dead["status"]) == ("memory.stored", 2, 400)
    assert dead["error_code"] == "http_400"
    assert ask(program, "POST", path + "replay/", {"deliveries": [str(uuid.uuid4())]}).json() == {
        "replayed": 0
    }
    assert ask(program, "POST", path + "replay/", {"deliveries": [dead["id"]]}).json() == {"replayed": 1}
    post_box.answer = lambda data: 200
    rounds(acme, clock)
    assert post_box.taken[-1].data["id"] == dead["id"]

    rotated = ask(program, "POST", path + "rotate/", {"overlap_seconds": 0}).json()
    ask(program, "POST", path + "test/")
    rounds(acme, clock)
    assert post_box.taken[-1].signed_by(rotated["secret"])
    assert not post_box.taken[-1].signed_by(secret)

    assert ask(program, "DELETE", path).status_code == 204
    assert ask(program, "GET", path).status_code == 404
    with tenant_transaction(acme.id):
        assert not WebhookDelivery.objects.exists()
        said = [change["action"] for entry in AuditEntry.objects.all() for change in entry.changes]
        everything = str([entry.changes for entry in AuditEntry.objects.all()])
    assert {
        "webhook.created",
        "webhook.tested",
        "webhook.replayed",
        "webhook.rotated",
        "webhook.deleted",
    } <= set(said)
    assert post_box.url not in everything
    assert secret not in everything


def test_a_change_knows_the_version_that_it_is_of(program: Client, post_box: Receiver) -> None:
    made = ask(program, "POST", body={"url": post_box.url})
    path = made.json()["id"] + "/"
    first = ask(program, "PATCH", path, {"events": ["subject.erased"]}, **{"If-Match": made["ETag"]})
    assert (first.status_code, first.json()["events"]) == (200, ["subject.erased"])
    late = ask(program, "PATCH", path, {"enabled": False}, **{"If-Match": made["ETag"]})
    assert late.status_code == 412
    off = ask(program, "PATCH", path, {"enabled": False})
    assert (off.json()["state"], off.json()["disabled_why"]) == ("disabled", "by_hand")
    assert ask(program, "POST", path + "test/").status_code == 409
    assert ask(program, "PATCH", path, {"enabled": True}).json()["state"] == "enabled"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "url"),
        ({"url": "http://example.org/"}, "url"),
        ({"url": "https://127.0.0.1/"}, "url"),
        ({"url": "https://[::ffff:169.254.169.254]/"}, "url"),
        ({"url": "https://localhost/"}, "url"),
        ({"url": "https://user:pass@example.org/"}, "url"),
        ({"url": "https://1.1.1.1/", "events": ["memory.burnt"]}, "events"),
        ({"url": "https://1.1.1.1/", "secret": "mine"}, "secret"),
        ({"url": "https://1.1.1.1/", "with_content": True}, "with_content"),
        ({"url": "https://1.1.1.1/", "name": "x" * 101}, "name"),
    ],
)
def test_what_is_not_usable_is_told_by_field_and_makes_nothing(
    acme: House, body: dict[str, Any], field: str
) -> None:
    # With the right to read, so that content is refused for the policy's sake.
    answer = ask(acme.api("admin", "read"), "POST", body=body)
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"
    assert any(one["field"].startswith(field) for one in answer.json()["errors"])
    with tenant_transaction(acme.id):
        assert not Webhook.objects.exists()


def test_a_repeated_post_makes_one_endpoint_and_shows_the_same_secret(
    acme: House, program: Client, post_box: Receiver
) -> None:
    answers = [
        ask(program, "POST", body={"url": post_box.url}, **{"Idempotency-Key": "k1"}) for _ in range(2)
    ]
    assert answers[0].json() == answers[1].json()
    with tenant_transaction(acme.id):
        assert Webhook.objects.count() == 1


def test_the_secret_is_sealed_where_it_is_stored(acme: House, program: Client, post_box: Receiver) -> None:
    from django.db import connection

    secret = ask(program, "POST", body={"url": post_box.url}).json()["secret"]
    with tenant_transaction(acme.id), connection.cursor() as cursor:
        cursor.execute("SELECT w::text, secret FROM memories_webhook w")
        [(row, sealed)] = cursor.fetchall()
    assert secret not in row
    assert secret.encode() not in bytes(sealed)


def test_another_tenants_key_finds_nothing(globex: House, program: Client, post_box: Receiver) -> None:
    made = ask(program, "POST", body={"url": post_box.url}).json()
    stranger = globex.api("read", "write", "admin")
    assert ask(stranger, "GET").json()["results"] == []
    for verb, path in (
        ("GET", ""),
        ("PATCH", ""),
        ("DELETE", ""),
        ("POST", "rotate/"),
        ("POST", "test/"),
        ("GET", "deliveries/"),
        ("POST", "replay/"),
    ):
        theirs = ask(stranger, verb, f"{made['id']}/{path}")
        nobodys = ask(stranger, verb, f"{uuid.uuid4()}/{path}")
        assert theirs.status_code == nobodys.status_code == 404
        assert {**theirs.json(), "instance": ""} == {**nobodys.json(), "instance": ""}


def test_only_admins_may(acme: House, post_box: Receiver) -> None:
    for client in (acme.api("read", "write"), acme.client("operator"), acme.client("user")):
        assert ask(client, "GET").status_code == 403
        assert ask(client, "POST", body={"url": post_box.url}).status_code == 403
