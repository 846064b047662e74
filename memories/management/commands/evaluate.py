"""`manage.py evaluate SUITE...`: quality on the real services, in a database of its own."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memories.adapters.factory import disk_cached_embedder, override
from memories.evaluation.database import throw_away_database
from memories.evaluation.report import table, write_json, write_lines
from memories.evaluation.suites import SUITES, CannotMeasure, SuiteOptions, SuiteResult


class Command(BaseCommand):
    """Runs suites, prints a table, writes JSON; exits with 1 when it could not measure what was asked."""

    help = "Measure quality with the registered suites, each on the real services."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "suites", nargs="+", metavar="SUITE", help=f"one or more of: {', '.join(sorted(SUITES))}"
        )
        parser.add_argument("--data", type=Path, help="folder of evaluation sets, one folder a set")
        parser.add_argument("--split", default="dev", help="reads <set>/SPLIT.conv.jsonl and so on")
        parser.add_argument("--limit", type=int, help="conversations a set, or turns of the longest script")
        parser.add_argument("--sets", default="", help="comma-separated sets; all that are there by default")
        parser.add_argument("--seed", type=int, default=0, help="seed of generated scripts")
        parser.add_argument(
            "--ablate", action="store_true", help="also without each part in turn, where a suite can"
        )
        parser.add_argument("--json", type=Path, help="file for {metrics, info}")
        parser.add_argument(
            "--failures", type=Path, help="file outside the project for what failed and what came first"
        )
        parser.add_argument("--sample", type=int, default=0, help="memories a set to write for judging")
        parser.add_argument("--sample-file", type=Path, help="file outside the project for that sample")

    def handle(self, *args: Any, **options: Any) -> None:
        unknown = [name for name in options["suites"] if name not in SUITES]
        if unknown:
            raise CommandError(
                f"no such suite: {', '.join(unknown)}. There are: {', '.join(sorted(SUITES))}."
            )
        wanted = SuiteOptions(
            data=options["data"],
            split=options["split"],
            limit=options["limit"],
            ablate=options["ablate"],
            seed=options["seed"],
            sets=tuple(name.strip() for name in options["sets"].split(",") if name.strip()),
            sample=options["sample"],
            sample_file=options["sample_file"],
        )
        results: dict[str, SuiteResult] = {}
        problems: list[str] = []
        try:
            with throw_away_database(), override(embedder=disk_cached_embedder(cache_folder())):
                for name in options["suites"]:
                    try:
                        results[name] = self._run(name, wanted)
                    except CannotMeasure as problem:
                        # A later suite, and what was measured before, are worth having all the same.
                        problems.append(f"{name}: {problem}")
            if options["json"] and results:
                write_json(options["json"], results)
            if options["failures"]:
                write_lines(
                    options["failures"], (row for result in results.values() for row in result.failures)
                )
        except CannotMeasure as problem:
            problems.append(str(problem))
        if problems:
            raise CommandError(f"could not measure: {'; '.join(problems)}")

    def _run(self, name: str, options: SuiteOptions) -> SuiteResult:
        started = time.perf_counter()
        result = SUITES[name](options)
        result.info[f"{name}.seconds"] = round(time.perf_counter() - started, 1)
        self.stdout.write(table(name, result) + "\n")
        return result


def cache_folder() -> Path:
    """Where vectors of evaluation texts stay between runs: EMBEDDING_CACHE, else the user's cache folder."""
    return Path(os.environ.get("EMBEDDING_CACHE", Path.home() / ".cache" / "memoryhub"))
