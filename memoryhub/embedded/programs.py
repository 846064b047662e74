"""The programs of a running MemoryHub: how each is started and how it is ended."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from memoryhub.embedded import postgres, valkey
from memoryhub.embedded.address import Address
from memoryhub.embedded.runtime import project_root
from memoryhub.embedded.supervisor import Program

# What depends on a service ends before it.
STOP_ORDER = [["web", "worker", "beat", "setup"], ["valkey", "postgres"]]


def postgres_program(server: postgres.Postgres) -> Program:
    return Program(
        "postgres",
        server.command(),
        server.popen(),
        postgres.STOP_STEPS,
        # Each backend is a group of its own; they end by themselves when the postmaster is gone.
        group=False,
        before_start=server.clear_leftovers,
        hide=(
            "LOG:  starting PostgreSQL",
            "LOG:  listening on",
            "LOG:  aborting any",
            'launcher" (PID',
            "LOG:  shutting down",
            "system is starting up",
            "not yet accepting",
        ),
    )


def valkey_program(server: valkey.Valkey) -> Program:
    options = {"cwd": server.folder, "start_new_session": True, "umask": 0o077}
    return Program(
        "valkey",
        server.command(),
        options,
        valkey.STOP_STEPS,
        before_start=server.clear_leftovers,
        # Advice about a setting of the kernel that background saves need, which are off here.
        hide=("Memory overcommit must be enabled", "signal-handler", "bye bye"),
    )


def setup_program(environment: Mapping[str, str]) -> Program:
    """Migrations as the owner, then schedule and demo people as the app role."""
    return _python("setup", ["manage.py", "prepare"], environment, (("TERM", 5.0), ("KILL", 2.0)))


def web_program(environment: Mapping[str, str], address: Address) -> Program:
    descriptor = address.listening.fileno()
    pooled = {**environment, "DB_POOL": environment.get("DB_POOL", "1")}
    arguments = ["-m", "memoryhub.embedded.web", "--fd", str(descriptor)]
    return _python("web", arguments, pooled, (("TERM", 8.0), ("KILL", 2.0)), pass_fds=(descriptor,))


def worker_program(environment: Mapping[str, str]) -> Program:
    # Each process loads its own models; a small machine keeps a core for the web process.
    processes = environment.get("WORKER_PROCESSES") or str(max(1, min(2, (os.cpu_count() or 1) // 2)))
    arguments = [*_CELERY, "worker", "--loglevel", "info", "--concurrency", processes]
    arguments += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    # `up` says once that it runs as root, Celery says so in five lines; and at each loss of the broker it announces a default
    # of its next version.
    quiet = "ignore:You're running the worker with superuser,ignore::PendingDeprecationWarning"
    environment = {"PYTHONWARNINGS": quiet, **environment}
    # TERM lets running tasks end; QUIT does not, and the broker hands them out again.
    return _python("worker", arguments, environment, (("TERM", 8.0), ("QUIT", 3.0), ("KILL", 2.0)))


def beat_program(environment: Mapping[str, str]) -> Program:
    arguments = [
        *_CELERY,
        "beat",
        "--loglevel",
        "warning",
        "--scheduler",
        "memoryhub.common.beat:Scheduler",
        "--pidfile=",
    ]
    return _python("beat", arguments, environment, (("TERM", 5.0), ("KILL", 2.0)))


_CELERY = ["-m", "celery", "--quiet", "--app", "memoryhub"]


def _python(
    name: str,
    arguments: list[str],
    environment: Mapping[str, str],
    steps: tuple[tuple[str, float], ...],
    pass_fds: tuple[int, ...] = (),
) -> Program:
    # A session of its own: Ctrl-C in the terminal reaches the supervisor alone, which ends them in order.
    options = {
        "cwd": project_root(),
        "env": dict(environment),
        "start_new_session": True,
        "pass_fds": pass_fds,
    }
    return Program(name, [sys.executable, *arguments], options, steps)
