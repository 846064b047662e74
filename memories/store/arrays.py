"""PostgreSQL's binary form of arrays, made without a look at each element: parameters of statements that write many rows."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
from numpy.typing import NDArray

_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_NULL = b"\xff\xff\xff\xff"
_BYTEA, _INT4, _TEXT, _FLOAT8, _TIMESTAMPTZ, _UUID = 17, 23, 25, 701, 1184, 2950
"""The numbers of PostgreSQL's own types, the same in every database."""


class Array(bytes):
    """Such an array; the statement says of what type (`$1::text[]`)."""


def texts(values: Sequence[str]) -> Array:
    """text[]."""
    return _array(_TEXT, [value.encode() for value in values])


def blobs(values: Sequence[bytes | None]) -> Array:
    """bytea[]; None is null."""
    return _array(_BYTEA, values)


def times(values: Iterable[datetime]) -> Array:
    """timestamptz[] of aware times."""
    return _fixed(_TIMESTAMPTZ, ">i8", [(value - _EPOCH) // _MICROSECOND for value in values])


def floats(values: Sequence[float]) -> Array:
    """float8[]."""
    return _fixed(_FLOAT8, ">f8", values)


def ints(values: Sequence[int]) -> Array:
    """int4[]."""
    return _fixed(_INT4, ">i4", values)


def ids(values: Sequence[uuid.UUID], counts: Sequence[int] | None = None) -> Array:
    """uuid[]; with `counts`, each as often as that."""
    raw = np.frombuffer(b"".join([value.bytes for value in values]), dtype="V16")
    return _rows(_UUID, raw if counts is None else np.repeat(raw, counts))


def _fixed(oid: int, form: str, values: Sequence[float] | list[int]) -> Array:
    return _rows(oid, np.array(values, dtype=form))


def _rows(oid: int, values: NDArray[np.generic]) -> Array:
    rows = np.zeros(len(values), dtype=[("size", ">i4"), ("value", values.dtype)])
    rows["size"], rows["value"] = values.dtype.itemsize, values
    return Array(head(oid, len(values)) + rows.tobytes())


def _array(oid: int, values: Sequence[bytes | None]) -> Array:
    parts = [head(oid, len(values), nulls=None in values)]
    for value in values:
        if value is None:
            parts.append(_NULL)
        else:
            parts += (len(value).to_bytes(4, "big"), value)
    return Array(b"".join(parts))


def head(oid: int, number: int, *, nulls: bool = False) -> bytes:
    """What stands before the elements of an array of one dimension."""
    if not number:
        return np.array([0, 0, oid], dtype=">i4").tobytes()
    return np.array([1, int(nulls), oid, number, 1], dtype=">i4").tobytes()
