"""manage.py import_chats FILE --tenant SLUG --subject ID: take in what another product let somebody take along."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.actor import system_actor
from accounts.models import SubjectKind, Tenant
from accounts.services.ensure_subject import ensure_subject, find_subject
from memoryhub.common.errors import DomainError
from sessions_app.services.import_foreign import import_foreign


class Command(BaseCommand):
    help = "Take in memories of mem0 or Claude, conversations of ChatGPT or Claude, chat logs, or lines with a memory each."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="JSON, lines of JSON, or plain lines, in UTF-8")
        parser.add_argument("--tenant", metavar="SLUG", required=True)
        parser.add_argument(
            "--subject", metavar="ID", required=True, help="whose it is: an external id, taken literally"
        )
        parser.add_argument("--kind", choices=SubjectKind.values, default=SubjectKind.USER.value)
        parser.add_argument(
            "--dry-run", action="store_true", help="say what would be stored and why not; store nothing"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        tenant = Tenant.objects.filter(slug=options["tenant"]).first()
        if tenant is None:
            raise CommandError(f"no tenant {options['tenant']}")
        actor = system_actor(tenant.pk, door="command", name="import_chats")
        try:
            text = Path(options["file"]).read_text(encoding="utf-8-sig")
            subject_of = find_subject if options["dry_run"] else ensure_subject
            subject = subject_of(actor=actor, kind=options["kind"], external_id=options["subject"])
            report = import_foreign(actor=actor, subject_id=subject.pk, text=text, dry_run=options["dry_run"])
        except DomainError as error:
            fields = "; ".join(error.fields.values())
            raise CommandError(f"{error.message}: {fields or error.hint}".rstrip(": ")) from None
        except UnicodeDecodeError:
            raise CommandError(f"{options['file']} is not written in UTF-8") from None
        except OSError as error:
            raise CommandError(f"cannot read {options['file']}: {error.strerror}") from None
        for number, code, reason in report.told:
            self.stderr.write(f"entry {number}: {code}: {reason}")
        self.stdout.write(json.dumps({"dry_run": options["dry_run"], **report.counts}))
