"""Confirmations of destructive calls: how long they live, whom they serve, and what becomes of them when things fail."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import redis

from accounts.actor import Actor
from accounts.authentication import actor_of_key
from memories.models import Memory
from memories.services.declare_constraint import declare_tenant_constraint
from memories.services.remember import remember
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import DomainError, Unavailable
from sessions_app.mcp import confirming, deleting
from sessions_app.mcp.tools import TOOLS
from tests.support.people import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def caller(acme: House) -> Actor:
    return replace(actor_of_key(acme.key()), door="mcp")


@pytest.fixture
def memory_id(acme: House, caller: Actor) -> str:
    [outcome] = remember(
        actor=caller, subject_id=acme.subjects["user"], content="我的工牌号是 K-4471", infer=False
    )
    return str(outcome.memory_id)


def delete(caller: Actor, memory_id: str, **more: Any) -> dict[str, Any]:
    return TOOLS["delete_memory"].call(caller, {"memory_id": memory_id, **more}).data


def refused(call: Callable[[], Any]) -> str:
    with pytest.raises(DomainError) as raised:
        call()
    assert raised.value.hint
    return raised.value.code


def status_of(house: House, memory_id: str) -> str:
    with tenant_transaction(house.id):
        return str(Memory.objects.get(pk=memory_id).status)


def test_it_lives_five_minutes(
    acme: House, caller: Actor, memory_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = delete(caller, memory_id)
    assert asked["expires_in_seconds"] == 300
    now = time.time()
    with monkeypatch.context() as later:
        later.setattr(time, "time", lambda: now + 301.5)
        token = asked["confirmation"]
        assert refused(lambda: delete(caller, memory_id, confirmation=token)) == "confirmation_expired"
    assert status_of(acme, memory_id) == "current"
    assert delete(caller, memory_id, confirmation=asked["confirmation"])["code"] == "forgotten"


@pytest.mark.parametrize("token", ["", "x", "a.b.c", "ImEi:1v:AAAA", "密", "\x00", "\ud800", "x" * 500])
def test_what_is_no_token_confirms_nothing(acme: House, caller: Actor, memory_id: str, token: str) -> None:
    assert refused(lambda: delete(caller, memory_id, confirmation=token)) in {
        "confirmation_invalid",
        "invalid",
    }
    assert status_of(acme, memory_id) == "current"


def test_another_tool_key_or_version_is_not_what_was_confirmed(
    acme: House, caller: Actor, memory_id: str
) -> None:
    token = delete(caller, memory_id)["confirmation"]
    everything = {"subject": str(acme.user_of("user").pk), "confirmation": token}
    assert refused(lambda: TOOLS["delete_all_memories"].call(caller, everything)) == "confirmation_invalid"
    other = replace(caller, id="another key")
    assert refused(lambda: delete(other, memory_id, confirmation=token)) == "confirmation_invalid"
    TOOLS["update_memory"].call(caller, {"memory_id": memory_id, "pinned": True})
    assert refused(lambda: delete(caller, memory_id, confirmation=token)) == "confirmation_outdated"
    assert status_of(acme, memory_id) == "current"


def test_a_token_says_nothing_of_what_it_is_for(caller: Actor, memory_id: str) -> None:
    token = delete(caller, memory_id)["confirmation"]
    for known in (memory_id, "4471", caller.id, str(caller.tenant_id)):
        assert known not in confirming.signing.b64_decode(token.split(":")[0].encode()).decode()


def test_what_failed_may_be_confirmed_again(
    acme: House, caller: Actor, memory_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = delete(caller, memory_id)["confirmation"]

    def fails(**_: Any) -> None:
        raise Unavailable("the database does not answer", hint="Try again.")

    with monkeypatch.context() as broken:
        broken.setattr(deleting, "forget", fails)
        assert refused(lambda: delete(caller, memory_id, confirmation=token)) == "unavailable"
    assert delete(caller, memory_id, confirmation=token)["code"] == "forgotten"
    assert refused(lambda: delete(caller, memory_id, confirmation=token)) == "confirmation_used"


def test_without_valkey_what_was_shown_still_binds(
    caller: Actor, memory_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    nobody = redis.Redis(host="127.0.0.1", port=1, socket_timeout=0.2, socket_connect_timeout=0.2)
    monkeypatch.setattr(confirming, "valkey", lambda: nobody)
    token = delete(caller, memory_id)["confirmation"]
    assert delete(caller, memory_id, confirmation=token)["code"] == "forgotten"
    assert refused(lambda: delete(caller, memory_id, confirmation=token)) == "confirmation_outdated"


def test_rules_of_the_tenant_are_nobodys_memories_to_delete(acme: House, caller: Actor) -> None:
    [rule] = declare_tenant_constraint(actor=acme.actor("admin", "admin"), key="tables", content="No tables.")
    assert refused(lambda: delete(caller, str(rule.memory_id))) == "permission_denied"
