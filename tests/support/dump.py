"""Everything that is stored, as bytes to search in: each table of the database, and Valkey's memory."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import Any

import psycopg
import redis
from psycopg import sql

from memoryhub import env


def database_dump(name: str) -> dict[str, str]:
    """Each table of the database as COPY writes it; the owner lifts the tenant wall for the time of one transaction."""
    found: dict[str, str] = {}
    with _owner(name) as owner:
        tables = owner.execute(
            "SELECT c.oid::regclass::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
            "WHERE c.relkind IN ('r', 'p', 'm') AND n.nspname = 'public' AND c.relname <> 'django_migrations' "
            "AND pg_get_userbyid(c.relowner) = current_user"
        ).fetchall()
        for (table,) in tables:
            owner.execute(sql.SQL("ALTER TABLE {} NO FORCE ROW LEVEL SECURITY").format(sql.SQL(table)))
            with owner.cursor().copy(sql.SQL("COPY {} TO STDOUT").format(sql.SQL(table))) as copy:
                found[table] = b"".join(bytes(part) for part in copy).decode("utf-8", "replace")
        owner.rollback()
    return found


def _owner(name: str) -> psycopg.Connection[Any]:
    owner = env.database("DATABASE_OWNER_URL")
    return psycopg.connect(
        host=str(owner["HOST"]) or None,
        port=str(owner["PORT"]) or None,
        dbname=name,
        user=str(owner["USER"]),
        password=str(owner["PASSWORD"]),
    )


def valkey_dump() -> dict[str, str]:
    """Each key with all that it holds, whatever its type, in every database of the server."""
    found: dict[str, str] = {}
    url = os.environ["REDIS_URL"]
    first = redis.Redis.from_url(url)
    for number in first.info("keyspace"):
        client = redis.Redis.from_url(url, db=int(str(number).removeprefix("db")))
        for key in client.scan_iter(count=1000):
            kind = client.type(key).decode()
            found[f"{number} {key.decode('utf-8', 'replace')}"] = repr(_value(client, key, kind))
        client.close()
    first.close()
    return found


def _value(client: Any, key: bytes, kind: str) -> Any:
    readers = {
        "string": lambda: client.get(key),
        "list": lambda: client.lrange(key, 0, -1),
        "set": lambda: client.smembers(key),
        "zset": lambda: client.zrange(key, 0, -1, withscores=True),
        "hash": lambda: client.hgetall(key),
        "stream": lambda: client.xrange(key),
    }
    return readers[kind]() if kind in readers else client.dump(key)


def places_of(words: Iterable[str], texts: dict[str, str]) -> dict[str, list[str]]:
    """word -> where it stands, letter case aside; as text, as the bytes of a text, and with its escapes as JSON has them."""
    lowered = {place: text.lower() for place, text in texts.items()}
    found: dict[str, list[str]] = {}
    for word in words:
        forms = {word.lower(), word.encode().hex(), json.dumps(word)[1:-1].lower()}
        places = [place for place, text in lowered.items() if any(form in text for form in forms)]
        if places:
            found[word] = places
    return found
