"""Embeds through any OpenAI-compatible /v1/embeddings endpoint."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Sequence
from typing import Final

import httpx
import numpy as np

from memories.adapters.http_retry import RETRIED, retry_after
from memories.ports import (
    EmbedderIdentity,
    EmbedderUnavailable,
    EmbeddingKind,
    EmbeddingRefused,
    Vectors,
)

BATCH: Final = 64
MAX_CHARACTERS: Final = 8000
ATTEMPTS: Final = 4
PATIENCE: Final = {"query": 1.5, "passage": 60.0}
"""Seconds that may be spent on pauses: somebody waits for a question's vector, nobody for a passage's."""
REST_SECONDS: Final = 5.0
"""So long an endpoint that failed after all tries is not asked again: each recall would wait for it anew."""
_TOO_MUCH: Final = frozenset({400, 413, 422})
"""What endpoints say to a batch, or to one text of it, that is too long for them."""


class OpenAIEmbedder:
    """Unit vectors from an endpoint, in batches of 64, each tried four times with growing pauses. Thread-safe.

    `dimension` asks for vectors of that width (only models that can shorten theirs take it); 0 takes the model's, which is
    asked for once with a short text. From then on a reply of another width is an error, never stored. `prefixes` are put
    before a text by kind, for models that want them (e5: {"query": "query: ", "passage": "passage: "}).

    While an endpoint wants to be left alone (Retry-After beyond the patience), or has just failed after all tries, calls
    fail at once.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        api_key: str = "",
        *,
        timeout: float = 30.0,
        dimension: int = 0,
        prefixes: dict[str, str] | None = None,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._client = httpx.Client(
            headers=headers, timeout=httpx.Timeout(timeout, connect=min(timeout, 5.0))
        )
        self._url = base_url.rstrip("/") + "/embeddings"
        self._model = model
        self._wanted = dimension
        self._prefixes = prefixes or {}
        self._sleep = sleep
        self._clock = clock
        self._lock = threading.Lock()
        self._dim = dimension
        self._rests_until = 0.0

    @property
    def model(self) -> str:
        """Its name, known without asking."""
        return self._model

    @property
    def identity(self) -> EmbedderIdentity:
        """The model's name and dimension; EmbedderUnavailable when the endpoint cannot be asked for the latter."""
        with self._lock:
            if not self._dim:
                self._dim = int(self._request(["dimension"], PATIENCE["query"]).shape[1])
            return EmbedderIdentity(self._model, "api", self._dim)

    def embed(self, texts: Sequence[str], *, kind: EmbeddingKind) -> Vectors:
        """Unit rows of shape (len(texts), dim). EmbeddingRefused names the position of a text that is empty, or that the
        endpoint does not take while it takes others."""
        prefix = self._prefixes.get(kind, "")
        cleaned = [text.replace("\0", " ").strip()[:MAX_CHARACTERS] for text in texts]
        for at, text in enumerate(cleaned):
            if not text:
                raise EmbeddingRefused(
                    f"Text number {at} is empty.", hint="Give a text with at least one visible character."
                )
        dim = self.identity.dim
        if not cleaned:
            return np.empty((0, dim), dtype=np.float32)
        rows = [
            self._batch([prefix + text for text in cleaned[at : at + BATCH]], at, PATIENCE[kind])
            for at in range(0, len(cleaned), BATCH)
        ]
        vectors = np.concatenate(rows)
        if vectors.shape[1] != dim:
            raise EmbedderUnavailable(
                f"The embeddings endpoint answers with {vectors.shape[1]} dimensions instead of {dim}.",
                hint="Another model is another generation: see EMBEDDINGS_NEXT_MODEL and `manage.py reembed`.",
            )
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        bad = np.flatnonzero(~(np.isfinite(norms[:, 0]) & (norms[:, 0] > 1e-6)))
        if bad.size:
            raise EmbeddingRefused(f"The endpoint returned a zero vector for text number {int(bad[0])}.")
        return np.asarray(vectors / norms, dtype=np.float32)

    def close(self) -> None:
        """Give the connections back."""
        self._client.close()

    def _batch(self, texts: list[str], offset: int, patience: float) -> Vectors:
        """One batch; one that is too much for the endpoint in halves, down to single texts."""
        try:
            return self._request(texts, patience)
        except _TooMuch as refusal:
            if len(texts) == 1:
                if refusal.too_long:
                    raise EmbeddingRefused(
                        f"Text number {offset} is too long for the embeddings endpoint.", hint="Shorten it."
                    ) from None
                raise
            half = len(texts) // 2
            parts: list[Vectors] = []
            failed: _TooMuch | None = None
            for at, part in ((0, texts[:half]), (half, texts[half:])):
                try:
                    parts.append(self._batch(part, offset + at, patience))
                except _TooMuch as error:
                    error.at = offset + at if error.at is None else error.at
                    failed = error
            if failed is None:
                return np.concatenate(parts)
            if parts:
                raise EmbeddingRefused(
                    f"The embeddings endpoint does not take text number {failed.at}.", hint="Shorten it."
                ) from None
            refusal.at = failed.at
            raise refusal from None

    def _request(self, texts: list[str], patience: float) -> Vectors:
        """Rows for all texts; what a partial reply leaves out is asked for again."""
        if self._clock() < self._rests_until:
            raise EmbedderUnavailable(
                "The embeddings endpoint failed, or asked to be left alone, a moment ago."
            )
        found: dict[int, list[float]] = {}
        pause, attempt = 0.5, 1
        while True:
            left = [at for at in range(len(texts)) if at not in found]
            wanted = 0.0
            try:
                response = self._post([texts[at] for at in left])
            except httpx.HTTPError as error:
                problem = "The embeddings endpoint does not answer."
                if attempt == ATTEMPTS:
                    self._rest(REST_SECONDS)
                    raise EmbedderUnavailable(problem, hint="Check EMBEDDINGS_BASE_URL.") from error
            else:
                if response.status_code == 200:
                    rows = _rows(response, len(left))
                    found.update((left[at], row) for at, row in rows.items())
                    if len(found) == len(texts):
                        return _array(found)
                    if rows:
                        continue  # It does something at least: no pause, and the tries begin anew.
                    problem = "The embeddings endpoint returned no vectors."
                else:
                    problem = f"The embeddings endpoint answers with status {response.status_code}."
                    if response.status_code in _TOO_MUCH:
                        refusal = _TooMuch(problem, hint=_SETTINGS)
                        refusal.too_long = response.status_code == 413
                        raise refusal
                    if response.status_code not in RETRIED:
                        # Unavailable to its callers: recall goes on with words alone, and what is written is embedded later.
                        raise EmbedderUnavailable(problem, hint=_SETTINGS)
                    wanted = retry_after(response.headers.get("retry-after"))
                if attempt == ATTEMPTS:
                    self._rest(max(wanted, REST_SECONDS))
                    raise EmbedderUnavailable(problem)
            wait = max(pause * random.uniform(0.75, 1.25), wanted)
            if wait > patience:
                self._rest(max(wanted, REST_SECONDS))
                raise EmbedderUnavailable(problem, hint="It is asked again in a moment.")
            self._sleep(wait)
            patience, pause, attempt = patience - wait, pause * 2, attempt + 1

    def _rest(self, seconds: float) -> None:
        self._rests_until = self._clock() + seconds

    def _post(self, texts: list[str]) -> httpx.Response:
        body: dict[str, object] = {"model": self._model, "input": texts, "encoding_format": "float"}
        if self._wanted:
            body["dimensions"] = self._wanted
        return self._client.post(self._url, json=body)


_SETTINGS: Final = (
    "Check EMBEDDINGS_BASE_URL, EMBEDDINGS_MODEL and EMBEDDINGS_API_KEY (or those of EMBEDDINGS_NEXT_*)."
)


class _TooMuch(EmbedderUnavailable):
    """The endpoint does not take the request; `at` is the place of the first text that it does not take alone."""

    at: int | None = None
    too_long = False


def _rows(response: httpx.Response, count: int) -> dict[int, list[float]]:
    """The vectors by the place of their text, which the reply need not keep in order, nor complete."""
    try:
        data = response.json()["data"]
        rows = {int(row["index"]): [float(value) for value in row["embedding"]] for row in data}
    except (KeyError, TypeError, ValueError):
        raise EmbedderUnavailable("The embeddings endpoint's reply is malformed.") from None
    if len(rows) != len(data) or any(not 0 <= at < count for at in rows):
        raise EmbedderUnavailable(
            "The embeddings endpoint returned other vectors than those that it was asked for."
        )
    return rows


def _array(found: dict[int, list[float]]) -> Vectors:
    if len({len(row) for row in found.values()}) != 1 or not found[0]:
        raise EmbedderUnavailable("The embeddings endpoint returned vectors of several widths.")
    return np.asarray([found[at] for at in range(len(found))], dtype=np.float32)
