"""Vectors for texts that are to be stored: made before the transaction; none when the embedder is down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import structlog
from numpy.typing import NDArray

from memories.adapters.factory import embedder_is_outside
from memories.core.policy import Policy
from memories.ports import Embedder, EmbedderUnavailable, EmbeddingRefused
from memories.services.embedding_space import serving
from memories.services.screen import for_model

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Embedded:
    """Rows of `vectors` belong to the texts in order; `space_id` says which vectors they can be compared with."""

    space_id: int
    vectors: NDArray[np.float32]


def seen_by_embedder(texts: Sequence[str], policy: Policy, embedder: Embedder | None = None) -> list[str]:
    """The texts as the embedder (default: the configured one) gets them: an endpoint outside is a model like any other
    (`pii.model.*`)."""
    return [for_model(text, policy) for text in texts] if embedder_is_outside(embedder) else list(texts)


def embed_passages(texts: Sequence[str], policy: Policy) -> Embedded | None:
    """Unit vectors of the texts in one call; None when the embedder is down: the items are then embedded later.

    They are of the active generation; those beside it are filled by a job that `store_vectors` asks for.
    """
    if not texts:
        return None
    try:
        space_id, embedder = serving()
        vectors = embedder.embed(seen_by_embedder(texts, policy, embedder), kind="passage")
        return Embedded(space_id, vectors)
    except (EmbedderUnavailable, EmbeddingRefused) as error:
        log.warning("embedding.missing", texts=len(texts), error=type(error).__name__)
        return None
