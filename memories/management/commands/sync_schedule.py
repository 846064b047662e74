"""manage.py sync_schedule: write the periodic tasks declared in code to django-celery-beat."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from memories.services.sync_schedule import sync_schedule


class Command(BaseCommand):
    help = "Write the periodic tasks declared in code to django-celery-beat; safe to run at every start."

    def handle(self, *args: Any, **options: Any) -> None:
        done = sync_schedule()
        self.stdout.write(
            f"Periodic tasks: {done['written']} written, {done['unchanged']} unchanged, {done['removed']} removed."
        )
