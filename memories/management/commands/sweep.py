"""`manage.py sweep`: sweep tenants now, or with --dry-run tell what would go and why, changing nothing."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.actor import Actor, system_actor
from accounts.models import Tenant
from memories.services.sweep import plan_sweep, sweep

SHOWN = 1_000


class Command(BaseCommand):
    """Prints ids and numbers only: what people said stays where it is."""

    help = "Let go of memories that have ended, faded or are too much; --dry-run only tells which, and why."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--tenant", metavar="SLUG", help="this tenant only; every active one by default")
        parser.add_argument("--dry-run", action="store_true", help="change nothing, list what would go")
        parser.add_argument(
            "--limit", type=int, default=SHOWN, help=f"memories listed of a tenant (default {SHOWN})"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["limit"] < 1:
            raise CommandError("--limit must be at least 1.")
        tenants = Tenant.objects.filter(status=Tenant.Status.ACTIVE).order_by("slug")
        if options["tenant"]:
            tenants = tenants.filter(slug=options["tenant"])
            if not tenants.exists():
                raise CommandError(f"there is no active tenant {options['tenant']!r}.")
        for tenant in tenants:
            actor = system_actor(tenant.pk, door="command", name="sweep")
            run = sweep(actor=actor, dry_run=options["dry_run"])
            rules: dict[str, dict[str, int]] = run.counts["rules"]
            total = sum(number for kinds in rules.values() for number in kinds.values())
            verb = "would go" if run.dry_run else "went"
            self.stdout.write(f"{tenant.slug}: {total} of {run.counts['examined']} {verb} (run {run.pk})")
            for rule, kinds in sorted(rules.items()):
                numbers = ", ".join(f"{kind} {number}" for kind, number in sorted(kinds.items()))
                self.stdout.write(f"  {rule}: {numbers}")
            if run.counts.get("yielded"):
                self.stdout.write(
                    "  another sweep is at work in this tenant; it goes on where this one stopped"
                )
            if run.dry_run and total:
                self._list(actor, options["limit"], total)

    def _list(self, actor: Actor, limit: int, total: int) -> None:
        rows = plan_sweep(actor=actor, limit=limit)
        for (rule, kind), group in groupby(rows, key=lambda row: (row[0].rule, row[0].kind)):
            self.stdout.write(f"  {rule} {kind}")
            for one, why in group:
                self.stdout.write(f"    {one.memory_id} of subject {one.subject_id}: {why}")
        if len(rows) < total:
            self.stdout.write(f"  and {total - len(rows)} more; list them with --limit {total}")
