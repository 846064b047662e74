"""English verb forms: the irregular ones by the table, all others, known or invented, by their spelling."""

from __future__ import annotations

import pytest
from hypothesis import given

from memories.core.extraction.en.irregular import BASES, PARTICIPLE, PAST
from memories.core.extraction.en.verbs import is_clear_past, is_gerund, is_past, lemma
from tests.memories.core.english_statements import invented_verbs


@pytest.mark.parametrize(
    ("form", "base"),
    [
        ("taught", "teach"),
        ("teaching", "teach"),
        ("swum", "swim"),
        ("swimming", "swim"),
        ("chosen", "choose"),
        ("hiked", "hike"),
        ("hiking", "hike"),
        ("planned", "plan"),
        ("stopped", "stop"),
        ("tied", "tie"),
        ("tying", "tie"),
        ("studied", "study"),
        ("studying", "study"),
        ("added", "add"),
        ("called", "call"),
        ("travelled", "travel"),
        ("traveled", "travel"),
        ("controlled", "control"),
        ("installed", "install"),
        ("agreed", "agree"),
        ("visited", "visit"),
        ("invited", "invite"),
        ("danced", "dance"),
        ("handled", "handle"),
        ("opened", "open"),
        ("defined", "define"),
        ("postponed", "postpone"),
        ("offered", "offer"),
        ("stored", "store"),
        ("monitored", "monitor"),
        ("treated", "treat"),
        ("created", "create"),
        ("appreciated", "appreciate"),
        ("panicked", "panic"),
        ("focused", "focus"),
        ("belonged", "belong"),
        ("arranged", "arrange"),
        ("tasted", "taste"),
        ("lasted", "last"),
        ("argued", "argue"),
        ("buzzed", "buzz"),
        ("brush", "brush"),
    ],
)
def test_the_base_of_a_form_is_a_word(form: str, base: str) -> None:
    assert lemma(form) == base


@given(invented_verbs)
def test_a_verb_that_no_dictionary_holds_follows_the_rules(base: str) -> None:
    assert lemma(f"{base}ed") == lemma(f"{base}ing") == base
    assert is_past(f"{base}ed")
    assert is_gerund(f"{base}ing")
    assert not is_past(base)


@pytest.mark.parametrize(
    "word", ["need", "feed", "speed", "red", "hundred", "open", "gain", "was", "kindred"]
)
def test_what_only_looks_like_a_past_is_none(word: str) -> None:
    assert not is_past(word)


def test_the_table_is_whole() -> None:
    assert len(BASES) >= 180
    assert all(lemma(form) == base for form, base in PARTICIPLE.items())
    assert all(is_past(form) for form in PAST if form not in {"was", "were"})


def test_a_past_that_looks_like_the_present_is_not_clear() -> None:
    assert not is_clear_past("cut")
    assert is_clear_past("swam")
