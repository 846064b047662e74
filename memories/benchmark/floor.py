"""The floor of recall: plain exact search over the same rows through psycopg, as one would write it without a library."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

import psycopg
from django.db import connection

from memories.benchmark.store import FLOOR
from memoryhub.common.db import direct_address

_SQL = f"SELECT item_id FROM {FLOOR} WHERE subject_id = %s ORDER BY vector <=> %s::vector LIMIT %s"


class Floor:
    """A connection of its own as the app role, without compiling or parallel workers."""

    def __init__(self) -> None:
        database = connection.settings_dict
        self._db: psycopg.Connection[Any] = psycopg.connect(
            **direct_address(database),
            autocommit=True,
        )
        self._db.execute("SET jit = off")
        self._db.execute("SET max_parallel_workers_per_gather = 0")

    def nearest(self, subject_id: uuid.UUID, vector: Sequence[float], k: int) -> list[uuid.UUID]:
        """The k nearest items of a subject."""
        text = "[" + ",".join(f"{value:.6g}" for value in vector) + "]"
        return [row[0] for row in self._db.execute(_SQL, [subject_id, text, k]).fetchall()]

    def close(self) -> None:
        self._db.close()
