"""A rerank endpoint over real sockets: its shape, its time, and everything that it may do wrong."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator

import pytest

from memories.adapters import reranking_http
from memories.adapters.reranking_http import HttpReranker
from memories.ports import RerankerUnavailable
from tests.support.model_server import ModelServer, Reply, model_server


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


def reranker(server: ModelServer, **options: object) -> HttpReranker:
    values = {"seconds": 5.0, **options}
    return HttpReranker(f"{server.base_url}/rerank", "test-rerank", "k", **values)  # type: ignore[arg-type]


def reason(one: HttpReranker, *documents: str) -> str:
    with pytest.raises(RerankerUnavailable) as told:
        one.scores("abc", documents or ("a",))
    return told.value.reason


def test_scores_come_in_the_documents_order_in_the_common_shape(server: ModelServer) -> None:
    scores = reranker(server).scores("abc", ["a", "xyz", "cab"])
    assert scores == [pytest.approx(1 / 3), 0.0, 1.0]
    [request] = server.requests
    assert (request["path"], request["auth"]) == ("/v1/rerank", "Bearer k")
    assert {name: request[name] for name in ("model", "query", "documents", "top_n")} == {
        "model": "test-rerank",
        "query": "abc",
        "documents": ["a", "xyz", "cab"],
        "top_n": 3,
    }


def test_nothing_is_asked_about_nothing(server: ModelServer) -> None:
    assert reranker(server).scores("abc", []) == []
    assert server.requests == []


def test_what_the_endpoint_leaves_out_scores_nothing_and_scores_stay_in_bounds(server: ModelServer) -> None:
    rows = [{"index": 2, "relevance_score": 7.5}, {"index": 0, "relevance_score": -0.1}]
    server.script(Reply(raw=json.dumps({"results": rows})))
    assert reranker(server).scores("abc", ["a", "b", "c"]) == [0.0, 0.0, 1.0]


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (Reply(status=500), "error"),
        (Reply(status=429, retry_after="60"), "error"),
        (Reply(status=401), "error"),
        (Reply(raw="no JSON"), "malformed"),
        (Reply(raw='{"results": [{"index": 9, "relevance_score": 1}]}'), "malformed"),
        (Reply(raw='{"results": [{"index": 0, "relevance_score": NaN}]}'), "malformed"),
        (Reply(raw='{"data": []}'), "malformed"),
    ],
)
def test_what_goes_wrong_is_named_and_not_tried_again(
    server: ModelServer, reply: Reply, expected: str
) -> None:
    server.script(reply)
    assert reason(reranker(server)) == expected
    assert len(server.requests) == 1


def test_a_slow_endpoint_costs_its_time_and_no_more(server: ModelServer) -> None:
    server.script(Reply(hold=threading.Event(), hold_seconds=3.0))
    assert reason(reranker(server, seconds=0.2)) == "timeout"


def test_nobody_listening_is_an_error() -> None:
    assert reason(HttpReranker("http://127.0.0.1:9/rerank", "m", seconds=2)) == "error"


def test_after_three_failures_it_is_left_alone_for_a_while(server: ModelServer) -> None:
    now = [0.0]
    one = reranker(server, clock=lambda: now[0])
    server.script(*[Reply(status=500)] * 3)
    assert [reason(one) for _ in range(5)] == ["error"] * 3 + ["resting"] * 2
    assert len(server.requests) == 3
    now[0] = 31.0
    assert one.scores("abc", ["abc"]) == [1.0]


def test_more_at_once_than_may_wait_are_not_asked(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reranking_http, "AT_ONCE", 1)
    hold = threading.Event()
    server.script(Reply(hold=hold))
    one = reranker(server)
    found: list[list[float]] = []
    first = threading.Thread(target=lambda: found.append(one.scores("abc", ["abc"])))
    first.start()
    while not server.requests:
        pass
    assert reason(one) == "busy"
    hold.set()
    first.join(10)
    assert found == [[1.0]]
