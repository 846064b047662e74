"""Lists the commands that work without Django beside all others, and lets code call them."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memoryhub.embedded import cli
from memoryhub.embedded.errors import StartError


class EarlyCommand(BaseCommand):
    """One of cli.COMMANDS."""

    name: str
    requires_system_checks = ()

    @property
    def help(self) -> str:  # type: ignore[override]
        return cli.help_of(self.name)

    def add_arguments(self, parser: CommandParser) -> None:
        cli.add_arguments(self.name, parser)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            status = cli.handle(self.name, argparse.Namespace(**options))
        except StartError as error:
            raise CommandError(str(error)) from None
        if status:
            sys.exit(status)
