"""manage.py verify_audit: is the audit chain whole?"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.audit import verify
from accounts.models import AuditHead, Tenant
from memoryhub.common.db import tenant_transaction


class Command(BaseCommand):
    help = "Verify each tenant's audit chain and its anchors; one line a breach, exit status 1 when there is any."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--tenant", metavar="SLUG", help="only this tenant")

    def handle(self, *args: Any, **options: Any) -> None:
        tenants = Tenant.objects.all()
        if options["tenant"]:
            tenants = tenants.filter(slug=options["tenant"])
            if not tenants:
                raise CommandError(f"no tenant {options['tenant']}")
        breaches = 0
        for tenant in tenants:
            with tenant_transaction(tenant.pk):
                found = list(verify())
                head = AuditHead.objects.first()
            for breach in found:
                self.stdout.write(f"{tenant.slug}: entry {breach.seq} {breach.problem}")
            if not found:
                self.stdout.write(f"{tenant.slug}: {head.seq if head else 0} entries, whole")
            breaches += len(found)
        if breaches:
            raise CommandError(f"{breaches} breach(es) found")
