"""Requests to forget that are put right or doubted in the next breath, quote what was said, or name what somebody did."""

from __future__ import annotations

import pytest

from memories.core.forgetting.target import Scope
from memories.core.forgetting.targets import targets


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("Forget my phone number. No, forget my email.", "email"),
        ("Forget my birthday, no, forget my address.", "home"),
        ("Forget my birthday. No, I meant my address.", "home"),
        ("忘掉我的邮箱。不对，忘掉我的电话", "phone"),
        ("忘掉我的邮箱，不，忘掉我的电话", "phone"),
        ("忘掉我的邮箱。不对，是电话", "phone"),
    ],
)
def test_what_is_put_right_takes_the_place_of_what_was_asked(text: str, attribute: str) -> None:
    [one] = targets(text)
    assert attribute in one.attributes
    assert one.entity == "user"
    assert not one.unsure


@pytest.mark.parametrize(
    "text",
    [
        "删掉我的邮箱，算了",
        "Forget my birthday. No.",
        "Forget my birthday, never mind.",
        "忘掉我的生日。不对",
    ],
)
def test_a_request_that_is_doubted_at_once_is_asked_about(text: str) -> None:
    [one] = targets(text)
    assert one.unsure


@pytest.mark.parametrize(
    "text", ["Forget my birthday. Also forget my address.", "忘掉我的邮箱，再忘掉我的电话"]
)
def test_two_requests_stay_two(text: str) -> None:
    assert len(targets(text)) == 2
    assert not any(one.unsure for one in targets(text))


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("请忘记“我对芒果过敏”这件事", "allergy", "芒果"),
        ("忘掉「我的生日是8月9日」这句话。", "birthday", "8月9日"),
    ],
)
def test_what_is_quoted_is_read_without_its_marks(text: str, attribute: str, value: str) -> None:
    [one] = targets(text)
    assert (attribute in one.attributes, one.value) == (True, value)
    assert not set("“”「」") & set(one.words)


def test_what_somebody_did_is_no_attribute() -> None:
    assert targets("忘掉每一件我养过的东西")[0].scope is Scope.WORDS
    [lived] = targets("删掉所有我以前住过的地方")
    assert (lived.entity, "home" in lived.attributes, lived.past) == ("user", True, True)


def test_an_ampersand_without_spaces_parts_two_words_and_no_short_form() -> None:
    assert len(targets("Forget my phone&address")) == 2
    assert len(targets("Forget about R&D")) == 1
