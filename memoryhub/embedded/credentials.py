"""The demo people's passwords: kept for their owner's eyes, shown on request."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from memoryhub.embedded.runtime import write_private

FILE = "credentials.json"


def add_credentials(home: Path, people: Sequence[dict[str, str]]) -> None:
    """Keep those that were just created ({tenant, role, email, password}), beside earlier ones."""
    if not people:
        return
    known = {person["email"]: person for person in read_credentials(home)}
    known |= {person["email"]: dict(person) for person in people}
    write_private(home / FILE, json.dumps(list(known.values()), indent=1, ensure_ascii=False))
    write_private(home / "credentials.new", "")  # `up` prints them once.


def read_credentials(home: Path) -> list[dict[str, str]]:
    """What was kept; empty before the first start."""
    try:
        found: list[dict[str, str]] = json.loads((home / FILE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return []
    return found


def credentials_table(home: Path) -> str:
    """A table for people."""
    columns = ("tenant", "role", "email", "password")
    rows = [
        columns,
        *(tuple(person.get(column, "") for column in columns) for person in read_credentials(home)),
    ]
    widths = [max(len(row[index]) for row in rows) for index in range(len(columns))]
    return "\n".join(
        "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )
