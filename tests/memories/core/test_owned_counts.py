"""How many of a kind somebody has is a value that changes: another count takes its place, one more of it does not."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta

import pytest

from memories.core.extraction.engine import extract
from memories.core.placement.placing import Known, Place, place
from memories.core.statement import FactPart, Statement

NOW = datetime(2026, 12, 1, 9, tzinfo=UTC)


def placed(before: str, now: str) -> Place:
    """Where the second sentence goes when the first is known."""
    later = NOW + timedelta(days=9)
    (old,) = extract(before, role="user", speaker="", said_at=NOW, tz=UTC)
    (new,) = extract(now, role="user", speaker="", said_at=later, tz=UTC)
    parts = [
        FactPart(one.subject, one.attribute or "", one.value or "", one.single, one.negated)
        for one in (old, new)
    ]
    known = Known(
        id=uuid.uuid4(), status="current", kind=old.kind.value, source="user", said_at=NOW, fingerprint=b"old",
        reach=("user", None, None), content=old.content, facts=(parts[0],),
    )  # fmt: skip
    statement = Statement(
        content=new.content, kind=new.kind.value, source="user", said_at=later, fact=parts[1]
    )
    return place(statement, b"new", [known]).place


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("我自己养了三只鹅", "我养了两只鹅"),
        ("我家有四辆车", "我家有两辆车"),
        ("I own three parrots", "I own two parrots"),
        ("We have a parrot", "We have two parrots"),
    ],
)
def test_another_count_of_a_kind_takes_the_place_of_the_one_before(before: str, now: str) -> None:
    assert placed(before, now) is Place.SUPERSEDE


@pytest.mark.parametrize(
    ("before", "now", "where"),
    [
        ("我自己养了三只鹅", "我养了三只鹅", Place.REPEAT),
        ("我自己养了三只鹅", "我养鹅", Place.REPEAT),
        ("我养了三只鹅", "我养了两只羊", Place.NEW),
        ("I own three parrots", "I own two ponies", Place.NEW),
        ("I own three parrots", "I adopted two parrots", Place.NEW),
    ],
)
def test_the_same_count_another_kind_and_one_more_do_not(before: str, now: str, where: Place) -> None:
    assert placed(before, now) is where
