"""The measure can fail: what no context holds scores 0, and an old value in a context counts as stale."""

from __future__ import annotations

from sessions_app.evaluation.retention import _ask, _window
from sessions_app.evaluation.script import generated


def test_contexts_that_hold_nothing_retain_nothing() -> None:
    script = generated(600, 50, "en", 0)
    tally = _ask(script, lambda question: (question, 1))
    assert not any(tally.kept)
    assert len(tally.lost) == len(script.planted)


def test_a_context_with_every_turn_retains_everything_and_is_stale_everywhere() -> None:
    script = generated(600, 50, "zh", 0)
    everything = "\n".join(turn.text for turn in script.turns)
    tally = _ask(script, lambda question: (everything, 1))
    assert all(tally.kept)
    assert all(tally.stale)


def test_a_window_keeps_only_what_was_said_last() -> None:
    script = generated(600, 50, "en", 0)
    tally = _ask(script, _window(script))
    assert 0 < sum(tally.kept) < len(tally.kept) / 2
    assert all(tokens <= 1500 for tokens in tally.tokens)
