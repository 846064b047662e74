"""A live server of a test has its process's embedder: one that needs no model."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from memories.adapters.factory import override
from memories.services import embedding_space, policies
from tests.memories.services.conftest import WordEmbedder


@pytest.fixture(autouse=True)
def live_embedder(transactional_db: None) -> Iterator[None]:
    policies.forget_cached()
    embedding_space.forget_cached()
    with override(embedder=WordEmbedder()):
        yield
    embedding_space.forget_cached()
