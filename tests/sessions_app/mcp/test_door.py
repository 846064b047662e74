"""The edge of /mcp in this process: hosts, origins, limits and sizes, before and around the protocol."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from django.test import Client as Browser
from django.utils import timezone
from prometheus_client import REGISTRY

from accounts.api import throttling
from accounts.models import ApiKey
from memoryhub.asgi import application
from memoryhub.common.db import tenant_transaction
from memoryhub.common.executor import run_in_services
from memoryhub.common.valkey import valkey
from sessions_app.mcp import door
from sessions_app.mcp.tools import TOOLS
from tests.support.people import House

pytestmark = pytest.mark.django_db(transaction=True)
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
ACCEPT = {"Accept": "application/json, text/event-stream"}


@asynccontextmanager
async def serving(key: str = "", *, host: str = "localhost") -> AsyncIterator[httpx.AsyncClient]:
    """A plain HTTP client at the open door."""
    headers = ACCEPT | ({"Authorization": f"Bearer {key}"} if key else {})
    async with (
        door.running(),
        httpx.AsyncClient(
            transport=httpx.ASGITransport(application), base_url=f"http://{host}", headers=headers
        ) as http,
    ):
        yield http


def call(name: str, **arguments: Any) -> dict[str, Any]:
    params = {"name": name, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


def problem(answer: httpx.Response) -> dict[str, Any]:
    """The problem in a JSON-RPC error; its message says the same."""
    told = answer.json()["error"]
    assert told["data"]["status"] == answer.status_code
    assert told["message"].startswith(told["data"]["detail"])
    data: dict[str, Any] = told["data"]
    return data


async def test_only_hosts_and_origins_of_ours_are_served(key: str, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["memory.example.org", ".example.net"]
    settings.CSRF_TRUSTED_ORIGINS = ["https://tools.example.com"]
    async with serving(key) as http:
        for host, origin, status in (
            ("memory.example.org", None, 200),
            ("memory.example.org:8443", None, 200),
            ("a.example.net", None, 200),
            ("evil.example", None, 421),
            ("memory.example.org.evil.example", None, 421),
            ("", None, 421),
            ("memory.example.org", "https://memory.example.org", 200),
            ("memory.example.org", "https://tools.example.com", 200),
            ("memory.example.org", "https://evil.example", 403),
            ("memory.example.org", "null", 403),
            ("memory.example.org", "https://[", 403),
        ):
            headers = {"Host": host} | ({"Origin": origin} if origin else {})
            answer = await http.post("/mcp", json=LIST, headers=headers)
            assert answer.status_code == status, (host, origin)
            assert not [name for name in answer.headers if name.startswith("access-control-")]
            assert answer.headers["cache-control"] == "no-store"
            if status != 200:
                problem(answer)


async def test_only_posts_are_served(key: str) -> None:
    async with serving(key) as http:
        for method in ("GET", "DELETE", "OPTIONS", "PUT"):
            answer = await http.request(method, "/mcp")
            assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
        assert (await http.post("/mcp/", json=LIST)).status_code == 200
        assert (await http.post("/mcpx", json=LIST)).status_code == 404


async def test_behind_tls_a_key_in_the_clear_is_refused(key: str, settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    async with serving(key) as http:
        assert problem(await http.post("/mcp", json=LIST))["code"] == "permission_denied"
        forwarded = await http.post("/mcp", json=LIST, headers={"X-Forwarded-Proto": "https"})
        assert forwarded.status_code == 200
        plain = await http.post("/mcp", json=LIST, headers={"X-Forwarded-Proto": "http"})
        assert plain.status_code == 403


async def test_a_body_is_bounded_and_must_be_one_call(key: str, settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 50_000

    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(60):
            yield b" " * 1_000

    json_type = {"Content-Type": "application/json"}
    async with serving(key) as http:
        big = call("add_memory", subject="ada", content="x" * 60_000)
        assert (await http.post("/mcp", json=big)).status_code == 413
        assert (await http.post("/mcp", content=pieces(), headers=json_type)).status_code == 413
        for body in (b"", b"{", b"[" * 40_000, b'"\xff"', b'{"a": "\\ud800"}', b"[]", b"null"):
            answer = await http.post("/mcp", content=body, headers=json_type)
            assert answer.status_code == 400, body[:20]
            assert "jsonrpc" in answer.json()
        assert (await http.post("/mcp", json=[LIST, LIST])).status_code == 400
        assert (await http.post("/mcp", data={"a": "b"})).status_code == 400


def _refill() -> None:
    for name in valkey().scan_iter("memoryhub:rate:*"):
        valkey().delete(name)


async def test_a_limit_is_told_and_shared_with_rest(
    key: str, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.API_REQUESTS_PER_MINUTE = 3
    # Within one minute, whatever the clock says.
    now = time.time() // 60 * 60 + 20
    monkeypatch.setattr(throttling, "time", SimpleNamespace(time=lambda: now))
    _refill()
    async with serving(key) as http:
        rest = await http.get("/api/v1/memories/")
        assert (rest.status_code, rest.headers["ratelimit-remaining"]) == (400, "2")
        first = await http.post("/mcp", json=LIST)
        assert (first.headers["ratelimit-limit"], first.headers["ratelimit-remaining"]) == ("3", "1")
        await http.post("/mcp", json=LIST)
        late = await http.post("/mcp", json=LIST)
        assert problem(late)["code"] == "rate_limited"
        assert late.headers["retry-after"] == late.headers["ratelimit-reset"] == "40"
        assert late.headers["retry-after"] in late.json()["error"]["message"]


async def test_a_revoked_key_is_refused_at_once(key: str, acme: House) -> None:
    async with serving(key) as http:
        assert (await http.post("/mcp", json=LIST)).status_code == 200
        await run_in_services(_revoke_all, acme)
        assert (await http.post("/mcp", json=LIST)).status_code == 401


def _revoke_all(house: House) -> None:
    with tenant_transaction(house.id):
        ApiKey.objects.update(revoked_at=timezone.now())


async def test_a_closed_door_says_so(key: str) -> None:
    transport = httpx.ASGITransport(application)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as http:
        answer = await http.post("/mcp", json=LIST, headers={"Authorization": f"Bearer {key}"})
    assert (problem(answer)["code"], answer.headers["retry-after"]) == ("unavailable", "5")


async def test_what_breaks_is_an_error_without_its_words(
    key: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def breaks(*_: Any) -> None:
        raise RuntimeError("her password is hunter2")

    monkeypatch.setitem(TOOLS, "get_memory", replace(TOOLS["get_memory"], run=breaks))
    before = _calls("get_memory", "internal"), _calls("unknown", "invalid")
    with caplog.at_level(logging.DEBUG):
        async with serving(key) as http:
            asked = call("get_memory", memory_id="01a23001-49da-70d3-871f-1cc395aa930c")
            answer = (await http.post("/mcp", json=asked)).json()["result"]
            unknown = await http.post("/mcp", json=call("her password is hunter2"))
    assert answer["isError"] is True
    assert answer["structuredContent"]["error"]["code"] == "internal"
    assert "hunter2" not in str(answer)
    assert "hunter2" not in unknown.text
    assert not [one for one in caplog.records if "hunter2" in one.getMessage()]
    assert (_calls("get_memory", "internal"), _calls("unknown", "invalid")) == (before[0] + 1, before[1] + 1)


def _calls(tool: str, outcome: str) -> float:
    labels = {"tool": tool, "outcome": outcome}
    return REGISTRY.get_sample_value("memoryhub_mcp_calls_total", labels) or 0


def test_pages_and_rest_are_where_they_were(acme: House) -> None:
    assert Browser().get("/mcp").status_code == 404  # Django itself knows no such address.
    assert acme.api().get("/api/v1/memories/", {"subject": "nobody"}).status_code == 404
