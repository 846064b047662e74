"""Two amounts of nearly the same name are told from two amounts of different things."""

from __future__ import annotations

import pytest

from memories.core.questions.near_slots import same_measure
from memories.core.statement import FactPart


@pytest.mark.parametrize(
    ("one", "other", "near"),
    [
        (("ferry crossing", "average_delay", "12%"), ("ferry crossing pier", "delay", "9%"), True),
        (("grocery", "budget", "$550"), ("grocery", "monthly_budget", "$500"), True),
        (("dock inspection", "time", "May 3"), ("yearly dock inspection", "time", "May 9"), True),
        (("grocery", "budget", "$550"), ("holiday", "budget", "$400"), False),
        (("grocery", "budget", "$550"), ("grocery", "monthly_budget", "12%"), False),
        (("user", "quiz_score", "70%"), ("user", "error_rate", "4%"), False),
        (("grocery", "budget", "$550"), ("grocery", "budget", "$500"), False),
    ],
)
def test_near_slots(one: tuple[str, str, str], other: tuple[str, str, str], near: bool) -> None:
    assert same_measure(FactPart(*one), FactPart(*other)) is near
    assert same_measure(FactPart(*other), FactPart(*one)) is near
