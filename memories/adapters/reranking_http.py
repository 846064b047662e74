"""Scores documents through an HTTP rerank endpoint in the shape that Cohere, Jina and others share."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeout
from typing import Final

import httpx

from memories.ports import RerankerUnavailable

AT_ONCE: Final = 4
"""Requests under way; a further one is not worth its wait."""
FAILURES: Final = 3
REST_SECONDS: Final = 30.0
"""After so many failures in a row the endpoint is left alone for so long: each try would cost a recall its time."""
MAX_CHARACTERS: Final = 4_000


class HttpReranker:
    """POST {model, query, documents, top_n} to `url`; the reply is {"results": [{"index", "relevance_score"}]}. Thread-safe.

    `seconds` bounds a call as a whole, also where an endpoint trickles. Nothing is tried again: a recall waits.
    """

    def __init__(
        self,
        url: str,
        model: str,
        api_key: str = "",
        *,
        seconds: float = 0.8,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._client = httpx.Client(headers=headers, timeout=seconds)
        self._url, self._model, self._seconds, self._clock = url, model, seconds, clock
        self._pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="rerank")
        self._free = threading.Semaphore(AT_ONCE)
        self._lock = threading.Lock()
        self._failures = 0
        self._rests_until = 0.0

    def scores(self, query: str, documents: Sequence[str]) -> list[float]:
        """One score in 0..1 a document, in their order; 0 for one that the endpoint leaves out.

        RerankerUnavailable says in `reason` why there are none: timeout, error, malformed, busy or resting.
        """
        if not documents:
            return []
        if self._clock() < self._rests_until:
            raise RerankerUnavailable("resting")
        if not self._free.acquire(blocking=False):
            raise RerankerUnavailable("busy")
        cut = [document[:MAX_CHARACTERS] for document in documents]
        try:
            found = self._pool.submit(self._ask, query[:MAX_CHARACTERS], cut).result(self._seconds)
        except FutureTimeout:
            self._failed()
            raise RerankerUnavailable("timeout") from None
        except RerankerUnavailable:
            self._failed()
            raise
        with self._lock:
            self._failures = 0
        return found

    def close(self) -> None:
        """Give the connections back."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._client.close()

    def _failed(self) -> None:
        with self._lock:
            self._failures += 1
            if self._failures >= FAILURES:
                self._failures, self._rests_until = 0, self._clock() + REST_SECONDS

    def _ask(self, query: str, documents: list[str]) -> list[float]:
        try:
            body = {"model": self._model, "query": query, "documents": documents, "top_n": len(documents)}
            response = self._client.post(self._url, json=body)
        except httpx.TimeoutException:
            raise RerankerUnavailable("timeout") from None
        except httpx.HTTPError:
            raise RerankerUnavailable("error") from None
        finally:
            self._free.release()
        if response.status_code != 200:
            raise RerankerUnavailable("error")
        return _scores(response, len(documents))


def _scores(response: httpx.Response, count: int) -> list[float]:
    found = [0.0] * count
    try:
        for row in response.json()["results"]:
            at, score = int(row["index"]), float(row["relevance_score"])
            if not 0 <= at < count or score != score:
                raise ValueError
            found[at] = min(1.0, max(0.0, score))
    except (KeyError, TypeError, ValueError, AttributeError):
        raise RerankerUnavailable("malformed") from None
    return found
