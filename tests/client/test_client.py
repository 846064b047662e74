"""The client against a running server: every call, errors in words, and retries that write once."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from memories.models import Memory
from memoryhub.client import AsyncMemoryHub, MemoryHub, MemoryHubError, NotReached
from memoryhub.common.db import tenant_transaction
from tests.support.people import House, make_house

pytestmark = pytest.mark.django_db(transaction=True)


class Unreliable(httpx.BaseTransport):
    """A network in front of the real server that loses the first answers of each address, after the server gave them."""

    def __init__(self, lost: int, *, status: int = 0) -> None:
        self.lost, self.status, self.sent = lost, status, 0
        self._real = httpx.HTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = self._real.handle_request(request)
        self.sent += 1
        if self.sent > self.lost:
            return response
        response.read()
        if self.status:
            return httpx.Response(self.status, headers={"Retry-After": "7"}, json={})
        raise httpx.ReadError("lost", request=request)


def test_a_memory_s_life(hub: MemoryHub) -> None:
    [first] = hub.add("I live in Hangzhou.", tags=["home"], said_at=datetime(2026, 1, 1, tzinfo=UTC))[
        "results"
    ]
    assert first["code"] == "stored" and first["memory_id"]
    [second] = hub.add("I moved to Shanghai.")["results"]
    assert (second["code"], second["replaced_id"]) == ("superseded", first["memory_id"])
    assert "Shanghai" in hub.recall("Where do I live? Shanghai?", episodes=False)["items"][0]["text"]
    context = hub.context("Where do I live? Shanghai?", budget_tokens=1000)
    assert any("Shanghai" in one["content"] for one in context["messages"])
    memory = hub.get(str(second["memory_id"]))
    changed = hub.update(memory["id"], content="I live in Suzhou", version=memory["version"])
    assert (changed["content"], changed["version"]) == ("I live in Suzhou", memory["version"] + 1)
    with pytest.raises(MemoryHubError) as stale:
        hub.update(memory["id"], content="I live in Leeds", version=memory["version"])
    assert stale.value.status == 412
    assert [one["number"] for one in hub.versions(memory["id"])] == [1, 2]
    assert "Suzhou" in str(hub.profile())
    assert hub.contradictions() == []
    would = hub.forget("forget where I live", preview=True)
    assert would["preview"] and hub.get(memory["id"])["status"] == "current"
    hub.delete(memory["id"])
    assert list(hub.memories()) == []


def test_all_pages_come_one_after_the_other(hub: MemoryHub) -> None:
    for number in range(7):
        hub.add(f"Note {number} about the boat", infer=False)
    found = [one["content"] for one in hub.memories(limit=3)]
    assert found == [f"Note {number} about the boat" for number in reversed(range(7))]


def test_a_lost_answer_is_asked_for_again_and_nothing_is_written_twice(
    house: House, live_server: Any
) -> None:
    pauses: list[float] = []
    for lost, status in ((2, 0), (1, 503)):
        network = Unreliable(lost, status=status)
        with MemoryHub(
            live_server.url,
            house.key(),
            subject="alex",
            http=httpx.Client(transport=network),
            sleep=pauses.append,
        ) as client:
            assert (
                client.add(f"The oboe {lost} is in the attic", infer=False)["results"][0]["code"] == "stored"
            )
        assert network.sent == lost + 1
    assert pauses[-1] == 7 and 0.3 < pauses[0] < 0.7 < pauses[1] < 1.3
    with tenant_transaction(house.id):
        assert Memory.objects.count() == 2


def test_a_server_that_is_not_there(house: House, unused_tcp_port: int) -> None:
    client = MemoryHub(f"http://127.0.0.1:{unused_tcp_port}", "mh_a_b", sleep=lambda _: None)
    with client, pytest.raises(NotReached):
        client.recall("x", subject="alex")


@pytest.mark.parametrize(
    ("ask", "code", "field"),
    [
        (lambda hub: hub.add(""), "invalid", "content"),
        (lambda hub: hub.recall("x", k=1000), "invalid", "k"),
        (lambda hub: hub.recall("x", subject="nobody"), "not_found", None),
        (lambda hub: hub.get("01900000-0000-7000-8000-000000000000"), "memory_not_found", None),
    ],
)
def test_what_is_refused_says_why(hub: MemoryHub, ask: Any, code: str, field: str | None) -> None:
    with pytest.raises(MemoryHubError) as refused:
        ask(hub)
    assert refused.value.code == code and refused.value.hint
    assert field is None or field in refused.value.fields


def test_the_async_client_asks_the_same(house: House, live_server: Any) -> None:
    key = house.key()

    async def run() -> tuple[Any, list[Any], Any]:
        async with AsyncMemoryHub(live_server.url, key, subject="alex") as client:
            await client.add("I live in Leeds.")
            rows = [one async for one in client.memories()]
            return await client.recall("Leeds", episodes=False), rows, await client.contradictions()

    found, rows, open_ones = asyncio.run(run())
    assert "Leeds" in found["items"][0]["text"] and len(rows) == 1 and open_ones == []


def test_another_tenant_s_key_gets_nothing(hub: MemoryHub, live_server: Any) -> None:
    [one] = hub.add("The oboe is in the attic", infer=False)["results"]
    with MemoryHub(live_server.url, make_house("globex").key(), subject="alex@example.com") as stranger:
        with pytest.raises(MemoryHubError):
            stranger.get(str(one["memory_id"]))
        with pytest.raises(MemoryHubError):
            stranger.recall("oboe")


def test_it_needs_nothing_of_the_server() -> None:
    code = "import sys, memoryhub.client; print([m for m in ('django', 'accounts', 'memories', 'celery') if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
