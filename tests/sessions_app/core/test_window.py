"""The window: how full it is, and where it is cut."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.core.policy import Policy
from sessions_app.core import window

DEFAULT = Policy.default()


@dataclass(frozen=True)
class Said:
    role: str
    tokens: int = 10


def talk(rounds: int, tokens: int = 10) -> list[Said]:
    return [Said(role, tokens) for _ in range(rounds) for role in ("user", "assistant")]


def test_eight_rounds_fill_the_window_and_a_ninth_overfills_it() -> None:
    assert window.level(talk(8), DEFAULT) == 1.0
    assert window.level([*talk(8), Said("user")], DEFAULT) == pytest.approx(9 / 8)


def test_tokens_fill_the_window_when_rounds_do_not() -> None:
    assert window.level(talk(2, tokens=600), DEFAULT) == pytest.approx(2400 / 1200)


def test_tool_messages_make_no_round_but_their_tokens_count() -> None:
    turns = [
        Said("user"),
        Said("tool", 100),
        Said("tool", 100),
        Said("assistant"),
        Said("user"),
        Said("assistant"),
    ]
    assert window.count_rounds(turns) == 2
    assert window.level(turns, DEFAULT) == pytest.approx(max(2 / 8, 240 / 1200))


def test_turns_before_the_first_user_message_are_a_round_of_their_own() -> None:
    turns = [Said("assistant"), *talk(2)]
    assert [len(group) for group in window.rounds(turns)] == [1, 2, 2]
    assert window.count_rounds([Said("tool"), Said("system")]) == 0


def test_a_window_that_is_not_over_full_is_not_cut() -> None:
    assert window.cut(talk(8), DEFAULT) == 0


def test_an_over_full_window_is_cut_to_half_at_the_end_of_a_round() -> None:
    turns = [*talk(9)]
    at = window.cut(turns, DEFAULT)
    assert at == 10
    assert window.level(turns[at:], DEFAULT) == 0.5
    assert turns[at].role == "user"


def test_the_six_newest_turns_stay_however_long_they_are() -> None:
    turns = talk(4, tokens=2000)
    assert window.cut(turns, DEFAULT) == len(turns) - 6
    assert window.cut(talk(3, tokens=5000), DEFAULT) == 0


def test_a_monologue_is_not_cut_one_turn_at_a_time() -> None:
    policy = window.policy_for("chat", DEFAULT)
    kept: list[Said] = []
    cuts = []
    for _ in range(60):
        kept.append(Said("user"))
        leaving = window.cut(kept, policy)
        cuts += [leaving] if leaving else []
        kept = kept[leaving:]
    assert len(cuts) > 5
    assert min(cuts) >= policy.integer("window.least_leaving")


def test_an_answer_in_the_making_and_what_follows_it_stay() -> None:
    assert window.cut(talk(12), DEFAULT, settled=4) == 4
    assert window.cut(talk(12), DEFAULT, settled=0) == 0


def test_one_endless_round_is_cut_inside() -> None:
    turns = [Said("user"), *[Said("tool", 300) for _ in range(20)]]
    assert window.cut(turns, DEFAULT) == len(turns) - 6


def test_presets_give_way_to_the_tenants_own_rule() -> None:
    assert window.policy_for("chat", DEFAULT).integer("window.rounds") == 6
    assert window.policy_for("task", DEFAULT).integer("window.rounds") == 10
    own = Policy.from_overrides({"window.rounds": 4})
    assert window.policy_for("task", own).integer("window.rounds") == 4


def test_last_rounds_are_whole_rounds() -> None:
    turns = [*talk(3), Said("user"), Said("tool")]
    assert window.last_rounds(turns, 2) == turns[4:]
    assert window.last_rounds(turns, 0) == []


roles = st.sampled_from(["user", "assistant", "tool", "system"])
turns_of_any_kind = st.lists(st.builds(Said, roles, st.integers(0, 900)), max_size=60)


@given(turns_of_any_kind, st.integers(0, 60))
def test_a_cut_never_takes_the_newest_turns_nor_unsettled_ones(turns: list[Said], settled: int) -> None:
    at = window.cut(turns, DEFAULT, settled=min(settled, len(turns)))
    assert 0 <= at <= max(0, len(turns) - 6)
    assert at <= settled
    if at:
        assert window.level(turns, DEFAULT) > 1


@given(turns_of_any_kind)
def test_rounds_lose_no_turn_and_keep_the_order(turns: list[Said]) -> None:
    assert [turn for group in window.rounds(turns) for turn in group] == turns
