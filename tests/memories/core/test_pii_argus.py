"""argus-redact is asked about fewer texts than there are, and finds what it would have found in all of them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memories.core.pii import argus
from memories.core.pii.argus import TYPES, asked, found_by_argus, may_find

PLANTED = [
    "我的香港身份证是A123456(3)，别告诉别人",
    "HKID WX123456(8) and Z684325(1)",
    "身份证 A123456789 台湾",
    "Ａ１２３４５６７８９ 全角的",
    "key sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD here",
    "sk-ant-abcdefghijklmnopqrstuvwxyz0123456789ABCD",
    "AKIAIOSFODNN7EXAMPLE is the access key",
    "token ghp_abcdefghijklmnopqrstuvwxyz0123456789 and github_pat_abcdefghijklmnopqrstu12",
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJ0ZXN0In0.FakeSig123_-abcdef",
    "-----BEGIN RSA PRIVATE KEY-----\nabc123\n-----END RSA PRIVATE KEY-----",
    "IBAN DE89 3704 0044 0532 0130 00, GB82WEST12345698765432",
    "A12\u200b3456(3) with something in between",
]


@pytest.mark.parametrize("text", PLANTED)
def test_a_planted_value_is_asked_about(text: str) -> None:
    assert list(found_by_argus(text)) == list(asked(text))


def test_each_type_is_planted_somewhere() -> None:
    found = {kind for text in PLANTED for *_, kind in found_by_argus(text)}
    assert found == set(TYPES.values())


PIECES = st.one_of(
    st.sampled_from(
        [*PLANTED, "A123456", "(3)", "sk-", "ant-", "AKIA", "ghp_", "eyJ", "DE89", "3704 0044 0532"]
    ),
    st.text("ABXZabz0123456789０１９Ａａ()（）-_. 一二三零号是证\n\u200b", max_size=24),
    st.text(max_size=12),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=4).map("".join).filter(lambda text: re.search(r"\d", text) is not None))
def test_what_is_not_asked_about_holds_nothing(text: str) -> None:
    if not may_find(text):
        assert list(asked(text)) == []


def test_a_release_without_one_of_the_types_is_always_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(argus, "TYPES", {**TYPES, "a_new_type": "secret"})
    argus._any_of_its_patterns.cache_clear()
    try:
        assert may_find("box 7")
    finally:
        argus._any_of_its_patterns.cache_clear()
