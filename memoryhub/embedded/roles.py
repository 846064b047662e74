"""The database, its extensions and its two roles: one that owns the tables and one that owns nothing."""

from __future__ import annotations

import psycopg
from psycopg import sql

from memoryhub.embedded.postgres import APP_ROLE, DATABASE, OWNER_ROLE, Postgres

# Only a superuser may create `vector`; in template1 too, so that databases made for tests have them.
EXTENSIONS = ("vector", "pg_trgm", "btree_gin", "unaccent")

_OWNER = "LOGIN CREATEDB NOSUPERUSER NOBYPASSRLS NOCREATEROLE NOREPLICATION"
_APP = "LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE NOREPLICATION"


def ensure_database(server: Postgres) -> None:
    """Bring roles, passwords, database and extensions to what they should be; changes nothing that is right already."""
    with psycopg.connect(server.superuser_url(), autocommit=True) as connection:
        _ensure_role(connection, OWNER_ROLE, server.secrets["POSTGRES_OWNER_PASSWORD"], _OWNER)
        _ensure_role(connection, APP_ROLE, server.secrets["POSTGRES_APP_PASSWORD"], _APP)
        known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone()
        if not known:
            _ensure_extensions(server, "template1")
            statement = sql.SQL("CREATE DATABASE {} OWNER {}").format(
                sql.Identifier(DATABASE), sql.Identifier(OWNER_ROLE)
            )
            connection.execute(statement)
            # PUBLIC may connect to any database by default; only our two roles have business here.
            connection.execute(
                sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(sql.Identifier(DATABASE))
            )
            connection.execute(
                sql.SQL("GRANT CONNECT ON DATABASE {} TO {}").format(
                    sql.Identifier(DATABASE), sql.Identifier(APP_ROLE)
                )
            )
    _ensure_extensions(server, DATABASE)


def _ensure_role(connection: psycopg.Connection, name: str, password: str, options: str) -> None:
    exists = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [name]).fetchone()
    if exists and _knows_password(connection, name, password):
        return
    statement = sql.SQL("{} ROLE {} {} PASSWORD {}").format(
        sql.SQL("ALTER" if exists else "CREATE"),
        sql.Identifier(name),
        sql.SQL(options),
        sql.Literal(password),
    )
    connection.execute(statement)


def _knows_password(connection: psycopg.Connection, role: str, password: str) -> bool:
    """Try it: hashing anew at each start would write to the catalogue for nothing."""
    info = connection.info
    try:
        psycopg.connect(
            host=info.host, dbname="postgres", user=role, password=password, connect_timeout=3
        ).close()
    except psycopg.OperationalError:
        return False
    return True


def _ensure_extensions(server: Postgres, database: str) -> None:
    with psycopg.connect(server.superuser_url(database), autocommit=True) as connection:
        rows = connection.execute(
            "SELECT a.name, a.default_version, a.installed_version FROM pg_available_extensions a WHERE a.name = ANY(%s)",
            [list(EXTENSIONS)],
        ).fetchall()
        for name, default, installed in sorted(rows, key=lambda row: EXTENSIONS.index(row[0])):
            if installed is None:
                connection.execute(sql.SQL("CREATE EXTENSION {}").format(sql.Identifier(name)))
            elif installed != default:
                connection.execute(sql.SQL("ALTER EXTENSION {} UPDATE").format(sql.Identifier(name)))
