"""`manage.py up`: everything from nothing to a green /health, in the foreground, until Ctrl-C."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

from memoryhub.embedded import places, programs, roles, runtime
from memoryhub.embedded.address import Address, listen
from memoryhub.embedded.console import Console
from memoryhub.embedded.credentials import credentials_table
from memoryhub.embedded.errors import StartError, of_os_error
from memoryhub.embedded.lock import HomeLock, already_running, holder
from memoryhub.embedded.postgres import Postgres, reason
from memoryhub.embedded.preparation import is_prepared, note_prepared
from memoryhub.embedded.processes import Reaper
from memoryhub.embedded.supervisor import Stopped, Supervisor
from memoryhub.embedded.valkey import Valkey

GREEN_SECONDS = 120.0
SERVICE_SECONDS = (
    90.0  # A cluster that recovers from a crash, or an append-only file that is read back, takes its time.
)


def up(home: Path, host: str, port: int) -> int:
    """Run until stopped; the exit status. StartError for what a person can put right."""
    if holder(home) is not None:
        raise StartError(already_running(home))
    console = Console()
    address = listen(host, port)
    places.make_home(home)
    lock = HomeLock(home)
    lock.acquire(address.url)
    reaper = Reaper()
    try:
        return asyncio.run(_Up(console, home, address, reaper).run())
    except OSError as error:
        raise of_os_error(error, home) from None
    finally:
        reaper.done()
        with contextlib.suppress(OSError):
            (home / runtime.RUNTIME_FILE).unlink(missing_ok=True)
            lock.release()


class _Up:
    def __init__(self, console: Console, home: Path, address: Address, reaper: Reaper) -> None:
        self.console, self.home, self.address = console, home, address
        self.supervisor = Supervisor(console, reaper)
        self.secrets = runtime.ensure_secrets(home)
        self.environment = self._environment()
        self.postgres: Postgres | None = None

    def _environment(self) -> dict[str, str]:
        """What the programs get: the caller's variables first, then what was generated, then our defaults."""
        generated = {name: value for name, value in self.secrets.items() if not name.startswith("POSTGRES_")}
        defaults = {
            "DEBUG": "0",
            "ALLOWED_HOSTS": ",".join(self.address.allowed_hosts()),
            "SITE_URL": self.address.url,
            "LOG_JSON": "0",
        }
        fixed = {
            "MEMORYHUB_HOME": str(self.home),
            "PYTHONUNBUFFERED": "1",
            "DJANGO_SETTINGS_MODULE": "memoryhub.settings",
        }
        return {**defaults, **generated, **os.environ, **fixed}

    async def run(self) -> int:
        started = time.monotonic()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self._on_signal)
        if os.geteuid() == 0:
            self.console.log("setup", "Running as root: better be a user of its own, except in a container.")
        (self.home / "static").mkdir(exist_ok=True)
        try:
            await self._services()
            await self._prepare()
            self._start_programs()
            await self._until_green()
            self.supervisor.ready = True
            self._greet(time.monotonic() - started)
            await self._serve()
        except Stopped:
            pass
        finally:
            await self.supervisor.stop_all(programs.STOP_ORDER)
            self.address.listening.close()
        self.console.say("MemoryHub has stopped; its data is safe.")
        return 0

    async def _serve(self) -> None:
        """Until stopped: look after the reaper, and say in time that the disk gets full."""
        warned = False
        while not self.supervisor.stopping.is_set():
            self.supervisor.check()
            free = places.free_megabytes(self.home)
            if free < places.MINIMUM_FREE_MB / 2 and not warned:
                self.console.problem(
                    f"Only {free} MB are free on the disk that holds {self.home}: free some space, or writing will stop."
                )
            warned = free < places.MINIMUM_FREE_MB
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.supervisor.stopping.wait(), 2.0)

    def _on_signal(self) -> None:
        if not self.supervisor.stopping.is_set():
            self.console.say("\nStopping (Ctrl-C again to hurry) ...")
        self.supervisor.request_stop()

    async def _services(self) -> None:
        """Start what no address outside was given for, and leave the addresses for other commands."""
        waits = []
        if not os.environ.get("REDIS_URL"):
            waits.append(self._start_valkey())
        if not os.environ.get("DATABASE_URL"):
            waits.append(self._start_postgres())
        elif not os.environ.get("DATABASE_OWNER_URL"):
            raise StartError(
                "DATABASE_URL is set, DATABASE_OWNER_URL is not: migrations need the role that owns the tables. Set it too."
            )
        await asyncio.gather(*waits)
        named = (
            "DATABASE_URL",
            "DATABASE_OWNER_URL",
            "REDIS_URL",
            "CELERY_BROKER_URL",
            "ALLOWED_HOSTS",
            "SITE_URL",
            "DEBUG",
        )
        keys = [name for name in runtime.GENERATED if not name.startswith("POSTGRES_")]
        values = {name: self.environment[name] for name in (*named, *keys) if name in self.environment}
        runtime.write_env(
            self.home / runtime.RUNTIME_FILE,
            values,
            "Written by a running `manage.py up` for other commands.",
        )

    async def _start_valkey(self) -> None:
        server = Valkey(self.home / "valkey")
        server.prepare()
        self.supervisor.start(programs.valkey_program(server))
        await self._ready("valkey", "Valkey", server.wait_ready)
        self.environment["REDIS_URL"] = server.url
        # Signs of life from before are no signs of life.
        server.forget("memoryhub:heartbeat:worker", "memoryhub:heartbeat:beat")

    async def _start_postgres(self) -> None:
        user = places.server_user()
        self.postgres = server = Postgres(places.postgres_folder(self.home, user), user, self.secrets)
        with contextlib.ExitStack() as stack:
            if not server.data.exists():
                stack.enter_context(
                    self.console.step(f"Creating PostgreSQL's data in {server.data} (as {user.name})")
                )
            await asyncio.to_thread(server.ensure_cluster)
        self.supervisor.start(programs.postgres_program(server))
        await self._ready("postgres", "PostgreSQL", server.wait_ready)
        await asyncio.to_thread(roles.ensure_database, server)
        self.environment.update(server.environment())

    async def _ready(
        self, name: str, title: str, wait_ready: Callable[[float, Callable[[], bool]], bool]
    ) -> None:
        """Wait through restarts until the service answers."""
        stopping = self.supervisor.stopping
        work = asyncio.to_thread(wait_ready, SERVICE_SECONDS, stopping.is_set)
        if not await self.supervisor.unless_stopped(work):
            log = self.supervisor.last_lines(name)
            raise StartError(f"{title} is not ready after {SERVICE_SECONDS:g} s: {reason(log)}")
        self.console.log("setup", f"{title} is ready")

    async def _prepare(self) -> None:
        """Migrate, sync the schedule, seed the demo; skipped when this code has done so on this very data."""
        if self.postgres is not None and await asyncio.to_thread(is_prepared, self.home, self.postgres):
            return
        with self.console.step("Bringing the database up to date"):
            status = await self.supervisor.run_once(programs.setup_program(self.environment))
        if status != 0:
            lines = self.supervisor.last_lines("setup").splitlines()
            raise StartError(lines[-1] if lines else f"The database could not be prepared (status {status}).")
        if self.postgres is not None:
            await asyncio.to_thread(note_prepared, self.home, self.postgres)

    def _start_programs(self) -> None:
        self.console.log("setup", "Starting web, worker and beat ...")
        self.supervisor.start(programs.web_program(self.environment, self.address))
        self.supervisor.start(programs.worker_program(self.environment))
        self.supervisor.start(programs.beat_program(self.environment))

    async def _until_green(self) -> None:
        hosts = [
            name for name in self.environment["ALLOWED_HOSTS"].split(",") if name and name[0] not in "*."
        ]
        deadline = time.monotonic() + GREEN_SECONDS
        body: dict[str, object] = {}
        while time.monotonic() < deadline:
            work = asyncio.to_thread(self.address.health, hosts[0] if hosts else "localhost")
            status, body = await self.supervisor.unless_stopped(work)
            if status == 200:
                return
            await self.supervisor.unless_stopped(asyncio.sleep(0.1))
        raise StartError(f"Not healthy after {GREEN_SECONDS:g} s: {_down(body)}. The lines above say why.")

    def _greet(self, seconds: float) -> None:
        say = self.console.say
        say()
        say(f"MemoryHub is ready after {seconds:.1f} s:  {self.address.url}")
        new = self.home / "credentials.new"
        if new.exists():
            say()
            say(credentials_table(self.home))
            say("Read them again with `make credentials`.")
            new.unlink()
        else:
            say("Who can sign in: `make credentials`.")
        say("Stop it with Ctrl-C, or `make down` in another terminal.")
        say()


def _down(body: dict[str, object]) -> str:
    checks = body.get("checks")
    if not isinstance(checks, dict):
        return "web does not answer"
    return ", ".join(
        f"{name}: {check.get('reason', '')}" for name, check in checks.items() if check.get("status") != "ok"
    )
