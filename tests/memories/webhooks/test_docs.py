"""The quick start of docs/api/webhooks.md, run as it stands against a site with a worker."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.support.quick_start import python_of, run, site_with_worker

ALLOWED = {"WEBHOOK_PRIVATE_ADDRESSES": "1", "WEBHOOK_PLAIN_HTTP": "1"}


def test_the_quick_start_runs(
    django_db_setup: None, django_db_blocker: Any, tmp_path: Path, monkeypatch: Any
) -> None:
    for name, value in ALLOWED.items():
        monkeypatch.setenv(name, value)
    scopes = ("read", "write", "admin")
    with site_with_worker(django_db_blocker, tmp_path, scopes, **ALLOWED) as environment:
        told = run(python_of("webhooks"), **environment)
    assert told.startswith("memory.stored ada ")
