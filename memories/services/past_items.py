"""Reads and embeds what a recall of the past must search beside the index of today."""

from __future__ import annotations

import uuid
from datetime import datetime

from accounts.actor import Actor
from memories.core.names import speaker_term
from memories.core.text import lexical
from memories.services.embedding import embed_passages
from memories.services.policies import policy_of
from memories.store.past import Extra, reworded_since
from memoryhub.common.db import tenant_transaction

EMBEDDED = 512
"""So many, the most important first, are compared by their vectors, too; the rest by their words."""


def past_items(actor: Actor, subject_id: uuid.UUID, as_of: datetime, space_id: int | None) -> list[Extra]:
    """Memories as of then that were archived, merged or reworded since, with vectors of the generation that the question was
    embedded for. Embeds, so not inside a transaction."""
    policy, _ = policy_of(actor.tenant_id)
    with tenant_transaction(actor.tenant_id):
        rows = reworded_since(subject_id, as_of)
    embedded = embed_passages([text for _, text, _ in rows[:EMBEDDED]], policy)
    # A switch between the two calls of the embedder must not compare vectors of two generations.
    fits = embedded is not None and embedded.space_id == space_id
    vectors = embedded.vectors.tolist() if embedded is not None and fits else []
    extras = []
    for at, (item_id, text, speaker) in enumerate(rows):
        terms = lexical.terms(text)
        length = max(1, sum(terms.values()))
        if name := speaker_term(speaker):
            terms[name] = 1
        extras.append(Extra(item_id, terms, length, vectors[at] if at < len(vectors) else None))
    return extras
