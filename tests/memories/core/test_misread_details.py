"""What a sentence is misread as by one word of it: what is only neared, with whom, and in which class."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memories.core.extraction.candidate import Candidate
from memories.core.extraction.engine import extract

NOW = datetime(2026, 12, 1, 9, tzinfo=UTC)


def read(text: str) -> list[Candidate]:
    return extract(text, role="user", speaker="", said_at=NOW, tz=UTC)


def facts(text: str) -> set[tuple[str, str | None, str | None]]:
    return {(one.subject, one.attribute, one.value) for one in read(text) if one.attribute}


@pytest.mark.parametrize(
    "text",
    [
        "女儿还没到7岁",
        "女儿不到7岁",
        "我儿子未满12岁",
        "我儿子快9岁了",
        "我儿子还差两天满8岁",
        "我的体重将近70公斤",
        "My daughter is not yet 7 years old",
        "My son is nearly nine years old",
        "My rent is almost $900",
    ],
)
def test_a_number_that_is_only_neared_is_no_value(text: str) -> None:
    assert facts(text) == set()


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("我女儿今年7岁", ("user:daughter", "age", "7岁")),
        ("我的体重是70公斤", ("user", "weight", "70公斤")),
        ("My daughter is 7 years old", ("user:daughter", "age", "7 years old")),
        ("My rent is $900", ("user", "rent", "$900")),
    ],
)
def test_a_number_that_is_reached_is_one(text: str, fact: tuple[str, str, str]) -> None:
    assert fact in facts(text)


@pytest.mark.parametrize(
    "text", ["I organized something with Maren", "I've never discussed anything with my landlord"]
)
def test_with_whom_something_was_done_is_not_what_was_done(text: str) -> None:
    assert not any((one.attribute or "").startswith("done_") for one in read(text))


def test_with_what_something_was_made_is() -> None:
    assert ("user", "done_build", "graphql") in facts("I've never built anything with GraphQL")


def test_only_a_person_has_a_grade() -> None:
    for text in ("The pottery class moved from Monday to Friday", "My class moved from Monday to Friday"):
        assert "grade" not in {attribute for _, attribute, _ in facts(text)}
    assert ("user:daughter", "grade", "4B") in facts("My daughter's class changed from 3B to 4B")


def test_where_somebody_went_and_as_what_are_two_facts() -> None:
    found = facts("我跳到了海晏做测试经理")
    assert {("user", "employer", "海晏"), ("user", "occupation", "测试经理")} <= found
    assert ("user", "employer", "海晏") in facts("我跳槽到了海晏")
    assert ("user", "employer", "海晏") in facts("我跳槽到了海晏做地推")
    assert ("user", "employer", "麦当劳餐饮") in facts("我跳槽到了麦当劳餐饮")


def test_what_goes_on_at_the_moment_is_no_way_of_life() -> None:
    assert facts("我正在上班") == set()
    assert ("user", "does:上班", "上班") in facts("我还在上班")
