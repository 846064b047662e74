"""Reads JSON bodies within bounds: of a size, of a depth, with numbers that are numbers."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, NoReturn

from django.conf import settings
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from memoryhub.common.errors import DomainError

DEEPEST = 64
"""Objects and lists inside of each other."""


class TooLarge(DomainError):
    """The body is larger than what is read."""

    code = "too_large"
    status = 413


class BoundedJSONParser(JSONParser):
    """DRF's, but for what would fill the memory, or break what comes after it."""

    def parse(
        self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """TooLarge above DATA_UPLOAD_MAX_MEMORY_SIZE, ParseError for anything that is no JSON of ours."""
        most: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        raw: bytes = stream.read(most + 1)
        if len(raw) > most:
            raise TooLarge(f"the body has more than {most} bytes", hint="Send less at once.")
        try:
            found = json.loads(raw.decode("utf-8"), parse_constant=_no_number, parse_float=_finite)
        except RecursionError:
            raise _too_deep() from None
        except ValueError as error:  # Also what is no UTF-8, and whole numbers of thousands of digits.
            place = f" at line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
            raise ParseError(f"the body is no JSON{place}") from None
        _check_depth(found)
        return found


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def _finite(text: str) -> float:
    found = float(text)
    if not math.isfinite(found):
        raise ValueError("the number is too large")
    return found


def _check_depth(found: Any) -> None:
    level: list[Any] = [found]
    for _ in range(DEEPEST + 1):
        level = [
            inner
            for one in level
            if isinstance(one, dict | list)
            for inner in (one.values() if isinstance(one, dict) else one)
        ]
        if not level:
            return
    raise _too_deep()


def _too_deep() -> ParseError:
    return ParseError(f"the body is nested deeper than {DEEPEST} objects and lists")
