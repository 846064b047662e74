"""The policy table: defaults in range, overrides validated alone and together, presets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.core.policy import PRESETS, RULES, Policy, PolicyError


def test_every_default_lies_in_its_own_range() -> None:
    for key, rule in RULES.items():
        assert Policy.from_overrides({key: rule.default}).value(key) == rule.default
        assert rule.reason
        assert rule.requirement


def test_the_default_weights_add_up_to_one() -> None:
    weights = [Policy.default().number(key) for key in RULES if key.startswith("recall.weight.")]
    assert sum(weights) == pytest.approx(1.0)


def test_an_override_replaces_the_default_and_nothing_else() -> None:
    policy = Policy.from_overrides({"recall.k": 9})
    assert policy.integer("recall.k") == 9
    assert policy.number("strength.cap") == Policy.default().number("strength.cap")
    assert policy.overrides() == {"recall.k": 9}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("recall.kk", 3),
        ("recall.k", 0),
        ("recall.k", 2.5),
        ("recall.k", "6"),
        ("recall.k", True),
        ("recall.threshold", float("nan")),
        ("recall.weight.similarity", 1.5),
        ("pii.action.card", "shred"),
        ("pii.action.card", 3),
        ("decay.enabled", "maybe"),
    ],
)
def test_a_wrong_override_is_refused_by_name(key: str, value: object) -> None:
    with pytest.raises(PolicyError) as caught:
        Policy.from_overrides({key: value})
    assert caught.value.key == key
    assert caught.value.fields.keys() == {key}


def test_an_unknown_key_is_answered_with_the_nearest_ones() -> None:
    with pytest.raises(PolicyError) as caught:
        Policy.default().number("strength.capp")
    assert "strength.cap" in caught.value.hint


def test_weights_that_are_all_zero_are_refused() -> None:
    zero = {key: 0 for key in RULES if key.startswith("recall.weight.")}
    with pytest.raises(PolicyError, match="zero"):
        Policy.from_overrides(zero)


def test_chunks_cannot_be_longer_at_least_than_at_most() -> None:
    with pytest.raises(PolicyError, match="above"):
        Policy.from_overrides({"chunk.min_tokens": 600, "chunk.max_tokens": 500})


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_every_preset_is_a_valid_policy(name: str) -> None:
    assert Policy.preset(name).overrides().keys() == PRESETS[name].keys()


def test_a_preset_keeps_what_the_tenant_set_elsewhere() -> None:
    policy = Policy.from_overrides({"recall.k": 3}).with_preset("balanced")
    assert policy.integer("recall.k") == 3
    assert policy.number("recall.weight.strength") == 0.30


def test_a_number_cannot_be_read_as_a_choice_nor_the_other_way() -> None:
    with pytest.raises(PolicyError):
        Policy.default().choice("recall.k")
    with pytest.raises(PolicyError):
        Policy.default().number("decay.enabled")


@given(
    st.dictionaries(
        st.sampled_from(sorted(RULES)), st.floats(allow_nan=True) | st.integers() | st.text(max_size=5)
    )
)
def test_no_override_gets_past_its_range(overrides: dict[str, object]) -> None:
    try:
        policy = Policy.from_overrides(overrides)
    except PolicyError:
        return
    for key, value in policy.overrides().items():
        rule = RULES[key]
        if rule.choices:
            assert value in rule.choices
        else:
            assert rule.low <= float(value) <= rule.high
    assert Policy.from_overrides(policy.overrides()) == policy
