"""`manage.py reembed`: change the embedder of a live store, watch it, switch, roll back, drop."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memories.adapters.factory import get_clock
from memories.models import EmbeddingSpace
from memories.services.embedding_space import LIVE, State
from memories.services.reembedding.drop import drop_generation, is_being_dropped
from memories.services.reembedding.progress import progress
from memories.services.reembedding.start import start_generation
from memories.services.reembedding.switch import roll_back, switch_generation
from memoryhub.common.errors import DomainError


class Command(BaseCommand):
    """Workers do the embedding; this only asks for it and tells how far it is."""

    help = "Change the embedder while everything runs: start, status, switch, rollback, drop."

    def add_arguments(self, parser: CommandParser) -> None:
        commands = parser.add_subparsers(dest="verb", required=True)
        start = commands.add_parser("start", help="begin a generation beside the active one")
        start.add_argument(
            "--to",
            default="",
            choices=["", "main", "next", "local"],
            help="EMBEDDINGS_* (main), EMBEDDINGS_NEXT_* (next), or the bundled models (local)",
        )
        start.add_argument("--switch-when-complete", action="store_true", help="take over by itself")
        status = commands.add_parser("status", help="how far each generation is, tenant by tenant")
        status.add_argument("--all", action="store_true", help="complete tenants, too")
        for verb, text in (("switch", "answer with the new one"), ("rollback", "answer with the former one")):
            one = commands.add_parser(verb, help=text)
            one.add_argument(
                "--force", type=int, default=0, metavar="COUNT", help="although so many items have no vector"
            )
        drop = commands.add_parser("drop", help="delete a generation's vectors, in the background")
        drop.add_argument("generation", type=int, nargs="?", help="its number; the one on standby by default")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self._do(options["verb"], options)
        except DomainError as error:
            hint = f" {error.hint}" if error.hint else ""
            raise CommandError(f"{error}{hint}") from None

    def _do(self, verb: str, options: dict[str, Any]) -> None:
        if verb == "start":
            space = start_generation(to=options["to"], switches_itself=options["switch_when_complete"])
            self._say(space, "is being filled; see `manage.py reembed status`.")
        elif verb == "switch":
            self._say(switch_generation(allowed_missing=options["force"]), "answers now.")
        elif verb == "rollback":
            self._say(roll_back(allowed_missing=options["force"]), "answers again.")
        elif verb == "drop":
            self._say(drop_generation(space_id=options["generation"]), "is dropped in the background.")
        else:
            self._status(options["all"])

    def _say(self, space: EmbeddingSpace, what: str) -> None:
        self.stdout.write(f"Generation {space.pk} ({space.name}, {space.dimension} dimensions) {what}")

    def _status(self, everything: bool) -> None:
        """The live generations with their tenants, and retired ones whose vectors are still going."""
        now = get_clock().now()
        spaces = EmbeddingSpace.objects.filter(state__in=LIVE).order_by("id")
        if not spaces:
            self.stdout.write("Nothing was embedded yet.")
        for space in spaces:
            rows = list(progress(space=space, now=now))
            total, missing = sum(row.total for row in rows), sum(row.missing for row in rows)
            rate = sum(row.rate for row in rows)
            itself = ", takes over when complete" if space.switches_itself else ""
            self.stdout.write(
                f"{space.pk}  {space.state}{itself}  {space.name}@{space.revision}  {space.dimension} dimensions  "
                f"{_share(total - missing, total)}{_eta(missing, rate)}"
            )
            for row in rows:
                if row.missing or everything:
                    self.stdout.write(
                        f"    {row.slug}: {_share(row.done, row.total)}{_eta(row.missing, row.rate)}"
                    )
        for space in EmbeddingSpace.objects.filter(state=State.RETIRED).order_by("id"):
            if is_being_dropped(space.pk):
                self.stdout.write(
                    f"{space.pk}  {space.state}  {space.name}@{space.revision}  its vectors are being dropped"
                )


def _share(done: int, total: int) -> str:
    return f"{done} of {total} ({100 * done / total if total else 100:.1f}%)"


def _eta(missing: int, rate: float) -> str:
    if not missing:
        return ""
    if rate <= 0:
        return ", nothing in the last minutes: do the workers run, and does the endpoint answer?"
    seconds = int(missing / rate)
    return f", {rate:.1f}/s, about {seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02} left"
