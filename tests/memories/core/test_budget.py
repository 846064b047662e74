"""A month of model tokens: when it begins and ends, what it costs, and how it stands against the limit."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from memories.core.budget import Level, Meter, Spent, Standing, Use, after, month_of, months_until
from memories.core.policy import Policy

MONTH = date(2026, 1, 1)


def standing(limit: int, *spent: Spent, prompt: float = 0, completion: float = 0) -> Standing:
    policy = Policy.from_overrides(
        {
            "budget.tokens_month": limit,
            "budget.price_prompt": prompt,
            "budget.price_completion": completion,
        }
    )
    return Standing.of(policy, MONTH, dict(zip(Use, spent, strict=False)))


def test_a_month_is_the_calendars_in_utc() -> None:
    shanghai = timezone(timedelta(hours=8))
    assert month_of(datetime(2026, 2, 1, 7, 59, tzinfo=shanghai)) == date(2026, 1, 1)
    assert month_of(datetime(2026, 2, 1, 8, 0, tzinfo=shanghai)) == date(2026, 2, 1)
    assert after(date(2026, 11, 1)) == datetime(2026, 12, 1, tzinfo=UTC)
    assert after(date(2026, 12, 1)) == datetime(2027, 1, 1, tzinfo=UTC)
    assert months_until(date(2026, 2, 1), 4) == [
        date(2025, 11, 1), date(2025, 12, 1), date(2026, 1, 1), date(2026, 2, 1),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("limit", "tokens", "level"),
    [
        (0, 10**9, Level.FREE),
        (1000, 799, Level.FINE),
        (1000, 800, Level.NEAR),
        (1000, 999, Level.NEAR),
        (1000, 1000, Level.SPENT),
        (1000, 5000, Level.SPENT),
    ],
)
def test_it_warns_from_four_fifths_on_and_ends_at_the_limit(limit: int, tokens: int, level: Level) -> None:
    assert standing(limit, Spent(tokens // 2), Spent(0, tokens - tokens // 2)).level == level


def test_prompt_and_completion_have_their_own_prices() -> None:
    found = standing(0, Spent(2_000_000, 500_000), prompt=0.5, completion=4)
    assert found.cost(found.total) == pytest.approx(2 * 0.5 + 0.5 * 4)
    assert found.share == 0


def test_a_meter_counts_each_request_and_which_were_estimated() -> None:
    meter = Meter()
    meter.add(11, 7)
    meter.add(5, estimated=True)
    meter.add()
    assert meter.spent == Spent(16, 7, calls=3, estimated=1)
    assert meter.spent.tokens == 23
