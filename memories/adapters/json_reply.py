"""Reads the JSON object out of a model's reply, with or without prose around it, and checks it against a schema."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema


def read_reply(reply: str, schema: Mapping[str, Any]) -> tuple[dict[str, Any] | None, str]:
    """The first object in the text that fits the schema, else None and what is wrong with the first object.

    The problem names a place and a rule ("facts/0/kind: enum"), never a value.
    """
    problem = "no JSON object"
    validator = jsonschema.Draft202012Validator(dict(schema))
    for number, value in enumerate(_objects(reply)):
        error = jsonschema.exceptions.best_match(validator.iter_errors(value))
        if error is None:
            return value, ""
        if number == 0:
            place = "/".join(str(part) for part in error.absolute_path) or "the object"
            problem = f"{place}: {error.validator}"
    return None, problem


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """Every JSON object that starts somewhere in the text, outermost first."""
    decoder = json.JSONDecoder()
    at = text.find("{")
    while at != -1:
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at = text.find("{", at + 1)
            continue
        if isinstance(value, dict):
            yield value
        at = text.find("{", end)
