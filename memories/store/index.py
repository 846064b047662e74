"""Writing the index of recall: vectors and postings of many items at once, and taking them out again."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from memories.core.names import LENGTH_TERM, speaker_term
from memories.core.text import lexical
from memories.models import Embedding, Posting
from memories.store import arrays, prepared
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


def put_postings(
    items: Sequence[Indexed], *, fresh: bool = False, counted: Sequence[Mapping[str, int]] | None = None
) -> int:
    """Store the terms of the items' texts in place of their old ones; the number of postings.

    `fresh`: the items were made in this transaction, so that there are no old ones. `counted`: the terms of each item's
    text (core.text.lexical.terms), where the caller has counted them already.
    """
    if not items:
        return 0
    terms: list[str] = []
    frequencies: list[int] = []
    lengths: list[int] = []
    counts: list[int] = []
    for at, item in enumerate(items):
        found = lexical.terms(item.text) if counted is None else counted[at]
        length = sum(found.values())
        before = len(terms)
        terms.append(LENGTH_TERM)
        frequencies.append(1)
        if name := speaker_term(item.speaker):
            terms.append(name)
            frequencies.append(1)
        terms += found
        frequencies += found.values()
        counts.append(len(terms) - before)
        lengths += [length] * counts[-1]
    ids = [item.item_id for item in items]
    subjects, kinds = {item.subject_id for item in items}, {item.item_kind for item in items}
    # Most often all are of one subject and one kind, which then need not be sent with every term.
    subject = "$2::uuid" if len(subjects) == 1 else "row.subject_id"
    kind = "$3::text" if len(kinds) == 1 else "row.item_kind"
    sql = f"""
        INSERT INTO {Posting._meta.db_table} (tenant_id, subject_id, item_kind, item_id, term, frequency, length)
        SELECT $1, {subject}, {kind}, row.item_id, row.term, row.frequency, row.length
        FROM unnest($4::uuid[], $5::text[], $6::int[], $7::int[]
            {"" if len(subjects) == 1 else ", $2::uuid[]"} {"" if len(kinds) == 1 else ", $3::text[]"})
            AS row (item_id, term, frequency, length
            {"" if len(subjects) == 1 else ", subject_id"} {"" if len(kinds) == 1 else ", item_kind"})
    """
    values: list[Any] = [
        current_tenant_id(),
        items[0].subject_id if len(subjects) == 1 else arrays.ids([one.subject_id for one in items], counts),
        items[0].item_kind
        if len(kinds) == 1
        else arrays.texts(
            [one.item_kind for one, number in zip(items, counts, strict=True) for _ in range(number)]
        ),
        arrays.ids(ids, counts),
        arrays.texts(terms),
        arrays.ints([min(one, _MAX_FREQUENCY) for one in frequencies]),
        arrays.ints(lengths),
    ]
    if not fresh:
        with connection.cursor() as cursor:
            cursor.execute(
                f"DELETE FROM {Posting._meta.db_table} WHERE tenant_id = %s AND item_id = ANY(%s)",
                [current_tenant_id(), ids],
            )
    prepared.send(sql, values)
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
