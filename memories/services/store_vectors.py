"""Stores fresh vectors and sees to it that every other live generation gets its own of the same texts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from memories.services.embedding_space import generations
from memories.services.jobs import enqueue
from memories.store.generations import drop_items
from memories.store.index import Indexed, put_vectors
from memoryhub.common.errors import Invalid


def store_vectors(space_id: int, items: Sequence[Indexed], vectors: NDArray[np.float32]) -> None:
    """Put one row of `vectors` an item into the generation, inside the open tenant transaction.

    While another generation is filled, or stands by, its vectors of these items go (they may be of an older text) and a job
    makes them anew as soon as this transaction is committed: a write waits for one embedder, never for two. Invalid for
    vectors of another width than the generation's.
    """
    if not items:
        return
    live = generations()
    own = next((one for one in live if one.space_id == space_id), None)
    if own is not None and vectors.shape[1] != own.identity.dim:
        # One such row would make every search of its subject fail.
        raise Invalid(
            f"the vectors have {vectors.shape[1]} dimensions, those of {own.identity.name} have {own.identity.dim}",
            hint="Give vectors of the active embedder, or none.",
        )
    put_vectors(space_id, items, vectors)
    others = [one.space_id for one in live if one.space_id != space_id]
    if others:
        drop_items(others, [item.item_id for item in items])
        enqueue(kind="index_pending", key="index_pending")
