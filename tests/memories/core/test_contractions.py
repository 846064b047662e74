"""A contraction and its full form are the same words to whatever reads or compares them."""

from __future__ import annotations

import pytest

from memories.core.placement.claims import claim_form
from memories.core.text.contractions import wholly_written_out, written_out


@pytest.mark.parametrize(
    ("short", "full"),
    [
        ("it's changed a lot here", "it has changed a lot here"),
        ("she won't eat fish", "she will not eat fish"),
        ("I can't swim far", "I cannot swim far"),
        ("they're moving to Ghent", "they are moving to Ghent"),
        ("I'd never sell the boat", "I would never sell the boat"),
        ("we shouldn't feed gulls", "we should not feed gulls"),
    ],
)
def test_a_contraction_makes_the_same_claim(short: str, full: str) -> None:
    assert claim_form(short) == claim_form(full)


def test_a_denial_stays_another_claim() -> None:
    assert claim_form("she won't eat fish") != claim_form("she will eat fish")


def test_what_follows_tells_is_from_has_and_a_possessive_stays() -> None:
    assert written_out("my sister's moved to Ghent") == "my sister has moved to Ghent"
    assert written_out("it's late") == "it is late"
    assert written_out("my sister's boat") == "my sister's boat"
    assert "'" not in wholly_written_out("I'm sure they've said you'd come, who'll mind?")
