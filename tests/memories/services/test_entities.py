"""What is said of somebody by name and by relation lands in one place, whichever comes first (R15)."""

from __future__ import annotations

import uuid

import pytest

from accounts.actor import Actor
from memories.models import Contradiction, Fact, Memory, Status
from memories.ports import FixedClock
from memoryhub.common.db import tenant_transaction
from tests.memories.services.helpers import say

pytestmark = pytest.mark.django_db


def phones(actor: Actor, subject_id: uuid.UUID) -> set[tuple[str, str]]:
    with tenant_transaction(actor.tenant_id):
        rows = Fact.objects.filter(
            subject_id=subject_id, attribute="phone", memory__status=Status.CURRENT
        ).values_list("entity", "value")
        return set(rows)


@pytest.mark.parametrize(
    ("first", "second", "third"),
    [
        ("陶宁的电话是13900000001", "陶宁是我同事", "我同事的电话改成13900000002了"),
        ("我同事的电话是13900000001", "我同事叫陶宁", "陶宁的电话改成13900000002了"),
        ("陶宁是我的同事，其电话是13900000001", "我同事陶宁住在绍兴", "我同事换了个电话，现在的电话是13900000002"),
        ("My boss is called Tom", "Tom's phone number is 13900000001", "My boss's phone number is now 13900000002"),
    ],
)  # fmt: skip
def test_a_name_and_a_relation_share_their_slots(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock, first: str, second: str, third: str
) -> None:
    for text in (first, second, third):
        say(user, subject_id, text)
        clock.advance(hours=1)
    ((_, value),) = phones(user, subject_id)
    assert value == "13900000002"
    with tenant_transaction(user.tenant_id):
        entities = set(Fact.objects.filter(attribute="phone").values_list("entity", flat=True))
        slots = set(Fact.objects.filter(attribute="phone").values_list("slot_key", flat=True))
    assert len(entities) == len(slots) == 1


def test_two_people_in_one_relation_stay_two(user: Actor, subject_id: uuid.UUID, clock: FixedClock) -> None:
    for text in (
        "陶宁是我同事，她的电话是13900000001",
        "邵峰是我同事，他的电话是13900000002",
        "我同事的电话是13900000003",
    ):
        outcomes = say(user, subject_id, text)
        clock.advance(hours=1)
        assert {outcome.code.value for outcome in outcomes} <= {"stored"}
    assert len(phones(user, subject_id)) == 3


def test_values_that_meet_when_two_become_one_are_shown_as_a_contradiction(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    for text in ("陶宁的电话是13900000001", "我同事的电话是13900000002", "陶宁是我同事"):
        say(user, subject_id, text)
        clock.advance(hours=1)
    with tenant_transaction(user.tenant_id):
        [contradiction] = Contradiction.objects.filter(subject_id=subject_id)
        assert contradiction.rule == "entity.tied"
        older = Memory.objects.get(id=contradiction.older_id)
        assert "13900000001" in older.content


def test_a_place_before_an_events_name_does_not_make_it_another(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    for text in (
        "茶艺交流会的规模有三百人",
        "杭州茶艺交流会的地点是图书馆",
        "茶艺交流会的规模要扩到五百人",
    ):
        say(user, subject_id, text)
        clock.advance(hours=1)
    with tenant_transaction(user.tenant_id):
        scale = Fact.objects.filter(attribute="scale", memory__status=Status.CURRENT)
        assert list(scale.values_list("entity", "value")) == [("杭州茶艺交流会", "五百人")]
