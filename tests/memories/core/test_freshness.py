"""The latest word among statements about the same thing comes first; what is about something else is left alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.core.questions import freshness
from memories.core.questions.freshness import Said
from memories.core.questions.telling import asked_of
from memories.core.statement import FactPart
from memories.core.text.passages import split

START = datetime(2026, 1, 5, tzinfo=UTC)


def lateness(found: list[Said], question: str) -> list[float]:
    return freshness.lateness(found, asked_of(question))


def said(
    text: str, day: int, *, by_user: bool = True, covered: float = 1.0, superseded: bool = False
) -> Said:
    return Said(split(text), START + timedelta(days=day), day, by_user, covered, superseded)


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        (
            "How many members does the rowing club have?",
            [
                "We are working hard. The rowing club has 40 members, can you draft a letter?",
                "Good news, the rowing club has reached 55 members. What should we print?",
                "By now 61 members are in the rowing club, so I need a bigger boat house.",
            ],
        ),
        (
            "划船社有多少人?",
            ["帮我写封信，划船社有40人。", "好消息，划船社有55人了。", "划船社现在有61人，要个大点的船库。"],
        ),
    ],
)
def test_the_later_number_counts_more(question: str, texts: list[str]) -> None:
    found = [said(text, day) for day, text in enumerate(texts)]
    assert lateness(found, question) == [0.0, 0.5, 1.0]
    assert lateness(found[::-1], question) == [1.0, 0.5, 0.0]


def test_other_subjects_and_other_speakers_take_no_part() -> None:
    found = [
        said("The rowing club has 40 members.", 1),
        said("The rowing club has 55 members.", 2),
        said("The chess circle has 12 players.", 3, covered=0.2),
        said("So the rowing club has 99 members, I hear.", 4, by_user=False),
        said("The rowing club has 70 members.", 5, superseded=True),
    ]
    assert lateness(found, "How many members does the rowing club have?") == [0.0, 1.0, 0.0, 0.0, 0.0]


def test_a_repeated_value_is_no_later_word() -> None:
    found = [said("The rowing club has 40 members.", 1), said("Yes, the rowing club has 40 members.", 2)]
    assert lateness(found, "How many members does the rowing club have?") == [0.0, 0.0]


def test_facts_that_measure_the_same_are_ordered_though_their_words_differ() -> None:
    earlier, later = (
        said("It is at 40% now, can you help?", 1),
        said("Good: 55% since the tests of Tuesday.", 2),
    )
    earlier = replace(earlier, facts=(FactPart("ferry module", "test_coverage", "40%"),))
    later = replace(later, facts=(FactPart("my ferry module", "unit test coverage", "55%"),))
    assert lateness([later, earlier], "What is the test coverage of the ferry module?") == [1.0, 0.0]


def test_what_only_asks_states_no_value() -> None:
    found = [said("The rowing club has 40 members.", 1), said("Does the rowing club have 55 members?", 2)]
    assert lateness(found, "How many members does the rowing club have?") == [0.0, 0.0]


@given(
    st.lists(st.tuples(st.text(max_size=40), st.integers(0, 9), st.booleans(), st.floats(0, 1)), max_size=8),
    st.text(max_size=40),
)
def test_any_texts_give_numbers_between_0_and_1(
    rows: list[tuple[str, int, bool, float]], question: str
) -> None:
    found = [said(text, day, by_user=own, covered=covered) for text, day, own, covered in rows]
    late = lateness(found, question)
    assert len(late) == len(found)
    assert all(0 <= one <= 1 for one in late)


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        (
            "How many pages does the cookbook draft have?",
            [
                "The cookbook draft has 120 pages, and 35% of it is soup.",
                "I'm stuck on the index, and the cookbook draft has grown a lot lately, it has now reached 140",
                "About the cookbook draft: it was 120 pages when I began with the soups.",
            ],
        ),
        (
            "What percentage of the seedlings in the greenhouse survived?",
            [
                "The share of seedlings in the greenhouse that survived went from 40% to 55%.",
                "I've watered 12 trays, and 70% of the seedlings in the greenhouse survived this time.",
                "To sum up: at first the seedlings in the greenhouse that survived went from 40% to 55%.",
            ],
        ),
        ("画册一共多少页?", ["画册现在有120页。", "画册排到140页了，字数8000。", "说起画册，最早是120页。"]),
    ],
)
def test_a_sum_up_of_what_was_so_before_is_as_late_as_what_it_repeats(
    question: str, texts: list[str]
) -> None:
    found = [said(text, day) for day, text in enumerate(texts)]
    assert lateness(found, question) == [0.0, 1.0, 0.0]


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        (
            "How many members does the rowing club have?",
            [
                "The rowing club has 40 members.",
                "The rowing club has 55 members.",
                "The rowing club is back to 40 members.",
            ],
        ),
        ("划船社有多少人?", ["划船社有40人。", "划船社有55人。", "划船社现在又是40人。"]),
    ],
)
def test_what_was_set_back_to_a_former_value_is_the_latest_word(question: str, texts: list[str]) -> None:
    late = lateness([said(text, day) for day, text in enumerate(texts)], question)
    assert late[2] == 1.0 and max(late[:2]) < 1.0


def test_a_supposition_is_no_later_word() -> None:
    found = [said("The rent is 900 euros.", 1), said("If the rent goes up to 1,200 euros I move.", 2)]
    assert lateness(found, "How high is the rent?") == [0.0, 0.0]


def test_what_is_aimed_at_is_no_later_word() -> None:
    question = "What is the top speed of the kayak?"
    found = [
        said("The top speed of the kayak is 9 km per hour.", 1),
        said("I'm aiming for a top speed of the kayak of 12 km per hour.", 2),
    ]
    assert lateness(found, question) == [0.0, 0.0]
    found.append(said("I hoped for more, but the top speed of the kayak is now 10 km per hour.", 3))
    assert lateness(found, question) == [0.0, 0.0, 1.0]


def test_what_a_request_takes_for_granted_is_a_word_too() -> None:
    question = "When is the choir rehearsal with Marta?"
    found = [
        said("The choir rehearsal with Marta is on May 3.", 1),
        said(
            "I keep forgetting the choir rehearsal with Marta, so can you remind me that it's moved to May 9?",
            2,
        ),
        said("Could the choir rehearsal with Marta be on May 20?", 3),
    ]
    assert lateness(found, question) == [0.0, 1.0, 0.0]
