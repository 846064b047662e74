"""Keeps vectors by a hash of their text: a small memory for repeats, and a file on disk for evaluation runs."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memories.ports import Embedder, EmbedderIdentity, EmbeddingKind, Vectors

MEMORY_ITEMS: Final = 2048
SECONDS: Final = 60.0
"""So long a vector is kept in memory: for the repeats of one turn, and no longer than a minute after its text was forgotten."""
_ASK_AT_ONCE: Final = 500


class CachedEmbedder:
    """An embedder in front of another: texts seen before cost nothing. Thread-safe.

    In memory alone a vector stands under a keyed hash of its text, whose key this process makes and never tells, and ends
    after SECONDS; what was embedded for good stands in the store, and goes with its memory. With a `directory` (evaluations
    only) the vectors also go into one SQLite file per identity, shared by processes and by later runs, and stay.
    """

    def __init__(
        self,
        inner: Embedder,
        *,
        directory: Path | None = None,
        memory_items: int = MEMORY_ITEMS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._inner = inner
        # Oldest first: each with the time at which it ends.
        self._memory: OrderedDict[bytes, tuple[float, NDArray[np.float32]]] = OrderedDict()
        self._memory_items = memory_items
        self._seconds = float("inf") if directory else SECONDS
        self._clock = clock
        self._secret = b"" if directory else os.urandom(32)
        self._lock = threading.Lock()
        self._directory = directory
        self._local = threading.local()
        self.hits = 0
        self.misses = 0

    @property
    def identity(self) -> EmbedderIdentity:
        return self._inner.identity

    @property
    def inner(self) -> Embedder:
        """The embedder behind this one."""
        return self._inner

    def embed(self, texts: Sequence[str], *, kind: EmbeddingKind) -> Vectors:
        """As the inner embedder; only texts without a stored vector reach it, each once."""
        keys = [self._key(text, kind) for text in texts]
        found = self._from_memory(keys)
        absent = [key for key in dict.fromkeys(keys) if key not in found]
        if absent and self._directory:
            found |= self._from_disk(absent)
        wanted = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        if wanted:
            vectors = self._inner.embed(list(wanted.values()), kind=kind)
            fresh = dict(zip(wanted, vectors, strict=True))
            found |= fresh
            if self._directory:
                self._to_disk(fresh.items())
        self._remember(found, hits=len(keys) - len(wanted), misses=len(wanted))
        if not keys:
            return np.empty((0, self.identity.dim), dtype=np.float32)
        return np.stack([found[key] for key in keys])

    def forget(self) -> None:
        """Drop what is kept in memory; a folder on disk, which only evaluations have, stays."""
        with self._lock:
            self._memory.clear()

    def _key(self, text: str, kind: str) -> bytes:
        identity = self._inner.identity
        digest = hashlib.blake2b(
            f"{identity.name}\0{identity.revision}\0{identity.dim}\0{kind}\0".encode(),
            key=self._secret,
            digest_size=32,
        )
        digest.update(text.encode("utf-8", "surrogatepass"))
        return digest.digest()

    def _from_memory(self, keys: Iterable[bytes]) -> dict[bytes, NDArray[np.float32]]:
        with self._lock:
            self._end()
            return {key: self._memory[key][1] for key in keys if key in self._memory}

    def _remember(self, found: dict[bytes, NDArray[np.float32]], *, hits: int, misses: int) -> None:
        with self._lock:
            self.hits += hits
            self.misses += misses
            ends = self._clock() + self._seconds
            for key, vector in found.items():
                self._memory.setdefault(key, (ends, vector))
            while len(self._memory) > self._memory_items:
                self._memory.popitem(last=False)

    def _end(self) -> None:
        """Drop what has ended; the oldest stand first."""
        now = self._clock()
        while self._memory and next(iter(self._memory.values()))[0] <= now:
            self._memory.popitem(last=False)

    def _from_disk(self, keys: list[bytes]) -> dict[bytes, NDArray[np.float32]]:
        found: dict[bytes, NDArray[np.float32]] = {}
        for at in range(0, len(keys), _ASK_AT_ONCE):
            part = keys[at : at + _ASK_AT_ONCE]
            marks = ",".join("?" * len(part))
            query = f"select key, vector from vectors where key in ({marks})"  # noqa: S608 (only question marks)
            rows = self._connection().execute(query, part)
            found.update((bytes(key), np.frombuffer(blob, dtype=np.float32)) for key, blob in rows)
        return found

    def _to_disk(self, fresh: Iterable[tuple[bytes, NDArray[np.float32]]]) -> None:
        rows = [(key, vector.tobytes()) for key, vector in fresh]
        with self._connection() as connection:
            connection.executemany("insert or ignore into vectors (key, vector) values (?, ?)", rows)

    def _connection(self) -> sqlite3.Connection:
        """This thread's connection; SQLite's own locks keep threads and processes apart."""
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            assert self._directory is not None
            self._directory.mkdir(parents=True, exist_ok=True)
            identity = self._inner.identity
            name = hashlib.sha256(f"{identity.name}@{identity.revision}@{identity.dim}".encode()).hexdigest()[
                :16
            ]
            connection = sqlite3.connect(self._directory / f"vectors-{name}.sqlite3", timeout=60)
            connection.execute("pragma journal_mode=wal")
            connection.execute("pragma synchronous=off")
            connection.execute(
                "create table if not exists vectors (key blob primary key, vector blob) without rowid"
            )
            self._local.connection = connection
        return connection
