"""Embeds a question while its asker still reads what else it needs; the recall that follows takes the vectors up."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from typing import Any

from memories.core.policy import Policy
from memories.core.questions.focus import focus
from memories.ports import EmbedderUnavailable, Vectors
from memories.services.embedding import seen_by_embedder
from memories.services.embedding_space import serving

MAX_QUERY = 8000
"""Characters of a question that are searched with; what stands behind them seldom changes what is found."""
AT_ONCE = 8
"""Questions of a process whose embedding is waited for by a thread of its own; a further one is embedded by its recall."""


@dataclass(frozen=True, slots=True)
class Ahead:
    """Vectors in the making, a row a text, of the generation `space_id`."""

    space_id: int
    texts: tuple[str, ...]
    vectors: Future[Vectors]


def wordings(query: str, standalone_query: str = "") -> list[str]:
    """The texts that a question is searched with: itself, the form that stands alone, and the question at its end."""
    forms = (query, standalone_query, focus(query))
    return list(dict.fromkeys(text.strip()[:MAX_QUERY] for text in forms if text.strip()))


def embed_ahead(query: str, policy: Policy) -> Ahead | None:
    """Begin to embed a screened question of somebody who may ask it; None where no embedder can. Not inside a transaction."""
    texts = wordings(query)
    try:
        space_id, embedder = serving()
    except EmbedderUnavailable:
        return None
    if not texts:
        return None
    seen = seen_by_embedder(texts, policy, embedder)
    # What it logs carries the request's id.
    vectors = _threads().submit(copy_context().run, embedder.embed, seen, kind="query")
    return Ahead(space_id, tuple(texts), vectors)


def question_vectors(texts: Sequence[str], policy: Policy, ahead: Ahead | None) -> tuple[int, list[Any]]:
    """The active generation's id and the texts' vectors, those of `ahead` where they are of that generation.

    EmbedderUnavailable and EmbeddingRefused as the embedder raises them.
    """
    space_id, embedder = serving()
    if ahead is None or ahead.space_id != space_id or ahead.vectors.cancel():
        ahead = None
    made = ahead.texts if ahead is not None else ()
    left = [text for text in texts if text not in made]
    rows = list(embedder.embed(seen_by_embedder(left, policy, embedder), kind="query")) if left else []
    found = dict(zip(left, rows, strict=True))
    if ahead is not None and len(left) < len(texts):
        found |= dict(zip(ahead.texts, ahead.vectors.result(), strict=True))
    return space_id, [found[text] for text in texts]


_pool: dict[int, ThreadPoolExecutor] = {}
_lock = threading.Lock()


def _threads() -> ThreadPoolExecutor:
    """This process's own: threads do not survive a fork."""
    with _lock:
        found = _pool.get(os.getpid())
        if found is None:
            _pool.clear()
            found = _pool[os.getpid()] = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="embed-ahead")
        return found
