"""Intervals by conversation, and the fit of abstention's numbers."""

from __future__ import annotations

import pytest

from memories.core.policy import RULES
from memories.core.questions.support import SIGNS
from memories.evaluation.ablation import COMPONENTS
from memories.evaluation.fitting import fit_signs
from memories.evaluation.intervals import interval


def test_conversations_that_differ_make_a_wide_interval() -> None:
    mixed = interval([1.0, 0.0] * 20, [at // 4 for at in range(40)])
    apart = interval([1.0] * 20 + [0.0] * 20, [at // 4 for at in range(40)])
    assert apart[1] - apart[0] > mixed[1] - mixed[0]
    assert mixed == (50.0, 50.0)


def test_a_single_conversation_is_drawn_by_its_questions() -> None:
    low, high = interval([1.0, 0.0] * 50, [0] * 100)
    assert 30 < low < 50 < high < 70


def test_an_interval_needs_values_with_their_conversations() -> None:
    with pytest.raises(ValueError):
        interval([], [])
    with pytest.raises(ValueError):
        interval([1.0], [1, 2])


def test_the_fit_finds_the_sign_that_tells() -> None:
    signs = [[float(at % 2), 0.3] for at in range(40)]
    fitted = fit_signs({"one": (signs, [at % 2 == 0 for at in range(40)])}, ["tells", "constant"])
    assert fitted["tells"] < -1
    assert abs(fitted["constant"]) < 0.01


def test_every_component_and_sign_stands_in_the_policy() -> None:
    keys = {key for overrides in COMPONENTS.values() for key in overrides}
    assert keys | {f"abstain.{name}" for name in (*SIGNS, "bias")} <= RULES.keys()
    for overrides in COMPONENTS.values():
        assert all(RULES[key].low <= value <= RULES[key].high for key, value in overrides.items())
