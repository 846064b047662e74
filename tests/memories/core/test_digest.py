"""A digest keeps every key value through two generations, and otherwise stays within its limit."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memories.core.digests.making import (
    DigestTurn,
    complete_digest,
    invented_values,
    make_digest,
    missing_values,
)
from memories.core.digests.text import Unit
from memories.core.digests.values import compact, holds
from memories.core.values.keyvalues import key_values

ZH_VALUES = {
    "合同编号是 QF-2093": "QF-2093",
    "预算上限是 7300 元": "7300 元",
    "每周四下午三点对进度": "下午三点",
    "对接人是周晓岚": "周晓岚",
    "邮箱写 ops@lanting.example": "ops@lanting.example",
    "版本升到 v4.12.0": "v4.12.0",
    "先跑 `make check` 再提交": "`make check`",
    "截止到2026年3月18日": "2026年3月18日",
    "超时阈值设为0.35": "0.35",
}
EN_VALUES = {
    "The contract number is QF-2093": "QF-2093",
    "Our budget is capped at $7,300": "$7,300",
    "The sync is on Thursday at 3pm": "3pm",
    "The contact is Priya Raman": "Priya Raman",
    "Write to ops@lanting.example": "ops@lanting.example",
    "We moved to version v4.12.0": "v4.12.0",
    "Run `make check` before you push": "`make check`",
    "It is due on March 18, 2026": "March 18, 2026",
    "The threshold is 0.35": "0.35",
}
SMALL_TALK = [
    "今天天气真好，出去走了走，心情也好多了",
    "哈哈，是啊",
    "中午吃了一碗面，味道还可以，就是有点咸",
    "好的，谢谢你",
    "It was a lovely walk, the air was fresh and everything felt calm",
    "Haha, thanks!",
    "I had some soup for lunch and it tasted fine, if a little salty",
]


def user(text: str) -> DigestTurn:
    return DigestTurn("user", "", text)


planted = st.dictionaries(
    st.sampled_from(sorted({**ZH_VALUES, **EN_VALUES}.items())), st.none(), min_size=1, max_size=6
)
talk = st.lists(st.sampled_from(SMALL_TALK), min_size=0, max_size=30)


@settings(max_examples=60)
@given(planted, talk, st.randoms(use_true_random=False))
def test_every_planted_value_survives_two_generations(
    facts: dict[tuple[str, str], None], chat: list[str], random
) -> None:  # type: ignore[no-untyped-def]
    lines = [sentence for sentence, _ in facts] + chat
    random.shuffle(lines)
    turns = [user(line) for line in lines]
    first = make_digest(turns)
    second = make_digest([DigestTurn("digest", "", first.text)])
    for _, value in facts:
        assert holds(first.text, value)
        assert holds(second.text, value)
    assert missing_values(turns, first.text) == []
    assert missing_values(turns, second.text) == []


@settings(max_examples=60)
@given(
    st.lists(st.sampled_from([line for line in SMALL_TALK if not key_values(line)]), min_size=1, max_size=60)
)
def test_without_values_a_digest_stays_within_its_limit(chat: list[str]) -> None:
    source = sum(len(line) for line in chat)
    text = make_digest([user(line) for line in chat]).text
    separators = text.count("；") + 2 * text.count("; ") + text.count(" ")
    assert len(text) - separators <= max(150, 0.25 * source)


@settings(max_examples=60)
@given(st.lists(st.text(max_size=60), max_size=8))
def test_any_text_at_all_gives_a_digest_that_loses_no_value(texts: list[str]) -> None:
    turns = [user(text) for text in texts]
    assert missing_values(turns, make_digest(turns).text) == []


def test_a_digest_of_a_short_digest_is_the_same() -> None:
    first = make_digest([user("合同编号是 QF-2093，每周四下午三点对进度。"), user("谢谢！")])
    assert make_digest([DigestTurn("digest", "", first.text)]).text == first.text


def test_rules_prohibitions_decisions_and_todos_stay_beyond_the_limit() -> None:
    filler = [
        user("周末去了湖边散步，水面很平静，岸边有人在放风筝，孩子们跑来跑去，很热闹的样子。")
        for _ in range(3)
    ]
    binding = [
        "报告里不要用缩写。",
        "我们决定先做移动端。",
        "所有接口必须返回中文提示。",
        "沈青负责在周五前把方案发给客户。",
        "Never share the draft with vendors.",
        "We decided to ship the mobile app first.",
        "Tom will send the invoice by Monday.",
    ]
    text = make_digest([*filler, *(user(line) for line in binding)], max_chars=40).text
    for line in binding:
        assert line.rstrip("。.") in text


def test_a_value_is_said_with_the_words_that_tell_what_it_is() -> None:
    chatter = "我把昨天拍的照片整理了一遍，删掉了模糊的，剩下的准备做一本相册送给家里人，大家应该都会喜欢吧。"
    turns = [user(chatter), user("另外，合同编号 QF-2093，" + chatter)]
    assert "合同编号 QF-2093" in make_digest(turns, max_chars=40, max_share=0.05).text


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("上周去看了滨江的那个新展厅，它能坐三百二十人", "展厅"),
        ("赵工是新来的机械师，他的工号是 QF-2093", "赵工"),
        ("We looked at the old boathouse by the pier, and it seats 320 guests", "boathouse"),
    ],
)
def test_a_value_told_by_a_pronoun_keeps_what_the_pronoun_stands_for(text: str, about: str) -> None:
    value = next(value for value in key_values(text) if value.kind != "name")
    unit = Unit(text, "user", "", "")

    piece = compact(unit, value)

    assert about in piece
    assert value.text in piece


def test_words_stay_in_the_language_they_were_said_in() -> None:
    text = make_digest([user("The contract number is QF-2093."), user("预算上限是7300元。")]).text
    assert "The contract number is QF-2093." in text
    assert "预算上限是7300元" in text


def test_people_and_days_are_named_where_there_are_several() -> None:
    turns = [
        DigestTurn("user", "Nora", "I adopted a grey cat called Biscuit.", datetime(2026, 1, 5, tzinfo=UTC)),
        DigestTurn("user", "Sam", "I sold my bike for $240.", datetime(2026, 1, 6, tzinfo=UTC)),
    ]
    first = make_digest(turns)
    assert first.text == (
        "[2026-01-05] Nora: I adopted a grey cat called Biscuit.\n[2026-01-06] Sam: I sold my bike for $240."
    )
    assert make_digest([DigestTurn("digest", "", first.text)]).text == first.text


def test_the_assistants_words_are_marked_as_its_own() -> None:
    turns = [user("订单到哪了"), DigestTurn("assistant", "", "订单 QF-2093 预计3月18日送达。")]
    assert "助手: 订单 QF-2093 预计3月18日送达" in make_digest(turns).text


def test_greetings_alone_leave_nothing() -> None:
    assert make_digest([user("你好！"), user("谢谢"), user("ok, thanks!")]).text == ""
    assert make_digest([]).text == ""


@pytest.mark.parametrize(
    ("text", "value", "stands"),
    [
        ("1002", "100", False),
        ("￥1,000", "¥1,000", True),
        ("KX-77312", "KX-7731", False),
        ("合同KX-7731。", "kx-7731", True),
        ("0.355", "0.35", False),
    ],
)
def test_a_value_counts_only_whole(text: str, value: str, stands: bool) -> None:
    assert holds(text, value) is stands


def test_what_a_model_left_out_is_appended_with_its_words() -> None:
    turns = [user("合同编号是 QF-2093，预算上限是7300元。")]
    done = complete_digest(turns, "用户谈到了合同，编号 QF-2093。")
    assert done.text.startswith("用户谈到了合同，编号 QF-2093。\n")
    assert "预算上限是7300元" in done.text
    assert done.values == ("QF-2093", "7300元")
    assert complete_digest(turns, done.text).text == done.text


def test_what_a_model_made_up_is_told() -> None:
    turns = [DigestTurn("user", "Nora", "预算上限是7300元。", datetime(2026, 1, 5, tzinfo=UTC))]
    assert invented_values(turns, "[2026-01-05] 预算是7300元") == []
    assert invented_values(turns, "预算是8300元") == ["8300元"]


def test_what_somebody_answers_is_kept_before_what_is_only_remarked() -> None:
    said = [
        ("Nora", "What did you do over the summer, then?"),
        ("Sam", "We walked along the coast and slept in an old lighthouse."),
        ("Nora", "The bus was rather slow this morning and the rain was cold."),
        ("Sam", "You always find the nicest words for such grey mornings."),
    ]
    turns = [DigestTurn("user", name, text) for name, text in said]
    text = make_digest(turns, max_chars=70, max_words=12, max_share=0.05).text
    assert text == "Sam: We walked along the coast and slept in an old lighthouse."


def test_an_assistants_answer_weighs_no_more_for_being_one() -> None:
    turns = [
        user("Which plants would grow well on a shady balcony?"),
        DigestTurn("assistant", "", "Ferns and ivy grow well on a shady balcony facing north."),
        user("My balcony faces a narrow yard behind the bakery."),
    ]
    text = make_digest(turns, max_chars=60, max_words=11, max_share=0.05).text
    assert text == "My balcony faces a narrow yard behind the bakery."


def test_a_name_in_a_question_to_the_other_one_tells_nothing_of_whom_it_names() -> None:
    filler = user("周末去了湖边散步，水面很平静，岸边有人在放风筝，孩子们跑来跑去，很热闹的样子。")
    turns = [filler, user("你认识周晓岚吗？"), user("对接人是林若溪。"), user("你看过订单 QF-2093 了吗？")]
    text = make_digest(turns, max_chars=20, max_share=0.05).text
    assert "周晓岚" not in text
    assert "林若溪" in text and "QF-2093" in text


def test_who_is_addressed_by_a_short_form_of_a_speakers_name_is_no_value() -> None:
    turns = [
        DigestTurn("user", "Leonora", "I moved the piano to the upper floor of the school."),
        DigestTurn("user", "Sam", "Thanks, Leo!"),
    ]
    assert missing_values(turns, "") == []


def test_a_digest_held_to_tokens_gives_up_sentences_and_no_value() -> None:
    chatter = [
        user(f"The walk along the river was long and calm, with {n} herons by the weir.") for n in range(2, 9)
    ]
    turns = [*chatter, user("The contract number is QF-2093.")]
    free, held = make_digest(turns, max_share=0.8), make_digest(turns, max_share=0.8, max_tokens=90)
    assert held.tokens < free.tokens
    assert missing_values(turns, held.text) == []


def test_a_digest_is_held_to_tokens_without_making_it_over_and_over() -> None:
    turns = [
        user(f"The walk along the river was long and calm, with {n} herons by the weir.")
        for n in range(2, 30)
    ]
    counted: list[str] = []

    def counter(text: str) -> int:
        counted.append(text)
        return len(text)

    free = make_digest(turns, max_share=0.8, counter=counter)
    once = len(counted)
    counted.clear()
    for most in (1, free.tokens // 3, free.tokens // 2, free.tokens - 1):
        make_digest(turns, max_share=0.8, max_tokens=most, counter=counter)
        assert len(counted) <= 7 * once, most
        counted.clear()
    make_digest(turns, max_share=0.8, max_tokens=free.tokens, counter=counter)
    assert len(counted) == once
