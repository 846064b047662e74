"""manage.py reset_link EMAIL: a one-time link to set a new password, for when no mail server is there."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.services.reset_password import make_reset_link_by_operator
from memoryhub.common.errors import DomainError


class Command(BaseCommand):
    help = (
        "Print a one-time link with which this person sets a new password; audited in each of their tenants."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self.stdout.write(make_reset_link_by_operator(email=options["email"]))
        except DomainError as error:
            raise CommandError(error.message) from None
