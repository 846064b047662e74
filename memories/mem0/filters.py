"""mem0's filters: whose memories are meant, and which of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from memoryhub.common.errors import Invalid

OWNERS: Final = {"user_id": "user", "agent_id": "agent", "run_id": "run", "app_id": "app_id"}
"""Names of mem0, and the kind of subject that each is where it stands alone. An app is a part of an owner's memories."""
_AS_OWNER: Final = ("user_id", "agent_id", "run_id")
_TIMES: Final = {"gte": "since", "gt": "since", "lte": "until", "lt": "until"}


@dataclass(slots=True)
class Wanted:
    """Whose memories, as (kind, external id); what their metadata must hold; all of these tags; said since and before when."""

    owner: tuple[str, str] | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    tags: list[str] = field(default_factory=list)
    since: datetime | None = None
    until: datetime | None = None


def wanted_of(given: Mapping[str, Any]) -> Wanted:
    """From a request's fields: `filters` (also nested under AND), and ids beside it, as older clients send them.

    A user comes before an agent, and that before a run: the others then say where the memory was made and stand in its
    metadata. Invalid for OR, NOT and conditions that MemoryHub does not look by, rather than an answer that leaves them out.
    """
    found = Wanted()
    named: dict[str, str] = {}
    filters = given.get("filters")
    if filters is not None and not isinstance(filters, Mapping):
        raise _refused("filters", "must be an object")
    parts: list[Mapping[str, Any]] = [{name: given[name] for name in OWNERS if given.get(name)}]
    parts += _flat(filters or {})
    for part in parts:
        for name, value in part.items():
            _take(found, named, name, value)
    owner = next((name for name in _AS_OWNER if name in named), None)
    if owner is not None:
        found.owner = (OWNERS[owner], named.pop(owner))
    found.metadata |= named
    return found


def _flat(filters: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    parts: list[Mapping[str, Any]] = []
    for name, value in filters.items():
        if name != "AND":
            parts.append({name: value})
        elif isinstance(value, list) and all(isinstance(one, Mapping) for one in value):
            parts += [part for one in value for part in _flat(one)]
        else:
            raise _refused("filters.AND", "must be a list of objects")
    return parts


def _take(found: Wanted, named: dict[str, str], name: str, value: Any) -> None:
    if name in OWNERS:
        if not isinstance(value, str) or not value or value == "*":
            raise _refused(f"filters.{name}", "must be one id, taken literally; * is not understood")
        if named.setdefault(name, value) != value:
            raise _refused(f"filters.{name}", "names two")
    elif name == "metadata":
        if not isinstance(value, Mapping):
            raise _refused("filters.metadata", "must be an object")
        found.metadata |= value
    elif name == "categories":
        tags = value.get("in", value.get("contains")) if isinstance(value, Mapping) else value
        tags = [tags] if isinstance(tags, str) else tags
        if not isinstance(tags, list) or len(tags) != 1 or not isinstance(tags[0], str):
            raise _refused("filters.categories", "must name one")
        found.tags += tags
    elif name in {"created_at", "timestamp"} and isinstance(value, Mapping):
        for condition, at in value.items():
            if condition not in _TIMES:
                raise _refused(f"filters.{name}", f"must be one of {', '.join(_TIMES)}")
            setattr(found, _TIMES[condition], moment(at, f"filters.{name}.{condition}"))
    else:
        allowed = ", ".join([*OWNERS, "metadata", "categories", "created_at", "AND"])
        raise _refused("filters", f"understood are {allowed}")


def moment(value: Any, name: str) -> datetime:
    """A time in ISO 8601, a day, or seconds since 1970; UTC where it says no zone."""
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, UTC)
        at = datetime.fromisoformat(value)
    except (TypeError, ValueError, OverflowError, OSError):
        raise _refused(name, "must be a time such as 2026-03-01T08:00:00Z") from None
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at


def _refused(name: str, problem: str) -> Invalid:
    return Invalid(f"{name} {problem}", fields={name: problem})
