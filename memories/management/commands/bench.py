"""`manage.py bench CASE...`: how fast the real services are over a generated store, as ratios to floors of the same run."""

from __future__ import annotations

import json
import os
import platform
import time
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memories.adapters.factory import disk_cached_embedder, override
from memories.benchmark.admin_case import start
from memories.benchmark.cases import CASES, Options
from memories.benchmark.disk import disk_mb
from memories.benchmark.measure import resident_mb
from memories.benchmark.printing import table
from memories.benchmark.spread import open_spread
from memories.benchmark.store import Plan, Store, open_store
from memories.evaluation.database import throw_away_database
from memories.evaluation.suites import CannotMeasure
from memories.management.commands.evaluate import cache_folder

GROWTH = (10_000, 100_000, 1_000_000)
PEOPLE = (100, 500, 1_000, 5_000, 20_000, 100_000)


class Command(BaseCommand):
    """Generates a store (or takes up a kept one), runs the cases on it, prints tables, writes JSON."""

    help = "Measure speed on the real services, beside a plain floor in the same run."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "cases", nargs="*", metavar="CASE", help=f"of: {', '.join(sorted(CASES))}; all by default"
        )
        parser.add_argument("--items", default="500", help="comma-separated sizes of the measured people")
        parser.add_argument("--store", type=int, default=100_000, help="items of the whole store")
        parser.add_argument("--rounds", type=int, default=200, help="calls of each contender, by turns")
        parser.add_argument("--rows", type=int, default=2_000, help="rows of the cases that write")
        parser.add_argument(
            "--grow",
            action="store_true",
            help="recall for people of 100 to 100,000 items in stores of 10,000 to 1,000,000",
        )
        parser.add_argument(
            "--keep", action="store_true", help="keep the store, and take it up where it fits"
        )
        parser.add_argument(
            "--tenants",
            type=int,
            default=1,
            help="with the case admin alone: 10,000 and then --store memories (not items) spread over so many tenants",
        )
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--json", type=Path, help="file for all figures")

    def handle(self, *args: Any, **options: Any) -> None:
        names = options["cases"] or (["recall"] if options["grow"] else sorted(CASES))
        unknown = [name for name in names if name not in CASES]
        if unknown:
            raise CommandError(f"no such case: {', '.join(unknown)}. There are: {', '.join(sorted(CASES))}.")
        wanted = Options(rounds=max(1, options["rounds"]), rows=max(1, options["rows"]))
        totals = [total for total in GROWTH if total <= max(options["store"], GROWTH[0])]
        people = PEOPLE if options["grow"] else _sizes(options["items"])
        plan = Plan(people, totals[-1] if options["grow"] else options["store"], options["seed"])
        spread = options["tenants"] > 1
        if spread and (names != ["admin"] or options["keep"]):
            raise CommandError("--tenants goes with the case admin alone, and keeps no store.")
        if spread:
            totals = sorted({min(GROWTH[0], options["store"]), options["store"]})
        if sum(people) > plan.total and not options["grow"] and not spread:
            raise CommandError("--store is smaller than the people of --items together; name a larger store.")
        report: dict[str, Any] = {"machine": _machine(), "lines": [], "info": {}}
        try:
            with (
                throw_away_database(keep="memoryhub_bench" if options["keep"] else ""),
                override(embedder=disk_cached_embedder(cache_folder())),
            ):
                store = open_spread(plan, options["tenants"]) if spread else open_store(plan)
                start()
                for total in totals if options["grow"] or spread else [plan.total]:
                    self._at(store, total, names, wanted, report)
        except CannotMeasure as problem:
            raise CommandError(f"could not measure: {problem}") from None
        if options["json"]:
            options["json"].parent.mkdir(parents=True, exist_ok=True)
            options["json"].write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")

    def _at(
        self, store: Store, total: int, names: list[str], options: Options, report: dict[str, Any]
    ) -> None:
        started = time.perf_counter()
        store.grow(total)
        disk = disk_mb()
        self.stdout.write(
            f"store of {store.total:,} items: {sum(disk.values()):,.0f} MB on disk, "
            f"{1024 * sum(disk.values()) / max(1, store.total):.1f} kB an item, "
            f"ready in {time.perf_counter() - started:.0f} s"
        )
        for name in names:
            before = time.perf_counter()
            result = CASES[name](store, options)
            self.stdout.write(table(result.lines) + "\n")
            report["lines"] += [
                {"case": line.case, "over": line.over, "floor": line.floor, **line.figures}
                for line in result.lines
            ]
            report["info"][f"{name}.{store.total}.seconds"] = round(time.perf_counter() - before, 1)
            report["info"].update({f"{name}.{key}": value for key, value in result.info.items()})
        memory = resident_mb()
        report["info"][f"resident_mb.{store.total}"] = round(memory, 1)
        report["info"][f"disk_mb.{store.total}"] = {key: round(value, 1) for key, value in disk.items()}
        self.stdout.write(f"this process: {memory:,.0f} MB")


def _sizes(text: str) -> tuple[int, ...]:
    try:
        sizes = tuple(dict.fromkeys(int(part) for part in text.split(",") if part.strip()))
    except ValueError:
        raise CommandError("--items takes whole numbers, such as 500,20000.") from None
    if not sizes or min(sizes) < 2:
        raise CommandError("--items takes sizes of 2 and more.")
    return sizes


def _machine() -> dict[str, object]:
    return {
        "cpus": os.cpu_count(),
        "load": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
        "python": platform.python_version(),
    }
