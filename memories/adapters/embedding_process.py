"""A process that does nothing but embed: requests come in on stdin, vectors go out on stdout; it ends when stdin does.

A frame is four bytes of length (big endian) and that many bytes. A request is JSON, {"texts": [...], "kind": "query"}. An answer
begins with one byte: b"v", then two counts of four bytes (rows, columns) and the float32 rows; or b"e" and JSON,
{"error": class name, "message": "...", "hint": "..."}.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from typing import BinaryIO, Final

import numpy as np

from memories.adapters.embedding_local import LocalEmbedder
from memories.ports import EmbedderUnavailable, EmbeddingRefused, Vectors

NICENESS: Final = 5
"""The web process, which answers everybody, goes first where there are too few cores."""


def pack(data: bytes) -> bytes:
    """The data as one frame."""
    return len(data).to_bytes(4, "big") + data


def pack_vectors(vectors: Vectors) -> bytes:
    """The body of a good answer."""
    rows, columns = vectors.shape
    return b"v" + rows.to_bytes(4, "big") + columns.to_bytes(4, "big") + vectors.astype("<f4").tobytes()


def unpack_vectors(body: bytes) -> Vectors:
    """The rows of an answer; raises the error that it holds instead."""
    if body[:1] == b"e":
        told = json.loads(body[1:])
        kind = EmbeddingRefused if told["error"] == EmbeddingRefused.__name__ else EmbedderUnavailable
        raise kind(told["message"], hint=told["hint"])
    rows, columns = int.from_bytes(body[1:5], "big"), int.from_bytes(body[5:9], "big")
    return np.frombuffer(body, dtype="<f4", offset=9).reshape(rows, columns).astype(np.float32)


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer one request after another until the other side closes."""
    embedder = LocalEmbedder()
    while len(head := requests.read(4)) == 4:
        request = json.loads(requests.read(int.from_bytes(head, "big")))
        try:
            body = pack_vectors(embedder.embed(request["texts"], kind=request["kind"]))
        except (EmbedderUnavailable, EmbeddingRefused) as error:
            told = {"error": type(error).__name__, "message": error.message, "hint": error.hint}
            body = b"e" + json.dumps(told).encode()
        answers.write(pack(body))
        answers.flush()


def main() -> None:
    """Serve on the given stdin and stdout; whatever a library prints goes to stderr instead."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with contextlib.suppress(OSError):
        os.nice(NICENESS)
    with contextlib.suppress(BrokenPipeError):
        serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
