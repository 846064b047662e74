"""Gives pytest its Postgres, Valkey and secrets before Django reads its settings: real ones, thrown away at the end.

Loaded with `-p tests.services_plugin`. Workers of pytest-xdist inherit the environment and share the services. With
DATABASE_URL set from outside, those services are used instead.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryhub.settings")
for _name in ("SECRET_KEY", "FIELD_ENCRYPTION_KEY", "FINGERPRINT_KEY", "AUDIT_KEY", "RECEIPT_KEY"):
    os.environ.setdefault(_name, f"only for tests, {_name.lower()}, long enough to be taken for a real one")
# What a developer's own running MemoryHub left must not leak into the tests, nor a configured model.
os.environ.setdefault("MEMORYHUB_HOME", tempfile.mkdtemp(prefix="memoryhub-test-"))
for _name in (
    "OPENAI_BASE_URL",
    "OPENAI_API_KEY",
    "CHAT_MODEL",
    "EMBEDDINGS_BASE_URL",
    "EMBEDDINGS_NEXT_BASE_URL",
    "RERANK_URL",
):
    os.environ.pop(_name, None)

if "DATABASE_URL" not in os.environ:
    from memoryhub.embedded.ephemeral import start_services

    os.environ.update(start_services(Path(os.environ["MEMORYHUB_HOME"])))

if (_worker := os.environ.get("PYTEST_XDIST_WORKER", "gw")[2:]).isdigit():
    # A database of its own in the shared Valkey: a Celery worker that a test starts must not take, nor work off, the bells of
    # tests that run beside it. Valkey has sixteen.
    _address, _, _ = os.environ["REDIS_URL"].partition("?")
    os.environ["REDIS_URL"] = f"{_address}?db={1 + int(_worker) % 15}"
