"""manage.py create_tenant SLUG NAME ADMIN_EMAIL: a new tenant and the invitation of its first admin."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.urls import reverse

from accounts.actor import system_actor
from accounts.models import Role
from accounts.services.create_tenant import create_tenant
from accounts.services.invite import invite
from memoryhub.common.errors import DomainError


class Command(BaseCommand):
    help = "Create a tenant and print the invitation link of its first admin."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("name")
        parser.add_argument("admin_email")
        parser.add_argument("--locale", default="en")
        parser.add_argument("--time-zone", default="UTC")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with transaction.atomic():
                tenant = create_tenant(
                    slug=options["slug"],
                    name=options["name"],
                    locale=options["locale"],
                    time_zone=options["time_zone"],
                )
                actor = system_actor(tenant.pk, door="command")
                _, token = invite(actor=actor, email=options["admin_email"], role=Role.ADMIN)
        except DomainError as error:
            fields = "; ".join(f"{name}: {text}" for name, text in error.fields.items())
            raise CommandError(f"{error.message} {fields}".strip()) from None
        link = settings.SITE_URL.rstrip("/") + reverse("accept_invitation", args=[token])
        self.stdout.write(f"{tenant.slug} created. Its first admin signs up here: {link}")
