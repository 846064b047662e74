"""Whether the database is already what this code needs, so that a second start may skip the migrations and the seed."""

from __future__ import annotations

import hashlib
from pathlib import Path

import psycopg

from memoryhub.embedded.postgres import DATABASE, Postgres
from memoryhub.embedded.runtime import project_root, write_private

_APPS = ("memoryhub", "accounts", "memories", "sessions_app")


def state_of(server: Postgres) -> str:
    """A digest of the code, the pinned packages and the migrations that this very cluster says were applied."""
    digest = hashlib.sha256(_code().encode())
    with psycopg.connect(server.superuser_url(DATABASE)) as connection:
        cluster = connection.execute("SELECT system_identifier::text FROM pg_control_system()").fetchone()
        digest.update(str(cluster).encode())
        if connection.execute("SELECT to_regclass('public.django_migrations')").fetchone() != (None,):
            rows = connection.execute("SELECT app, name FROM public.django_migrations ORDER BY id").fetchall()
            digest.update(repr(rows).encode())
    return digest.hexdigest()


def _code() -> str:
    root = project_root()
    files = [
        root / "requirements" / "base.lock",
        *(path for app in _APPS for path in (root / app).rglob("*.py")),
    ]
    digest = hashlib.sha256()
    for path in sorted(files):
        if path.is_file():
            digest.update(
                str(path.relative_to(root)).encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest()
            )
    return digest.hexdigest()


def is_prepared(home: Path, server: Postgres) -> bool:
    """Whether the last preparation ended well and nothing has changed since."""
    try:
        return (home / "prepared").read_text(encoding="ascii") == state_of(server)
    except (FileNotFoundError, psycopg.Error):
        return False


def note_prepared(home: Path, server: Postgres) -> None:
    """Remember the state after a preparation that ended well."""
    write_private(home / "prepared", state_of(server))
