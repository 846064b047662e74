"""The local models in processes of their own: the same vectors, whatever dies, hangs or waits."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from memories.adapters import embedding_pool, factory
from memories.adapters.embedding_cache import CachedEmbedder
from memories.adapters.embedding_local import LocalEmbedder
from memories.adapters.embedding_pool import ProcessEmbedder
from memories.ports import EmbedderUnavailable, EmbeddingRefused, Vectors
from memoryhub.embedded.processes import is_running

# Speaks the protocol with vectors of 896 ones; a text can tell it what to do.
SCRIPT = """
import json, os, sys, time
import numpy as np
from memories.adapters.embedding_process import pack, pack_vectors
while len(head := sys.stdin.buffer.read(4)) == 4:
    request = json.loads(sys.stdin.buffer.read(int.from_bytes(head, "big")))
    for text in request["texts"]:
        verb, _, value = text.partition(" ")
        if verb == "die" or verb == "die-once" and not os.path.exists(value):
            if value: open(value, "w").close()
            os._exit(1)
        while verb == "wait" and not os.path.exists(value): time.sleep(0.01)
        if verb == "log": open(value, "a").write(request["kind"] + "\\n")
    sys.stdout.buffer.write(pack(pack_vectors(np.full((len(request["texts"]), 896), float(os.getpid() % 1000)))))
    sys.stdout.buffer.flush()
"""

Make = Callable[..., ProcessEmbedder]


@pytest.fixture
def scripted() -> Iterator[Make]:
    """Makes embedders whose processes obey their texts."""
    made: list[ProcessEmbedder] = []

    def make(processes: int, **options: float) -> ProcessEmbedder:
        made.append(ProcessEmbedder(processes, command=[sys.executable, "-c", SCRIPT], **options))
        return made[-1]

    yield make
    for one in made:
        one.close()


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


class Call(threading.Thread):
    """A call in a thread of its own."""

    def __init__(self, embedder: ProcessEmbedder, text: str, kind: str) -> None:
        super().__init__(daemon=True)
        self.embedder, self.text, self.kind = embedder, text, kind
        self.vectors: Vectors | None = None
        self.error: Exception | None = None
        self.start()

    def run(self) -> None:
        try:
            self.vectors = self.embedder.embed([self.text], kind=self.kind)  # type: ignore[arg-type]
        except Exception as error:
            self.error = error


def test_real_processes_give_the_vectors_that_the_models_give_here() -> None:
    texts = ["我养了一只猫", "I have a cat", "KX-7731", "很长的话。" * 500, "a\0b", "👍"]
    embedder = ProcessEmbedder(1)
    try:
        assert embedder.identity == LocalEmbedder().identity and embedder.pids == []
        vectors = embedder.embed(texts, kind="passage")
        assert np.allclose(vectors, LocalEmbedder().embed(texts, kind="passage"), atol=1e-3)
        [pid] = embedder.pids
        os.kill(pid, signal.SIGKILL)
        assert np.allclose(embedder.embed(texts[:1], kind="query"), vectors[:1], atol=1e-3)
        assert embedder.pids != [pid]
    finally:
        embedder.close()


def test_a_text_without_content_is_refused_before_any_process_sees_it(scripted: Make) -> None:
    embedder = scripted(1)
    with pytest.raises(EmbeddingRefused, match="number 1"):
        embedder.embed(["fine", " \0"], kind="query")
    assert embedder.embed([], kind="query").shape == (0, 896)
    assert embedder.pids == []


def test_a_process_that_dies_is_replaced_and_the_text_tried_once_more(scripted: Make, tmp_path: Path) -> None:
    embedder = scripted(1)
    assert embedder.embed([f"die-once {tmp_path / 'died'}"], kind="query").shape == (1, 896)


def test_a_text_that_kills_every_process_is_given_up_and_others_go_on(scripted: Make) -> None:
    embedder = scripted(1)
    with pytest.raises(EmbedderUnavailable, match="ends again"):
        embedder.embed(["die"], kind="query")
    assert embedder.embed(["hello"], kind="query").shape == (1, 896)


def test_a_process_that_hangs_is_killed_after_its_time(scripted: Make, tmp_path: Path) -> None:
    embedder = scripted(1, slice_seconds=1.5)
    embedder.embed(["hello"], kind="query")
    [pid] = embedder.pids
    with pytest.raises(EmbedderUnavailable, match="too long"):
        embedder.embed([f"wait {tmp_path / 'never'}"], kind="passage")
    until(lambda: not is_running(pid))
    assert embedder.embed(["hello"], kind="query").shape == (1, 896)


def test_a_question_does_not_wait_for_a_slow_passage(scripted: Make, tmp_path: Path) -> None:
    embedder = scripted(2)
    slow = [Call(embedder, f"wait {tmp_path / 'go'}", "passage") for _ in range(3)]
    until(lambda: len(embedder.pids) >= 1)
    assert embedder.embed(["hello"], kind="query").shape == (1, 896)
    assert all(call.is_alive() for call in slow)
    (tmp_path / "go").touch()
    for call in slow:
        call.join(30)
        assert call.vectors is not None
    assert len(embedder.pids) == 2


def test_with_one_process_questions_that_wait_go_before_passages(scripted: Make, tmp_path: Path) -> None:
    embedder = scripted(1)
    first = Call(embedder, f"wait {tmp_path / 'go'}", "passage")
    until(lambda: embedder._passages == 1)
    rest = []
    for kind in ("passage", "query"):
        rest.append(Call(embedder, f"log {tmp_path / 'order'}", kind))
        until(lambda: len(embedder._waiting) == len(rest))
    (tmp_path / "go").touch()
    for call in (first, *rest):
        call.join(30)
    assert (tmp_path / "order").read_text().split() == ["query", "passage"]


def test_calls_beyond_the_bound_are_told_to_come_back(
    scripted: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedding_pool, "CALLS", 2)
    embedder = scripted(1)
    calls = [Call(embedder, f"wait {tmp_path / 'go'}", "passage") for _ in range(2)]
    until(lambda: embedder._calls == 2)
    with pytest.raises(EmbedderUnavailable, match="overloaded"):
        embedder.embed(["hello"], kind="query")
    (tmp_path / "go").touch()
    for call in calls:
        call.join(30)
    assert embedder.embed(["hello"], kind="query").shape == (1, 896)


def test_processes_end_with_the_pool_and_get_no_secrets(scripted: Make) -> None:
    embedder = scripted(1)
    embedder.embed(["hello"], kind="query")
    [pid] = embedder.pids
    environment = Path(f"/proc/{pid}/environ")
    if environment.exists():
        assert b"SECRET_KEY" not in environment.read_bytes()
        assert b"DATABASE_URL" not in environment.read_bytes()
    embedder.close()
    until(lambda: not is_running(pid))


def test_long_texts_are_slices_of_their_own_and_short_ones_go_together() -> None:
    texts = ["x" * 2000, "a", "b", "y" * 1500, "c"]
    assert embedding_pool._sliced(texts) == [[1, 2, 4, 3], [0]]
    assert [len(part) for part in embedding_pool._sliced(["a"] * 20)] == [8, 8, 4]


def test_only_who_asks_for_processes_gets_them(monkeypatch: pytest.MonkeyPatch, settings) -> None:  # type: ignore[no-untyped-def]
    settings.EMBEDDINGS_BASE_URL = ""
    monkeypatch.setattr(factory, "_parts", {})
    for count, kind in ((0, LocalEmbedder), (2, ProcessEmbedder)):
        factory.embed_in_processes(count)
        embedder = factory.get_embedder()
        assert isinstance(embedder, CachedEmbedder) and isinstance(embedder.inner, kind)
    factory.close_embedders()
