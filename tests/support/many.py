"""Many rows like one that is there: what must differ by the table's own constraints differs, everything else is the same."""

from __future__ import annotations

import itertools
import uuid
from typing import Any

from django.db import models

from accounts.models import Membership, User
from memoryhub.common.ids import uuid7

_numbers = itertools.count(1)


def multiply(row: models.Model, number: int) -> None:
    """So many more rows like this one, in the open tenant transaction; rows that they hang on are multiplied before."""
    model = type(row)
    differing = _differing(model)
    others = {name: _others(model, name, number) for name in differing}
    model._default_manager.bulk_create(_copy(row, differing, others, at) for at in range(number))


def _others(model: type[models.Model], name: str, number: int) -> list[Any]:
    """The newest rows that a column of a unique constraint can point to; people are made."""
    field: Any = model._meta.get_field(name)
    if not field.is_relation or field.null:
        return []
    target = field.remote_field.model
    if target is User:
        return [_person(at) for at in range(number)]
    return list(target._default_manager.order_by("-pk").values_list("pk", flat=True)[:number])


def _copy(row: models.Model, differing: set[str], others: dict[str, list[Any]], at: int) -> models.Model:
    model = type(row)
    values: dict[str, Any] = {}
    pointed = False
    for field in model._meta.concrete_fields:
        value = getattr(row, field.attname)
        if field.primary_key:
            if not isinstance(field, models.UUIDField):
                continue
            value = uuid7()
        elif others.get(field.name):
            # One of a pair is enough.
            value, pointed = (value if pointed else others[field.name][at % len(others[field.name])]), True
        elif field.name in differing:
            value = _other(field, value)
        values[field.attname] = value
    return model(**values)


def _differing(model: type[models.Model]) -> set[str]:
    """The columns of unique constraints, but for the tenant."""
    names = {
        name
        for constraint in model._meta.constraints
        if isinstance(constraint, models.UniqueConstraint)
        for name in constraint.fields
    }
    names |= {field.name for field in model._meta.concrete_fields if field.unique and not field.primary_key}
    return names - {"tenant"}


def _other(field: models.Field[Any, Any], value: Any) -> Any:
    if field.is_relation:
        return None
    if value is None or field.choices:
        return value
    unlike = uuid.uuid4()
    if isinstance(field, models.UUIDField):
        return unlike
    if isinstance(field, models.IntegerField):
        return value + next(_numbers)
    if isinstance(field, models.BinaryField):
        return unlike.bytes
    return f"{unlike.hex}{value}"[: field.max_length]


def _person(at: int) -> uuid.UUID:
    """Somebody new, as a membership needs."""
    made: uuid.UUID = User.objects.create(email=f"{uuid.uuid4().hex}@{at}.example", name=f"person {at}").pk
    return made


def join(number: int) -> None:
    """So many more members of the open tenant."""
    Membership.objects.bulk_create(Membership(user_id=_person(at), role="end_user") for at in range(number))
