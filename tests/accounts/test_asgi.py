"""The ASGI edge: start-up refuses unsafe settings, static files and pages answer, services run in a bounded pool."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from asgiref.testing import ApplicationCommunicator
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.test import Client

from memoryhub import asgi
from memoryhub.common import executor
from memoryhub.common.executor import run_in_services


def start_up() -> dict[str, Any]:
    async def talk() -> dict[str, Any]:
        server = ApplicationCommunicator(asgi.application, {"type": "lifespan", "asgi": {"version": "3.0"}})
        await server.send_input({"type": "lifespan.startup"})
        answer: dict[str, Any] = await server.receive_output(timeout=5)
        return answer

    return async_to_sync(talk)()


def test_the_server_starts_when_the_checks_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asgi, "assert_safe_to_serve", lambda: None)
    assert start_up() == {"type": "lifespan.startup.complete"}


def test_the_server_refuses_to_start_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def unsafe() -> None:
        raise ImproperlyConfigured("set SECRET_KEY")

    monkeypatch.setattr(asgi, "assert_safe_to_serve", unsafe)
    assert start_up() == {"type": "lifespan.startup.failed", "message": "set SECRET_KEY"}


def get(path: str) -> tuple[int, dict[bytes, bytes], bytes]:
    async def talk() -> tuple[int, dict[bytes, bytes], bytes]:
        scope = {
            "type": "http",
            "method": "GET",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "headers": [(b"host", b"localhost")],
            "http_version": "1.1",
        }
        exchange = ApplicationCommunicator(asgi.application, scope)
        await exchange.send_input({"type": "http.request", "body": b"", "more_body": False})
        start = await exchange.receive_output(timeout=10)
        body = b""
        more = True
        while more:
            event = await exchange.receive_output(timeout=10)
            body, more = body + event["body"], event.get("more_body", False)
        return start["status"], dict(start["headers"]), body

    return async_to_sync(talk)()


@pytest.mark.filterwarnings("error:StreamingHttpResponse must consume:Warning")
def test_static_files_are_served_under_asgi_without_a_warning() -> None:
    status, headers, body = get("/static/admin/css/base.css")
    assert status == 200
    assert headers[b"Content-Type"].startswith(b"text/css")
    assert len(body) == int(headers[b"Content-Length"]) > 1000
    assert Client().head("/static/admin/css/base.css").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_an_unknown_api_address_is_a_problem_under_asgi() -> None:
    status, headers, _ = get("/api/v1/nowhere/")
    assert (status, headers[b"Content-Type"]) == (404, b"application/problem+json")


def test_an_unknown_kind_of_connection_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown kind"):
        async_to_sync(asgi.application)({"type": "carrier pigeon"}, None, None)


def test_services_run_beside_the_loop_in_a_bounded_pool(settings: Any) -> None:
    settings.SERVICE_THREADS = 3
    executor.pool.cache_clear()
    running, most = 0, 0
    lock, gate = threading.Lock(), threading.Barrier(3)

    def service(number: int) -> int:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        gate.wait(timeout=10)
        with lock:
            running -= 1
        assert threading.current_thread() is not threading.main_thread()
        return number

    async def call() -> list[int]:
        return await asyncio.gather(*[run_in_services(service, number) for number in range(9)])

    try:
        assert asyncio.run(call()) == list(range(9))
        assert most == 3
    finally:
        executor.pool().shutdown()
        executor.pool.cache_clear()


@pytest.mark.django_db(transaction=True)
def test_a_service_gives_its_connection_back_and_sees_the_callers_context() -> None:
    note: contextvars.ContextVar[str] = contextvars.ContextVar("note")
    note.set("from the loop")

    def service() -> tuple[str, Any]:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        return note.get(), connection

    async def call() -> tuple[str, Any]:
        return await run_in_services(service)

    said, used = async_to_sync(call)()
    assert said == "from the loop"
    assert used is not None
    assert async_to_sync(run_in_services)(lambda: connection.connection) is None


def test_an_error_of_a_service_reaches_the_caller() -> None:
    def service() -> None:
        raise KeyError("x")

    with pytest.raises(KeyError):
        async_to_sync(run_in_services)(service)
