"""`manage.py prepare`: migrations as the owner, then schedule and demo people as the app role; what `up` runs before serving."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError, connection

from memoryhub import env

_MIGRATING = 0x4D48  # An advisory lock's number: two machines that start at once migrate one after the other.


class Command(BaseCommand):
    help = "Migrate as the owner, sync the schedule, create the demo people."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--no-demo", action="store_true", help="create no demo tenants (or set DEMO=0)")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with as_owner():
                call_command("migrate", interactive=False, verbosity=1, skip_checks=True)
            from memoryhub.checks import assert_safe_to_serve

            assert_safe_to_serve()
        except ImproperlyConfigured as refusal:
            raise CommandError(str(refusal)) from None
        except (OperationalError, psycopg.OperationalError) as error:
            cause = " ".join(str(error).split())
            raise CommandError(
                f"The database does not take us in: {cause} Check DATABASE_URL and DATABASE_OWNER_URL."
            ) from None
        call_command("sync_schedule")
        self._adopt_embedder()
        if env.boolean("DEMO", True) and not options["no_demo"]:
            self._seed()

    def _adopt_embedder(self) -> None:
        from memories.services.reembedding.adopt import adopt_settings

        if done := adopt_settings():
            self.stdout.write(done)

    def _seed(self) -> None:
        from accounts.services.seed_demo import seed_demo
        from memoryhub.embedded.credentials import add_credentials

        people = seed_demo(keep=lambda person: add_credentials(settings.HOME, [person]))
        if people:
            self.stdout.write(f"Created {len(people)} demo people.")


@contextmanager
def as_owner() -> Iterator[None]:
    """Turn the default connection into the owner's, one at a time over all machines, and back."""
    app = dict(connection.settings_dict)
    owner = env.database("DATABASE_OWNER_URL")
    connection.close()
    connection.settings_dict.update(
        {name: owner[name] for name in ("NAME", "USER", "PASSWORD", "HOST", "PORT")}
    )
    # A session of its own: `migrate` closes and opens connections as it likes.
    lock = psycopg.connect(env.text("DATABASE_OWNER_URL"), autocommit=True, connect_timeout=10)
    try:
        with lock:
            lock.execute("SELECT pg_advisory_lock(%s)", [_MIGRATING])
            yield
    finally:
        connection.close()
        connection.settings_dict.update(app)
