"""`make setup`: a lock is installed once, and again only when it or the venv's Python has changed."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

from memoryhub.embedded import install
from memoryhub.embedded.runtime import project_root

LOCK = project_root() / "requirements" / "base.lock"


@pytest.fixture
def venv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A venv whose stamp says that base.lock was installed."""
    folder = tmp_path / ".venv"
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "python").symlink_to(sys.executable)
    (folder / ".memoryhub-base").write_text(hashlib.sha256(LOCK.read_bytes()).hexdigest())
    monkeypatch.setattr(install, "VENV", folder)
    return folder


def test_an_installed_lock_is_not_installed_again(venv: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(install, "_install", lambda *_: pytest.fail("it installed again"))
    assert install.main("base") == 0


@pytest.mark.parametrize("change", ["lock", "python", "stamp"])
def test_a_changed_lock_or_a_broken_python_installs_again(
    venv: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    if change == "lock":
        (venv / ".memoryhub-base").write_text("another")
    elif change == "stamp":
        (venv / ".memoryhub-base").unlink()
    else:
        (venv / "bin" / "python").unlink()
    installed: list[str] = []
    monkeypatch.setattr(install, "_make_venv", lambda: None)
    monkeypatch.setattr(install, "_install", lambda lock, name: installed.append(name) or 1)
    assert install.main("base") == 1
    assert installed == ["base"]


def test_too_little_space_is_said_before_anything_is_fetched(
    venv: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (venv / ".memoryhub-base").unlink()
    monkeypatch.setattr(install, "MINIMUM_FREE_MB", 10**9)
    assert install.main("base") == 1
    assert "MB are needed" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("output", "says"),
    [
        ("OSError: [Errno 28] No space left on device", "disk is full"),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE", "not the pinned one"),
        ("ERROR: No matching distribution found for numpy==2.4.6", "PYTHON=python3.13"),
        ("Temporary failure in name resolution", "package index cannot be reached"),
    ],
)
def test_what_pip_says_becomes_what_to_do(output: str, says: str) -> None:
    assert says in install._advice(output)


@pytest.mark.parametrize("name", ["base", "dev"])
def test_locks_pin_every_package_with_hashes_and_name_no_host(name: str) -> None:
    text = (project_root() / "requirements" / f"{name}.lock").read_text()
    assert "://" not in text
    assert "--index-url" not in text and "--find-links" not in text
    entries = text.replace("\\\n", " ").splitlines()
    assert all("==" in entry and "--hash=sha256:" in entry for entry in entries if entry.strip())


def test_make_says_what_to_do_about_a_wrong_python() -> None:
    result = subprocess.run(
        ["make", "--no-print-directory", "up", "PYTHON=/nonexistent/python"],
        cwd=project_root(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 2
    assert "is older than Python 3.11, or lacks its venv module" in result.stderr
    assert "make PYTHON=/path/to/python3.13" in result.stderr
