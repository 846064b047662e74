"""Limits, titles, tool summaries, digest piles and salience."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from memories.core.policy import Policy
from memories.core.text.tokens import count
from sessions_app.core import salience
from sessions_app.core.digests import pile
from sessions_app.core.errors import MessageEmpty, MessageTooLong
from sessions_app.core.focus import cut_middle, focus
from sessions_app.core.limits import MAX_MESSAGE_CHARS, checked_message
from sessions_app.core.salience import Said
from sessions_app.core.toolsummary import summarise
from sessions_app.services.titles import title_of

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def test_an_empty_message_is_refused_with_what_to_do() -> None:
    with pytest.raises(MessageEmpty) as caught:
        checked_message(" \x00\n ")
    assert caught.value.hint


def test_a_message_that_is_too_long_is_refused_without_its_words() -> None:
    with pytest.raises(MessageTooLong) as caught:
        checked_message("秘密" * MAX_MESSAGE_CHARS)
    assert "秘密" not in f"{caught.value.message}{caught.value.hint}"


def test_what_postgres_cannot_store_is_taken_out() -> None:
    assert checked_message("a\x00b\ud800c") == "ab?c"


def test_a_json_result_becomes_its_leaves() -> None:
    text = json.dumps({"order": {"id": "A-17", "total": 4800}, "items": ["cup", "plate"]})
    assert summarise(text, 80) == "order.id: A-17; order.total: 4800; items: cup; items: plate"


def test_a_long_result_keeps_its_head_and_the_values_of_its_tail() -> None:
    text = "The build started. " * 100 + "It failed with code ERR-4471 on 2026-03-01."
    short = summarise(text, 60)
    assert count(short) <= 60
    assert short.startswith("The build started.") and "ERR-4471" in short


def test_titles_are_the_first_sentence() -> None:
    assert title_of("帮我订周三的会议室。要大的。") == "帮我订周三的会议室"
    assert title_of("Where is the contract? I need it now.") == "Where is the contract?"
    assert len(title_of("word " * 100)) <= 41


def test_focus_keeps_the_sentence_that_answers() -> None:
    text = "Lunch was fine. " * 30 + "The gate code is 5512. " + "Then we left. " * 30
    short = focus(text, {"gate", "code"}, 30)
    assert "5512" in short and count(short) <= 30
    assert focus(text, set(), 30).startswith("Lunch was fine.")


def test_cut_middle_keeps_both_ends() -> None:
    text = "start " + "x " * 500 + "end"
    short = cut_middle(text, 20)
    assert short.startswith("start") and short.endswith("end") and count(short) <= 20


@dataclass(frozen=True)
class Made:
    generation: int


def test_a_small_pile_of_digests_is_left_alone() -> None:
    assert pile([Made(1)] * 6, Policy.default()) == []


def test_the_oldest_digests_of_a_pile_become_one_and_the_newest_stay() -> None:
    digests = [Made(1) for _ in range(7)]
    assert pile(digests, Policy.default()) == digests[:4]


def test_a_digest_of_the_last_generation_is_never_condensed_again() -> None:
    assert pile([Made(2)] * 40, Policy.default()) == []
    mixed = [Made(2), Made(2), *[Made(1)] * 7]
    assert {digest.generation for digest in pile(mixed, Policy.default())} == {1}


def said(text: str, role: str = "user") -> Said:
    return Said(uuid.uuid4(), role, text, "", NOW)


def test_binding_sentences_are_salient_and_small_talk_is_not() -> None:
    turns = [
        said("今天天气不错。我们决定用蓝色的设计。"),
        said("We must not exceed 4800 yuan."),
        said("好的", "assistant"),
    ]
    found = salience.by_rules(turns)
    assert [atomic.content for atomic in found] == ["我们决定用蓝色的设计。", "We must not exceed 4800 yuan."]
    assert found[0].kind == "decision"
    assert all(atomic.quote in atomic.said.text for atomic in found)


@pytest.mark.parametrize(
    "text",
    [
        "The evening must have been lovely!",
        "Must be so tiring.",
        "You must really love the sea.",
        "A must-see, they say, and a big decision.",
        "Got it, I will check it out.",
        "I decided to put it at the end.",
        "Their songs always remind us of school.",
        "那就决定了！",
        "现在我必须走了，回头聊。",
        "我也说不准，心里有点乱。",
        "自从搬家以后就没见过他。",
    ],
)
def test_what_is_supposed_felt_or_without_content_binds_nobody(text: str) -> None:
    assert salience.by_rules([said(text)]) == []


@pytest.mark.parametrize(
    "text",
    [
        "The poster must be under 40 words.",
        "The invoice must name the buyer.",
        "From now on the minutes go to Ines.",
        "I've decided to keep the blue sofa.",
        "Please remind me to water the ferns.",
        "合同必须双方签字。",
        "运费上限是300元。",
        "提醒我给花浇水。",
    ],
)
def test_what_lays_something_down_binds(text: str) -> None:
    assert [atomic.content for atomic in salience.by_rules([said(text)])] == [text]


def test_a_models_memory_without_a_true_quote_is_dropped() -> None:
    turns = [said("The gate code is 5512.")]
    answer = {
        "memories": [
            {"kind": "fact", "content": "The gate code is 5512.", "quote": "gate code is 5512", "turn": 1},
            {"kind": "fact", "content": "The gate code is 9999.", "quote": "gate code is 9999", "turn": 1},
            {"kind": "fact", "content": "x y", "quote": "gate", "turn": 7},
        ]
    }
    assert [atomic.content for atomic in salience.by_model(answer, turns)] == ["The gate code is 5512."]
