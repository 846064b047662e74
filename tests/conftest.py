"""Fixtures of all tests: the database as the app role, two tenants with their people, and an injected clock."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import count
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.conf import settings
from django.db import connection, connections
from django.db.backends.postgresql.operations import DatabaseOperations
from hypothesis import settings as property_settings

from memoryhub import env
from tests.support.logs import log_lines  # noqa: F401
from tests.support.people import House, make_house

# How long an example takes says how busy the machine is, not whether the property holds.
property_settings.register_profile("untimed", deadline=None)
property_settings.load_profile("untimed")


@pytest.fixture(scope="session")
def django_db_setup(django_test_environment: None, django_db_blocker: Any) -> Iterator[None]:
    """Create and migrate the test database as the owner, then hand it over to the app role that owns nothing."""
    owner = env.database("DATABASE_OWNER_URL")
    app = {name: connection.settings_dict[name] for name in ("USER", "PASSWORD")}
    suffix = os.environ.get("PYTEST_XDIST_WORKER", "main")
    with django_db_blocker.unblock():
        connection.settings_dict.update(USER=owner["USER"], PASSWORD=owner["PASSWORD"])
        connection.settings_dict["TEST"]["NAME"] = f"test_memoryhub_{suffix}_{os.getpid()}"
        connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
        connection.close()
        connection.settings_dict.update(app)
    yield
    with django_db_blocker.unblock():
        connections.close_all()
        connection.settings_dict.update(USER=owner["USER"], PASSWORD=owner["PASSWORD"])
        connection.creation.destroy_test_db("memoryhub", verbosity=0)


def _flush_as_owner(self: DatabaseOperations, sql_list: list[str]) -> None:
    """A transactional test ends with TRUNCATE, which the app role rightly may not do.

    A thread of the test that is still ending may meet it crosswise: then it is done once more.
    """
    with owner_connection() as owner:
        for sql in sql_list:
            for attempt in count(1):
                try:
                    owner.execute(sql)
                    break
                except psycopg.errors.DeadlockDetected:
                    if attempt == 5:
                        raise
    # What this process remembers of the rows that are gone now, goes, too.
    from memories.services import embedding_space, policies

    embedding_space.forget_cached()
    policies.forget_cached()


DatabaseOperations.execute_sql_flush = _flush_as_owner  # type: ignore[method-assign]


def owner_connection() -> psycopg.Connection[Any]:
    """A connection to the test database as the owner of its tables, in autocommit."""
    owner = env.database("DATABASE_OWNER_URL")
    database = connection.settings_dict
    return psycopg.connect(
        host=database["HOST"] or None,
        port=database["PORT"] or None,
        dbname=database["NAME"],
        user=owner["USER"],
        password=owner["PASSWORD"],
        autocommit=True,
    )


@pytest.fixture(autouse=True)
def _plain_settings() -> None:
    """Tests meet the settings that production has, not DEBUG's; hashing passwords takes no time."""
    settings.DEBUG = False
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def acme(db: None) -> House:
    """A tenant: admin, operator, user, other; see tests/support/people.py."""
    return make_house("acme")


@pytest.fixture
def globex(db: None) -> House:
    """The other tenant, with the same cast."""
    return make_house("globex")


@pytest.fixture
def own_cache(settings: Any) -> None:
    """A cache of the test's own: rate limits of sign-in start from zero."""
    settings.CACHES = {
        "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": uuid4().hex}
    }
