"""Where the data, programs and sockets stand: `.memoryhub`, or beside it when an unprivileged user must reach them.

PostgreSQL refuses to run as root. When root starts MemoryHub, the server runs as an unprivileged user, who must be able
to reach its folders; the permissions of folders that we did not make are never touched, so where the project lies below a
closed folder (such as /root) the server's part moves to /var/lib/memoryhub.
"""

from __future__ import annotations

import hashlib
import os
import pwd
import shutil
import stat
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memoryhub.embedded.errors import StartError, of_os_error

SOCKET_LIMIT = 100  # Bytes of a socket's path: 103 on macOS and 107 on Linux, with some to spare.
MINIMUM_FREE_MB = 200
STATE_ROOT = Path(
    "/var/lib/memoryhub"
)  # For root alone, whose home folders an unprivileged user cannot enter.


@dataclass(frozen=True, slots=True)
class ServerUser:
    """Whom PostgreSQL runs as."""

    name: str
    uid: int
    gid: int
    switched: bool  # False: the invoking user, nothing to switch

    def popen(self) -> dict[str, Any]:
        """What subprocess.Popen needs to run a program as this user."""
        return {"user": self.uid, "group": self.gid, "extra_groups": []} if self.switched else {}

    def can_reach(self, *paths: Path) -> bool:
        """Whether this user may enter (or run) the paths; asked as that user, so that ACLs count too."""
        if not self.switched:
            return True
        # By /bin/sh: the interpreter itself may lie in a closed folder.
        script = 'for path; do test -x "$path" || exit 1; done'
        command = ["/bin/sh", "-c", script, "sh", *map(str, paths)]
        return subprocess.run(command, check=False, cwd="/", **self.popen()).returncode == 0


def server_user() -> ServerUser:
    """The invoking user; when that is root, MEMORYHUB_POSTGRES_USER, else a user `memoryhub` if there is one, else `nobody`."""
    if os.geteuid() != 0:
        return ServerUser(_name_of(os.geteuid()), os.geteuid(), os.getegid(), False)
    wanted = os.environ.get("MEMORYHUB_POSTGRES_USER")
    for name in [wanted] if wanted else ["memoryhub", "nobody"]:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        if entry.pw_uid != 0:
            return ServerUser(name, entry.pw_uid, entry.pw_gid, True)
    raise StartError(
        "PostgreSQL cannot run as root: name an existing unprivileged user in MEMORYHUB_POSTGRES_USER, or run as one yourself."
    )


def _name_of(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        raise StartError(
            f"User id {uid} has no entry in the user database, which PostgreSQL's initdb needs. Add one (in a container: "
            "an /etc/passwd line), or point DATABASE_URL at an outside PostgreSQL."
        ) from None


def make_home(home: Path) -> None:
    """Create MemoryHub's own folder: others may pass through it (0711) but not list it; its files are 0600."""
    try:
        if not home.is_dir():
            home.mkdir(parents=True)
            home.chmod(0o711)
        probe = home / f".probe.{os.getpid()}"
        probe.write_bytes(b"x" * 4096)
        probe.unlink()
        free = free_megabytes(home)
    except OSError as error:
        raise of_os_error(error, home) from None
    if free < MINIMUM_FREE_MB:
        raise StartError(
            f"Only {free} MB are free on the disk that holds {home}; {MINIMUM_FREE_MB} MB are needed. Free some space."
        )


def free_megabytes(folder: Path) -> int:
    """What may still be written on the disk that holds the folder."""
    return shutil.disk_usage(folder).free // 1_000_000


def postgres_folder(home: Path, user: ServerUser) -> Path:
    """The folder for the server's data, chosen once for a home and remembered there."""
    note = home / "postgres-folder"
    if note.is_file():
        return Path(note.read_text(encoding="utf-8").strip())
    folder = home / "postgres"
    if not user.can_reach(home):
        name = hashlib.sha256(str(home.resolve()).encode()).hexdigest()[:12]
        folder = STATE_ROOT / name
    _make_open(folder)
    if not user.can_reach(folder):
        raise StartError(
            f"User {user.name}, who must run PostgreSQL, cannot reach {folder}. Put the data in a folder it can, with MEMORYHUB_HOME."
        )
    if folder.parent != home:
        note.write_text(f"{folder}\n", encoding="utf-8")
    return folder


def _make_open(folder: Path) -> None:
    """Create a folder (and the missing ones above) that others may pass through; existing ones stay as they are."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        for path in reversed(missing):
            path.mkdir()
            path.chmod(0o755 if path == folder else 0o711)
    except OSError as error:
        raise of_os_error(error, folder) from None


def give(folder: Path, user: ServerUser) -> Path:
    """Create a folder of that user's own (0700)."""
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        if user.switched:
            os.chown(folder, user.uid, user.gid)
    except OSError as error:
        raise of_os_error(error, folder) from None
    return folder


def programs_for(user: ServerUser, package: Path, folder: Path, version: str) -> Path:
    """The installed package's programs where that user can run them, else in a copy below `folder` (about 35 MB).

    `package` is the wheel's folder; its shared libraries may stand beside it, and are found by that relative place.
    """
    libraries = package.with_name(f"{package.name}.libs")
    needed = [path for path in (package, libraries) if path.is_dir()]
    installed = Path(package.name) / "pginstall"
    key_files = [package.parent / installed / part for part in ("bin/postgres", "lib", "share")]
    if user.can_reach(*needed, *key_files):
        return package.parent / installed
    copy = folder / f"postgresql-{version}"
    if not copy.is_dir():
        partial = folder / f".copy.{os.getpid()}"
        try:
            shutil.rmtree(partial, ignore_errors=True)
            for path in needed:
                shutil.copytree(path, partial / path.name, symlinks=True, ignore=_unneeded)
            _open_tree(partial)
            partial.rename(copy)
        except OSError as error:
            shutil.rmtree(partial, ignore_errors=True)
            raise of_os_error(error, folder) from None
    return copy / installed


def _unneeded(_folder: str, names: list[str]) -> set[str]:
    return {
        name
        for name in names
        if name in {"include", "pgxs", "pkgconfig", "__pycache__"} or name.endswith(".a")
    }


def _open_tree(root: Path) -> None:
    root.chmod(0o755)
    for path in root.rglob("*"):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & stat.S_IXUSR else 0o644)


def socket_folder(preferred: Path, file_name: str, user: ServerUser) -> Path:
    """`preferred` when a socket's path fits in there, else a new folder of a short name; always that user's own (0700)."""
    path = str(preferred / file_name)
    if len(os.fsencode(path)) <= SOCKET_LIMIT and path.isascii() and not set(path) & set(" ?#%&=:@+'\"\\"):
        return give(preferred, user)
    folder = Path(tempfile.mkdtemp(prefix="mh-", dir="/tmp"))
    if user.switched:
        os.chown(folder, user.uid, user.gid)
    return folder


def run_as(
    user: ServerUser, command: list[str], folder: Path, timeout: float
) -> subprocess.CompletedProcess[str]:
    """Run a program of PostgreSQL to its end, with nothing of our environment but the path."""
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=timeout,
        check=False,
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"},
        umask=0o077,
        start_new_session=True,
        **user.popen(),
    )
