"""PostgreSQL's binary COPY format for rows of a fixed width, made by numpy a whole chunk at a time."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

HEADER = b"PGCOPY\n\xff\r\n\0" + b"\0" * 8
TRAILER = b"\xff\xff"
_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)


def rows(columns: Mapping[str, NDArray[Any]]) -> bytes:
    """A complete COPY stream; each column is an array with one element a row, in big-endian or as raw bytes ('V16', 'S8')."""
    count = len(next(iter(columns.values())))
    fields: list[Any] = [("fields", ">i2")]
    for name, values in columns.items():
        fields += [(f"{name}_size", ">i4"), (name, values.dtype, values.shape[1:])]
    made = np.zeros(count, dtype=fields)
    made["fields"] = len(columns)
    for name, values in columns.items():
        made[f"{name}_size"] = values.itemsize * int(np.prod(values.shape[1:], dtype=int))
        made[name] = values
    return HEADER + made.tobytes() + TRAILER


def ids(number: int, rng: np.random.Generator) -> NDArray[np.void]:
    """Time-ordered random UUIDs (version 7) as 16 raw bytes each."""
    raw = rng.integers(0, 256, (number, 16), dtype=np.uint8)
    at = (int(datetime.now(UTC).timestamp() * 1000) + np.arange(number) // 8).astype(">u8")
    raw[:, :6] = at.view(np.uint8).reshape(number, 8)[:, 2:]
    raw[:, 6] = raw[:, 6] & 0x0F | 0x70
    raw[:, 8] = raw[:, 8] & 0x3F | 0x80
    return np.ascontiguousarray(raw).view("V16").reshape(number)


def same(value: uuid.UUID, number: int) -> NDArray[np.void]:
    """One id for every row."""
    return np.frombuffer(value.bytes * number, dtype="V16")


def word(value: str, number: int) -> NDArray[np.bytes_]:
    """One text for every row."""
    data = value.encode()
    return np.full(number, data, dtype=f"S{len(data)}")


def times(seconds: NDArray[np.floating[Any]]) -> NDArray[np.int64]:
    """timestamptz of POSIX seconds."""
    return ((seconds - _EPOCH.timestamp()) * 1e6).astype(">i8")


def signs(vectors: NDArray[np.float32]) -> NDArray[np.void]:
    """varbit of binary_quantize: one bit a number, set where it is above zero."""
    number, dimension = vectors.shape
    packed = np.packbits(vectors.astype(np.float16) > 0, axis=1)
    made = np.zeros(number, dtype=[("bits", ">i4"), ("values", "u1", (packed.shape[1],))])
    made["bits"], made["values"] = dimension, packed
    return made.view(f"V{made.itemsize}").reshape(number)


def halfvecs(vectors: NDArray[np.float32]) -> NDArray[np.void]:
    """pgvector's binary form: dimension, unused, half floats."""
    number, dimension = vectors.shape
    made = np.zeros(number, dtype=[("dim", ">i2"), ("unused", ">i2"), ("values", ">f2", (dimension,))])
    made["dim"], made["values"] = dimension, vectors
    return made.view(f"V{made.itemsize}").reshape(number)
