"""The process's embedder, chat model and clock, made from the settings at first use."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings

from memories.adapters.embedding_cache import CachedEmbedder
from memories.adapters.embedding_local import LocalEmbedder
from memories.adapters.embedding_openai import OpenAIEmbedder
from memories.adapters.embedding_pool import ProcessEmbedder
from memories.adapters.reranking_http import HttpReranker
from memories.ports import ChatModel, Clock, Embedder, Reranker, SystemClock

_lock = threading.RLock()
_parts: dict[str, Any] = {}


def get_embedder() -> Embedder:
    """The endpoint of EMBEDDINGS_BASE_URL, else the local models; repeats come from a small memory."""
    with _lock:
        if "embedder" not in _parts:
            _parts["embedder"] = CachedEmbedder(_bare_embedder())
        embedder: Embedder = _parts["embedder"]
        return embedder


def get_chat_model() -> ChatModel:
    """The model of OPENAI_BASE_URL and CHAT_MODEL, else the offline responder."""
    with _lock:
        if "chat_model" not in _parts:
            _parts["chat_model"] = _chat_model()
        model: ChatModel = _parts["chat_model"]
        return model


def get_reranker() -> Reranker | None:
    """The endpoint of RERANK_URL; None where none is set, which is the default."""
    with _lock:
        if "reranker" not in _parts and settings.RERANK_URL:
            _parts["reranker"] = HttpReranker(
                settings.RERANK_URL,
                settings.RERANK_MODEL,
                settings.RERANK_API_KEY,
                seconds=settings.RERANK_MILLISECONDS / 1000,
            )
        reranker: Reranker | None = _parts.get("reranker")
        return reranker


def get_clock() -> Clock:
    """The machine's clock, unless a test or an evaluation put another in its place."""
    with _lock:
        clock: Clock = _parts.setdefault("clock", SystemClock())
        return clock


def disk_cached_embedder(directory: Path) -> Embedder:
    """The configured embedder with its vectors kept in a folder; for evaluation and benchmarks."""
    return CachedEmbedder(_bare_embedder(), directory=directory, memory_items=50_000)


def configured_embedders() -> dict[str, Embedder]:
    """Every embedder that this process can make vectors with, by name: "main" (get_embedder), "next" (EMBEDDINGS_NEXT_*,
    where set) and "local", which costs nothing until it is asked."""
    found = {"main": get_embedder()}
    with _lock:
        if "next" not in _parts and settings.EMBEDDINGS_NEXT_BASE_URL:
            _parts["next"] = CachedEmbedder(
                OpenAIEmbedder(
                    settings.EMBEDDINGS_NEXT_BASE_URL,
                    settings.EMBEDDINGS_NEXT_MODEL,
                    settings.EMBEDDINGS_NEXT_API_KEY,
                    dimension=settings.EMBEDDINGS_NEXT_DIMENSION,
                )
            )
        if "next" in _parts:
            found["next"] = _parts["next"]
        if isinstance(_inner(found["main"]), LocalEmbedder | ProcessEmbedder):
            found["local"] = found["main"]
        else:
            if "local" not in _parts:
                _parts["local"] = CachedEmbedder(_local_embedder())
            found["local"] = _parts["local"]
    return found


def may_make(embedder: Embedder, name: str) -> bool:
    """False where the embedder surely makes no vectors under this name; asks no endpoint."""
    inner = _inner(embedder)
    return not isinstance(inner, OpenAIEmbedder) or inner.model == name


def embed_in_processes(count: int) -> None:
    """From now on the local models, where they are asked, run in so many processes beside this one (0: in this one).

    For a process with an event loop; commands and workers have none that could wait, and embed by themselves.
    """
    with _lock:
        _parts["embedder_processes"] = count
        for name in ("embedder", "local"):
            if isinstance(_inner(_parts[name]) if name in _parts else None, LocalEmbedder):
                del _parts[name]


def close_embedders() -> None:
    """End the processes that embed."""
    with _lock:
        inner = [_inner(_parts[name]) for name in ("embedder", "local") if name in _parts]
    for one in inner:
        if isinstance(one, ProcessEmbedder):
            one.close()


def embedder_is_outside(embedder: Embedder | None = None) -> bool:
    """Whether texts leave this machine to be embedded by it (default: the configured one)."""
    return isinstance(_inner(embedder or get_embedder()), OpenAIEmbedder)


def forget_embedded() -> None:
    """Drop the vectors that this process keeps for repeats."""
    with _lock:
        embedders = [_parts[name] for name in ("embedder", "next", "local") if name in _parts]
    for embedder in embedders:
        if isinstance(embedder, CachedEmbedder):
            embedder.forget()


@contextmanager
def override(
    *,
    embedder: Embedder | None = None,
    next_embedder: Embedder | None = None,
    chat_model: ChatModel | None = None,
    clock: Clock | None = None,
    reranker: Reranker | None = None,
) -> Iterator[None]:
    """Put other parts in place for the whole process while the block runs."""
    given = {
        "embedder": embedder,
        "next": next_embedder,
        "chat_model": chat_model,
        "clock": clock,
        "reranker": reranker,
    }
    with _lock:
        before = dict(_parts)
        _parts.update({name: part for name, part in given.items() if part is not None})
    try:
        yield
    finally:
        with _lock:
            for name, part in given.items():
                if part is None:
                    continue
                _parts.pop(name, None)
                if name in before:
                    _parts[name] = before[name]


def _bare_embedder() -> Embedder:
    if settings.EMBEDDINGS_BASE_URL:
        return OpenAIEmbedder(
            settings.EMBEDDINGS_BASE_URL,
            settings.EMBEDDINGS_MODEL,
            settings.EMBEDDINGS_API_KEY,
            dimension=settings.EMBEDDINGS_DIMENSION,
        )
    return _local_embedder()


def _local_embedder() -> Embedder:
    processes: int = _parts.get("embedder_processes", 0)
    return ProcessEmbedder(processes) if processes else LocalEmbedder()


def _inner(embedder: Embedder) -> Embedder:
    """What stands behind the cache."""
    inner: Embedder = getattr(embedder, "inner", embedder)
    return inner


def _chat_model() -> ChatModel:
    if settings.OPENAI_BASE_URL:
        # Imported here: the SDK takes a second to load, and most processes never talk to a model.
        from memories.adapters.chat_openai import OpenAIChat

        return OpenAIChat(
            base_url=settings.OPENAI_BASE_URL,
            api_key=settings.OPENAI_API_KEY,
            model=settings.CHAT_MODEL,
            timeout=float(settings.CHAT_TIMEOUT_SECONDS),
        )
    from memories.adapters.chat_offline import OfflineResponder

    return OfflineResponder()
