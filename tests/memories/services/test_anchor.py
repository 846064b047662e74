"""Corrections that name only values: which known fact they mean, and that none is touched where two could be meant."""

from __future__ import annotations

import uuid

import pytest

from accounts.actor import Actor
from memories.models import Contradiction, Fact
from memories.ports import FixedClock
from memoryhub.common.db import tenant_transaction
from memoryhub.common.ids import uuid7
from tests.memories.services.helpers import current, say

pytestmark = pytest.mark.django_db


def values(user: Actor, subject_id: uuid.UUID) -> set[tuple[str, str, str]]:
    """(entity, attribute, value) of what holds."""
    ids = [one.id for one in current(user, subject_id)]
    with tenant_transaction(user.tenant_id):
        return set(Fact.objects.filter(memory_id__in=ids).values_list("entity", "attribute", "value"))


@pytest.mark.parametrize(
    ("first", "then", "new", "old"),
    [
        ("Our budget is $600.", "Actually it's $700, not $600.", "$700", "$600"),
        ("My locker code is 4471.", "Oh, it's not 4471, it's 4417.", "4417", "4471"),
        ("My doctor is Dr. Hale.", "It's Dr. Vale, not Dr. Hale.", "Dr. Vale", "Dr. Hale"),
        ("我的房租是600元。", "不是600，是700。", "700元", "600元"),
        ("我的预算是8000。", "是9000，不是8000", "9000", "8000"),
        ("我们的供应商是远航公司。", "不对，不是远航公司，是海纳公司。", "海纳公司", "远航公司"),
    ],
)
def test_the_only_fact_with_the_old_value_is_corrected(
    user: Actor, subject_id: uuid.UUID, first: str, then: str, new: str, old: str, clock: FixedClock
) -> None:
    [before] = say(user, subject_id, first)
    clock.advance(days=3)
    [outcome] = say(user, subject_id, then)
    assert (outcome.code, outcome.replaced_id) == ("superseded", before.memory_id)
    [(entity, attribute, value)] = values(user, subject_id)
    assert value == new
    assert old not in {value}
    assert entity
    assert attribute


@pytest.mark.parametrize(
    ("facts", "then"),
    [
        (("My rent is $600.", "My car payment is $600."), "Actually it's $700, not $600."),
        (("我的房租是600。", "我的车贷是600。"), "不是600，是700。"),
    ],
)
def test_two_facts_with_the_old_value_both_stand(
    user: Actor, subject_id: uuid.UUID, facts: tuple[str, ...], then: str, clock: FixedClock
) -> None:
    for fact in facts:
        say(user, subject_id, fact)
        clock.advance(days=1)
    before = values(user, subject_id)
    [outcome] = say(user, subject_id, then)
    assert (outcome.code, outcome.rule) == ("not_worth_keeping", "anchor.ambiguous")
    assert values(user, subject_id) == before
    with tenant_transaction(user.tenant_id):
        assert not Contradiction.objects.exists()


@pytest.mark.parametrize("then", ["Actually it's $700, not $600.", "不是600，是700。"])
def test_an_old_value_that_nobody_knows_leaves_nothing(user: Actor, subject_id: uuid.UUID, then: str) -> None:
    say(user, subject_id, "My rent is $950.")
    before = values(user, subject_id)
    [outcome] = say(user, subject_id, then)
    assert (outcome.code, outcome.rule) == ("not_worth_keeping", "anchor.unknown")
    assert values(user, subject_id) == before


def test_an_attribute_that_is_named_is_corrected_whatever_else_has_the_value(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    say(user, subject_id, "My rent is $600.")
    say(user, subject_id, "My car payment is $600.")
    clock.advance(days=1)
    say(user, subject_id, "My rent is $700, not $600.")
    assert {(attribute, value) for _, attribute, value in values(user, subject_id)} == {
        ("rent", "$700"),
        ("car_payment", "$600"),
    }


def test_what_was_swapped_is_found_by_its_old_value(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    say(user, subject_id, "My uncle drives a Volvo.")
    clock.advance(days=2)
    say(user, subject_id, "My uncle swapped the Volvo for a Tesla.")
    assert {value for _, _, value in values(user, subject_id)} == {"a Tesla"}


def test_one_name_split_in_two_ways_is_one_fact(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    say(user, subject_id, "My gym membership is $39.")
    clock.advance(days=2)
    say(user, subject_id, "The gym membership is now $45.")
    assert {value for _, _, value in values(user, subject_id)} == {"$45"}


def test_an_assistant_corrects_nothing(user: Actor, subject_id: uuid.UUID, clock: FixedClock) -> None:
    say(user, subject_id, "My rent is $600.")
    before = values(user, subject_id)
    say(user, subject_id, "Actually it's $700, not $600.", role="assistant")
    assert values(user, subject_id) == before


def test_a_bare_new_value_corrects_the_newest_fact_of_its_sort(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    say(user, subject_id, "My locker code is 4471.")
    clock.advance(days=1)
    [before] = say(user, subject_id, "My rent is $600.")
    clock.advance(minutes=1)
    [outcome] = say(user, subject_id, "Sorry, $650.")
    assert (outcome.code, outcome.replaced_id) == ("superseded", before.memory_id)
    assert {value for _, _, value in values(user, subject_id)} == {"4471", "$650"}


def test_a_thing_is_found_under_its_short_name(user: Actor, subject_id: uuid.UUID, clock: FixedClock) -> None:
    [before] = say(user, subject_id, "My dentist appointment is on May 12.")
    clock.advance(days=1)
    outcomes = say(user, subject_id, "They pushed my appointment to May 19.")
    assert before.memory_id in {one.replaced_id for one in outcomes}


@pytest.mark.parametrize(("later", "same"), [({"minutes": 45}, True), ({"minutes": 1}, False)])
def test_an_excuse_with_a_value_corrects_only_what_the_session_just_said(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock, later: dict[str, int], same: bool
) -> None:
    session = uuid7()
    say(user, subject_id, "My rent is $600.", session_id=session)
    clock.advance(**later)
    say(user, subject_id, "Sorry, $650.", session_id=session if same else uuid7())
    assert {value for _, _, value in values(user, subject_id)} == {"$600"}
