"""Slots: how long they live, who goes first, a summary that fits, and what a turn leaves."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.core.extraction import extract
from memories.core.policy import Policy
from memories.core.slots import Slot, SlotKind, entries, kept, promoted, render, ttl
from memories.core.text.tokens import count
from memories.core.topics import without_address

NOW = datetime(2026, 3, 4, 9, tzinfo=UTC)
POLICY = Policy.default()


def slot(key: str, *, importance: float = 0.5, age: float = 0, text: str | None = None) -> Slot:
    written = NOW - timedelta(minutes=age)
    return Slot(
        SlotKind.ENTITY,
        key,
        text or key,
        importance,
        written,
        written + ttl(POLICY, SlotKind.ENTITY, importance),
    )


def left_by(text: str) -> dict[str, str]:
    found = extract(text, role="user", speaker="", said_at=NOW, tz=UTC)
    return {
        f"{entry.kind}:{entry.text}": entry.key
        for entry in entries(text, now=NOW, policy=POLICY, candidates=found)
    }


def test_a_slot_lives_its_base_times_half_plus_importance() -> None:
    assert ttl(POLICY, SlotKind.ENTITY, 0.5) == timedelta(hours=24)
    assert ttl(POLICY, SlotKind.TASK, 1.0) == timedelta(minutes=45)
    assert ttl(POLICY, SlotKind.CONCLUSION, 0.0) == timedelta(minutes=30)


def test_what_ran_out_goes_and_then_the_least_important_and_oldest() -> None:
    tight = Policy.from_overrides({"slots.capacity": 2})
    dead = replace(slot("dead", importance=1.0), expires_at=NOW)
    slots = [slot("old", age=60), slot("new", age=1), slot("vital", importance=0.9, age=90), dead]
    stay, gone = kept(slots, now=NOW, policy=tight)
    assert [entry.key for entry in stay] == ["new", "vital"]
    assert {entry.key for entry in gone} == {"old", "dead"}


@given(st.lists(st.tuples(st.text("杭州天气abc def", min_size=1, max_size=30), st.floats(0, 1)), max_size=30))
def test_the_summary_never_passes_its_budget(parts: list[tuple[str, float]]) -> None:
    slots = [slot(str(i), importance=importance, text=text) for i, (text, importance) in enumerate(parts)]
    assert len(render(slots, now=NOW, policy=POLICY, count_tokens=len, language="zh")) <= 100


def test_the_most_important_slot_is_in_the_summary_first() -> None:
    slots = [slot("噪声" * 20, importance=0.1), slot("杭州", importance=0.9)]
    assert "杭州" in render(slots, now=NOW, policy=POLICY, count_tokens=len, language="zh")
    small = Policy.from_overrides({"slots.render_tokens": 20})
    assert render(slots, now=NOW, policy=small, count_tokens=len, language="zh") == "提到：杭州"


def test_a_turn_leaves_what_it_is_about_the_task_and_the_finding() -> None:
    assert "entity:杭州" in left_by("明天杭州会下雨吗")
    assert any(key.startswith("task:") for key in left_by("帮我查一下去南京的车票"))
    assert any(key.startswith("conclusion:") for key in left_by("We decided to ship the blue version"))
    assert left_by("好的，谢谢") == {}


def test_the_same_thing_said_again_has_the_same_key() -> None:
    assert left_by("杭州天气怎么样")["entity:杭州"] == left_by("我想去杭州玩")["entity:杭州"]


def test_a_topic_of_three_sessions_is_promoted() -> None:
    assert promoted([replace(slot("a"), sessions=3), replace(slot("b"), sessions=2)], POLICY) == [
        replace(slot("a"), sessions=3)
    ]


ANY_WORDS = st.lists(
    st.sampled_from([*"杭州天气青岛要不要带伞abc XYZ-012,。\n", "👩‍👩‍👧", "🏝️", "🇨🇳", "e\u0301"]), max_size=60
).map("".join)
LONG_WORD = st.integers(1, 400).map(lambda size: "x" * size) | st.integers(1, 300).map(
    lambda size: "长" * size
)


@given(
    st.lists(st.tuples(ANY_WORDS | LONG_WORD, st.floats(0, 1), st.sampled_from(list(SlotKind))), max_size=25),
    st.sampled_from(["en", "zh"]),
)
def test_the_summary_stays_within_100_tokens_whatever_the_slots_hold(
    held: list[tuple[str, float, SlotKind]], language: str
) -> None:
    slots = [
        Slot(kind, f"{kind}:{at}", text, importance, NOW - timedelta(minutes=at), NOW + timedelta(hours=1))
        for at, (text, importance, kind) in enumerate(held)
    ]
    summary = render(slots, now=NOW, policy=POLICY, count_tokens=count, language=language)
    assert count(summary) <= 100
    short = [slot for slot in slots if slot.text.strip() and len(slot.text) < 20]
    assert summary or not short


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("你好，阿岚，帮我看看签证", "帮我看看签证"),
        ("你好，帮我看看签证", "帮我看看签证"),
        ("嗨！今天去爬山了", "今天去爬山了"),
        ("Hey Ottilie! The ferry was late.", "The ferry was late."),
        ("Hello there, the ferry was late.", "the ferry was late."),
        ("Hello Lisbon trip notes", "Lisbon trip notes"),
        ("The ferry was late.", "The ferry was late."),
    ],
)
def test_a_greeting_and_who_is_greeted_are_no_topic(text: str, rest: str) -> None:
    assert without_address(text) == rest
