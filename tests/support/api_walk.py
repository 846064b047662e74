"""Lets schemathesis loose on a live site with the keys of two tenants, and counts what it did."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.site import ROOT

HOOKS = "tests.support.api_walk_hooks"


@dataclass(frozen=True)
class Walk:
    """What one run of schemathesis did: its exit code, its whole output, and its summary's lines."""

    code: int
    output: str
    responses: dict[int, int]

    @property
    def summary(self) -> str:
        """The lines that tell how much was tried."""
        return self.output[self.output.rfind("= SUMMARY") :]


def walk(
    url: str,
    key: str,
    home: Path,
    *,
    examples: int,
    phases: str,
    foreign: dict[str, list[str]] | None = None,
    marker: str = "",
    own_key: str = "",
    workers: int = 1,
    seed: int = 7731,
    more: tuple[str, ...] = (),
) -> Walk:
    """Run all checks over the site's own schema with this key.

    With `foreign`, ids of another tenant by the names of path parameters, every other call is about those; then nothing may
    be answered but a refusal, and no answer may hold the `marker`. `own_key` is the id of the key, which a run does not revoke.
    """
    config = home / "schemathesis.toml"
    config.write_text(_CONFIG)
    counts = home / f"responses-{len(list(home.glob('responses-*')))}.jsonl"
    command = [
        str(Path(sys.executable).with_name("schemathesis")),
        "--config-file",
        str(config),
        "run",
        f"{url}/api/v1/schema/",
        "--header",
        f"Authorization: Bearer {key}",
        "--checks",
        "all",
        "--phases",
        phases,
        "--max-examples",
        str(examples),
        "--workers",
        str(workers),
        "--seed",
        str(seed),
        "--continue-on-failure",
        "--request-timeout",
        "60",
        "--max-response-time",
        "60",
        "--suppress-health-check",
        "all",
        "--no-color",
        *more,
    ]
    environment = {
        **os.environ,
        "SCHEMATHESIS_HOOKS": HOOKS,
        "PYTHONPATH": str(ROOT),
        "API_WALK_FOREIGN": json.dumps(foreign or {}),
        "API_WALK_MARKER": marker,
        "API_WALK_OWN_KEY": own_key,
        "API_WALK_COUNTS": str(counts),
    }
    done = subprocess.run(command, cwd=home, env=environment, capture_output=True, text=True, check=False)
    (home / "output.txt").write_text(done.stdout + done.stderr)
    statuses: dict[int, int] = {}
    if counts.exists():
        for line in counts.read_text().split():
            statuses[int(line)] = statuses.get(int(line), 0) + 1
    return Walk(done.returncode, done.stdout + done.stderr, dict(sorted(statuses.items())))


def ids_of(world: Any) -> dict[str, list[str]]:
    """The ids of a world's rows by the names that the API's paths give them."""
    found: dict[str, list[str]] = {}
    for model, row in world.rows.items():
        name = re.sub(r"(?<!^)(?=[A-Z])", "_", model.__name__).lower()
        found[f"{name}_id"] = [str(row.pk)]
    same = {
        "session_id": "chat_session_id",
        "trace_id": "recall_trace_id",
        "key_id": "api_key_id",
        "run_id": "sweep_run_id",
        "operation_id": "job_id",
        "request_id": "forget_request_id",
        "rule_id": "forget_rule_id",
    }
    return {**found, **{name: found[of] for name, of in same.items() if of in found}}


# What a schema cannot say (a subject is needed, a memory was purged, a time is past) is answered with one of these.
_CONFIG = """
[checks.positive_data_acceptance]
expected-statuses = ["2xx", "400", "401", "403", "404", "409", "410", "412", "422"]

[checks.negative_data_rejection]
expected-statuses = ["400", "401", "403", "404", "405", "406", "409", "410", "412", "413", "415", "422"]
"""
