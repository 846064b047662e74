"""Embeds through any OpenAI-compatible /v1/embeddings endpoint."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

import httpx
import numpy as np

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
_RETRIED: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504})


class OpenAIEmbedder:
    """Unit vectors from an endpoint, in batches of 64, each tried four times with growing pauses. Thread-safe.

    `prefixes` are put before a text by kind, for models that want them (e5: {"query": "query: ", "passage": "passage: "}).
    The dimension is asked for once, with a short text.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        api_key: str = "",
        *,
        timeout: float = 30.0,
        prefixes: dict[str, str] | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._client = httpx.Client(
            headers=headers, timeout=httpx.Timeout(timeout, connect=min(timeout, 5.0))
        )
        self._url = base_url.rstrip("/") + "/embeddings"
        self._model = model
        self._prefixes = prefixes or {}
        self._sleep = sleep
        self._lock = threading.Lock()
        self._dim = 0

    @property
    def identity(self) -> EmbedderIdentity:
        """The model's name and dimension; EmbedderUnavailable when the endpoint cannot be asked for the latter."""
        with self._lock:
            if not self._dim:
                self._dim = int(self._request(["dimension"]).shape[1])
            return EmbedderIdentity(self._model, "api", self._dim)

    def embed(self, texts: Sequence[str], *, kind: EmbeddingKind) -> Vectors:
        """Unit rows of shape (len(texts), dim); EmbeddingRefused names the position of a text without content."""
        prefix = self._prefixes.get(kind, "")
        cleaned = [text.replace("\0", " ").strip()[:MAX_CHARACTERS] for text in texts]
        for at, text in enumerate(cleaned):
            if not text:
                raise EmbeddingRefused(
                    f"Text number {at} is empty.", hint="Give a text with at least one visible character."
                )
        if not cleaned:
            return np.empty((0, self.identity.dim), dtype=np.float32)
        rows = [
            self._request([prefix + text for text in cleaned[at : at + BATCH]])
            for at in range(0, len(cleaned), BATCH)
        ]
        vectors = np.concatenate(rows)
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not np.all(np.isfinite(norms) & (norms > 1e-6)):
            raise EmbeddingRefused("The endpoint returned a zero vector.")
        return np.asarray(vectors / norms, dtype=np.float32)

    def close(self) -> None:
        """Give the connections back."""
        self._client.close()

    def _request(self, texts: list[str]) -> Vectors:
        pause = 0.5
        for attempt in range(1, ATTEMPTS + 1):
            try:
                response = self._client.post(
                    self._url, json={"model": self._model, "input": texts, "encoding_format": "float"}
                )
            except httpx.HTTPError as error:
                if attempt == ATTEMPTS:
                    raise EmbedderUnavailable(
                        "The embeddings endpoint does not answer.", hint="Check EMBEDDINGS_BASE_URL."
                    ) from error
            else:
                if response.status_code == 200:
                    return _vectors(response, len(texts))
                if response.status_code not in _RETRIED:
                    # Unavailable to its callers: recall goes on with words alone, and what is written is embedded later.
                    raise EmbedderUnavailable(
                        f"The embeddings endpoint answers with status {response.status_code}.",
                        hint="Check EMBEDDINGS_BASE_URL, EMBEDDINGS_MODEL and EMBEDDINGS_API_KEY.",
                    )
                if attempt == ATTEMPTS:
                    raise EmbedderUnavailable(
                        f"The embeddings endpoint answers with status {response.status_code}."
                    )
                pause = max(pause, _retry_after(response))
            self._sleep(min(pause, 20.0))
            pause *= 2
        raise AssertionError("unreachable")


def _retry_after(response: httpx.Response) -> float:
    try:
        return float(response.headers.get("retry-after", "0"))
    except ValueError:
        return 0.0


def _vectors(response: httpx.Response, count: int) -> Vectors:
    """The rows in the order of the texts, which the reply need not keep."""
    try:
        data: list[dict[str, Any]] = sorted(response.json()["data"], key=lambda row: int(row["index"]))
        vectors = np.asarray([row["embedding"] for row in data], dtype=np.float32)
    except (KeyError, TypeError, ValueError):
        raise EmbedderUnavailable("The embeddings endpoint's reply is malformed.") from None
    if vectors.ndim != 2 or len(vectors) != count:
        raise EmbedderUnavailable(
            "The embeddings endpoint returned another number of vectors than it was asked for."
        )
    return vectors
