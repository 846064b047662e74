"""manage.py erase SUBJECT --tenant SLUG: remove all that is known of a subject, and print the signed receipt."""

from __future__ import annotations

import json
import uuid
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.actor import system_actor
from accounts.models import Subject, SubjectKind, Tenant
from memories.services.erase_subject import erase_subject
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import DomainError


class Command(BaseCommand):
    help = "Erase a subject for good: rows, vectors, lexemes, versions, digests, turns, traces, queued work."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("subject", help="the external id, taken literally; with --id the internal one")
        parser.add_argument("--tenant", metavar="SLUG", required=True)
        parser.add_argument("--kind", choices=SubjectKind.values, default=SubjectKind.USER.value)
        parser.add_argument("--id", action="store_true", help="SUBJECT is the internal id")
        parser.add_argument("--out", metavar="FILE", help="write the receipt there instead of printing it")

    def handle(self, *args: Any, **options: Any) -> None:
        tenant = Tenant.objects.filter(slug=options["tenant"]).first()
        if tenant is None:
            raise CommandError(f"no tenant {options['tenant']}")
        with tenant_transaction(tenant.pk):
            subject_id = _find(options)
        if subject_id is None:
            raise CommandError("no such subject in this tenant")
        actor = system_actor(tenant.pk, door="command", name="erase")
        try:
            erasure = erase_subject(actor=actor, subject_id=subject_id, wait=True)
        except DomainError as error:
            raise CommandError(f"{error.message}. {error.hint}".strip()) from None
        text = json.dumps(erasure.receipt, ensure_ascii=False, indent=2, sort_keys=True)
        if options["out"]:
            Path(options["out"]).write_text(text + "\n", encoding="utf-8")
            self.stdout.write(f"erased; the receipt stands in {options['out']}")
        else:
            self.stdout.write(text)


def _find(options: dict[str, Any]) -> uuid.UUID | None:
    if options["id"]:
        try:
            return uuid.UUID(options["subject"])
        except ValueError:
            raise CommandError("--id needs an internal id: a UUID.") from None
    rows = Subject.objects.filter(
        kind=options["kind"], external_id=options["subject"], erased_at__isnull=True
    )
    found: uuid.UUID | None = rows.values_list("id", flat=True).first()
    return found
