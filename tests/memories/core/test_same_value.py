"""What is said names a known value only where nothing else could be meant by it."""

from __future__ import annotations

import pytest

from memories.core.values.compare import names


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("KX-12", "12"),
        ("v2.12", "12"),
        ("600 EUR", "$600"),
        ("40 CHF", "40 euros"),
        ("Bank of America", "America"),
        ("Anna Lee", "Lee Anna"),
    ],
)
def test_a_part_of_a_code_another_currency_and_words_in_another_order_are_another_value(
    known: str, said: str
) -> None:
    assert not names(known, said)


@pytest.mark.parametrize(
    ("known", "said"),
    [("600 EUR", "€600"), ("$600 a month", "600"), ("a Honda Jazz", "the Jazz"), ("Anna Lee", "Anna")],
)
def test_a_currency_a_period_or_a_name_may_be_shortened(known: str, said: str) -> None:
    assert names(known, said)
