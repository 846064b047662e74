"""`/health` tells which part is down, quickly; `/metrics` answers only those it should."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import AsyncClient, Client
from pytest_django import Settings

from memoryhub.common import health as health_module
from memoryhub.common.heartbeat import EXPIRES_SECONDS, key_of, mark
from memoryhub.common.valkey import valkey

pytestmark = pytest.mark.django_db


@pytest.fixture
def alive() -> Iterator[None]:
    mark("worker")
    mark("beat")
    yield
    valkey().delete(key_of("worker"), key_of("beat"))


@pytest.fixture
def hanging(tmp_path: Path) -> Iterator[Path]:
    """A folder whose sockets accept and never answer."""
    with socket.socket(socket.AF_UNIX) as postgres, socket.socket(socket.AF_UNIX) as broker:
        for server, name in ((postgres, ".s.PGSQL.5432"), (broker, "valkey.sock")):
            server.bind(str(tmp_path / name))
            server.listen(8)
        yield tmp_path


async def test_all_four_alive_is_ok(alive: None, async_client: AsyncClient) -> None:
    response = await async_client.get("/health")
    assert response.status_code == 200
    body = response.json()
    assert body["status"] == "ok"
    assert {name: check["status"] for name, check in body["checks"].items()} == dict.fromkeys(
        ("database", "broker", "worker", "beat"), "ok"
    )
    assert "no-store" in response["Cache-Control"]


@pytest.mark.parametrize("gone", ["worker", "beat"])
async def test_a_silent_worker_or_beat_shows(alive: None, gone: str, async_client: AsyncClient) -> None:
    valkey().delete(key_of(gone))
    response = await async_client.get("/health")
    assert response.status_code == 503
    body = response.json()
    assert [name for name, check in body["checks"].items() if check["status"] != "ok"] == [gone]


def test_a_sign_of_life_expires_within_half_a_minute(alive: None) -> None:
    assert 0 < valkey().ttl(key_of("worker")) <= EXPIRES_SECONDS < 30


async def test_a_hanging_database_is_reported_in_bounded_time(
    alive: None, hanging: Path, settings: Settings, async_client: AsyncClient
) -> None:
    settings.DATABASES = {"default": {**settings.DATABASES["default"], "HOST": str(hanging)}}
    started = time.monotonic()
    response = await async_client.get("/health")
    assert time.monotonic() - started < health_module.LIMIT_SECONDS + 2
    checks = response.json()["checks"]
    assert response.status_code == 503
    assert (checks["database"]["status"], checks["broker"]["status"]) == ("down", "ok")


async def test_a_hanging_broker_is_reported_and_says_nothing_about_the_rest(
    alive: None, hanging: Path, settings: Settings, async_client: AsyncClient
) -> None:
    settings.REDIS_URL = f"unix://{hanging / 'valkey.sock'}?db=0"
    response = await async_client.get("/health")
    checks = response.json()["checks"]
    assert response.status_code == 503
    assert checks["database"]["status"] == "ok"
    assert checks["worker"]["reason"] == "unknown: the broker is down"


def test_a_reason_holds_no_address_or_password(alive: None, settings: Settings, client: Client) -> None:
    settings.DATABASES = {"default": {**settings.DATABASES["default"], "PASSWORD": "not-the-password"}}
    body = client.get("/health").content.decode()
    assert '"database": {"status": "down"' in body
    assert "not-the-password" not in body
    assert "memoryhub_app" not in body


def test_metrics_are_for_the_machine_itself(client: Client) -> None:
    response = client.get("/metrics")
    assert response.status_code == 200
    assert b"python_info" in response.content
    assert client.get("/metrics", REMOTE_ADDR="192.0.2.7").status_code == 403


def test_behind_a_proxy_on_the_same_machine_nobody_counts_as_local(
    client: Client, settings: Settings
) -> None:
    assert client.get("/metrics", HTTP_X_FORWARDED_FOR="192.0.2.7").status_code == 403
    settings.NUM_PROXIES = 1
    assert client.get("/metrics").status_code == 403


def test_a_token_opens_metrics_from_anywhere_and_is_then_needed_everywhere(
    client: Client, settings: Settings
) -> None:
    settings.METRICS_TOKEN = "a-long-token"
    assert client.get("/metrics").status_code == 403
    assert (
        client.get("/metrics", REMOTE_ADDR="192.0.2.7", HTTP_AUTHORIZATION="Bearer a-long-token").status_code
        == 200
    )
    assert client.get("/metrics", HTTP_AUTHORIZATION="Bearer another").status_code == 403
