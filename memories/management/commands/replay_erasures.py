"""manage.py replay_erasures: after a restore, erase again what was erased since the backup."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts import erasure_ledger
from accounts.actor import system_actor
from accounts.models import Tenant
from memories.services.replay_erasures import replay_erasures
from memoryhub.common.errors import DomainError


class Command(BaseCommand):
    help = "Carry out again, after a restore, what the ledger of erasures names; --dry-run only tells what."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--tenant", metavar="SLUG", help="only this tenant")
        parser.add_argument("--dry-run", action="store_true", help="change nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        tenants = Tenant.objects.order_by("slug")
        if options["tenant"]:
            tenants = tenants.filter(slug=options["tenant"])
            if not tenants:
                raise CommandError(f"no tenant {options['tenant']}")
        else:
            for tenant_id in erasure_ledger.tenants():
                if not tenants.filter(pk=tenant_id).exists():
                    self.stdout.write(
                        f"there is a ledger of {tenant_id}, which is no tenant of this database"
                    )
        broken = 0
        for tenant in tenants:
            actor = system_actor(tenant.pk, door="command", name="replay_erasures")
            try:
                report = replay_erasures(actor=actor, dry_run=options["dry_run"])
            except DomainError as error:
                raise CommandError(f"{tenant.slug}: {error.message}. {error.hint}".strip()) from None
            for entry in report.due:
                verb = "would be erased" if options["dry_run"] else "was erased"
                self.stdout.write(f"  subject {entry.subject_id} {verb} again (entry {entry.seq})")
            self.stdout.write(
                f"{tenant.slug}: {report.entries} erasures in the ledger, {len(report.due)} to do again"
            )
            for line in report.broken:
                self.stdout.write(f"{tenant.slug}: line {line} of the ledger was changed or cut")
            for number in report.lost:
                self.stdout.write(f"{tenant.slug}: entry {number} is missing in the ledger")
            broken += len(report.broken) + len(report.lost)
        if broken:
            raise CommandError(
                f"{broken} line(s) of the ledger cannot be trusted, or are missing: see what was erased by hand"
            )
