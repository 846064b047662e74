"""The shape of a recall statement: what makes one differ from another in its text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shape:
    """What makes one statement differ from another; all values are bound as parameters.

    `forms` is the number of forms of the question (1, or 2 with a standalone one), `dense` is off when there is no query
    vector, `speakers` is on when the question names speakers of the subject. `past` lets what was superseded be found,
    too; `extra` adds items that stand in no index (any more). `large` searches a subject by bits
    first (store.first_pass_sql).
    """

    forms: int = 1
    dense: bool = True
    speakers: bool = False
    episodes: bool = True
    memories: bool = True
    kinds: bool = False
    tags: bool = False
    metadata: bool = False
    since: bool = False
    until: bool = False
    as_of: bool = False
    past: bool = False
    extra: bool = False
    excluded: bool = False
    large: bool = False


def each(shape: Shape, pattern: str, separator: str = ", ") -> str:
    """The pattern once a form of the question, with its number for {i}."""
    return separator.join(pattern.format(i=i) for i in range(shape.forms))
