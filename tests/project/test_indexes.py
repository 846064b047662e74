"""An index that is built beside the writers: whole after an interrupted build was run again, and reversible."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import IntegrityError, connection
from django.db.backends.base.base import BaseDatabaseWrapper

from memoryhub.common.indexes import IndexBeside
from tests.conftest import env

pytestmark = pytest.mark.django_db

TABLE, INDEX = "scratch_of_indexes", "scratch_by_key"
UNIQUE = IndexBeside(INDEX, f"ON {TABLE} (key)", unique=True)


@pytest.fixture
def owner() -> Iterator[BaseDatabaseWrapper]:
    """The owner's own connection, outside of the test's transaction, with a scratch table."""
    given = env.database("DATABASE_OWNER_URL")
    made: Any = connection.copy()
    made.settings_dict["OPTIONS"].pop("pool", None)
    made.settings_dict.update(USER=given["USER"], PASSWORD=given["PASSWORD"])
    try:
        run(made, f"CREATE TABLE {TABLE} (key text)")
        yield made
    finally:
        run(made, f"DROP TABLE IF EXISTS {TABLE}")
        made.close()


def run(owner: Any, sql: str) -> list[Any]:
    with owner.cursor() as cursor:
        cursor.execute(sql)
        return list(cursor.fetchall()) if cursor.description else []


def valid(owner: Any) -> list[bool]:
    return [
        row[0]
        for row in run(owner, f"SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('{INDEX}')")
    ]


def apply(owner: Any, operation: IndexBeside, *, back: bool = False) -> None:
    with owner.schema_editor(atomic=False) as editor:
        step = operation.database_backwards if back else operation.database_forwards
        step("memories", editor, None, None)


def test_an_index_left_invalid_is_built_anew(owner: Any) -> None:
    run(owner, f"INSERT INTO {TABLE} VALUES ('a'), ('a')")
    with pytest.raises(IntegrityError):
        apply(owner, UNIQUE)
    assert valid(owner) == [False]
    run(owner, f"DELETE FROM {TABLE}")
    apply(owner, UNIQUE)
    assert valid(owner) == [True]
    with pytest.raises(IntegrityError):
        run(owner, f"INSERT INTO {TABLE} VALUES ('a'), ('a')")


def test_it_may_be_run_twice_and_backwards(owner: Any) -> None:
    for _ in range(2):
        apply(owner, UNIQUE)
    assert valid(owner) == [True]
    for _ in range(2):
        apply(owner, UNIQUE, back=True)
    assert valid(owner) == []
    dropping = IndexBeside(INDEX, f"ON {TABLE} (key)", unique=True, drops=True)
    apply(owner, dropping, back=True)
    assert valid(owner) == [True]
    apply(owner, dropping)
    assert valid(owner) == []
