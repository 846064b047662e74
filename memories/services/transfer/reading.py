"""Reads an export line by line: its header, subjects, memories and contradictions, each checked before anything is written."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from memories.core.transfer import lines
from memories.core.transfer.columns import NotTaken, read
from memoryhub.common.errors import Invalid

_TABLES = {"subject": lines.SUBJECT, "contradiction": lines.CONTRADICTION}
_PARTS = {"versions": lines.VERSION_OF, "evidence": lines.EVIDENCE, "facts": lines.FACT}


@dataclass(frozen=True, slots=True)
class Line:
    """A line as it was read: `number` counts from 1; `problem` says why its `data` is not taken."""

    number: int
    kind: str
    data: dict[str, Any] = field(default_factory=dict)
    problem: str = ""


def read_lines(source: Iterable[str]) -> Iterator[Line]:
    """The lines after the header. Invalid for what is no export, or one of a later version.

    The last one has the kind "end"; its problem says when lines are missing or were changed on the way. A file that ends
    without it gives one all the same, with that problem.
    """
    digest = hashlib.sha256()
    number = 0
    header = False
    for text in source:
        number += 1
        if not text.strip():
            continue
        if len(text) > lines.MAX_LINE:
            yield Line(number, "", problem=f"is longer than {lines.MAX_LINE} characters")
            continue
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            data = None
        kind = data.get("type") if isinstance(data, dict) else None
        if not header:
            _check_header(data, kind)
            header = True
            continue
        if kind == "end":
            whole = data.get("sha256") == digest.hexdigest()
            yield Line(number, "end", data, "" if whole else "lines are missing or were changed")
            return
        digest.update((text.rstrip("\r\n") + "\n").encode("utf-8", "surrogatepass"))
        yield _line(number, str(kind), data)
    if not header:
        raise _no_export()
    yield Line(number + 1, "end", problem="the file ends before its last line")


def _check_header(data: Any, kind: Any) -> None:
    if kind != "header" or data.get("format") != lines.FORMAT:
        raise _no_export()
    version = data.get("version")
    if not isinstance(version, int) or version > lines.VERSION:
        raise Invalid(
            "the export is of a later version",
            hint="Update MemoryHub first.",
            fields={"file": f"this MemoryHub reads versions up to {lines.VERSION}"},
        )


def _no_export() -> Invalid:
    return Invalid(
        "this is no MemoryHub export",
        hint='Its first line says {"type": "header", "format": "memoryhub"}.',
        fields={"file": "must begin with the header of an export"},
    )


def _line(number: int, kind: str, data: Any) -> Line:
    try:
        if kind == "memory":
            return Line(number, kind, _memory(data))
        if kind in _TABLES:
            return Line(number, kind, read(_TABLES[kind], data))
    except NotTaken as problem:
        return Line(number, kind, problem=str(problem))
    # A later version may tell more; what this one does not know it leaves.
    return Line(
        number, kind, problem="is of a kind that is not known" if kind != "None" else "is no JSON object"
    )


def _memory(data: dict[str, Any]) -> dict[str, Any]:
    found = read(lines.MEMORY, data)
    agent = data.get("agent")
    if agent is not None and not (isinstance(agent, str) and 0 < len(agent) <= 512):
        raise NotTaken("agent must be a text of 1 to 512 characters")
    found["agent"] = agent
    if found["scope"] == "agent" and agent is None:
        raise NotTaken("agent is needed for the scope agent")
    if found["scope"] == "session" and found["session_id"] is None:
        raise NotTaken("session_id is needed for the scope session")
    for name, columns in _PARTS.items():
        parts = data.get(name, [])
        if not isinstance(parts, list) or len(parts) > lines.MAX_PARTS:
            raise NotTaken(f"{name} must be a list of at most {lines.MAX_PARTS}")
        found[name] = [read(columns, part, f"{name}.{at}") for at, part in enumerate(parts)]
    numbers = [version["number"] for version in found["versions"]]
    if len(set(numbers)) != len(numbers) or any(one > found["version"] for one in numbers):
        raise NotTaken("versions must have different numbers, none above the memory's own")
    return found
