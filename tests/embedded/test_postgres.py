"""The bundled PostgreSQL: its roles, and what it survives."""

from __future__ import annotations

import os
import subprocess
import sys

import psycopg
import pytest

from memoryhub.embedded.errors import StartError
from memoryhub.embedded.postgres import Postgres
from tests.embedded.conftest import Server


def _app(server: Server) -> psycopg.Connection:
    return psycopg.connect(server.postgres.environment()["DATABASE_URL"], autocommit=True)


def _owner(server: Server) -> psycopg.Connection:
    return psycopg.connect(server.postgres.environment()["DATABASE_OWNER_URL"], autocommit=True)


def test_the_app_role_owns_nothing_and_may_not_bypass_the_tenant_wall(server: Server) -> None:
    server.start()
    with _app(server) as connection:
        row = connection.execute(
            "SELECT rolsuper, rolbypassrls, rolcreatedb, rolcreaterole FROM pg_roles WHERE rolname = current_user"
        ).fetchone()
        assert row == (False, False, False, False)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("CREATE TABLE anything (id int)")


def test_the_owner_role_may_make_databases_that_have_vectors_and_chinese_trigrams(server: Server) -> None:
    server.start()
    with _owner(server) as connection:
        connection.execute("CREATE DATABASE another")
    url = server.postgres.url("memoryhub_owner", "POSTGRES_OWNER_PASSWORD", "another")
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT '[1,2]'::vector <-> '[1,2]'").fetchone() == (0.0,)
        assert connection.execute("SELECT similarity('我喜欢喝咖啡', '我喜欢咖啡') > 0.3").fetchone() == (
            True,
        )
        assert connection.execute(
            "SELECT rolsuper FROM pg_roles WHERE rolname = current_user"
        ).fetchone() == (False,)


def test_a_wrong_password_is_refused_even_on_the_socket(server: Server) -> None:
    server.start()
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(
            host=str(server.postgres.socket_folder),
            user="memoryhub_app",
            password="wrong",
            dbname="memoryhub",
        )


def test_what_was_committed_survives_a_kill_and_leftover_lock_files(server: Server) -> None:
    server.start()
    with _owner(server) as connection:
        connection.execute(
            "SET synchronous_commit = on"
        )  # What the real one has; a throw-away server does not.
        connection.execute("CREATE TABLE kept (id int)")
        connection.execute("INSERT INTO kept SELECT generate_series(1, 500)")
    server.kill()
    # Its number belongs to another living process by now: PostgreSQL alone would refuse to start.
    pid_file = server.postgres.data / "postmaster.pid"
    lines = pid_file.read_text().splitlines()
    pid_file.write_text("\n".join([str(os.getpid()), *lines[1:]]) + "\n")
    server.start()
    with _owner(server) as connection:
        assert connection.execute("SELECT count(*) FROM kept").fetchone() == (500,)


def test_a_zombie_postmaster_does_not_keep_the_next_one_out(server: Server) -> None:
    server.start()
    server.process.kill()
    os.waitid(os.P_PID, server.process.pid, os.WEXITED | os.WNOWAIT)  # Dead, but not reaped.
    server.start()
    assert server.postgres.is_ready()


def test_a_server_that_outlived_its_supervisor_is_ended_first(server: Server) -> None:
    server.start()
    first = server.process
    server.start()
    assert first.poll() is not None
    assert server.postgres.is_ready()


def test_an_initdb_that_was_cut_short_is_made_again(server: Server) -> None:
    half_made = server.postgres.folder / "data.new"
    half_made.mkdir()
    (half_made / "PG_VERSION").write_text("18\n")
    server.start()
    assert not half_made.exists()


def test_data_of_another_major_version_is_refused_and_left_alone(server: Server) -> None:
    server.start()
    server.stop()
    (server.postgres.data / "PG_VERSION").write_text("15\n")
    with pytest.raises(StartError, match="written by PostgreSQL 15"):
        server.postgres.ensure_cluster()
    assert (server.postgres.data / "base").is_dir()


def test_lost_secrets_give_a_line_that_says_what_to_do(server: Server) -> None:
    server.start()
    other = dict.fromkeys(server.postgres.secrets, "lost")
    stranger = Postgres(server.postgres.folder, server.postgres.user, other)
    with pytest.raises(StartError, match=r"put the right secrets\.env back"):
        stranger.is_ready()


def test_the_log_holds_nothing_that_a_person_said(server: Server) -> None:
    server.start()
    with _owner(server) as connection:
        connection.execute("CREATE TABLE said (words text UNIQUE, number int)")
        connection.execute("INSERT INTO said VALUES ('the garage code is 4711', 1)")
        with pytest.raises(psycopg.errors.UniqueViolation):
            connection.execute("INSERT INTO said VALUES ('the garage code is 4711', 1)")
        with pytest.raises(psycopg.errors.InvalidTextRepresentation):
            connection.execute("INSERT INTO said VALUES (%s, %s::text::int)", ["x", "garage 4711"])
    server.stop()
    log = server.log.read_text()
    assert "duplicate key" in log
    assert "garage code" not in log


def test_its_folders_are_closed_to_others(server: Server) -> None:
    server.start()
    for folder in (server.postgres.data, server.postgres.socket_folder):
        assert folder.stat().st_mode & 0o077 == 0


def test_the_supervisors_death_ends_the_server(server: Server) -> None:
    server.start()
    script = (
        "import os, signal, sys\n"
        "from memoryhub.embedded.processes import Reaper\n"
        "Reaper().watch(int(sys.argv[1]), (('INT', 10.0), ('KILL', 1.0)), group=False)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    subprocess.run([sys.executable, "-c", script, str(server.process.pid)], check=False)
    assert server.process.wait(20) == 0
