"""The quick starts of REST, the Python client and mem0's client, run as they stand against a site with a worker."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.quick_start import python_of, run, site_with_worker


@pytest.mark.parametrize(
    ("page", "tells"),
    [
        ("rest", ["Hangzhou", "done 60 60"]),
        ("client", ["I moved to Shanghai", "['profile']"]),
        ("mem0", ["Shanghai"]),
    ],
)
def test_the_quick_start_runs(
    django_db_setup: None, django_db_blocker: Any, tmp_path: Path, page: str, tells: list[str]
) -> None:
    with site_with_worker(django_db_blocker, tmp_path) as environment:
        # mem0's client writes to a folder of its own, and is to tell nobody.
        told = run(python_of(page), **environment, MEM0_DIR=str(tmp_path / "mem0"), MEM0_TELEMETRY="False")
    for words in tells:
        assert words in told
