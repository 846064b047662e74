"""A tenant's own sensitive content: patterns, and fields named by their labels, each with what is done about it (R28)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, Final

from memories.core.errors import PolicyError
from memories.core.safe_regex import MAX_WAYS, UnsafePattern, compiled, ways
from memoryhub.common.texts import storable

OWN_ACTIONS: Final = ("block", "mask", "encrypt", "ask", "keep")
MODEL_ACTIONS: Final = ("send", "mask")
MAX_PATTERNS: Final = 50
MAX_FIELDS: Final = 50
MAX_LABELS: Final = 20
MAX_ALL_WAYS: Final = 10 * MAX_WAYS
_NAME = re.compile(r"[a-z][a-z0-9_]{0,31}")
_LABEL = re.compile(r"[^\W_](?:[\w \-./'’]{0,38}[^\W_])?")
_SAYS = r"\s{0,3}(?:[:：=]|是|为|叫|有|(?:is|are|was|equals)\b)\s{0,3}"
_VALUE = r"[\"'“「]?(?P<value>[^\s,，。;；!！?？\"'”」]{1,60})"


@dataclass(frozen=True, slots=True)
class OwnPattern:
    """What the pattern matches is sensitive. `model` says whether a model may see it where it is kept in the clear."""

    name: str
    pattern: str
    action: str = "mask"
    model: str = "mask"
    ignore_case: bool = True

    @property
    def kind(self) -> str:
        return f"own:{self.name}"

    def compiled(self) -> re.Pattern[str]:
        return compiled(self.pattern, ignore_case=self.ignore_case)


@dataclass(frozen=True, slots=True)
class OwnField:
    """What stands under one of the labels is sensitive: a key of metadata, or "label: value", "label is value" in a text."""

    name: str
    labels: tuple[str, ...]
    action: str = "mask"
    model: str = "mask"

    @property
    def kind(self) -> str:
        return f"own:{self.name}"

    def compiled(self) -> re.Pattern[str]:
        return _of_labels(self.labels)


@dataclass(frozen=True, slots=True)
class Own:
    """All of a tenant's; compares and hashes by its contents."""

    patterns: tuple[OwnPattern, ...] = ()
    fields: tuple[OwnField, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.patterns or self.fields)

    @property
    def all(self) -> tuple[OwnPattern | OwnField, ...]:
        """Patterns first."""
        return (*self.patterns, *self.fields)

    def named(self) -> list[tuple[str, re.Pattern[str]]]:
        """(type of span, compiled pattern), in the tenant's order."""
        return [(one.kind, one.compiled()) for one in self.all]

    def actions(self) -> dict[str, str]:
        """What is done by type."""
        return {one.kind: one.action for one in self.all}

    def for_model(self) -> dict[str, str]:
        """What is done by type before a model sees it."""
        return {one.kind: "mask" if one.model == "mask" else "keep" for one in self.all}

    def field_of(self, name: str) -> OwnField | None:
        """The field that a key of metadata names, letter case, hyphens and underscores aside."""
        wanted = _plain(name)
        return next(
            (one for one in self.fields if wanted in {_plain(label) for label in (one.name, *one.labels)}),
            None,
        )

    def as_data(self) -> dict[str, Any]:
        """As it is stored and shown."""
        if not self:
            return {}
        fields = [{**asdict(one), "labels": list(one.labels)} for one in self.fields]
        return {"patterns": [asdict(one) for one in self.patterns], "fields": fields}


NONE: Final = Own()


def own_of(data: Mapping[str, object]) -> Own:
    """Out of stored or posted data; PolicyError names the first part that does not fit, and never quotes a value."""
    _only(data, {"patterns", "fields"}, "custom")
    patterns = [
        _pattern(row, f"custom.patterns.{at}")
        for at, row in enumerate(_rows(data.get("patterns", ()), "custom.patterns", MAX_PATTERNS))
    ]
    fields = [
        _field(row, f"custom.fields.{at}")
        for at, row in enumerate(_rows(data.get("fields", ()), "custom.fields", MAX_FIELDS))
    ]
    made = Own(tuple(patterns), tuple(fields))
    names = [one.name for one in made.all]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise PolicyError("custom", f"two of them are named {twice}", hint="Give each its own name.")
    if sum(ways(one.pattern) for one in patterns) > MAX_ALL_WAYS:
        raise PolicyError("custom.patterns", "are too much work together", hint="Use fewer repeats in them.")
    return made


def _pattern(row: Mapping[str, object], at: str) -> OwnPattern:
    _only(row, {"name", "pattern", "action", "model", "ignore_case"}, at)
    source = row.get("pattern")
    if not isinstance(source, str):
        raise PolicyError(f"{at}.pattern", "must be a text")
    if not storable(source):
        raise PolicyError(
            f"{at}.pattern", "must hold no NUL and no lone surrogate: no text that is stored has one"
        )
    ignore_case = row.get("ignore_case", True)
    if not isinstance(ignore_case, bool):
        raise PolicyError(f"{at}.ignore_case", "must be true or false")
    try:
        compiled(source, ignore_case=ignore_case)
    except UnsafePattern as error:
        raise PolicyError(f"{at}.pattern", str(error)) from None
    return OwnPattern(
        _name(row, at), source, _one_of(row, at, "action", OWN_ACTIONS), _one_of(row, at, "model", MODEL_ACTIONS),
        ignore_case,
    )  # fmt: skip


def _field(row: Mapping[str, object], at: str) -> OwnField:
    _only(row, {"name", "labels", "action", "model"}, at)
    labels = row.get("labels")
    if not isinstance(labels, Sequence) or isinstance(labels, str) or not 1 <= len(labels) <= MAX_LABELS:
        raise PolicyError(f"{at}.labels", f"must be a list of 1 to {MAX_LABELS} texts")
    for label in labels:
        if not isinstance(label, str) or not _LABEL.fullmatch(label):
            raise PolicyError(
                f"{at}.labels", "each must be 1 to 40 letters, digits and spaces, and begin and end with one"
            )
    return OwnField(
        _name(row, at), tuple(labels), _one_of(row, at, "action", OWN_ACTIONS),
        _one_of(row, at, "model", MODEL_ACTIONS),
    )  # fmt: skip


def _rows(value: object, at: str, most: int) -> Sequence[Mapping[str, object]]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise PolicyError(at, "must be a list")
    if len(value) > most:
        raise PolicyError(at, f"at most {most} are possible")
    for number, row in enumerate(value):
        if not isinstance(row, Mapping):
            raise PolicyError(f"{at}.{number}", "must be an object")
    return value


def _only(row: Mapping[str, object], known: set[str], at: str) -> None:
    unknown = sorted(str(key)[:40] for key in row if key not in known)
    if unknown:
        raise PolicyError(
            f"{at}.{unknown[0]}", "there is no such field", hint=f"Use {', '.join(sorted(known))}."
        )


def _name(row: Mapping[str, object], at: str) -> str:
    name = row.get("name")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise PolicyError(f"{at}.name", "must be 1 to 32 small letters, digits and underscores")
    return name


def _one_of(row: Mapping[str, object], at: str, key: str, choices: tuple[str, ...]) -> str:
    value = row.get(key, "mask")
    if not isinstance(value, str) or value not in choices:
        raise PolicyError(f"{at}.{key}", f"must be one of {', '.join(choices)}")
    return value


@lru_cache(maxsize=256)
def _of_labels(labels: tuple[str, ...]) -> re.Pattern[str]:
    """label, a word or sign that gives it a value, and the value up to the next blank or stop, as the group `value`."""
    parts = []
    for label in sorted(labels, key=len, reverse=True):
        latin = re.match(r"[A-Za-z0-9]", label) is not None
        parts.append((r"(?<![A-Za-z0-9])" if latin else "") + re.escape(label))
    return re.compile(f"(?:{'|'.join(parts)}){_SAYS}{_VALUE}", re.IGNORECASE)


def _plain(name: str) -> str:
    return re.sub(r"[\s_-]+", " ", name).strip().casefold()
