"""Rows for tests of the read path, written straight through the models inside an open tenant transaction."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

from accounts.models import Subject, Tenant
from memories.models import EmbeddingSpace, Episode, Evidence, Memory
from memories.store.index import Indexed, put_postings, put_vectors
from memoryhub.common.db import tenant_transaction
from memoryhub.common.ids import uuid7

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
DIM = 896


def make_tenant(slug: str = "acme") -> uuid.UUID:
    """A tenant's id."""
    return Tenant.objects.create(slug=f"{slug}-{uuid.uuid4().hex[:8]}", name=slug).id


def make_subject(tenant_id: uuid.UUID, external_id: str = "") -> uuid.UUID:
    """A subject's id."""
    with tenant_transaction(tenant_id):
        return Subject.objects.create(external_id=external_id or uuid.uuid4().hex).id


def active_space(dimension: int = DIM, name: str = "test-space") -> EmbeddingSpace:
    """The active embedding space, made when there is none."""
    found = EmbeddingSpace.objects.filter(state="active").first()
    return found or EmbeddingSpace.objects.create(
        name=name, revision="1", dimension=dimension, state="active"
    )


def axis(*weights: float, dimension: int = DIM) -> list[float]:
    """A unit vector with the given weights on its first axes: axis(1) . axis(.6, .8) is .6."""
    length = sum(w * w for w in weights) ** 0.5
    return [w / length for w in weights] + [0.0] * (dimension - len(weights))


def index(item_kind: str, item: Memory | Episode, text: str, vector: Sequence[float] | None) -> None:
    """The index rows of one item: its postings, and its vector where one is given."""
    entry = Indexed(item_kind, item.id, item.subject_id, text, item.speaker)
    put_postings([entry])
    if vector is not None:
        put_vectors(active_space().id, [entry], np.asarray([vector], dtype=np.float32))


def make_memory(
    subject_id: uuid.UUID,
    content: str,
    vector: Sequence[float] | None = None,
    **fields: Any,
) -> Memory:
    """A current fact said a day before NOW, with its index rows and, given `turn_ids`, its evidence."""
    turn_ids = fields.pop("turn_ids", ())
    at = fields.pop("said_at", NOW - timedelta(days=1))
    values: dict[str, Any] = {
        "kind": "fact",
        "fingerprint": uuid7().bytes,
        "said_at": at,
        "created_at": at,
        "updated_at": at,
        **fields,
    }
    memory = Memory.objects.create(subject_id=subject_id, content=content, **values)
    for turn_id in turn_ids:
        Evidence.objects.create(memory=memory, turn_id=turn_id, role="user", said_at=at, created_at=at)
    index("memory", memory, content, vector)
    return memory


def make_episode(
    subject_id: uuid.UUID,
    text: str,
    vector: Sequence[float] | None = None,
    **fields: Any,
) -> Episode:
    """A user's turn said a day before NOW, with its index rows."""
    at = fields.pop("said_at", NOW - timedelta(days=1))
    values: dict[str, Any] = {
        "source_id": uuid7(),
        "role": "user",
        "said_at": at,
        "created_at": at,
        **fields,
    }
    episode = Episode.objects.create(subject_id=subject_id, text=text, **values)
    index("episode", episode, text, vector)
    return episode
