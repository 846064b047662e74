"""Emoji, invisible characters, marks of direction and wide letters: words mean the same with them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.core.extraction.engine import extract
from memories.core.extraction.requests import asked
from memories.core.forgetting.targets import is_no, is_yes, targets
from memories.core.text.signs import as_read, without_invisible

_AT = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)
_SIGNS = st.text(
    st.sampled_from("😀🎉🐱🇳🇴✨\u2615\ufe0f\u200b\u200d\u200e\u2067\u2069\u3000 "), min_size=1, max_size=5
)
_SAID = {
    "我叫林秋": ("name", "林秋"),
    "我搬到宁波了": ("home", "宁波"),
    "My name is Odile": ("name", "Odile"),
    "I live in Tartu": ("home", "Tartu"),
}
_ASKED = ("忘掉我的电话号码", "把我女儿的事都忘了吧", "forget where I live", "Please delete my address")


def _facts(text: str) -> list[tuple[str | None, str | None]]:
    found = extract(text, role="user", speaker="", said_at=_AT, tz=UTC)
    return [(one.attribute, one.value) for one in found]


@given(st.sampled_from(sorted(_SAID)), _SIGNS, _SIGNS)
def test_a_fact_is_read_with_signs_around_it(said: str, before: str, after: str) -> None:
    for text in (f"{said}{after}", f"{before}{said}", f"{before}{said}{after}"):
        assert _SAID[said] in _facts(without_invisible(text)), text


@given(st.sampled_from(_ASKED), _SIGNS, _SIGNS)
def test_a_request_to_forget_means_the_same_with_signs_around_it(said: str, before: str, after: str) -> None:
    plain = [(one.scope, one.entity, one.attributes) for one in targets(said)]
    assert plain
    text = without_invisible(f"{before}{said}{after}")
    assert [(one.scope, one.entity, one.attributes) for one in targets(text)] == plain, text


def test_what_is_remembered_has_no_holes_and_is_proved_by_the_very_words() -> None:
    text = "I like tea 🍵 and rye bread 🥖!"
    (found,) = extract(text, role="user", speaker="", said_at=_AT, tz=UTC)
    assert found.content == "I like tea and rye bread"
    assert found.value == "tea and rye bread"
    assert found.quote in text


def test_wide_letters_are_letters() -> None:
    assert _facts("ＭＹ　ＮＡＭＥ　ＩＳ　ＯＤＩＬＥ") == [("name", "ODILE")]
    assert asked("Ｆｏｒｇｅｔ　ｍｙ　ｐｈｏｎｅ")
    assert is_yes("ＹＥＳ")


@pytest.mark.parametrize("text", ["好的😀", "👍 yes", "是的✨，谢谢🙏"])
def test_a_yes_may_be_friendly(text: str) -> None:
    assert is_yes(text)


def test_a_no_may_be_friendly() -> None:
    assert is_no("不用了🙅")
    assert is_no("no 🙏")


@given(st.text())
def test_reading_moves_no_character(text: str) -> None:
    assert len(as_read(text)) == len(text)


def test_what_nobody_sees_goes_and_what_shapes_letters_stays() -> None:
    assert without_invisible("名\u200b字\ufeff ab\u200dcd so\u00adft") == "名字 abcd soft"
    family, persian = "👩\u200d👧", "می\u200cخواهم"
    assert without_invisible(family) == family
    assert without_invisible(persian) == persian
