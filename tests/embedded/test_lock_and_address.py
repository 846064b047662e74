"""One supervisor for a home, one listener for a port; each refusal is one line that says what to do."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from memoryhub.embedded import cli
from memoryhub.embedded.address import listen
from memoryhub.embedded.errors import StartError
from memoryhub.embedded.lock import HomeLock, holder

_HOLD = """
import sys, time
from pathlib import Path
from memoryhub.embedded.lock import HomeLock
lock = HomeLock(Path(sys.argv[1]))
lock.acquire("http://127.0.0.1:8000")
print("held", flush=True)
time.sleep(60)
"""


def test_a_second_start_is_told_who_runs_and_a_killed_holder_leaves_no_stale_lock(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", _HOLD, str(tmp_path)], stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        with pytest.raises(
            StartError, match=rf"already runs here \(process {process.pid}, http://127.0.0.1:8000\)"
        ):
            HomeLock(tmp_path).acquire("http://127.0.0.1:9000")
        process.kill()
    assert holder(tmp_path) is None
    again = HomeLock(tmp_path)
    again.acquire("http://127.0.0.1:9000")
    again.release()


def test_a_taken_port_names_another() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(StartError, match=f"Port {port} is taken .*make up PORT={port + 1}"):
            listen("127.0.0.1", port)


@pytest.mark.parametrize(
    ("host", "port"),
    [("127.0.0.1", 0), ("127.0.0.1", 70000), ("203.0.113.9", 8000), ("no.such.invalid", 8000)],
)
def test_an_impossible_address_is_one_line(host: str, port: int) -> None:
    with pytest.raises(StartError, match=r"(is no port|is no address of this machine)"):
        listen(host, port)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


def test_only_the_machine_itself_is_answered_unless_asked_otherwise() -> None:
    address = listen("127.0.0.1", _free_port())
    address.listening.close()
    assert address.allowed_hosts() == ["localhost", "127.0.0.1", "[::1]"]
    assert address.url == f"http://127.0.0.1:{address.port}"


def test_on_all_addresses_the_machines_own_names_are_answered_but_no_wildcard() -> None:
    address = listen("0.0.0.0", _free_port())
    address.listening.close()
    assert socket.gethostname() in address.allowed_hosts()
    assert "*" not in address.allowed_hosts()
    assert address.url == f"http://127.0.0.1:{address.port}"


def test_nobody_answering_is_no_health() -> None:
    address = listen("127.0.0.1", _free_port())
    address.listening.close()
    assert address.health("localhost", seconds=1.0) == (0, {})


def test_down_is_content_when_nothing_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.down(tmp_path / "never") == 0
    assert "not running" in capsys.readouterr().out
