"""A running MemoryHub over the test's own database, and keys for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from memoryhub.client import MemoryHub
from tests.support.live_embedder import live_embedder  # noqa: F401
from tests.support.people import House, make_house


@pytest.fixture
def house() -> House:
    return make_house("acme")


@pytest.fixture
def hub(house: House, live_server: Any) -> Iterator[MemoryHub]:
    with MemoryHub(live_server.url, house.key("read", "write"), subject="alex@example.com") as client:
        yield client
