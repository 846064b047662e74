"""Old statements are cut out of a turn's text, and nothing beside them."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

from sessions_app.core.outdated import Outdated, read

SAID = datetime(2024, 5, 1, tzinfo=UTC)


def _read(text: str, *quotes: str) -> str:
    turn = uuid.uuid4()
    return read(text, SAID, [turn], "episode", Outdated(quotes={turn: quotes})).text


def test_overlapping_quotes_take_nothing_with_them() -> None:
    text = "I live in Bonn, my phone is 555. I also play chess on Fridays."
    quotes = ("I live in Bonn, my phone is 555", "my phone is 555")
    assert _read(text, *quotes) == "I also play chess on Fridays."
    assert _read(text, *reversed(quotes)) == "I also play chess on Fridays."


def test_a_quote_goes_wherever_it_stands() -> None:
    assert _read("My rent is 500. I have a cat. My rent is 500.", "My rent is 500") == "I have a cat."
