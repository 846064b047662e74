"""What the tables of a store take on disk."""

from __future__ import annotations

from memories.benchmark.loading import TABLES, owner


def disk_mb() -> dict[str, float]:
    """MB of each table, and of its indexes under "<table> indexes"."""
    sizes: dict[str, float] = {}
    with owner() as db:
        for table in TABLES:
            row = db.execute(
                "SELECT pg_table_size(%s::regclass), pg_indexes_size(%s::regclass)", [table, table]
            ).fetchone()
            if row is not None:
                sizes[table], sizes[f"{table} indexes"] = row[0] / 2**20, row[1] / 2**20
    return sizes
