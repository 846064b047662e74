"""Writing the index of recall: vectors and postings of many items at once, and taking them out again."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from memories.core.names import LENGTH_TERM, speaker_term
from memories.core.text import lexical
from memories.models import Embedding, Posting
from memories.store import prepared
from memoryhub.common.db import current_tenant_id
from memoryhub.common.ids import uuid7

_MAX_FREQUENCY = 32_767


@dataclass(frozen=True, slots=True)
class Indexed:
    """An item to index: a memory or an episode, with the text that may be searched and the name of who said it.

    A named speaker is a term of its own ("@name", which adds no length): a name in a question then finds what that person
    said, not only where others address them.
    """

    item_kind: str
    item_id: uuid.UUID
    subject_id: uuid.UUID
    text: str
    speaker: str = ""


def put_vectors(space_id: int, items: Sequence[Indexed], vectors: NDArray[np.float32]) -> int:
    """Store one unit row of `vectors` (shape (len(items), dim)) an item, in place of the item's old one in that space."""
    if len(items) != len(vectors):
        raise ValueError(f"{len(items)} items but {len(vectors)} vectors")
    if not items:
        return 0
    norms = np.linalg.norm(vectors, axis=1)
    if not np.all(np.isfinite(norms)) or bool(np.any(norms < 1e-6)):
        # A zero vector vanishes from every cosine index.
        raise ValueError("a vector is zero or not finite")
    sql = f"""
        INSERT INTO {Embedding._meta.db_table} (id, tenant_id, subject_id, space_id, item_kind, item_id, vector, bits)
        SELECT row.id, $1, row.subject_id, $2, row.item_kind, row.item_id, row.vector, binary_quantize(row.vector)
        FROM unnest($3::uuid[], $4::uuid[], $5::text[], $6::uuid[], $7::halfvec[])
             AS row (id, subject_id, item_kind, item_id, vector)
        ON CONFLICT (tenant_id, space_id, item_id) DO UPDATE SET vector = excluded.vector, bits = excluded.bits
    """
    values: list[Any] = [
        current_tenant_id(),
        space_id,
        [uuid7() for _ in items],
        [item.subject_id for item in items],
        [item.item_kind for item in items],
        [item.item_id for item in items],
        prepared.halfvecs(vectors),
    ]
    prepared.send(sql, values)
    return len(items)


def put_postings(items: Sequence[Indexed], *, fresh: bool = False) -> int:
    """Store the terms of the items' texts in place of their old ones; the number of postings.

    `fresh`: the items were made in this transaction, so that there are no old ones.
    """
    if not items:
        return 0
    owners: list[int] = []
    terms: list[str] = []
    frequencies: list[int] = []
    lengths: list[int] = []
    for at, item in enumerate(items):
        counted = lexical.terms(item.text)
        length = sum(counted.values())
        named = [(name, 1)] if (name := speaker_term(item.speaker)) else []
        for term, frequency in ((LENGTH_TERM, 1), *named, *counted.items()):
            owners.append(at + 1)
            terms.append(term)
            frequencies.append(min(frequency, _MAX_FREQUENCY))
            lengths.append(length)
    ids = [item.item_id for item in items]
    sql = f"""
        INSERT INTO {Posting._meta.db_table} (tenant_id, subject_id, item_kind, item_id, term, frequency, length)
        SELECT %s, (%s::uuid[])[row.owner], (%s::text[])[row.owner], (%s::uuid[])[row.owner],
               row.term, row.frequency, row.length
        FROM unnest(%s::int[], %s::text[], %s::int[], %s::int[]) AS row (owner, term, frequency, length)
    """
    values: list[Any] = [
        current_tenant_id(),
        [item.subject_id for item in items],
        [item.item_kind for item in items],
        ids,
        owners,
        terms,
        frequencies,
        lengths,
    ]
    with connection.cursor() as cursor:
        if not fresh:
            cursor.execute(
                f"DELETE FROM {Posting._meta.db_table} WHERE tenant_id = %s AND item_id = ANY(%s)",
                [current_tenant_id(), ids],
            )
        cursor.execute(sql, values)
    return len(terms)


def remove_from_index(item_ids: Collection[uuid.UUID]) -> None:
    """Take items out of every search: their vectors in all spaces and their postings."""
    if not item_ids:
        return
    ids = list(item_ids)
    with connection.cursor() as cursor:
        for table in (Embedding._meta.db_table, Posting._meta.db_table):
            cursor.execute(
                f"DELETE FROM {table} WHERE tenant_id = %s AND item_id = ANY(%s)", [current_tenant_id(), ids]
            )
