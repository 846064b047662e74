"""Named speakers: their index terms, and how their names are found in and taken out of a question."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.core.names import MAX_CANDIDATES, SPEAKER_SIGN, name_candidates, speaker_term, without_names
from memories.core.text import lexical


@pytest.mark.parametrize(
    ("speaker", "term"),
    [("Ruth", "@ruth"), ("周宁", "@周宁"), ("Ana  Maria", "@ana maria"), ("ＯＭＡＲ", "@omar")],
)
def test_a_name_has_one_term_however_it_is_written(speaker: str, term: str) -> None:
    assert speaker_term(speaker) == term


@pytest.mark.parametrize("role", ["", "user", "Assistant", "tool", "用户", "x" * 64])
def test_a_role_is_no_name(role: str) -> None:
    assert speaker_term(role) == ""


@pytest.mark.parametrize(
    ("question", "term"),
    [
        ("What did Ruth plant?", "@ruth"),
        ("Where is RUTH's spade", "@ruth"),
        ("did Ana Maria call", "@ana maria"),
        ("何舒在院子里种了什么", "@何舒"),
        ("那个欧阳文静说了什么", "@欧阳文静"),
    ],
)
def test_a_name_in_a_question_is_among_the_candidates(question: str, term: str) -> None:
    assert term in name_candidates(question)


@given(st.text(max_size=400))
def test_candidates_are_bounded_and_fit_into_the_index(text: str) -> None:
    found = name_candidates(text)
    assert len(found) <= MAX_CANDIDATES
    assert all(term.startswith(SPEAKER_SIGN) and 1 < len(term) <= lexical.MAX_TERM_LENGTH for term in found)


@given(st.text(max_size=400))
def test_no_term_of_a_text_can_be_taken_for_a_speaker_or_a_length(text: str) -> None:
    assert all(term and not term.startswith(SPEAKER_SIGN) for term in lexical.terms(text))


def test_names_are_taken_out_and_the_rest_stays() -> None:
    assert without_names("What did Ruth's sister plant?", ["@ruth"]) == "What did sister plant?"
    assert without_names("何舒在院子里种了什么", ["@何舒"]) == "在院子里种了什么"
    assert without_names("Did Ruthless people call Ruth", ["@ruth"]) == "Did Ruthless people call"


def test_a_question_that_is_nothing_but_a_name_stays_whole() -> None:
    assert without_names("Ruth?", ["@ruth"]) == "Ruth?"
