"""A database of its own for an evaluation: made and migrated as the owner, used as the app role, dropped at the end."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import celery
from django.db import connection, connections

from memories.evaluation.suites import CannotMeasure
from memories.services import embedding_space, policies
from memoryhub import env


@contextmanager
def throw_away_database(*, keep: str = "") -> Iterator[None]:
    """Swap the default connection for a new, migrated database while the block runs.

    With a name in `keep` it is the database of that name, migrated further where it is there already, and it stays.

    Needs DATABASE_OWNER_URL, whose role may create databases. No worker is rung: what is queued in there is nobody's.
    """
    if "DATABASE_OWNER_URL" not in os.environ:
        raise CannotMeasure(
            "DATABASE_OWNER_URL is not set; without DATABASE_URL a database is started for the measurement"
        )
    owner = env.database("DATABASE_OWNER_URL")
    settings = connection.settings_dict
    before = {name: settings[name] for name in ("NAME", "USER", "PASSWORD")}
    name = keep or f"memoryhub_evaluation_{os.getpid()}"
    app = celery.current_app
    broker = app.conf.broker_url
    connections.close_all()
    settings.update(USER=owner["USER"], PASSWORD=owner["PASSWORD"])
    settings["TEST"]["NAME"] = name
    try:
        connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False, keepdb=bool(keep))
        connection.close()
        settings.update(USER=before["USER"], PASSWORD=before["PASSWORD"])
        app.conf.broker_url = "memory://"
        _forget_caches()
        yield
    finally:
        app.conf.broker_url = broker
        _forget_caches()
        connections.close_all()
        settings.update(USER=owner["USER"], PASSWORD=owner["PASSWORD"])
        connection.creation.destroy_test_db(str(before["NAME"]), verbosity=0, keepdb=bool(keep))
        settings.update(before)
        connections.close_all()


def _forget_caches() -> None:
    """What this process remembers of one database does not hold in another."""
    embedding_space.forget_cached()
    policies.forget_cached()
