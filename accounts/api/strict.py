"""Serializers of requests that know their fields, and query parameters that are read strictly."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.utils.dateparse import parse_datetime
from rest_framework import serializers
from rest_framework.request import Request

from memoryhub.common.errors import Invalid
from memoryhub.common.texts import storable

_OF_TYPE: tuple[tuple[type[serializers.Field[Any, Any, Any, Any]], str, tuple[type, ...]], ...] = (
    (serializers.BooleanField, "true or false", (bool,)),
    (serializers.IntegerField, "a number", (int, float)),
    (serializers.FloatField, "a number", (int, float)),
    (serializers.CharField, "a text", (str,)),
    (serializers.ChoiceField, "a text", (str,)),
    (serializers.UUIDField, "a text", (str,)),
    (serializers.DateTimeField, "a text", (str,)),
)
"""What a field takes: DRF would make a text of a number, and a yes of a 1, which no caller meant."""


class StrictSerializer(serializers.Serializer[Any]):
    """Refuses fields that it does not know, and values of another type than the schema's, so that a misspelt field or a value
    in the wrong place is an error and not a silent nothing."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict):
            unknown = sorted(set(data) - set(self.fields))
            if unknown:
                raise serializers.ValidationError(dict.fromkeys(unknown[:20], "There is no such field."))
            wrong = {
                name: told for name, value in data.items() if (told := _mistyped(self.fields[name], value))
            }
            if wrong:
                raise serializers.ValidationError(wrong)
        return super().to_internal_value(data)


def _mistyped(field: serializers.Field[Any, Any, Any, Any], value: Any) -> str:
    """What the field takes, where the value is of another type; "" where it fits, or the field itself will say more."""
    if value is None:
        return ""
    if isinstance(field, serializers.ListField):
        return (
            next((told for one in value if (told := _mistyped(field.child, one))), "")
            if isinstance(value, list)
            else ""
        )
    for kind, told, types in _OF_TYPE:
        if isinstance(field, kind):
            fits = isinstance(value, types) and (
                not isinstance(value, bool) or kind is serializers.BooleanField
            )
            return "" if fits else f"This must be {told}."
    return ""


def no_body(request: Request) -> None:
    """Refuses fields of a call that takes none: what is sent and not read would be a silent nothing."""
    StrictSerializer(data=request.data).is_valid(raise_exception=True)


def query_text(request: Request, name: str, most: int = 512) -> str:
    """A query parameter as a text that PostgreSQL can compare; "" when it is not given."""
    text: str = request.query_params.get(name, "")
    if len(text) > most or not storable(text):
        raise Invalid(f"{name} is not usable", fields={name: f"a text of at most {most} characters"})
    return text


def query_time(request: Request, name: str) -> datetime | None:
    """A query parameter as a time with its zone; None when it is not given."""
    text = request.query_params.get(name)
    if text is None:
        return None
    try:
        found = parse_datetime(text)
    except ValueError:
        found = None
    if found is None:
        hint = "Use ISO 8601 with an offset, or Z."
        raise Invalid(f"{name} is no time", hint=hint, fields={name: "not a time"})
    if found.tzinfo is None:
        hint = "Give an offset, or Z."
        raise Invalid(f"{name} has no time zone", hint=hint, fields={name: "needs a time zone"})
    return found


def query_id(request: Request, name: str) -> uuid.UUID | None:
    """A query parameter as an id; None when it is not given."""
    text = request.query_params.get(name)
    if text is None:
        return None
    try:
        return uuid.UUID(text)
    except ValueError:
        raise Invalid(f"{name} is no id", fields={name: "not a UUID"}) from None


def query_one_of(request: Request, name: str, allowed: Collection[str]) -> str | None:
    """A query parameter that has a list of values; None when it is not given."""
    value: str | None = request.query_params.get(name)
    if value is not None and value not in allowed:
        raise Invalid(f"{name} is not one of its values", fields={name: "one of " + ", ".join(allowed)})
    return value


def query_flag(request: Request, name: str) -> bool | None:
    """A query parameter that is `true` or `false`; None when it is not given."""
    value = query_one_of(request, name, ("true", "false"))
    return None if value is None else value == "true"


def query_number(request: Request, name: str, default: int, low: int, high: int) -> int:
    """A query parameter as a whole number within bounds."""
    text = request.query_params.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 19 and low <= int(text) <= high):
        raise Invalid(f"{name} is out of range", fields={name: f"a number from {low} to {high}"})
    return int(text)
