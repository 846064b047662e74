"""A tenant's own patterns and fields: what they cover, that none is slow, and what is refused."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memories.core.errors import PolicyError
from memories.core.pii import detection as pii
from memories.core.pii.custom import own_of
from memories.core.policy import Policy
from memories.core.safe_regex import MAX_WAYS, UnsafePattern, compiled, ways

BADGE = {"name": "badge", "pattern": r"BD-\d{6}", "action": "mask"}
PAY = {"name": "pay", "labels": ["salary", "月薪", "工资"], "action": "mask"}


def policy(*, patterns: Any = (), fields: Any = ()) -> Policy:
    return Policy.from_overrides({}, {"patterns": list(patterns), "fields": list(fields)})


def masked(text: str, of: Policy) -> str:
    return pii.apply(text, of.own.actions(), custom=of.own.named()).text_masked


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("My badge is bd-104233, keep it.", "My badge is [custom], keep it."),
        ("我的工牌是BD-104233。", "我的工牌是[custom]。"),
        ("BD-1042 is no badge", "BD-1042 is no badge"),
    ],
)
def test_a_pattern_covers_what_it_matches(text: str, expected: str) -> None:
    assert masked(text, policy(patterns=[BADGE])) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("My salary is 48000 a year", "My salary is [custom] a year"),
        ("salary: 48000", "salary: [custom]"),
        ("我的月薪是两万三,别外传", "我的月薪是[custom],别外传"),
        ("工资为¥23000。", "工资为[custom]。"),
        ("We talked about salaries", "We talked about salaries"),
    ],
)
def test_a_field_covers_the_value_after_its_label(text: str, expected: str) -> None:
    assert masked(text, policy(fields=[PAY])) == expected


def test_masking_twice_is_masking_once() -> None:
    of = policy(patterns=[BADGE], fields=[PAY])
    once = masked("BD-104233 earns, salary is 48000", of)
    assert masked(once, of) == once


def test_a_pattern_that_takes_a_part_of_a_secret_does_not_uncover_the_rest() -> None:
    of = policy(patterns=[{"name": "start", "pattern": "ghp_", "action": "mask"}])
    token = "ghp_" + "a1B2c3D4e5" * 4
    shown = masked(f"my token {token} please", of)
    assert "a1B2c3" not in shown


def test_a_pattern_that_keeps_is_an_exemption() -> None:
    of = policy(patterns=[{"name": "order", "pattern": r"\b4111111111111111\b", "action": "keep"}])
    assert masked("My card 4111111111111111", of) == "My card 4111111111111111"
    assert "4111111111111111" not in masked("My card 4111111111111111", policy())


def test_overlapping_patterns_cover_all_of_both() -> None:
    of = policy(
        patterns=[
            {"name": "left", "pattern": "abcd", "action": "mask"},
            {"name": "right", "pattern": "cdef", "action": "mask"},
        ]
    )
    assert masked("xabcdefx", of) == "x[custom][custom]x"


@pytest.mark.parametrize(
    "pattern",
    [
        r"(a+)+$",
        r"(a|a)*b",
        r"(\w{1,9}){1,9}x",
        r"(a|aa){1,30}b",
        r"(x)\1",
        r"\d*",
        r".+@",
        r"a{0,500}",
        "(",
        "",
        "a?",
        "x" * 201,
        "(?s).{1,2}x",
        r"((((a{0,9}){0,9}){0,9}){0,9})b",
    ],
)
def test_a_pattern_that_could_be_slow_or_match_nothing_is_refused(pattern: str) -> None:
    with pytest.raises(UnsafePattern) as caught:
        compiled(pattern)
    assert pattern == "" or len(pattern) < 3 or pattern not in str(caught.value), "errors do not quote"


PIECES = st.sampled_from(
    [
        r"\d{2,9}",
        r"\w{1,12}",
        r"[a-f]{1,20}",
        "(?:ab|a|b)",
        "a{1,30}",
        "x?y?",
        "-",
        r"(?:a{1,3}){1,4}",
        r".{1,9}",
    ]
)


@settings(max_examples=150)
@given(st.lists(PIECES, min_size=1, max_size=6))
def test_no_pattern_that_is_taken_is_slow(pieces: list[str]) -> None:
    """The worst texts for these are long runs of what they match, without what must follow."""
    pattern = "".join(pieces) + "!"
    try:
        count = ways(pattern)
    except UnsafePattern:
        return
    assert count <= MAX_WAYS
    found = compiled(pattern)
    for text in ("a" * 20_000, "ab" * 10_000, "1" * 20_000, "xy" * 10_000):
        started = time.perf_counter()
        list(found.finditer(text))
        assert time.perf_counter() - started < 5, pattern


def test_a_pattern_matches_what_python_says() -> None:
    assert compiled(r"项目[A-Z]{1,3}-\d{2,6}").search("关于项目AB-2041的会") is not None
    assert isinstance(compiled("abc", ignore_case=False), re.Pattern)
    assert compiled("abc", ignore_case=False).search("ABC") is None


@pytest.mark.parametrize(
    ("custom", "key"),
    [
        ({"patterns": [{**BADGE, "pattern": "(a+)+"}]}, "custom.patterns.0.pattern"),
        ({"patterns": [{**BADGE, "action": "shred"}]}, "custom.patterns.0.action"),
        ({"patterns": [{**BADGE, "model": "tell"}]}, "custom.patterns.0.model"),
        ({"patterns": [{**BADGE, "name": "Bad Name"}]}, "custom.patterns.0.name"),
        ({"patterns": [{**BADGE, "patern": "x"}]}, "custom.patterns.0.patern"),
        ({"patterns": [BADGE, BADGE]}, "custom"),
        ({"patterns": "BD"}, "custom.patterns"),
        ({"patterns": [7]}, "custom.patterns.0"),
        ({"fields": [{**PAY, "labels": []}]}, "custom.fields.0.labels"),
        ({"fields": [{**PAY, "labels": ["a(b"]}]}, "custom.fields.0.labels"),
        ({"fields": [{"name": "pay"}]}, "custom.fields.0.labels"),
        ({"fieldz": []}, "custom.fieldz"),
        (
            {"patterns": [{"name": f"p{n}", "pattern": r"\w{1,40}-\w{1,40}"} for n in range(20)]},
            "custom.patterns",
        ),
    ],
)
def test_what_does_not_fit_is_named(custom: dict[str, Any], key: str) -> None:
    with pytest.raises(PolicyError) as caught:
        own_of(custom)
    assert caught.value.key == key


def test_a_policy_with_own_patterns_is_another_policy() -> None:
    one, other = policy(patterns=[BADGE]), policy()
    assert one != other
    assert one == policy(patterns=[BADGE])
    assert hash(one) == hash(policy(patterns=[BADGE]))
    assert one.with_overrides({"recall.k": 7}).own == one.own
    assert Policy.from_overrides({}, one.own.as_data()) == one


def test_asking_is_neither_keeping_nor_encrypting() -> None:
    found = pii.apply("Call me on 13812345678", {"phone": "ask"})
    assert (found.needs_consent, found.needs_encryption, found.blocked) == (True, False, False)
    assert found.text_masked == "Call me on [phone]"
