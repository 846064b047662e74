"""The bundled Valkey keeps its data through a kill, and ends one that outlived its supervisor."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from memoryhub.embedded.places import make_home
from memoryhub.embedded.processes import Reaper
from memoryhub.embedded.valkey import STOP_STEPS, Valkey


@pytest.fixture
def valkey(home: Path) -> Valkey:
    make_home(home)
    server = Valkey(home / "valkey")
    server.prepare()
    return server


@pytest.fixture
def start(valkey: Valkey, reaper: Reaper) -> Iterator[object]:
    processes: list[subprocess.Popen[bytes]] = []

    def run() -> subprocess.Popen[bytes]:
        valkey.clear_leftovers()
        process = subprocess.Popen(valkey.command(), stdout=subprocess.DEVNULL, start_new_session=True)
        processes.append(process)
        reaper.watch(process.pid, STOP_STEPS, group=True)
        assert valkey.wait_ready(10, lambda: process.poll() is not None)
        return process

    yield run
    for process in processes:
        process.kill()
        process.wait()


def test_written_keys_survive_a_kill(valkey: Valkey, start: object) -> None:
    process = start()
    client = redis.Redis.from_url(valkey.url)
    client.set("kept", "咖啡")
    client.execute_command("WAITAOF", 1, 0, 5000)  # Its own word that the append-only file holds it.
    process.kill()
    process.wait()
    start()
    assert redis.Redis.from_url(valkey.url).get("kept").decode() == "咖啡"


def test_a_server_that_outlived_its_supervisor_is_ended_first(valkey: Valkey, start: object) -> None:
    first = start()
    start()
    assert first.wait(5) is not None
    assert valkey.is_ready()


def test_it_can_be_told_to_forget_keys(valkey: Valkey, start: object) -> None:
    start()
    client = redis.Redis.from_url(valkey.url)
    client.mset({"a": "1", "b": "2", "c": "3"})
    valkey.forget("a", "b")
    assert client.keys() == [b"c"]


def test_nobody_else_may_use_its_socket(valkey: Valkey, start: object) -> None:
    start()
    assert valkey.socket.stat().st_mode & 0o077 == 0
    assert valkey.socket.parent.stat().st_mode & 0o077 == 0


def test_waiting_ends_when_the_server_is_gone(valkey: Valkey) -> None:
    started = time.monotonic()
    assert not valkey.wait_ready(30, lambda: True)
    assert time.monotonic() - started < 5
