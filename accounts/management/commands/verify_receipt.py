"""manage.py verify_receipt FILE: does the receipt of an erasure hold?"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.receipts import ReceiptError, check_erased, parse, public_key, verify


class Command(BaseCommand):
    help = "Verify a receipt's signature (exit status 1 when it does not hold), or print the public key."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", nargs="?", help="the receipt; - reads standard input")
        parser.add_argument(
            "--public-key",
            action="append",
            metavar="KEY",
            help="trust this key instead of this installation's; may be given several times",
        )
        parser.add_argument("--show-key", action="store_true", help="print this installation's public key")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["show_key"]:
            self.stdout.write(public_key())
            return
        if not options["file"]:
            raise CommandError("name the receipt's file, or - for standard input")
        try:
            text = (
                sys.stdin.read()
                if options["file"] == "-"
                else Path(options["file"]).read_text(encoding="utf-8")
            )
            receipt = parse(text)
            verify(receipt, options["public_key"])
            check_erased(receipt)
        except (OSError, UnicodeDecodeError):
            raise CommandError(f"{options['file']} cannot be read") from None
        except ReceiptError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(
            f"the receipt holds: subject {receipt.get('subject')} was erased at {receipt.get('finished_at')}"
        )
