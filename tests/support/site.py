"""A running MemoryHub for browser tests: a database of its own, and the real server as a process."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import psycopg
from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.db import connection
from django.test import override_settings
from psycopg import sql

from memoryhub import env
from tests.support.people import PASSWORD, House, make_house

ROOT = Path(__file__).resolve().parents[2]
KEYS = {
    name: f"of the browser tests: {name.lower()} that protects nothing real"
    for name in ("SECRET_KEY", "FIELD_ENCRYPTION_KEY", "FINGERPRINT_KEY", "AUDIT_KEY", "RECEIPT_KEY")
}


@dataclass
class SiteDatabase:
    """A copy of the empty test database, which no other test truncates under the server's feet."""

    name: str

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Let the test process's own ORM work on it."""
        before = connection.settings_dict["NAME"]
        # Playwright's event loop runs in this thread; the ORM is not called from it.
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
        try:
            connection.close()
            connection.settings_dict["NAME"] = self.name
            yield
        finally:
            connection.close()
            connection.settings_dict["NAME"] = before
            del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]

    def house(self, slug: str, locale: str) -> House:
        """A tenant whose people can sign in through the page, too."""
        with self.in_use():
            house = make_house(slug, locale)
            for user in house.people.values():
                user.password = PBKDF2PasswordHasher().encode(PASSWORD, "salt of the tests")
                user.save(update_fields=["password"])
            return house

    def cookie_of(self, house: House, who: str) -> str:
        # The cookie is bound to the secret of the site that it is for.
        with self.in_use(), override_settings(SECRET_KEY=KEYS["SECRET_KEY"]):
            return house.client(who).cookies[settings.SESSION_COOKIE_NAME].value

    def let_time_pass(self, house: House, by: timedelta) -> None:
        """Everything that the tenant has becomes older: as if the clock had been moved on."""
        with self._of_tenant(house) as owner:
            rows = owner.execute(
                "SELECT c.table_name, array_agg(c.column_name::text) FROM information_schema.columns c "
                "JOIN information_schema.columns t ON t.table_name = c.table_name AND t.column_name = 'tenant_id' "
                "WHERE c.table_schema = 'public' AND c.data_type = 'timestamp with time zone' GROUP BY 1"
            ).fetchall()
            for table, columns in rows:
                older = sql.SQL(", ").join(
                    sql.SQL("{0} = {0} - {1}").format(sql.Identifier(column), sql.Literal(by))
                    for column in columns
                )
                where = sql.SQL("tenant_id = {}").format(sql.Literal(house.id))
                owner.execute(
                    sql.SQL("UPDATE {} SET {} WHERE {}").format(sql.Identifier(table), older, where)
                )

    def wait_for_text(self, house: House, text: str) -> None:
        """Until the streaming answer's text in the store, flushed once a second, has these words."""
        deadline = time.monotonic() + 20
        with self._of_tenant(house) as owner:
            query = (
                "SELECT count(*) FROM sessions_app_turn WHERE state = 'streaming' AND strpos(content, %s) > 0"
            )
            while not owner.execute(query, [text]).fetchone()[0]:  # type: ignore[index]
                assert time.monotonic() < deadline, "the answer was not flushed"
                time.sleep(0.1)

    def lapse_leases(self, house: House) -> None:
        """As if a minute had passed since the process died."""
        with self._of_tenant(house) as owner:
            owner.execute(
                "UPDATE sessions_app_turn SET leased_until = now() - interval '1 s' WHERE state = 'streaming'"
            )

    @contextmanager
    def _of_tenant(self, house: House) -> Iterator[psycopg.Connection[Any]]:
        """As the owner, whom the tenant wall binds, too."""
        with owner_of(self.name) as owner:
            owner.execute("SELECT set_config('memoryhub.tenant', %s, false)", [str(house.id)])
            yield owner


def owner_of(name: str) -> psycopg.Connection[Any]:
    """A connection as the owner of the tables, in autocommit."""
    owner = env.database("DATABASE_OWNER_URL")
    place = connection.settings_dict
    return psycopg.connect(
        host=place["HOST"] or None,
        port=place["PORT"] or None,
        dbname=name,
        user=owner["USER"],
        password=owner["PASSWORD"],
        autocommit=True,
    )


@contextmanager
def site_database() -> Iterator[SiteDatabase]:
    """Copy the test database; dropped at the end."""
    template = connection.settings_dict["NAME"]
    name = f"test_site_{uuid.uuid4().hex[:12]}"
    connection.close()
    maintenance = env.database("DATABASE_OWNER_URL")["NAME"]
    copy = sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(template))
    with owner_of(maintenance) as owner:
        owner.execute(copy)
    try:
        yield SiteDatabase(name)
    finally:
        with owner_of(maintenance) as owner:
            owner.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@dataclass
class Site:
    """The web server of one database; `kill` is what a power cut does, `start` brings it back at the same address."""

    database: SiteDatabase
    home: Path
    model_url: str = ""
    port: int = field(default_factory=lambda: _free_port())
    process: subprocess.Popen[bytes] | None = None
    settings: dict[str, str] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start and wait until it answers."""
        log = (self.home / f"web-{self.port}.log").open("ab")
        command = [sys.executable, "-m", "uvicorn", "memoryhub.asgi:application", "--port", str(self.port)]
        self.process = subprocess.Popen(
            [*command, "--log-level", "warning"], cwd=ROOT, env=self._environment(), stdout=log, stderr=log
        )
        deadline = time.monotonic() + 60
        while True:
            try:
                with urlopen(f"{self.url}/accounts/login/", timeout=5):
                    return
            except (URLError, OSError):
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise AssertionError(f"the server did not start; see {log.name}") from None
                time.sleep(0.1)

    def stop(self) -> None:
        """Ask it to end, like a supervisor."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """End it without a word."""
        self._end(signal.SIGKILL)

    def _end(self, how: signal.Signals) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(how)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(5)

    def _environment(self) -> dict[str, str]:
        """What `make up` gives its web process, with our database and, where wanted, a scripted model."""
        variables = dict(os.environ)
        variables.update(
            DATABASE_URL=_moved(os.environ["DATABASE_URL"], self.database.name),
            DATABASE_OWNER_URL=_moved(os.environ["DATABASE_OWNER_URL"], self.database.name),
            MEMORYHUB_HOME=str(self.home),
            DEBUG="0",
            **KEYS,
            **self.settings,
        )
        for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "CHAT_MODEL"):
            variables.pop(name, None)
        if self.model_url:
            variables.update(OPENAI_BASE_URL=self.model_url, OPENAI_API_KEY="k", CHAT_MODEL="test-model")
        return variables


def _moved(url: str, name: str) -> str:
    """The same database URL with another database's name."""
    before, _, query = url.partition("?")
    start, _, _ = before.rpartition("/")
    return f"{start}/{name}{'?' + query if query else ''}"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
