"""manage.py rotate_keys: seal everything anew under fresh keys; or destroy a tenant's keys for good."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.actor import system_actor
from accounts.models import Tenant
from accounts.services.rotate_keys import destroy_keys, rotate_keys
from memoryhub.common.errors import DomainError
from memoryhub.common.sealing import KeyDestroyed


class Command(BaseCommand):
    help = (
        "Give each tenant a fresh data key and seal everything anew under it; may be cut short and run again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--tenant", metavar="SLUG", help="only this tenant")
        parser.add_argument(
            "--destroy",
            action="store_true",
            help="destroy the keys of --tenant instead: what is encrypted can never be read again",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        tenants = Tenant.objects.order_by("slug")
        if options["tenant"]:
            tenants = tenants.filter(slug=options["tenant"])
            if not tenants:
                raise CommandError(f"no tenant {options['tenant']}")
        elif options["destroy"]:
            raise CommandError("--destroy needs --tenant SLUG.")
        for tenant in tenants:
            actor = system_actor(tenant.pk, door="command", name="rotate_keys")
            try:
                if options["destroy"]:
                    self.stdout.write(f"{tenant.slug}: {destroy_keys(actor=actor)} keys destroyed")
                    continue
                done = rotate_keys(actor=actor)
            except KeyDestroyed:
                self.stdout.write(f"{tenant.slug}: its keys were destroyed, nothing to rotate")
                continue
            except DomainError as error:
                raise CommandError(f"{tenant.slug}: {error.message}. {error.hint}".strip()) from None
            self.stdout.write(
                f"{tenant.slug}: key {done.number} seals; {done.resealed} values sealed anew, "
                f"{done.destroyed} old keys destroyed"
            )
