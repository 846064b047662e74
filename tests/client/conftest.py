"""A running MemoryHub over the test's own database, and keys for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from memories.adapters.factory import override
from memories.services import embedding_space, policies
from memoryhub.client import MemoryHub
from tests.memories.services.conftest import WordEmbedder
from tests.support.people import House, make_house


@pytest.fixture(autouse=True)
def _embedder(transactional_db: None) -> Iterator[None]:
    policies.forget_cached()
    embedding_space.forget_cached()
    with override(embedder=WordEmbedder()):
        yield
    embedding_space.forget_cached()


@pytest.fixture
def house() -> House:
    return make_house("acme")


@pytest.fixture
def hub(house: House, live_server: Any) -> Iterator[MemoryHub]:
    with MemoryHub(live_server.url, house.key("read", "write"), subject="alex@example.com") as client:
        yield client
