"""What one still has to do without a date, one's own things of a kind, and meetings whose name ends like a verb."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memories.core.extraction.candidate import Candidate
from memories.core.extraction.engine import extract
from memories.core.kinds import Kind


def read(text: str, role: str = "user") -> list[Candidate]:
    return extract(text, role=role, speaker="", said_at=datetime(2026, 5, 4, 9, tzinfo=UTC), tz=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "I still have to mail Ruth the contract TR-318.",
        "We still need to book the flights to Rome.",
        "I need to return the key K-77 to the janitor.",
        "I've still got to pay the plumber.",
        "I still owe Tom $40.",
        "我还得把合同寄给王芳。",
        "我还要给妈妈买礼物。",
        "我必须把发票A-2231交给财务。",
        "我还欠老王300块钱。",
    ],
)
def test_what_is_not_done_yet_is_a_todo_without_any_date(text: str) -> None:
    found = read(text)
    assert [candidate.kind for candidate in found] == [Kind.TODO]
    assert found[0].due is None and found[0].owner == "user"
    assert found[0].content == text.rstrip(".。")


@pytest.mark.parametrize(
    "text",
    [
        "I have to say this is great.",
        "I need to finish writing more often.",
        "I still have to tell you something.",
        "I have to move on.",
        "I need to get around $30 together.",
        "I still need to figure out what to do.",
        "我还得去上班。",
        "我还要告诉你一件事。",
        "我还要联系他吗?",
        "我应该告诉他真相了。",
        "我还要不要发送?",
    ],
)
def test_talk_of_having_to_is_no_todo(text: str) -> None:
    assert not [candidate for candidate in read(text) if candidate.kind is Kind.TODO]


def test_an_assistant_has_no_errands() -> None:
    assert read("I still have to send Anna the form QX-12.", role="assistant") == []
    assert read("我还得把合同寄给王芳。", role="assistant") == []


def slots(text: str) -> list[tuple[str | None, str | None]]:
    return [(candidate.slot, candidate.value) for candidate in read(text)]


@pytest.mark.parametrize(
    ("before", "after", "values"),
    [
        ("我平时去的健身房是蓝海健身。", "我平时去的健身房换成力动了。", ("蓝海健身", "力动")),
        ("我在青岛常住的旅馆是海望旅馆。", "我在青岛常住的旅馆现在是云台旅馆。", ("海望旅馆", "云台旅馆")),
        ("我一直开的车是一辆蓝色旧面包车。", "我现在开的车是星驰M3。", ("旧面包车", "星驰M3")),
        ("My usual cafe in Bath is the Old Mill.", "My usual cafe in Bath is the Blue Door now.", ("Old Mill", "Blue Door")),
        ("项目的评审会定在每周二10:00。", "项目的评审会改到每周四15:00了。", ("每周二10:00", "每周四15:00")),
    ],
)  # fmt: skip
def test_a_change_lands_in_the_slot_of_what_it_changes(
    before: str, after: str, values: tuple[str, str]
) -> None:
    (one,), (other,) = slots(before), slots(after)
    assert one[0] is not None and one[0] == other[0]
    assert values[0] in str(one[1]) and values[1] in str(other[1])


def test_the_place_tells_two_usual_hotels_apart() -> None:
    assert slots("我在青岛常住的旅馆是海望旅馆。")[0][0] != slots("我在厦门常住的旅馆是鼓浪旅馆。")[0][0]
    assert (
        slots("My usual hotel in Bath is the Old Mill.")[0][0]
        != slots("My usual hotel in York is the Abbey.")[0][0]
    )


@pytest.mark.parametrize(
    "text", ["我在青岛常住的旅馆是海望旅馆。", "我在青岛的旅馆从来住不久。", "我在青岛住过的旅馆换老板了。"]
)
def test_where_one_stays_is_not_where_one_lives(text: str) -> None:
    assert all(candidate.attribute != "home" for candidate in read(text))


@pytest.mark.parametrize(
    ("text", "home"),
    [
        ("我在深圳常住。", "深圳"),
        ("我在北京住了五年。", "北京"),
        ("我一个人住在阳光住宅小区。", "阳光住宅小区"),
    ],
)
def test_a_home_is_the_place_alone(text: str, home: str) -> None:
    assert slots(text) == [("user|home", home)]


@pytest.mark.parametrize(
    "text",
    [
        "我昨天看的电影是流浪地球。",
        "我经常担心的事情是迟到。",
        "My pup Toby is adorable.",
        "My sister in Berlin is a doctor.",
    ],
)
def test_what_was_once_or_is_no_thing_has_no_slot(text: str) -> None:
    assert all(candidate.attribute is None for candidate in read(text))


def test_what_follows_a_number_or_a_birthday_is_no_part_of_it() -> None:
    assert slots("找李明打分机6291就行。") == [("李明|extension", "6291")]
    assert slots("王芳是5月17日生的。") == [("王芳|birthday", "5月17日")]
