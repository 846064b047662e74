"""Vectors for texts that are to be stored: made before the transaction; none when the embedder is down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import structlog
from numpy.typing import NDArray

from memories.adapters.factory import get_embedder
from memories.ports import EmbedderUnavailable, EmbeddingRefused
from memories.services.embedding_space import active_space

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Embedded:
    """Rows of `vectors` belong to the texts in order; `space_id` says which vectors they can be compared with."""

    space_id: int
    vectors: NDArray[np.float32]


def embed_passages(texts: Sequence[str]) -> Embedded | None:
    """Unit vectors of the texts in one call; None when the embedder is down: the items are then embedded later."""
    if not texts:
        return None
    embedder = get_embedder()
    try:
        vectors = embedder.embed(list(texts), kind="passage")
        return Embedded(active_space(embedder.identity), vectors)
    except (EmbedderUnavailable, EmbeddingRefused) as error:
        log.warning("embedding.missing", texts=len(texts), error=type(error).__name__)
        return None
