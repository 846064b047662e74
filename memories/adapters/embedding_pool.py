"""The local embedder in processes of its own, so that a slow text takes neither the web process's lock nor its memory."""

from __future__ import annotations

import heapq
import itertools
import json
import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from pathlib import Path
from typing import Final

import numpy as np
import structlog

from memories.adapters.embedding_local import LocalEmbedder, clean
from memories.adapters.embedding_process import pack, unpack_vectors
from memories.ports import EmbedderIdentity, EmbedderUnavailable, EmbeddingKind, Vectors

log = structlog.get_logger(__name__)

SLICE: Final = 8
SLICE_CHARACTERS: Final = 2_000
"""Texts and characters that go to a process at once: a question waits behind one slice, never behind a whole document."""
CALLS: Final = 64
"""Calls that may wait or run; a further one is told to come back."""
SLICE_SECONDS: Final = 60.0
WAIT_SECONDS: Final = 120.0
_ROOT: Final = Path(__file__).resolve().parents[2]
_PASSED_ON: Final = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "LD_LIBRARY_PATH", "PYTHONPATH")


class ProcessEmbedder:
    """LocalEmbedder's vectors from up to `processes` processes. Thread-safe.

    A process is spawned when a text finds none idle, loads the models once, and is spawned anew when it dies (its slice is
    tried once more) or does not answer in `slice_seconds`. Questions go before passages, and with two processes or more one
    never takes passages. The processes get no secrets: only the texts come to them.
    """

    def __init__(
        self, processes: int, *, slice_seconds: float = SLICE_SECONDS, command: Sequence[str] | None = None
    ) -> None:
        if processes < 1:
            raise ValueError("at least one process")
        self._count = processes
        self._seconds = slice_seconds
        self._command = list(command or (sys.executable, "-m", "memories.adapters.embedding_process"))
        self._plain = LocalEmbedder()
        self._reset()

    def _reset(self) -> None:
        self._pid = os.getpid()
        self._changed = threading.Condition()
        self._waiting: list[tuple[int, int, _Slice]] = []
        self._numbers = itertools.count()
        self._lanes: list[_Lane] = []
        self._idle = 0
        self._passages = 0
        self._calls = 0
        self._closed = False

    @property
    def identity(self) -> EmbedderIdentity:
        """Known without a process."""
        return self._plain.identity

    @property
    def pids(self) -> list[int]:
        """The processes that run now."""
        return [pid for lane in self._lanes if (pid := lane.pid) is not None]

    def embed(self, texts: Sequence[str], *, kind: EmbeddingKind) -> Vectors:
        """As LocalEmbedder.embed; EmbedderUnavailable also when CALLS calls wait already, or a text takes too long."""
        cleaned = [clean(text, at) for at, text in enumerate(texts)]
        if not cleaned:
            return np.empty((0, self.identity.dim), dtype=np.float32)
        if self._pid != os.getpid():
            self._reset()  # Threads and pipes belong to the process that made them.
        with self._changed:
            if self._closed or self._calls >= CALLS:
                raise EmbedderUnavailable("The embedder is overloaded.", hint="Try again in a minute.")
            self._calls += 1
            slices = [_Slice([cleaned[at] for at in rows], kind, rows) for rows in _sliced(cleaned)]
            for one in slices:
                heapq.heappush(self._waiting, (int(kind != "query"), next(self._numbers), one))
            self._add_lanes()
            self._changed.notify_all()
        try:
            return self._collect(slices, len(cleaned))
        finally:
            for one in slices:
                one.answer.cancel()
            with self._changed:
                self._calls -= 1

    def close(self) -> None:
        """End the processes; what still waits fails."""
        with self._changed:
            self._closed = True
            for _, _, one in self._waiting:
                one.answer.cancel()
            self._waiting.clear()
            self._changed.notify_all()
        for lane in self._lanes:
            lane.closed = True
            lane.end()

    def _collect(self, slices: Sequence[_Slice], count: int) -> Vectors:
        vectors = np.empty((count, self.identity.dim), dtype=np.float32)
        deadline = time.monotonic() + WAIT_SECONDS
        for one in slices:
            try:
                vectors[one.rows] = one.answer.result(max(0.0, deadline - time.monotonic()))
            except FutureTimeout:
                raise EmbedderUnavailable(
                    "The embedder is overloaded.", hint="Try again in a minute."
                ) from None
        return vectors

    def _add_lanes(self) -> None:
        """One more where more is to do than lanes are idle; with the lock held."""
        if len(self._waiting) > self._idle and len(self._lanes) < self._count:
            lane = _Lane(self._command, self._seconds)
            self._lanes.append(lane)
            threading.Thread(target=self._run, args=(lane,), name="embed-lane", daemon=True).start()

    def _run(self, lane: _Lane) -> None:
        while True:
            with self._changed:
                self._idle += 1
                while (one := self._take()) is None and not self._closed:
                    self._changed.wait()
                self._idle -= 1
                if one is None:
                    return
                self._passages += one.kind != "query"
            try:
                if one.answer.set_running_or_notify_cancel():
                    one.answer.set_result(lane.embed(one.texts, one.kind))
            # Whatever it was, the caller is told, and the lane goes on.
            except Exception as error:  # noqa: BLE001
                one.answer.set_exception(error)
            with self._changed:
                self._passages -= one.kind != "query"
                self._changed.notify_all()

    def _take(self) -> _Slice | None:
        """The next slice that a lane may work on: the last free one is kept for questions; with the lock held."""
        if not self._waiting:
            return None
        priority, _, one = self._waiting[0]
        if priority and self._passages >= max(1, self._count - 1):
            return None
        heapq.heappop(self._waiting)
        return one


class _Slice:
    """Some texts of one call, with the rows that they fill in its vectors."""

    def __init__(self, texts: list[str], kind: EmbeddingKind, rows: list[int]) -> None:
        self.texts, self.kind, self.rows = texts, kind, rows
        self.answer: Future[Vectors] = Future()


class _Lane:
    """One process and the pipes to it; used by one thread."""

    def __init__(self, command: list[str], seconds: float) -> None:
        self._command, self._seconds = command, seconds
        self._process: subprocess.Popen[bytes] | None = None
        self.closed = False

    @property
    def pid(self) -> int | None:
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    def embed(self, texts: list[str], kind: str) -> Vectors:
        """Vectors of the texts; a process that died is replaced once."""
        request = pack(json.dumps({"texts": texts, "kind": kind}).encode())
        for attempt in (1, 2):
            process = self._running()
            try:
                return unpack_vectors(self._ask(process, request))
            except (OSError, EOFError):
                log.warning("embedding.process_died", pid=process.pid, attempt=attempt)
                self.end()
        raise EmbedderUnavailable(
            "The process that embeds ends again and again.", hint="Look at its log, and at the free memory."
        )

    def end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    pipe.close()
            process.wait()

    def _running(self) -> subprocess.Popen[bytes]:
        if self.closed:
            raise EmbedderUnavailable("The embedder was closed.")
        if self._process is None or self._process.poll() is not None:
            self.end()
            self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
                cwd=_ROOT,
                env={name: os.environ[name] for name in _PASSED_ON if name in os.environ},
                # Ctrl-C is the web process's; this one ends with its stdin.
                start_new_session=True,
            )
        return self._process

    def _ask(self, process: subprocess.Popen[bytes], request: bytes) -> bytes:
        assert process.stdin is not None and process.stdout is not None
        deadline = time.monotonic() + self._seconds
        view = memoryview(request)
        while view:
            view = view[process.stdin.write(view) :]
        head = self._read(process, 4, deadline)
        return self._read(process, int.from_bytes(head, "big"), deadline)

    def _read(self, process: subprocess.Popen[bytes], count: int, deadline: float) -> bytes:
        assert process.stdout is not None
        descriptor, parts = process.stdout.fileno(), b""
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        while len(parts) < count:
            if not poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
                self.end()
                raise EmbedderUnavailable("A text takes too long to embed.", hint="Try a shorter one.")
            part = os.read(descriptor, count - len(parts))
            if not part:
                raise EOFError
            parts += part
        return parts


def _sliced(texts: Sequence[str]) -> list[list[int]]:
    """Places of the texts in slices, the short ones first: a batch is padded to its longest text."""
    slices: list[list[int]] = []
    size = 0
    for at in sorted(range(len(texts)), key=lambda one: len(texts[one])):
        if not slices or len(slices[-1]) == SLICE or size + len(texts[at]) > SLICE_CHARACTERS:
            slices.append([])
            size = 0
        slices[-1].append(at)
        size += len(texts[at])
    return slices
