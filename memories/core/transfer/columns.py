"""How one value stands in a line of the exchange format, and what is taken when it is read back."""

from __future__ import annotations

import json
import math
import uuid
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from memoryhub.common.texts import storable, storable_tree


class NotTaken(ValueError):
    """Why a value is refused; never the value itself."""


_NO_TEXT = "must hold no NUL and no lone surrogate"
Reader = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Column:
    """A field of a row. `read` gives the value or raises NotTaken; what is left out of a line is `default`."""

    name: str
    read: Reader
    default: Any = None
    needed: bool = False


def plain(value: Any) -> Any:
    """A row's value as JSON: times in UTC with microseconds, ids as text."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    if isinstance(value, uuid.UUID):
        return str(value)
    return value


def written(columns: Sequence[Column], row: Any) -> dict[str, Any]:
    """The columns of a row, in their order."""
    return {column.name: plain(getattr(row, column.name)) for column in columns}


def read(columns: Sequence[Column], data: Any, place: str = "") -> dict[str, Any]:
    """The columns of a line's object; NotTaken names the field of what does not fit. Unknown fields are passed over."""
    if not isinstance(data, Mapping):
        raise NotTaken(f"{place or 'the line'} must be an object")
    found: dict[str, Any] = {}
    for column in columns:
        where = f"{place}.{column.name}" if place else column.name
        if data.get(column.name) is None and column.name not in data:
            if column.needed:
                raise NotTaken(f"{where} is missing")
            found[column.name] = column.default() if callable(column.default) else column.default
            continue
        try:
            found[column.name] = column.read(data[column.name])
        except NotTaken as problem:
            raise NotTaken(f"{where} {problem}") from None
    return found


def text(most: int, *, least: int = 0) -> Reader:
    """A text of so many characters that PostgreSQL can keep."""

    def taken(value: Any) -> str:
        if not isinstance(value, str) or not least <= len(value) <= most:
            raise NotTaken(f"must be a text of {least} to {most} characters")
        if not storable(value):
            raise NotTaken(_NO_TEXT)
        return value

    return taken


def one_of(choices: Collection[str]) -> Reader:
    """One of these words."""

    def taken(value: Any) -> str:
        if not isinstance(value, str) or value not in choices:
            raise NotTaken(f"must be one of {', '.join(sorted(choices))}")
        return value

    return taken


def optional(reader: Reader) -> Reader:
    """The same, or null."""
    return lambda value: None if value is None else reader(value)


def number(low: float, high: float) -> Reader:
    """A finite number of the range."""

    def taken(value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise NotTaken("must be a number")
        if not low <= value <= high:
            raise NotTaken(f"must lie between {low:g} and {high:g}")
        return float(value)

    return taken


def whole(low: int, high: int) -> Reader:
    """An integer of the range."""

    def taken(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise NotTaken(f"must be a whole number between {low} and {high}")
        return value

    return taken


def flag(value: Any) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise NotTaken("must be true or false")
    return value


def identity(value: Any) -> uuid.UUID:
    """An id of the form 8-4-4-4-12."""
    if isinstance(value, str) and len(value) == 36:
        try:
            return uuid.UUID(value)
        except ValueError:
            pass
    raise NotTaken("must be a UUID")


def moment(value: Any) -> datetime:
    """A time in ISO 8601 with its zone, in the years that PostgreSQL and Python both know."""
    try:
        at = datetime.fromisoformat(value) if isinstance(value, str) and len(value) <= 40 else None
        utc = at.astimezone(UTC) if at is not None and at.tzinfo is not None else None
    except (ValueError, OverflowError):
        utc = None
    if utc is None:
        raise NotTaken("must be a time with its zone, such as 2026-03-01T08:00:00+00:00")
    return utc


def tree(most: int, kind: type = dict) -> Reader:
    """Plain JSON of that type (dict, list), at most so many characters when written."""

    def taken(value: Any) -> Any:
        if not isinstance(value, kind):
            raise NotTaken("must be an object" if kind is dict else "must be a list")
        try:
            size = len(json.dumps(value, ensure_ascii=False, allow_nan=False))
        except (ValueError, RecursionError):
            raise NotTaken("must be plain JSON") from None
        if size > most:
            raise NotTaken(f"must have at most {most} characters as JSON")
        if not storable_tree(value):
            raise NotTaken(_NO_TEXT)
        return value

    return taken


def texts(most: int, each: int) -> Reader:
    """A list of so many texts of 1 to `each` characters."""
    reader = text(each, least=1)

    def taken(value: Any) -> list[str]:
        if not isinstance(value, list) or len(value) > most:
            raise NotTaken(f"must be a list of at most {most}")
        return [reader(one) for one in value]

    return taken
