"""The values of a slot end up in the order in which they hold, whatever the order in which they arrive (R18)."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.core.placement.known import Known, Place, Placement, SlotRules
from memories.core.placement.placing import place
from memories.core.policy import Policy
from memories.core.statement import FactPart, Statement

T0 = datetime(2026, 1, 1, tzinfo=UTC)
words = st.text(alphabet="abcdefghijklmnop苏州南京上海北", min_size=3, max_size=8)
attributes = st.text(alphabet="qrstuvwxyz地点预算", min_size=2, max_size=8)


def day(number: float) -> datetime:
    return T0 + timedelta(days=number)


def said(
    value: str, at: float, *, entity: str = "user", attribute: str = "home", **changes: object
) -> Statement:
    values: dict[str, Any] = {
        "content": value,
        "kind": "fact",
        "source": "user",
        "said_at": day(at),
        "fact": FactPart(entity, attribute, value, single=True),
        **changes,
    }
    return Statement(**values)


class Book:
    """A subject's memories, kept as the writer keeps them."""

    def __init__(self, rules: SlotRules | None = None) -> None:
        self.rows: list[Known] = []
        self.rules = rules

    def take(self, statement: Statement) -> Placement:
        found = place(statement, statement.content.encode(), self.rows, self.rules)
        if found.place in {Place.REPEAT, Place.SAME_TURN, Place.REVIVE, Place.REFUSE}:
            return found
        until = found.until if statement.valid_to is None else statement.valid_to
        made = Known(
            id=uuid.uuid4(), status="current", kind=statement.kind, source=statement.source, said_at=statement.said_at,
            fingerprint=statement.content.encode(), reach=("user", None, None), valid_from=found.since or statement.starts,
            valid_to=until, expires_at=statement.expires_at, content=statement.content, facts=statement.facts,
        )  # fmt: skip
        if found.place is Place.HISTORY:
            made.status, made.successor = "superseded", found.targets[0].id
        if found.place is Place.SUPERSEDE:
            for one in found.targets:
                one.status, one.successor, one.valid_to = (
                    "superseded",
                    made.id,
                    max(statement.starts, one.starts),
                )
        if found.place is Place.PLAN:
            for one in found.targets:
                one.valid_to = made.valid_from
        for one in found.shortened:
            one.valid_to, one.successor = made.valid_from, made.id
        self.rows.append(made)
        return found

    def current(self) -> list[Known]:
        return [one for one in self.rows if one.current]

    def holding(self, at: datetime) -> list[str]:
        return [
            one.content
            for one in self.rows
            if one.current and one.starts <= at and (one.valid_to is None or one.valid_to > at)
        ]


def of_slot(rows: Sequence[Known]) -> list[tuple[datetime, datetime | None, str]]:
    return sorted(((one.starts, one.valid_to, one.content) for one in rows), key=lambda row: row[0])


@given(values=st.lists(words, min_size=2, max_size=6, unique=True), data=st.data(), attribute=attributes)
def test_whatever_the_order_of_arrival_the_last_said_stands_and_history_has_no_gap(
    values: list[str], data: st.DataObject, attribute: str
) -> None:
    told = [said(value, at * 10, attribute=attribute) for at, value in enumerate(values)]
    book = Book()
    for statement in data.draw(st.permutations(told)):
        book.take(statement)
    assert [one.content for one in book.current()] == [values[-1]]
    rows = of_slot(book.rows)
    assert [content for _, _, content in rows] == values
    assert [end for _, end, _ in rows] == [*(start for start, _, _ in rows[1:]), None]


@given(values=st.lists(words, min_size=3, max_size=3, unique=True), data=st.data())
def test_dated_values_are_ordered_by_their_dates_not_by_when_they_were_said(
    values: list[str], data: st.DataObject
) -> None:
    """Each says from when it holds; they are told in any order, all of them afterwards."""
    starts = [0, 20, 40]
    told = list(zip(values, starts, strict=True))
    book = Book()
    for number, (value, start) in enumerate(data.draw(st.permutations(told))):
        book.take(said(value, 100 + number, valid_from=day(start), update=True))
    assert [one.content for one in book.current()] == [values[-1]]
    assert [content for _, _, content in of_slot(book.rows)] == values


@given(value=words, other=words, wait=st.integers(1, 200), attribute=attributes)
def test_a_plan_leaves_the_present_until_its_day(value: str, other: str, wait: int, attribute: str) -> None:
    if value == other:
        other += "x"
    for order in ([0, 1], [1, 0]):
        told = [
            said(value, 0, attribute=attribute),
            said(other, 1, attribute=attribute, valid_from=day(1 + wait)),
        ]
        book = Book()
        for at in order:
            book.take(told[at])
        assert len(book.current()) == 2
        assert book.holding(day(1)) == [value]
        assert book.holding(day(wait + 1)) == [other]


def test_two_plans_for_one_day_leave_the_later_said_and_two_days_leave_both() -> None:
    book = Book()
    book.take(said("800", 0))
    book.take(said("900", 1, valid_from=day(30)))
    book.take(said("950", 2, valid_from=day(30)))
    book.take(said("999", 3, valid_from=day(60)))
    assert [book.holding(day(at)) for at in (5, 30, 59, 60)] == [["800"], ["950"], ["950"], ["999"]]


def test_a_correction_right_after_a_plan_means_the_plan_and_takes_its_day() -> None:
    book = Book()
    book.take(said("800", 0))
    book.take(said("900", 1, valid_from=day(30)))
    corrected = book.take(said("950", 1.001, correction=True))
    assert corrected.place is Place.SUPERSEDE
    assert book.holding(day(2)) == ["800"]
    assert book.holding(day(30)) == ["950"]


def test_what_holds_for_a_while_stands_beside_what_holds_otherwise() -> None:
    book = Book()
    book.take(said("home", 0))
    until = day(9)
    found = book.take(said("hotel", 5, valid_to=until, expires_at=until))
    assert (found.place, found.rule) == (Place.NEW, "slot.temporary")
    assert {one.content for one in book.current()} == {"home", "hotel"}
    assert book.take(said("hostel", 6, valid_to=until, expires_at=until)).targets[0].content == "hotel"
    assert book.holding(day(9)) == ["home"]


@given(value=words, other=words, gap=st.integers(1, 300), length=st.integers(1, 300))
def test_a_period_that_is_over_never_touches_the_present(
    value: str, other: str, gap: int, length: int
) -> None:
    if value == other:
        return
    book = Book()
    book.take(said(value, 1000))
    ended = day(1000 - gap)
    found = book.take(
        said(other, 1001, valid_from=ended - timedelta(days=length), valid_to=ended, update=True)
    )
    assert found.place is Place.HISTORY
    assert [(one.content, one.valid_to) for one in book.current()] == [(value, None)]


def test_a_period_within_the_time_of_a_dated_value_is_disputed() -> None:
    book = Book()
    book.take(said("Leeds", 1000, valid_from=day(0)))
    found = book.take(said("Bath", 1001, valid_from=day(300), valid_to=day(400)))
    assert (found.place, found.rule) == (Place.CONTRADICT, "slot.overlap")


def test_evidence_for_known_history_adds_to_it() -> None:
    book = Book()
    book.take(said("Leeds", 0))
    book.take(said("Bath", 100, update=True))
    found = book.take(said("Leeds", 50))
    assert (found.place, found.rule, found.targets[0].status) == (Place.REPEAT, "dedup.past", "superseded")


@given(value=words, other=words, entity=words, other_entity=words)
def test_another_entitys_value_and_a_restatement_are_no_contradiction(
    value: str, other: str, entity: str, other_entity: str
) -> None:
    book = Book()
    book.take(said(value, 0, entity=entity))
    again = book.take(said(f"{value}!", 1, entity=entity, fact=FactPart(entity, "home", value, single=True)))
    assert again.place is Place.REPEAT
    if entity.casefold() != other_entity.casefold():
        elsewhere = said(
            f"{other_entity}: {other}", 2, fact=FactPart(other_entity, "home", other, single=True)
        )
        assert book.take(elsewhere).place is Place.NEW


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("I swim on Mondays", "I swim on Thursdays"),
        ("我周三游泳", "我周五游泳"),
        ("I swim 20 laps", "I swim 40 laps"),
        ("I swim with Amy Jones", "I swim with Bob Smith"),
    ],
)
def test_where_several_values_stand_a_number_day_or_name_tells_them_apart(one: str, two: str) -> None:
    fact = FactPart("user", "habit", "swim")
    book = Book()
    book.take(said(one, 0, fact=fact))
    assert book.take(said(two, 1, fact=fact)).place is Place.NEW
    assert book.take(said(one + "!", 2, fact=fact)).place is Place.REPEAT


@pytest.mark.parametrize(
    ("one", "two", "apart", "place_"),
    [
        ("next Friday", "next Friday", 0, Place.REPEAT),
        ("next Friday", "next Friday", 7, Place.CONTRADICT),
        ("next Friday", "2026-01-09", 0.1, Place.REPEAT),
        ("下周五", "2026年1月9日", 0.1, Place.REPEAT),
        ("下周五", "下周五", 7, Place.CONTRADICT),
        ("下周五", "下周五上午九点", 0.1, Place.NEW),
    ],
)
def test_dates_are_compared_as_dates(one: str, two: str, apart: float, place_: Place) -> None:
    def due(value: str) -> FactPart:
        return FactPart("the move", "time", value, single=True)

    book = Book()
    book.take(said("first words", 0, fact=due(one)))
    assert book.take(said("other words", apart, fact=due(two))).place is place_


def test_the_same_event_on_another_day_is_another() -> None:
    fact = FactPart("user", "attends", "choir practice")
    book = Book()
    book.take(said("choir", 0, fact=fact, event_start=day(3)))
    book.rows[0].event_start = day(3)
    assert book.take(said("the choir", 8, fact=fact, event_start=day(10))).place is Place.NEW


def test_an_unnamed_correction_of_several_means_the_one_just_said() -> None:
    def pet(value: str, at: float, **more: Any) -> Statement:
        return said(value, at, fact=FactPart("user", "pet", value), **more)

    book = Book()
    for at, value in enumerate(("cat", "dog")):
        book.take(pet(value, at))
    found = book.take(pet("fish", 1.01, correction=True))
    assert [one.content for one in found.targets] == ["dog"]
    assert {one.content for one in book.current()} == {"cat", "fish"}


def test_pairs_that_were_kept_are_not_disputed_and_enough_of_them_make_the_slot_hold_many() -> None:
    def other(value: str, at: float) -> Statement:
        return said(value, at, entity="user:boss")

    slot = other("a", 0).facts[0].slot
    pair = frozenset({"a", "b"})
    book = Book(SlotRules.of(Policy.default(), {slot: frozenset({pair})}))
    book.take(other("a", 0))
    assert book.take(other("b", 1)).place is Place.NEW
    assert book.take(other("c", 2)).place is Place.CONTRADICT
    learned = SlotRules.of(Policy.default(), {slot: frozenset({pair, frozenset({"a", "c"})})})
    book = Book(learned)
    book.take(other("a", 0))
    assert book.take(other("z", 1)).place is Place.NEW


@pytest.mark.parametrize(("own", "entity"), [("slot.later.own", "user"), ("slot.later.other", "user:boss")])
def test_the_tenant_decides_what_a_plain_later_word_does(own: str, entity: str) -> None:
    for choice, expected in (("supersede", Place.SUPERSEDE), ("contradict", Place.CONTRADICT)):
        book = Book(SlotRules.of(Policy.default().with_overrides({own: choice})))
        book.take(said("a", 0, entity=entity))
        assert book.take(said("b", 1, entity=entity)).place is expected


def test_a_statement_of_several_facts_ends_one_disputes_another_and_repeats_only_all_of_them() -> None:
    home, job = (
        FactPart("user", "home", "Leeds", single=True),
        FactPart("user:boss", "phone", "1", single=True),
    )
    book = Book()
    both = replace(said("both", 0, fact=home), more=(job,))
    book.take(both)
    assert book.take(replace(both, content="both again", said_at=day(1))).place is Place.REPEAT
    changed = replace(said("changed", 2, fact=replace(home, value="Bath")), more=(replace(job, value="2"),))
    found = book.take(changed)
    assert found.place is Place.SUPERSEDE
    assert found.disputed or found.targets
