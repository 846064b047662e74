"""What is told in the present of what is to come lies ahead; what was, and what has been since, lies behind."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from memories.core.times.parsing import parse_times

NOW = datetime(2026, 12, 1, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Mum is having her knee operated on Friday", date(2026, 12, 4)),
        ("My aunt is moving on Monday", date(2026, 12, 7)),
        ("I start my new job in February", date(2027, 2, 1)),
        ("The landlord is putting the rent up from February", date(2027, 2, 1)),
        ("房租从二月起涨到3900", date(2027, 2, 1)),
        ("房租从二月起涨到3900了", date(2026, 2, 1)),
        ("我从二月起在蓝岸上班", date(2026, 2, 1)),
        ("I started in February", date(2026, 2, 1)),
        ("I'm living here since February", date(2026, 2, 1)),
        ("She was operated on Friday", date(2026, 11, 27)),
    ],
)
def test_what_is_arranged_lies_ahead_and_what_was_behind(text: str, day: date) -> None:
    (found,) = parse_times(text, NOW, UTC)
    assert found.start.date() == day
