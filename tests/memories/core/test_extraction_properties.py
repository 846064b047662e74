"""Extraction over an open vocabulary: statements made from a grammar in both languages, and any text at all."""

from __future__ import annotations

import string
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from memories.core.extraction import Candidate, extract
from memories.core.extraction.attributes import canonical_attribute
from memories.core.kinds import Kind

NOW = datetime(2026, 3, 4, 9, tzinfo=UTC)


def read(text: str) -> list[Candidate]:
    return extract(text, role="user", speaker="", said_at=NOW, tz=UTC)


codes = st.from_regex(r"[A-Z]{2,3}-[0-9]{3,6}", fullmatch=True)
amounts = st.integers(10, 99999).map(lambda n: f"{n}元")
money = st.integers(10, 99999).map(lambda n: f"${n}")
phones = st.from_regex(r"13[0-9]{9}", fullmatch=True)
zh_things = st.text("星云海棠松鹤雁竹岚枫橡桂霞溪", min_size=2, max_size=4).map(lambda name: f"{name}项目")
zh_kin = st.sampled_from(["我姐姐", "我的房东", "我室友", "我导师", "我外公", "我的客户"])
zh_values = st.tuples(st.sampled_from(["合同编号", "订单号", "编号", "版本号"]), codes) | st.tuples(
    st.sampled_from(["预算", "报价", "价格"]), amounts
)
en_things = (
    st.text(string.ascii_lowercase, min_size=4, max_size=8).map(str.capitalize).map(lambda word: f"Q{word}")
)
en_values = st.tuples(st.sampled_from(["contract number", "order number", "version"]), codes) | st.tuples(
    st.sampled_from(["budget", "price"]), money
)
zh_is = st.sampled_from(["是", "为", "：", "是 ", "改成了", "现在是", "更新为"])
en_is = st.sampled_from([" is ", " is now ", " has been changed to "])


def values(found: list[Candidate]) -> set[tuple[str | None, str | None]]:
    return {(candidate.attribute, candidate.value) for candidate in found}


@given(zh_things, zh_values, zh_is)
def test_any_things_attribute_is_found_in_chinese(thing: str, pair: tuple[str, str], copula: str) -> None:
    word, value = pair
    found = read(f"{thing}的{word}{copula}{value}。")
    assert (canonical_attribute(word), value) in values(found)
    assert all(thing.removesuffix("项目") in candidate.subject for candidate in found)


@given(en_things, en_values, en_is)
def test_any_things_attribute_is_found_in_english(thing: str, pair: tuple[str, str], copula: str) -> None:
    word, value = pair
    for text in (f"The {word} of {thing}{copula}{value}.", f"{thing}'s {word}{copula}{value}."):
        found = read(text)
        assert (canonical_attribute(word), value) in values(found), text
        assert all(thing in candidate.subject for candidate in found)


@given(zh_kin, phones, phones)
def test_a_later_value_lands_in_the_same_slot(kin: str, one: str, other: str) -> None:
    (before,), (after,) = read(f"{kin}的电话是{one}"), read(f"{kin}的手机号改成{other}了")
    assert before.slot == after.slot
    assert before.single
    assert after.update
    assert (before.value, after.value) == (one, other)


@given(zh_kin, zh_kin, phones)
def test_another_persons_value_is_another_slot(one: str, other: str, phone: str) -> None:
    (first,), (second,) = read(f"{one}的电话是{phone}"), read(f"{other}的电话是{phone}")
    assert (first.slot == second.slot) == (first.subject == second.subject)


@given(zh_things, zh_values)
def test_asking_supposing_or_guessing_states_nothing_in_chinese(thing: str, pair: tuple[str, str]) -> None:
    word, value = pair
    for text in (
        f"{thing}的{word}是{value}吗？",
        f"{thing}的{word}是多少？",
        f"如果{thing}的{word}是{value}，就告诉我",
        f"{thing}的{word}可能是{value}",
        f"忘掉{thing}的{word}{value}",
    ):
        assert read(text) == [], text


@given(en_things, en_values)
def test_asking_supposing_or_guessing_states_nothing_in_english(thing: str, pair: tuple[str, str]) -> None:
    word, value = pair
    for text in (
        f"Is {thing}'s {word} {value}?",
        f"What is {thing}'s {word}?",
        f"If {thing}'s {word} is {value}, I will cry",
        f"{thing}'s {word} might be {value}",
        f"Forget the {word} of {thing}",
    ):
        assert read(text) == [], text


@given(zh_things, zh_values, st.sampled_from(["记一下，", "请记住：", "帮我记一下 ", "记下来，"]))
def test_a_request_to_remember_is_always_honoured_in_chinese(
    thing: str, pair: tuple[str, str], opener: str
) -> None:
    found = read(f"{opener}{thing}的{pair[0]}是{pair[1]}")
    assert found
    assert all(candidate.explicit and candidate.importance >= 0.9 for candidate in found)
    assert any(pair[1] in candidate.content for candidate in found)


@given(
    en_things,
    en_values,
    st.sampled_from(["Remember that ", "Please note that ", "Keep in mind that ", "Don't forget that "]),
)
def test_a_request_to_remember_is_always_honoured_in_english(
    thing: str, pair: tuple[str, str], opener: str
) -> None:
    found = read(f"{opener}{thing}'s {pair[0]} is {pair[1]}")
    assert found
    assert all(candidate.explicit and candidate.importance >= 0.9 for candidate in found)
    assert any(pair[1] in candidate.content for candidate in found)


fragments = st.sampled_from(
    [
        "我",
        "我的",
        "他",
        "她",
        "它",
        "上司",
        "的",
        "是",
        "不是",
        "电话",
        "喜欢",
        "不喜欢",
        "住在",
        "搬到",
        "了",
        "吗",
        "？",
        "。",
        "，",
        "记一下",
        "以后都",
        "不要",
        "如果",
        "昨天",
        "3月5日",
        "13700001111",
        "KX-1",
        "I",
        "my",
        "boss",
        "'s",
        "is",
        "not",
        "phone",
        "live",
        "in",
        "moved",
        "to",
        "like",
        "don't",
        "remember",
        "that",
        "always",
        "never",
        "if",
        "yesterday",
        "by",
        "Friday",
        "and",
        "but",
        ",",
        ".",
        "?",
        "```",
        ":",
        "Anna",
        "she",
        "her",
    ]
)
anything = st.lists(fragments | st.text(max_size=5), max_size=14).map(" ".join) | st.lists(
    fragments, max_size=14
).map("".join)


@given(anything)
def test_any_text_is_read_without_error_and_every_quote_stands_in_it(text: str) -> None:
    found = read(text)
    for candidate in found:
        assert text[candidate.start : candidate.end] == candidate.quote
        assert candidate.quote.strip()
        assert candidate.content.strip()
        assert 0 <= candidate.importance <= 1
        assert (candidate.attribute is None) == (candidate.value is None)
        assert (candidate.key is not None) == (candidate.kind is Kind.CONSTRAINT)
        if candidate.value is not None:
            assert candidate.value.strip()
    assert read(text) == found
