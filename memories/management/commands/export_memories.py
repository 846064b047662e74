"""manage.py export_memories --tenant SLUG: write a tenant's memories, or one subject's, as lines of JSON."""

from __future__ import annotations

import gzip
import resource
import sys
import uuid
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.actor import system_actor
from accounts.models import Subject, SubjectKind, Tenant
from memories.services.transfer.export import export_lines
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import DomainError

EVERY = 10_000


class Command(BaseCommand):
    help = "Write a tenant's memories, or one subject's, as lines of JSON (docs/api/transfer.md)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--tenant", metavar="SLUG", required=True)
        parser.add_argument("--subject", metavar="ID", help="only this one: its external id, taken literally")
        parser.add_argument("--kind", choices=SubjectKind.values, default=SubjectKind.USER.value)
        parser.add_argument(
            "--out",
            metavar="FILE",
            required=True,
            help="written there, packed where it ends in .gz; - is the output",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        tenant = Tenant.objects.filter(slug=options["tenant"]).first()
        if tenant is None:
            raise CommandError(f"no tenant {options['tenant']}")
        subject_id = _subject(tenant.pk, options) if options["subject"] else None
        actor = system_actor(tenant.pk, door="command", name="export_memories")
        path = Path(options["out"])
        # A file that was begun and not ended must not be taken for an export.
        part = path.with_name(path.name + ".part")
        try:
            lines = export_lines(actor=actor, subject_id=subject_id)
            if options["out"] == "-":
                for line in lines:
                    sys.stdout.write(line)
                return
            opened = gzip.open if path.suffix == ".gz" else open
            with opened(part, "wt", encoding="utf-8") as out:
                for number, line in enumerate(lines, 1):
                    out.write(line)
                    if number % EVERY == 0:
                        self.stderr.write(f"{number} lines, {megabytes():.0f} MB in use at most")
            part.replace(path)
        except DomainError as error:
            raise CommandError(f"{error.message}. {error.hint}".strip()) from None
        except OSError as error:
            raise CommandError(f"cannot write {options['out']}: {error.strerror}") from None
        self.stderr.write(f"written to {path}; {megabytes():.0f} MB in use at most")


def megabytes() -> float:
    """The most memory that this process had in use."""
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used / (2**20 if sys.platform == "darwin" else 2**10)


def _subject(tenant_id: uuid.UUID, options: dict[str, Any]) -> uuid.UUID:
    with tenant_transaction(tenant_id):
        rows = Subject.objects.filter(kind=options["kind"], external_id=options["subject"], erased_at=None)
        found: uuid.UUID | None = rows.values_list("id", flat=True).first()
    if found is None:
        raise CommandError("no such subject in this tenant")
    return found
