"""The API's edges: keys and sessions in, capabilities, rate limits, and errors out as problem+json without content."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import pytest
import redis
from django.db import connections
from django.test import Client, override_settings
from django.urls import path
from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.actor import Actor, system_actor
from accounts.api import throttling
from accounts.authentication import actor_of_key
from accounts.models import ApiKey
from accounts.permissions import Capability
from accounts.services import (
    create_api_key,
    deactivate_member,
    revoke_api_key,
    rotate_api_key,
    suspend_tenant,
)
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict, Invalid, NotFound, PermissionDenied
from tests.support.people import House


class Body(serializers.Serializer):
    kind = serializers.ChoiceField(["fact"])
    tags = serializers.ListField(child=serializers.IntegerField(), required=False)


class Probe(APIView):
    """Answers with who asked; POST validates; DELETE is declared for nobody; each `raise` raises."""

    required_capabilities = {
        "GET": (Capability.OWN_MEMORY_READ, Capability.MEMORY_READ),
        "POST": Capability.OWN_MEMORY_WRITE,
        "PATCH": Capability.ERASE,
    }

    def get(self, request: Request) -> Response:
        errors: dict[str, Exception] = {
            "not_found": NotFound("no such thing", hint="Look elsewhere."),
            "conflict": Conflict("changed"),
            "crash": RuntimeError("the secret is 42"),
        }
        if request.GET.get("raise"):
            raise errors[request.GET["raise"]]
        actor: Actor = request.auth
        return Response(
            {"kind": actor.kind, "tenant": actor.tenant_id, "subject": actor.subject_id, "door": actor.door}
        )

    def post(self, request: Request) -> Response:
        Body(data=request.data).is_valid(raise_exception=True)
        return Response({}, status=201)

    def patch(self, request: Request) -> Response:
        return Response({})

    def delete(self, request: Request) -> Response:
        return Response({})


urlpatterns = [path("api/v1/probe/", Probe.as_view())]
handler404 = "memoryhub.common.problems.not_found"
handler500 = "memoryhub.common.problems.server_error"

URL = "/api/v1/probe/"
pytestmark = [pytest.mark.django_db, pytest.mark.urls(__name__)]


def problem(answer: Any, status: int, code: str) -> dict[str, Any]:
    assert answer.status_code == status, answer.content
    assert answer["Content-Type"] == "application/problem+json"
    body: dict[str, Any] = answer.json()
    assert set(body) == {"type", "title", "status", "code", "detail", "hint", "errors"}
    assert (body["status"], body["code"]) == (status, code)
    return body


def with_key(key: str, scheme: str = "Bearer") -> Client:
    return Client(headers={"authorization": f"{scheme} {key}"})


@pytest.mark.parametrize("scheme", ["Bearer", "Token", "bearer"])
def test_a_key_is_let_in(acme: House, scheme: str) -> None:
    answer = with_key(acme.key("read"), scheme).get(URL)
    assert answer.json() == {"kind": "api_key", "tenant": str(acme.id), "subject": None, "door": "rest"}


@pytest.mark.parametrize(
    "spoil", ["wrong secret", "unknown", "nonsense", "expired", "revoked", "suspended", "basic"]
)
def test_a_bad_key_is_refused_the_same_way(acme: House, spoil: str) -> None:
    key, plain = create_api_key(actor=acme.actor("admin"), name="k", scopes=["read"])
    client = with_key(plain)
    if spoil == "wrong secret":
        client = with_key(plain[:-1] + ("a" if plain[-1] != "a" else "b"))
    elif spoil == "unknown":
        client = with_key("mh_unknown00000_secret")
    elif spoil == "nonsense":
        client = with_key("密钥")
    elif spoil == "expired":
        with tenant_transaction(acme.id):
            ApiKey.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    elif spoil == "revoked":
        revoke_api_key(actor=acme.actor("admin"), key_id=key.pk)
    elif spoil == "suspended":
        suspend_tenant(actor=system_actor(acme.id))
    else:
        client = with_key("dXNlcjpwYXNz", "Basic")
    answer = client.get(URL)
    problem(answer, 401, "authentication_failed")
    assert answer["WWW-Authenticate"].startswith("Bearer")


def test_without_credentials_they_are_asked_for(db: None) -> None:
    answer = Client().get(URL)
    problem(answer, 401, "not_authenticated")
    assert answer["WWW-Authenticate"].startswith("Bearer")


def test_a_key_is_stored_as_a_hash_and_its_use_is_noted_once_a_minute(acme: House) -> None:
    plain = acme.key("read")
    with_key(plain).get(URL)
    with tenant_transaction(acme.id):
        row = ApiKey.objects.values().get()
        assert plain.split("_")[2] not in str(row)
        first = row["last_used_at"]
        assert first is not None
    with_key(plain).get(URL)
    with tenant_transaction(acme.id):
        assert ApiKey.objects.get().last_used_at == first
        ApiKey.objects.update(last_used_at=timezone.now() - timedelta(minutes=2))
    with_key(plain).get(URL)
    with tenant_transaction(acme.id):
        assert ApiKey.objects.get().last_used_at >= first


def test_scopes_and_a_bound_subject_limit_the_key(acme: House) -> None:
    problem(
        with_key(acme.key("read")).post(URL, {"kind": "fact"}, "application/json"), 403, "permission_denied"
    )
    assert with_key(acme.key("write")).post(URL, {"kind": "fact"}, "application/json").status_code == 201
    bound = actor_of_key(acme.key("read", "write", subject="user"))
    assert bound.subject_id == acme.subjects["user"]
    assert not bound.capabilities & {Capability.MEMORY_READ, Capability.MEMORY_WRITE}
    bound.require_subject(acme.subjects["user"], write=True)
    with pytest.raises(NotFound):
        bound.require_subject(acme.subjects["other"], write=False)


def test_a_method_that_names_no_capability_is_denied(acme: House) -> None:
    client = with_key(acme.key("read", "write", "admin"))
    assert client.patch(URL).status_code == 200
    problem(client.delete(URL), 403, "permission_denied")
    assert client.head(URL).status_code == 200


def test_a_signed_in_member_may_read_and_needs_the_csrf_token_to_write(acme: House) -> None:
    assert acme.client("user").get(URL).json()["subject"] == str(acme.subjects["user"])
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = acme.client("user").cookies
    assert strict.get(URL).status_code == 200
    problem(strict.post(URL, {"kind": "fact"}, "application/json"), 403, "permission_denied")


def test_a_deactivated_member_is_nobody_at_once(acme: House) -> None:
    client = acme.client("user")
    assert client.get(URL).status_code == 200
    deactivate_member(actor=acme.actor("admin"), user_id=acme.user_of("user").pk)
    problem(client.get(URL), 401, "not_authenticated")


def test_a_rotated_key_overlaps_with_the_old_one(acme: House) -> None:
    old, plain = create_api_key(actor=acme.actor("admin"), name="k", scopes=["read"])
    new, newer = rotate_api_key(actor=acme.actor("admin"), key_id=old.pk, overlap=timedelta(hours=1))
    assert with_key(plain).get(URL).status_code == with_key(newer).get(URL).status_code == 200
    with tenant_transaction(acme.id):
        old.refresh_from_db()
        assert timedelta(minutes=59) < old.expires_at - timezone.now() <= timedelta(hours=1)
    revoke_api_key(actor=acme.actor("admin"), key_id=old.pk)
    assert with_key(plain).get(URL).status_code == 401
    assert new.scopes == ["read"]
    with pytest.raises(Conflict):
        rotate_api_key(actor=acme.actor("admin"), key_id=old.pk)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": ""}, "name"),
        ({"scopes": []}, "scopes"),
        ({"scopes": ["root"]}, "scopes"),
        ({"expires_at": timezone.now() - timedelta(days=1)}, "expires_at"),
    ],
)
def test_a_key_with_bad_properties_is_not_made(acme: House, change: dict[str, Any], field: str) -> None:
    with pytest.raises(Invalid) as refused:
        create_api_key(actor=acme.actor("admin"), **{"name": "k", "scopes": ["read"], **change})
    assert field in refused.value.fields


def test_keys_are_the_admins_business_and_bound_to_own_subjects(acme: House, globex: House) -> None:
    with pytest.raises(PermissionDenied):
        create_api_key(actor=acme.actor("operator"), name="k")
    with pytest.raises(NotFound):
        create_api_key(actor=acme.actor("admin"), name="k", subject_id=globex.subjects["user"])
    with pytest.raises(Invalid):
        create_api_key(
            actor=acme.actor("admin"), name="k", scopes=["admin"], subject_id=acme.subjects["user"]
        )


def test_domain_errors_are_problems(acme: House) -> None:
    client = with_key(acme.key("read"))
    body = problem(client.get(URL + "?raise=not_found"), 404, "not_found")
    assert (body["detail"], body["hint"]) == ("no such thing", "Look elsewhere.")
    problem(client.get(URL + "?raise=conflict"), 409, "conflict")


def test_invalid_fields_are_named_without_repeating_what_was_sent(acme: House) -> None:
    client = with_key(acme.key("write"))
    sent = {"kind": 'my "private" words', "tags": [1, "x"]}
    answer = client.post(URL, sent, "application/json")
    body = problem(answer, 400, "invalid")
    assert {(error["field"], error["code"]) for error in body["errors"]} == {
        ("kind", "invalid_choice"),
        ("tags.1", "invalid"),
    }
    assert "private" not in answer.content.decode()
    problem(client.post(URL, "{broken", "application/json"), 400, "invalid")


def test_what_nobody_expected_is_a_problem_without_its_message(acme: House) -> None:
    client = with_key(acme.key("read"))
    client.raise_request_exception = False
    answer = client.get(URL + "?raise=crash")
    problem(answer, 500, "internal")
    assert "42" not in answer.content.decode()
    problem(client.get("/api/v1/nowhere/"), 404, "not_found")


def test_a_key_that_asks_too_much_is_told_when_to_come_back(acme: House) -> None:
    client = with_key(acme.key("read"))
    with override_settings(API_REQUESTS_PER_MINUTE=3):
        answers = [client.get(URL) for _ in range(8)]
    # The window may turn once in between, so that at most six of eight pass.
    refused = [answer for answer in answers if answer.status_code == 429]
    assert len(refused) >= 2
    problem(refused[-1], 429, "rate_limited")
    assert 1 <= int(refused[-1]["Retry-After"]) <= 60
    assert refused[-1]["RateLimit-Limit"] == "3"
    assert refused[-1]["RateLimit-Remaining"] == "0"
    assert answers[0]["RateLimit-Remaining"] in {"2", "1", "0"}


def test_a_tenants_keys_share_its_limit_and_another_tenant_is_not_touched(acme: House, globex: House) -> None:
    clients = [with_key(acme.key("read")) for _ in range(4)]
    with override_settings(API_TENANT_REQUESTS_PER_MINUTE=2):
        statuses = [client.get(URL).status_code for client in clients * 2]
        assert statuses.count(429) >= 4
        assert with_key(globex.key("read")).get(URL).status_code == 200


def test_when_valkey_is_down_requests_pass_and_are_counted(
    acme: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = redis.Redis(host="127.0.0.1", port=1, socket_connect_timeout=0.1)
    monkeypatch.setattr(throttling, "valkey", lambda: nowhere)
    before = throttling.THROTTLE_OPEN._value.get()
    assert with_key(acme.key("read")).get(URL).status_code == 200
    assert throttling.THROTTLE_OPEN._value.get() == before + 1


@pytest.mark.django_db(transaction=True)
def test_parallel_requests_cannot_slip_past_the_limit(acme: House, settings: Any) -> None:
    settings.API_REQUESTS_PER_MINUTE = 5
    plain = acme.key("read")
    statuses: list[int] = []

    def call() -> None:
        statuses.append(with_key(plain).get(URL).status_code)
        connections.close_all()

    threads = [threading.Thread(target=call) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # Two windows at most.
    assert 5 <= statuses.count(200) <= 10
    assert statuses.count(429) == 20 - statuses.count(200)
