"""Writes the two index tables of recall: vectors in the active space, and postings by term."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memories.core import lexical
from memories.core.names import LENGTH_TERM, speaker_term
from memories.models import Embedding, Posting


@dataclass(frozen=True, slots=True)
class IndexedText:
    """What is searchable of one item. `speaker` is the name of who said it ("" for a plain user or assistant)."""

    item_kind: str
    item_id: uuid.UUID
    text: str
    speaker: str = ""


def put_postings(*, subject_id: uuid.UUID, items: Iterable[IndexedText]) -> int:
    """Replace the items' postings; returns the number of rows. Inside a tenant transaction.

    Besides its terms each item has one row with an empty term, which carries its length: counting those rows gives BM25
    its number of documents and their mean length. A named speaker is a term of its own ("@name") that adds no length:
    a name in a question then finds what that person said, not only where others address them.
    """
    rows: list[Posting] = []
    ids: list[uuid.UUID] = []
    for item in items:
        ids.append(item.item_id)
        terms = lexical.terms(item.text)
        length = sum(terms.values())
        extra = Counter({LENGTH_TERM: 1})
        if name := speaker_term(item.speaker):
            extra[name] = 1
        rows.extend(
            Posting(
                subject_id=subject_id,
                item_kind=item.item_kind,
                item_id=item.item_id,
                term=term,
                frequency=min(frequency, 32767),
                length=max(1, length),
            )
            for term, frequency in [*extra.items(), *terms.items()]
        )
    if ids:
        Posting.objects.filter(item_id__in=ids).delete()
        Posting.objects.bulk_create(rows, batch_size=2000)
    return len(rows)


def put_vectors(
    *,
    subject_id: uuid.UUID,
    space_id: int,
    items: Sequence[tuple[str, uuid.UUID, Sequence[float]]],
) -> int:
    """Insert or replace the vectors of (item kind, item id, unit vector). Inside a tenant transaction.

    ValueError for a zero vector: it is near nothing and would silently never be found.
    """
    rows = []
    for item_kind, item_id, vector in items:
        values = [float(value) for value in vector]
        if not any(values):
            raise ValueError(f"the vector of {item_kind} {item_id} is zero")
        rows.append(
            Embedding(
                subject_id=subject_id,
                space_id=space_id,
                item_kind=item_kind,
                item_id=item_id,
                vector=values,
            )
        )
    Embedding.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["tenant", "space", "item_id"],
        update_fields=["vector", "item_kind", "subject"],
        batch_size=500,
    )
    return len(rows)


def remove_from_index(*, item_ids: Iterable[uuid.UUID]) -> int:
    """Take items out of recall: all their vectors (in every space) and postings; returns the number of rows."""
    ids = list(item_ids)
    if not ids:
        return 0
    vectors, _ = Embedding.objects.filter(item_id__in=ids).delete()
    postings, _ = Posting.objects.filter(item_id__in=ids).delete()
    return vectors + postings
