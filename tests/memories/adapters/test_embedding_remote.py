"""Vectors from an endpoint, and vectors kept: right rows for right texts, whatever fails in between."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from memories.adapters.embedding_cache import CachedEmbedder
from memories.adapters.embedding_openai import OpenAIEmbedder
from memories.ports import (
    EmbedderIdentity,
    EmbedderUnavailable,
    EmbeddingKind,
    EmbeddingRefused,
    Vectors,
)
from tests.support.model_server import DIM, ModelServer, Reply, model_server, vector_of


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


def embedder(server: ModelServer, pauses: list[float] | None = None) -> OpenAIEmbedder:
    kept = pauses if pauses is not None else []
    return OpenAIEmbedder(server.base_url, "test-embed", "k", timeout=5, sleep=kept.append)


def unit(text: str) -> np.ndarray:
    vector = np.asarray(vector_of(text), dtype=np.float32)
    return vector / np.linalg.norm(vector)


def test_rows_follow_the_texts_although_the_reply_is_shuffled(server: ModelServer) -> None:
    texts = [f"文本 {at}" for at in range(130)]
    vectors = embedder(server).embed(texts, kind="passage")
    assert [len(request["input"]) for request in server.requests] == [64, 64, 2]
    assert all(np.allclose(vectors[at], unit(texts[at]), atol=1e-5) for at in (0, 63, 64, 129))


def test_the_dimension_is_asked_for_once(server: ModelServer) -> None:
    remote = embedder(server)
    assert remote.identity == remote.identity == EmbedderIdentity("test-embed", "api", DIM)
    assert len(server.requests) == 1


def test_prefixes_go_before_the_text_by_kind(server: ModelServer) -> None:
    remote = OpenAIEmbedder(server.base_url, "m", prefixes={"query": "query: "})
    remote.embed(["a"], kind="query")
    remote.embed(["a"], kind="passage")
    assert [request["input"] for request in server.requests] == [["query: a"], ["a"]]


def test_passing_errors_are_tried_again_with_growing_pauses(server: ModelServer) -> None:
    pauses: list[float] = []
    server.script(Reply(status=503), Reply(status=429, retry_after="3"))
    vectors = embedder(server, pauses).embed(["a"], kind="query")
    assert np.allclose(vectors[0], unit("a"), atol=1e-5)
    assert pauses == [0.5, 3.0]


def test_tries_end(server: ModelServer) -> None:
    server.script(*[Reply(status=500)] * 9)
    with pytest.raises(EmbedderUnavailable, match="500"):
        embedder(server).embed(["a"], kind="query")
    assert len(server.requests) == 4


def test_a_wrong_key_is_said_at_once(server: ModelServer) -> None:
    server.script(Reply(status=401))
    with pytest.raises(EmbedderUnavailable, match="401") as told:
        embedder(server).embed(["a"], kind="query")
    assert "EMBEDDINGS_API_KEY" in told.value.hint
    assert len(server.requests) == 1


def test_a_malformed_reply_is_unavailable(server: ModelServer) -> None:
    server.script(Reply(raw='{"data": "nonsense"}'))
    with pytest.raises(EmbedderUnavailable, match="malformed"):
        embedder(server).embed(["a"], kind="query")


def test_nobody_listening_is_unavailable() -> None:
    with pytest.raises(EmbedderUnavailable):
        OpenAIEmbedder("http://127.0.0.1:9/v1", "m", timeout=1, sleep=lambda _: None).embed(
            ["a"], kind="query"
        )


def test_zero_vectors_and_empty_texts_are_refused(server: ModelServer) -> None:
    server.script(Reply(raw='{"data": [{"index": 0, "embedding": [0, 0, 0]}]}'))
    with pytest.raises(EmbeddingRefused):
        embedder(server).embed(["a"], kind="query")
    with pytest.raises(EmbeddingRefused, match="number 1"):
        embedder(server).embed(["a", " "], kind="query")


class Counting:
    """A real, tiny embedder that tells what it was asked."""

    def __init__(self, revision: str = "1") -> None:
        self.identity = EmbedderIdentity("counting", revision, DIM)
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str], *, kind: EmbeddingKind) -> Vectors:
        self.asked += texts
        return np.stack([unit(f"{kind}{text}") for text in texts]).astype(np.float32)


def test_a_text_is_embedded_once() -> None:
    inner = Counting()
    cache = CachedEmbedder(inner)
    first = cache.embed(["a", "b", "a"], kind="query")
    second = cache.embed(["b", "a", "c"], kind="query")
    assert inner.asked == ["a", "b", "c"]
    assert np.array_equal(first[0], first[2]) and np.array_equal(first[1], second[0])
    assert (cache.hits, cache.misses) == (3, 3)


def test_a_query_and_a_passage_are_kept_apart() -> None:
    cache = CachedEmbedder(Counting())
    assert not np.allclose(cache.embed(["a"], kind="query"), cache.embed(["a"], kind="passage"))


def test_memory_stays_small() -> None:
    inner = Counting()
    cache = CachedEmbedder(inner, memory_items=2)
    cache.embed(["a", "b", "c"], kind="query")
    cache.embed(["c", "a"], kind="query")
    assert inner.asked == ["a", "b", "c", "a"]


def test_vectors_on_disk_serve_a_later_run_but_no_other_model(tmp_path: Path) -> None:
    CachedEmbedder(Counting(), directory=tmp_path).embed(["机密 a", "b"], kind="query")
    again, other = Counting(), Counting(revision="2")
    vectors = CachedEmbedder(again, directory=tmp_path).embed(["b", "机密 a"], kind="query")
    CachedEmbedder(other, directory=tmp_path).embed(["b"], kind="query")
    assert again.asked == []
    assert np.allclose(vectors[0], unit("queryb"), atol=1e-6)
    assert other.asked == ["b"]
    assert all("机密".encode() not in path.read_bytes() for path in tmp_path.iterdir())
