"""What English sentences that look like a fact do not say: who lives or performs somewhere holds no post, and a day is no platform."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memories.core.extraction.candidate import Candidate
from memories.core.extraction.engine import extract

NOW = datetime(2026, 3, 5, 9, tzinfo=UTC)


def read(text: str) -> list[Candidate]:
    return extract(text, role="user", speaker="", said_at=NOW, tz=UTC)


def facts(text: str) -> set[tuple[str, str | None, str | None]]:
    return {(one.subject, one.attribute, one.value) for one in read(text)}


@pytest.mark.parametrize(
    "text", ["the new new is now at 5 pm.", "The final updated is on May 3.", "My next is at 9 am."]
)
def test_a_date_of_something_told_only_by_its_state_loses_no_turn(text: str) -> None:
    assert len(read(f"{text} My phone is 555-0143.")) >= 1
