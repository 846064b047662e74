"""Vectors from an endpoint, and vectors kept: right rows for right texts, whatever fails in between."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memories.adapters.embedding_cache import CachedEmbedder
from memories.adapters.embedding_openai import OpenAIEmbedder
from memories.adapters.http_retry import retry_after
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
    # The first asks for the dimension.
    assert [len(request["input"]) for request in server.requests] == [1, 64, 64, 2]
    assert all(np.allclose(vectors[at], unit(texts[at]), atol=1e-5) for at in (0, 63, 64, 129))


def test_the_dimension_is_asked_for_once(server: ModelServer) -> None:
    remote = embedder(server)
    assert remote.identity == remote.identity == EmbedderIdentity("test-embed", "api", DIM)
    assert len(server.requests) == 1


def test_prefixes_go_before_the_text_by_kind(server: ModelServer) -> None:
    remote = OpenAIEmbedder(server.base_url, "m", prefixes={"query": "query: "})
    remote.embed(["a"], kind="query")
    remote.embed(["a"], kind="passage")
    assert [request["input"] for request in server.requests] == [["dimension"], ["query: a"], ["a"]]


def asked(server: ModelServer, pauses: list[float] | None = None, **options: Any) -> OpenAIEmbedder:
    """An embedder that knows its dimension, so that the script's first reply is that to the texts."""
    kept = pauses if pauses is not None else []
    remote = OpenAIEmbedder(server.base_url, "test-embed", "k", timeout=2, sleep=kept.append, **options)
    assert remote.identity.dim == DIM
    server.requests.clear()
    return remote


def test_passing_errors_are_tried_again_with_growing_jittered_pauses(server: ModelServer) -> None:
    pauses: list[float] = []
    remote = asked(server, pauses)
    server.script(Reply(status=503), Reply(status=500), Reply(status=429, retry_after="3"))
    vectors = remote.embed(["a"], kind="passage")
    assert np.allclose(vectors[0], unit("a"), atol=1e-5)
    assert 0.37 < pauses[0] < 0.63 and 0.75 <= pauses[1] <= 1.25 and pauses[2] == 3.0


def test_tries_end_and_the_endpoint_is_not_asked_again_at_once(server: ModelServer) -> None:
    now = [100.0]
    remote = asked(server, clock=lambda: now[0])
    server.script(*[Reply(status=500)] * 4)
    for match in ("500", "a moment ago"):
        with pytest.raises(EmbedderUnavailable, match=match):
            remote.embed(["a"], kind="passage")
    assert len(server.requests) == 4
    now[0] += 6
    assert remote.embed(["a"], kind="query").shape == (1, DIM)


def test_a_question_waits_less_than_a_passage_does(server: ModelServer) -> None:
    pauses: list[float] = []
    remote = asked(server, pauses)
    server.script(*[Reply(status=503)] * 9)
    with pytest.raises(EmbedderUnavailable):
        remote.embed(["a"], kind="query")
    assert sum(pauses) <= 1.5


def test_who_asks_to_be_left_alone_is_left_alone(server: ModelServer) -> None:
    now = [100.0]
    pauses: list[float] = []
    remote = asked(server, pauses, clock=lambda: now[0])
    server.script(Reply(status=429, retry_after="30"))
    for _ in range(3):
        with pytest.raises(EmbedderUnavailable):
            remote.embed(["a"], kind="query")
    assert len(server.requests) == 1 and pauses == []
    now[0] += 31
    assert remote.embed(["a"], kind="query").shape == (1, DIM)


def test_retry_after_may_be_a_date() -> None:
    at = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
    assert retry_after("Mon, 02 Mar 2026 09:00:20 GMT", now=at) == 20.0
    assert retry_after("soon", now=at) == retry_after(None, now=at) == 0.0


def test_a_wrong_key_is_said_at_once(server: ModelServer) -> None:
    remote = asked(server)
    server.script(Reply(status=401))
    with pytest.raises(EmbedderUnavailable, match="401") as told:
        remote.embed(["a"], kind="query")
    assert "EMBEDDINGS_API_KEY" in told.value.hint
    assert len(server.requests) == 1


def test_a_malformed_reply_is_unavailable(server: ModelServer) -> None:
    remote = asked(server)
    server.script(Reply(raw='{"data": "nonsense"}'))
    with pytest.raises(EmbedderUnavailable, match="malformed"):
        remote.embed(["a"], kind="query")


def test_what_a_partial_reply_leaves_out_is_asked_for_again(server: ModelServer) -> None:
    remote = asked(server)
    rows = [{"index": at, "embedding": vector_of(text)} for at, text in ((2, "c"), (0, "a"))]
    server.script(Reply(raw=json.dumps({"data": rows})))
    vectors = remote.embed(["a", "b", "c"], kind="passage")
    assert [request["input"] for request in server.requests] == [["a", "b", "c"], ["b"]]
    assert all(np.allclose(vectors[at], unit(text), atol=1e-5) for at, text in enumerate("abc"))


def test_vectors_of_texts_that_were_not_asked_for_are_refused(server: ModelServer) -> None:
    remote = asked(server)
    server.script(Reply(raw=json.dumps({"data": [{"index": 5, "embedding": vector_of("a")}]})))
    with pytest.raises(EmbedderUnavailable, match="other vectors"):
        remote.embed(["a"], kind="query")


def test_another_width_than_before_is_never_taken(server: ModelServer) -> None:
    remote = asked(server)
    server.script(Reply(raw='{"data": [{"index": 0, "embedding": [1, 2, 3]}]}'))
    with pytest.raises(EmbedderUnavailable, match="3 dimensions instead of 32") as told:
        remote.embed(["a"], kind="query")
    assert "reembed" in told.value.hint


def test_a_wanted_width_is_asked_for_and_checked(server: ModelServer) -> None:
    remote = OpenAIEmbedder(server.base_url, "m", dimension=16)
    assert remote.identity.dim == 16 and server.requests == []
    with pytest.raises(EmbedderUnavailable, match="32 dimensions instead of 16"):
        remote.embed(["a"], kind="query")
    assert server.requests[0]["dimensions"] == 16


def test_a_batch_that_is_too_much_goes_in_halves(server: ModelServer) -> None:
    remote = asked(server)
    server.script(Reply(status=413))
    texts = [f"t{at}" for at in range(5)]
    vectors = remote.embed(texts, kind="passage")
    assert [len(request["input"]) for request in server.requests] == [5, 2, 3]
    assert all(np.allclose(vectors[at], unit(texts[at]), atol=1e-5) for at in range(5))


def test_the_one_text_that_an_endpoint_does_not_take_is_named(server: ModelServer) -> None:
    remote = asked(server)
    server.script(Reply(status=400), Reply(), Reply(status=400), Reply(status=400), Reply())
    with pytest.raises(EmbeddingRefused, match="number 2"):
        remote.embed(["a", "b", "c", "d"], kind="passage")


def test_a_request_that_is_refused_whatever_is_in_it_is_unavailable(server: ModelServer) -> None:
    remote = asked(server)
    server.script(*[Reply(status=400)] * 3)
    with pytest.raises(EmbedderUnavailable, match="400"):
        remote.embed(["a", "b"], kind="passage")


def test_a_slow_endpoint_is_given_up(server: ModelServer) -> None:
    remote = OpenAIEmbedder(server.base_url, "m", timeout=0.2, dimension=DIM, sleep=lambda _: None)
    server.script(*[Reply(hold=threading.Event(), hold_seconds=1.0)] * 4)
    with pytest.raises(EmbedderUnavailable, match="does not answer"):
        remote.embed(["a"], kind="passage")


def test_nobody_listening_is_unavailable() -> None:
    with pytest.raises(EmbedderUnavailable):
        OpenAIEmbedder("http://127.0.0.1:9/v1", "m", timeout=1, sleep=lambda _: None).embed(
            ["a"], kind="query"
        )


def test_zero_vectors_and_empty_texts_are_refused(server: ModelServer) -> None:
    remote = asked(server)
    server.script(Reply(raw=json.dumps({"data": [{"index": 0, "embedding": [0.0] * DIM}]})))
    with pytest.raises(EmbeddingRefused, match="zero"):
        remote.embed(["a"], kind="query")
    with pytest.raises(EmbeddingRefused, match="number 1"):
        remote.embed(["a", " "], kind="query")


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


def test_a_vector_in_memory_ends_after_a_minute_however_often_it_was_asked_for() -> None:
    inner, now = Counting(), [0.0]
    cache = CachedEmbedder(inner, clock=lambda: now[0])
    for now[0] in (0.0, 30.0, 59.0, 61.0):
        cache.embed(["a"], kind="query")
    assert inner.asked == ["a", "a"]


def test_two_processes_keep_one_text_under_different_keys() -> None:
    kept = []
    for cache in (CachedEmbedder(Counting()), CachedEmbedder(Counting())):
        cache.embed(["my phone number"], kind="query")
        kept += list(cache._memory)
    assert kept[0] != kept[1]


def test_vectors_on_disk_serve_a_later_run_but_no_other_model(tmp_path: Path) -> None:
    CachedEmbedder(Counting(), directory=tmp_path).embed(["机密 a", "b"], kind="query")
    again, other = Counting(), Counting(revision="2")
    vectors = CachedEmbedder(again, directory=tmp_path).embed(["b", "机密 a"], kind="query")
    CachedEmbedder(other, directory=tmp_path).embed(["b"], kind="query")
    assert again.asked == []
    assert np.allclose(vectors[0], unit("queryb"), atol=1e-6)
    assert other.asked == ["b"]
    assert all("机密".encode() not in path.read_bytes() for path in tmp_path.iterdir())
