"""A tenant, a person's subject, their actor, a clock that stands still and an embedder that needs no model."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

import numpy as np
import pytest

from accounts.actor import Actor, system_actor
from memories.adapters import factory
from memories.core.text import lexical
from memories.ports import EmbedderIdentity, EmbedderUnavailable, EmbeddingKind, FixedClock, Vectors
from memories.services import embedding_space, policies
from tests.support.people import House, make_house


class WordEmbedder:
    """Unit vectors out of a text's terms: equal texts are equal, texts that share words are near."""

    identity = EmbedderIdentity("words", "1", 64)

    def __init__(self) -> None:
        self.down = False
        self.calls: list[list[str]] = []

    def embed(self, texts: Sequence[str], *, kind: EmbeddingKind) -> Vectors:
        if self.down:
            raise EmbedderUnavailable("down")
        self.calls.append(list(texts))
        rows = np.full((len(texts), self.identity.dim), 0.01, dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for term, frequency in lexical.terms(text).items():
                row[uuid.uuid5(uuid.NAMESPACE_OID, term).int % self.identity.dim] += frequency
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.fixture
def embedder() -> WordEmbedder:
    return WordEmbedder()


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(datetime(2026, 3, 2, 9, 0, tzinfo=UTC))


@pytest.fixture(autouse=True)
def _outside(embedder: WordEmbedder, clock: FixedClock) -> Iterator[None]:
    embedding_space.forget_cached()
    policies.forget_cached()
    with factory.override(embedder=embedder, clock=clock):
        yield
    embedding_space.forget_cached()
    policies.forget_cached()


@pytest.fixture
def acme(db: None) -> House:
    return make_house("acme")


@pytest.fixture
def globex(db: None) -> House:
    return make_house("globex")


@pytest.fixture
def subject_id(acme: House) -> uuid.UUID:
    return acme.subjects["user"]


@pytest.fixture
def user(acme: House) -> Actor:
    return acme.actor("user")


@pytest.fixture
def system(acme: House) -> Actor:
    return system_actor(acme.id)
