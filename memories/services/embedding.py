"""Vectors for texts that are to be stored: made before the transaction; none when the embedder is down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import structlog
from numpy.typing import NDArray

from memories.adapters.factory import embedder_is_outside, get_embedder
from memories.core.policy import Policy
from memories.ports import EmbedderUnavailable, EmbeddingRefused
from memories.services.embedding_space import active_space
from memories.services.screen import for_model

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Embedded:
    """Rows of `vectors` belong to the texts in order; `space_id` says which vectors they can be compared with."""

    space_id: int
    vectors: NDArray[np.float32]


def seen_by_embedder(texts: Sequence[str], policy: Policy) -> list[str]:
    """The texts as the embedder gets them: an endpoint outside is a model like any other (`pii.model.*`)."""
    return [for_model(text, policy) for text in texts] if embedder_is_outside() else list(texts)


def embed_passages(texts: Sequence[str], policy: Policy) -> Embedded | None:
    """Unit vectors of the texts in one call; None when the embedder is down: the items are then embedded later."""
    if not texts:
        return None
    embedder = get_embedder()
    try:
        vectors = embedder.embed(seen_by_embedder(texts, policy), kind="passage")
        return Embedded(active_space(embedder.identity), vectors)
    except (EmbedderUnavailable, EmbeddingRefused) as error:
        log.warning("embedding.missing", texts=len(texts), error=type(error).__name__)
        return None
