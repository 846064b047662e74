"""manage.py import_memories FILE --tenant SLUG: take an export in, and say what became of its lines."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.actor import system_actor
from accounts.models import Tenant
from memories.core.transfer.lines import MAX_LINE
from memories.management.commands.export_memories import EVERY, megabytes
from memories.services.transfer.take_in import import_lines
from memoryhub.common.errors import DomainError


class Command(BaseCommand):
    help = "Take an export in; one that was broken off is simply run again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="an export, packed where it ends in .gz")
        parser.add_argument("--tenant", metavar="SLUG", required=True)
        parser.add_argument(
            "--dry-run", action="store_true", help="say what would be taken, and take nothing"
        )
        parser.add_argument(
            "--keep-ids",
            action="store_true",
            help="keep the ids of memories: the tenant moves here from elsewhere",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        tenant = Tenant.objects.filter(slug=options["tenant"]).first()
        if tenant is None:
            raise CommandError(f"no tenant {options['tenant']}")
        actor = system_actor(tenant.pk, door="command", name="import_memories")
        path = Path(options["file"])
        try:
            opened = gzip.open if path.suffix == ".gz" else open
            with opened(path, "rt", encoding="utf-8", newline="\n") as source:
                report = import_lines(
                    actor=actor,
                    source=self._counted(source),
                    keep_ids=options["keep_ids"],
                    dry_run=options["dry_run"],
                )
        except DomainError as error:
            raise CommandError(f"{error.message}. {error.hint}".strip()) from None
        except UnicodeDecodeError:
            raise CommandError(f"{path} is not written in UTF-8") from None
        except (OSError, EOFError) as error:
            raise CommandError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from None
        for number, code, reason in report.told:
            self.stderr.write(f"line {number}: {code}: {reason}")
        told = {"dry_run": options["dry_run"], "complete": report.complete, "subjects": report.subjects}
        self.stdout.write(json.dumps({**told, **report.counts}))
        if not report.complete:
            raise CommandError("the export is not complete; what it holds was taken")

    def _counted(self, source: IO[str]) -> Iterator[str]:
        number = 0
        # Never more of a line than may be in one: it is refused, not held.
        while text := source.readline(MAX_LINE + 2):
            number += 1
            yield text
            if number % EVERY == 0:
                self.stderr.write(f"{number} lines, {megabytes():.0f} MB in use at most")
