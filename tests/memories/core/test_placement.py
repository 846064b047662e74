"""Where a statement goes among what is known: rules that hold whatever the texts are."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.core.placement.placing import Known, Place, place
from memories.core.statement import FactPart, Statement
from memories.core.values.forms import value_form

T0 = datetime(2026, 1, 1, tzinfo=UTC)
_sources = st.sampled_from(["user", "operator", "tool", "import", "assistant"])


def known(value: str = "a", *, at: int = 0, source: str = "user", **changes: object) -> Known:
    values: dict[str, object] = {
        "id": uuid.uuid4(),
        "status": "current",
        "kind": "profile",
        "source": source,
        "said_at": T0 + timedelta(days=at),
        "fingerprint": value.encode(),
        "reach": ("user", None, None),
        "facts": (FactPart("user", "home", value, single=True),),
        **changes,
    }
    return Known(**values)  # type: ignore[arg-type]


def said(value: str = "b", *, at: int = 1, **changes: object) -> Statement:
    values: dict[str, object] = {
        "content": value,
        "kind": "profile",
        "source": "user",
        "said_at": T0 + timedelta(days=at),
        "fact": FactPart("user", "home", value, single=True),
        **changes,
    }
    return Statement(**values)  # type: ignore[arg-type]


@given(source=_sources, older=_sources, flags=st.sampled_from(["", "update", "correction", "explicit"]))
def test_nobody_of_a_lower_rank_and_no_assistant_replaces(source: str, older: str, flags: str) -> None:
    ranks = {"user": 2, "operator": 2, "tool": 1, "import": 1, "assistant": 0}
    statement = said(source=source, **({flags: True} if flags else {}))
    result = place(statement, b"b", [known(source=older)])
    if source == "assistant" or ranks[source] < ranks[older]:
        assert result.place is Place.CONTRADICT
    else:
        assert result.place is Place.SUPERSEDE


@given(days=st.integers(-50, 50), flag=st.sampled_from(["update", "correction", "explicit"]))
def test_what_was_said_earlier_never_replaces_what_was_said_later(days: int, flag: str) -> None:
    result = place(said(at=days, **{flag: True}), b"b", [known(at=0)])
    assert result.place is (Place.HISTORY if days < 0 else Place.SUPERSEDE)


def test_a_value_of_another_slot_or_reach_is_no_conflict() -> None:
    other_slot = said(fact=FactPart("user:sister", "home", "b", single=True))
    assert place(other_slot, b"b", [known()]).place is Place.NEW
    in_session = said(scope="session", session_id=uuid.uuid4())
    assert place(in_session, b"b", [known()]).place is Place.NEW


def test_several_values_may_stand_until_one_is_corrected() -> None:
    def pet(value: str) -> FactPart:
        return FactPart("user", "pet", value)

    cat, dog = known("cat", facts=(pet("cat"),)), known("dog", facts=(pet("dog"),))
    assert place(said("fish", fact=pet("fish")), b"fish", [cat, dog]).place is Place.NEW
    named = place(said("fish", fact=pet("fish"), correction=True, replaces="Dog"), b"fish", [cat, dog])
    assert (named.place, named.targets) == (Place.SUPERSEDE, (dog,))
    unnamed = place(said("fish", fact=pet("fish"), correction=True), b"fish", [cat, dog])
    assert unnamed.place is Place.NEW


def test_no_longer_ends_the_same_value_only() -> None:
    def drinks(value: str, negated: bool = False) -> FactPart:
        return FactPart("user", "likes", value, negated=negated)

    tea, milk = known("tea", facts=(drinks("tea"),)), known("milk", facts=(drinks("milk"),))
    result = place(said("no tea", fact=drinks("tea", negated=True)), b"no tea", [tea, milk])
    assert (result.place, result.targets) == (Place.SUPERSEDE, (tea,))


def test_a_period_that_is_over_and_a_plan_for_later_leave_the_present_alone() -> None:
    holder = known()
    past = place(said(valid_from=T0 - timedelta(days=90), valid_to=T0), b"b", [holder])
    assert (past.place, past.targets, past.until) == (Place.HISTORY, (holder,), T0)
    plan = place(said(valid_from=T0 + timedelta(days=90), update=True), b"b", [holder])
    assert (plan.place, plan.targets) == (Place.PLAN, (holder,))


@pytest.mark.parametrize(
    ("one", "other"), [("4800元", "４,800 块"), ("星期三", "周三"), ("Bristol", "bristol."), ("三点", "3点")]
)
def test_the_same_value_written_differently_is_the_same(one: str, other: str) -> None:
    assert value_form(one) == value_form(other)


@pytest.mark.parametrize(("one", "other"), [("3pm", "4pm"), ("KX-7731", "KX-7713"), ("4800元", "4900元")])
def test_another_value_is_another(one: str, other: str) -> None:
    assert value_form(one) != value_form(other)


@pytest.mark.parametrize(
    ("first", "second", "placed"),
    [
        ("I did 15 sketches, 80% of them in ink", "I did 15 sketches, 95% of them in ink", Place.NEW),
        ("I did 15 sketches", "I did 15 sketches, 95% of them in ink", Place.REPEAT),
        ("画了15张，花了80元", "画了15张，花了95元", Place.NEW),
        ("画了15张，花了80元", "我画了15张", Place.REPEAT),
        ("By Tuesday I had 15 sketches", "By Friday I still have 15 sketches", Place.REPEAT),
    ],
)
def test_other_amounts_beside_an_equal_value_make_it_another_statement(
    first: str, second: str, placed: Place
) -> None:
    result = place(said("15", content=second), b"b", [known("15", content=first)])
    assert result.place is placed
