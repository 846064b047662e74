"""manage.py suspend_tenant SLUG [--resume]: stop every access to a tenant at once, or allow it again."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.actor import system_actor
from accounts.models import Tenant
from accounts.services.create_tenant import resume_tenant, suspend_tenant
from memoryhub.common.errors import DomainError


class Command(BaseCommand):
    help = "Suspend a tenant (sessions, keys and sockets stop at once; data stays), or --resume it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--reason", default="")
        parser.add_argument("--resume", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        tenant = Tenant.objects.filter(slug=options["slug"]).first()
        if tenant is None:
            raise CommandError(f"no tenant {options['slug']}")
        act = resume_tenant if options["resume"] else suspend_tenant
        try:
            act(actor=system_actor(tenant.pk, door="command"), reason=options["reason"])
        except DomainError as error:
            raise CommandError(error.message) from None
        self.stdout.write(f"{tenant.slug} is {'active' if options['resume'] else 'suspended'}")
