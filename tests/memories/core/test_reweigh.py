"""A past recall ranked anew from frozen parts: nothing moves without a change, and what moves can be worked out by hand."""

from __future__ import annotations

import math

import pytest

from memories.core.policy import RULES, Policy
from memories.core.policy_changes import own_changes, rule_changes
from memories.core.reweigh import RESCORED, Frozen, parts_under, reweighed, score_again, shift, unseen

DEFAULT = Policy.default()


def row(policy: Policy = DEFAULT, **parts: float) -> Frozen:
    return Frozen(round(score_again(parts, policy), 6), parts)


def test_a_score_is_its_parts_by_their_weights() -> None:
    parts = {"similarity": 0.5, "strength": 0.4, "pin": 1.0, "asks": 1.0, "told": 0.5}
    by_hand = 0.55 * 0.5 + 0.20 * 0.4 + 0.14 - 0.07 + 0.07 * 0.5
    assert score_again(parts, DEFAULT) == pytest.approx(by_hand)
    # Weights are shares of their sum.
    halved = Policy.from_overrides({key: 0.5 for key in RULES if key.startswith("recall.weight.")})
    assert score_again({"similarity": 0.5, "strength": 0.4}, halved) == pytest.approx(0.18)


def test_an_unchanged_policy_changes_no_score_even_where_parts_were_rounded() -> None:
    rows = [Frozen(0.500001, {"similarity": 0.9}), Frozen(0.5, {"similarity": 0.9})]
    same = Policy.from_overrides({"recall.weight.similarity": 0.55})
    assert reweighed(rows, DEFAULT, same)[0] == pytest.approx([0.500001, 0.5], abs=1e-12)
    assert not shift([0.5, 0.4], reweighed(rows, DEFAULT, same)[0], (1, 1)).order


def test_another_weight_turns_the_order_as_computed_by_hand() -> None:
    near, strong = row(similarity=0.8, strength=0.2), row(similarity=0.6, strength=0.7)
    # .55*.8+.2*.2 = .48 and .55*.6+.2*.7 = .47; with .4 for strength, of a sum of 1.2: (.44+.08)/1.2 and (.33+.28)/1.2.
    assert (near.score, strong.score) == (0.48, 0.47)
    scores, whole = reweighed([near, strong], DEFAULT, Policy.from_overrides({"recall.weight.strength": 0.4}))
    assert whole
    assert scores == pytest.approx([0.52 / 1.2, 0.61 / 1.2], abs=1e-6)
    apart = shift([near.score, strong.score], scores, (1, 1))
    assert (apart.top, apart.chosen, apart.order, apart.overlap, apart.correlation) == (
        True,
        True,
        True,
        0.0,
        -1.0,
    )
    assert not shift([near.score, strong.score], scores, (2, 2)).chosen


def test_recency_follows_its_scale_and_says_where_it_cannot() -> None:
    slower = Policy.from_overrides({"recall.recency_days": 14})
    parts, known = parts_under({"recency": round(math.exp(-3 / 7), 4)}, DEFAULT, slower)
    assert known and parts["recency"] == pytest.approx(math.exp(-3 / 14), abs=1e-4)
    parts, known = parts_under({"recency": 0.0}, DEFAULT, slower)
    assert not known and parts["recency"] == 0.0


def test_similarity_follows_cosine_and_words_unless_a_neighbour_lent_it() -> None:
    other = Policy.from_overrides({"recall.lexical_weight": 0.5})
    frozen = {"cosine": 0.6, "lexical": 0.8, "similarity": round((0.6 + 0.25 * 0.8 - 0.1) / 1.15, 4)}
    parts, known = parts_under(frozen, DEFAULT, other)
    assert known and parts["similarity"] == pytest.approx((0.6 + 0.5 * 0.8 - 0.1) / 1.15)
    parts, known = parts_under({**frozen, "similarity": 0.9}, DEFAULT, other)
    assert not known and parts["similarity"] == 0.9


def test_credibility_follows_only_where_one_source_had_the_value() -> None:
    tools = Policy.from_overrides({"credibility.tool": 0.5})
    assert parts_under({"credibility": 0.8}, DEFAULT, tools) == ({"credibility": 0.5}, True)
    people = Policy.from_overrides({"credibility.user": 0.5})
    assert parts_under({"credibility": 1.0}, DEFAULT, people) == ({"credibility": 1.0}, False)


def test_more_places_are_another_choice() -> None:
    scores = [0.9, 0.8, 0.7]
    apart = shift(scores, scores, (2, 3))
    assert apart.chosen and not apart.order and apart.overlap == pytest.approx(2 / 3)
    assert shift([], [], (6, 6)).overlap == 1.0


def test_what_a_trace_does_not_hold_is_told() -> None:
    assert unseen(["recall.weight.strength", "half_life.fact", "recall.floor", "pii.action.phone"]) == [
        "half_life.fact", "recall.floor",
    ]  # fmt: skip
    assert set(RULES) >= RESCORED


def test_versions_are_compared_rule_by_rule() -> None:
    changes = rule_changes(
        {"recall.k": 9, "sweep.floor": 0.1}, {"sweep.floor": 0.1, "window.rounds": 8, "gone.rule": 1}
    )
    assert [(one.key, one.old, one.new, one.was_set, one.is_set) for one in changes] == [
        ("window.rounds", 8, 8, False, True),
        ("recall.k", 9, 6, True, False),
        ("gone.rule", None, 1, False, True),
    ]
    before = {"patterns": [{"name": "badge", "pattern": "A"}, {"name": "old", "pattern": "B"}]}
    after = {
        "patterns": [{"name": "badge", "pattern": "C"}],
        "fields": [{"name": "room", "labels": ["room"]}],
    }
    assert [(one.name, one.how) for one in own_changes(before, after)] == [
        ("badge", "changed"), ("old", "removed"), ("room", "added"),
    ]  # fmt: skip
