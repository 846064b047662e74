"""When a statement holds: plans, periods that are over, late arrivals and what holds for a while, on the real database (R18)."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from accounts.actor import Actor
from memories.core.statement import FactPart, Statement
from memories.models import Contradiction, Evidence, Fact, Memory, MemoryVersion
from memories.ports import FixedClock
from memories.services.outcome import Outcome
from memories.services.policies import policy_of
from memories.services.settle import settle_plans
from memories.services.undo_supersession import undo_supersession
from memories.services.write_memory import write_statements
from memoryhub.common.db import tenant_transaction
from memoryhub.common.ids import uuid7
from tests.memories.services.helpers import current, keep, memory_of, say

pytestmark = pytest.mark.django_db


@pytest.fixture
def write(user: Actor, subject_id: uuid.UUID, clock: FixedClock) -> Any:
    """`write(value, **changes)` puts a statement about the project's budget."""

    def put(value: str, *, slot: tuple[str, str] = ("project", "budget"), **changes: Any) -> Outcome:
        statement = Statement(
            content=f"The {slot[1]} of the {slot[0]} is {value}", kind="fact", source="user", said_at=clock.now(),
            fact=FactPart(*slot, value, single=True), turn_id=uuid7(),
        )  # fmt: skip
        policy, _ = policy_of(user.tenant_id)
        [outcome] = write_statements(
            actor=user,
            subject_id=subject_id,
            statements=[replace(statement, **changes)],
            policy=policy,
            now=clock.now(),
        )
        return outcome

    return put


def test_a_plan_and_the_present_both_stand_with_their_times(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock, write: Any
) -> None:
    first = write("800")
    clock.advance(days=1)
    starts = clock.now() + timedelta(days=30)
    plan = write("900", valid_from=starts)
    assert (plan.code, plan.rule) == ("stored", "slot.planned")
    now, later = memory_of(user, first.memory_id), memory_of(user, plan.memory_id)
    assert (now.status, now.valid_to, now.superseded_by_id) == ("current", starts, None)
    assert (later.status, later.valid_from, later.valid_to) == ("current", starts, None)
    with tenant_transaction(user.tenant_id):
        assert Fact.objects.get(memory_id=now.id).valid_to == starts
        assert MemoryVersion.objects.filter(memory_id=now.id, change="bounded").count() == 1
        assert not Contradiction.objects.exists()
    between = write("850", update=True, said_at=clock.now() + timedelta(days=2))
    assert (between.code, between.replaced_id) == ("superseded", first.memory_id)
    assert memory_of(user, between.memory_id).valid_to == starts, "the plan still stands"


def test_a_plan_that_has_come_into_force_settles_the_old_value(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock, write: Any
) -> None:
    first = write("800")
    clock.advance(days=1)
    plan = write("900", valid_from=clock.now() + timedelta(days=30))
    assert settle_plans(actor=user, subject_id=subject_id) == 0
    clock.advance(days=31)
    assert settle_plans(actor=user, subject_id=subject_id) == 1
    old = memory_of(user, first.memory_id)
    assert (old.status, old.superseded_by_id) == ("superseded", plan.memory_id)
    assert [memory.id for memory in current(user, subject_id)] == [plan.memory_id]
    assert settle_plans(actor=user, subject_id=subject_id) == 0
    assert first.memory_id
    undo_supersession(actor=user, memory_id=first.memory_id)
    assert memory_of(user, first.memory_id).status == "current"


def test_what_merely_ended_does_not_keep_plans_from_being_settled(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock, write: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memories.services.settle.BATCH", 2)
    for each in "abc":
        write("800", slot=(f"trip {each}", "budget"), valid_to=clock.now() + timedelta(days=5))
    firsts = [write("800", slot=(f"project {each}", "budget")) for each in "abc"]
    clock.advance(days=1)
    for each in "abc":
        write("900", slot=(f"project {each}", "budget"), valid_from=clock.now() + timedelta(days=30))
    clock.advance(days=31)
    assert settle_plans(actor=user, subject_id=subject_id) == 3
    assert {memory_of(user, one.memory_id).status for one in firsts} == {"superseded"}


def test_a_late_statement_is_put_between_its_neighbours(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock, write: Any
) -> None:
    first = write("800")
    clock.advance(days=20)
    last = write("900", update=True)
    between = write("850", update=True, said_at=clock.now() - timedelta(days=10))
    assert (between.code, between.rule) == ("superseded", "slot.older")
    one, two, three = (memory_of(user, each.memory_id) for each in (first, between, last))
    assert (one.superseded_by_id, two.superseded_by_id, three.status) == (two.id, three.id, "current")
    assert (one.valid_to, two.valid_to) == (two.valid_from, three.valid_from)
    again = write("850", said_at=clock.now() - timedelta(days=5))
    assert (again.code, again.rule, again.memory_id) == ("duplicate", "dedup.past", two.id)
    with tenant_transaction(user.tenant_id):
        assert Evidence.objects.filter(memory_id=two.id).count() == 2


def test_what_had_ended_is_history_at_once(user: Actor, clock: FixedClock, write: Any) -> None:
    now = write("900")
    ended = clock.now() - timedelta(days=100)
    old = write("700", valid_from=ended - timedelta(days=50), valid_to=ended)
    memory = memory_of(user, old.memory_id)
    assert (memory.status, memory.superseded_by_id, memory.valid_to) == ("superseded", now.memory_id, ended)
    assert memory_of(user, now.memory_id).valid_to is None


@pytest.mark.parametrize(
    ("now", "before"), [("我住在苏州", "我以前住在杭州"), ("I live in Leeds.", "In 2019 I lived in Bath.")]
)
def test_what_used_to_be_is_history_whichever_is_said_first(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock, now: str, before: str
) -> None:
    for first, second in ((now, before), (before, now)):
        with tenant_transaction(user.tenant_id):
            Memory.objects.all().delete()
        said = {}
        for text in (first, second):
            [outcome] = say(user, subject_id, text)
            assert outcome.code != "contradiction"
            said[text] = memory_of(user, outcome.memory_id)
            clock.advance(days=3)
        settle_plans(actor=user, subject_id=subject_id)
        assert [memory.id for memory in current(user, subject_id)] == [said[now].id]
        old = memory_of(user, said[before].id)
        assert (old.status, old.superseded_by_id) == ("superseded", said[now].id)
        assert old.valid_to is not None
        assert old.valid_to <= said[now].said_at


def test_what_holds_until_a_day_stands_beside_and_its_end_leaves_the_rest(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock, write: Any
) -> None:
    write("100", slot=("user", "phone"))
    until = clock.now() + timedelta(days=3)
    passing = write("200", slot=("user", "phone"), valid_to=until, expires_at=until)
    assert (passing.code, passing.rule) == ("stored", "slot.temporary")
    assert len(current(user, subject_id)) == 2


def test_of_a_memory_with_several_facts_only_the_replaced_one_ends(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    first = keep(user, subject_id, "我叫林小满,我住在苏州", kind="profile")
    with tenant_transaction(user.tenant_id):
        assert Fact.objects.filter(memory_id=first.memory_id).count() == 2
    clock.advance(days=1)
    [moved] = say(user, subject_id, "我搬到上海了")
    assert (moved.code, moved.replaced_id) == ("superseded", first.memory_id)
    assert memory_of(user, first.memory_id).status == "current"
    with tenant_transaction(user.tenant_id):
        ended = Fact.objects.filter(memory_id=first.memory_id, valid_to__isnull=False)
        assert [fact.attribute for fact in ended] == ["home"]
    clock.advance(days=1)
    [again] = say(user, subject_id, "我搬到南京了")
    assert again.replaced_id == moved.memory_id, "what has ended is not replaced a second time"


def test_the_same_words_about_another_day_are_another_memory(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    text = "记住：我明天和王芳吃饭"
    [first] = say(user, subject_id, text)
    [same_day] = say(user, subject_id, text)
    clock.advance(days=7)
    [next_week] = say(user, subject_id, text)
    assert (same_day.code, same_day.memory_id) == ("duplicate", first.memory_id)
    assert (next_week.code, next_week.memory_id == first.memory_id) == ("stored", False)


@pytest.mark.parametrize(
    ("first", "second", "other"),
    [
        ("The red toolbox is in the hall cupboard", "Indeed, the red toolbox is in the hall cupboard!", "The red toolbox is not in the hall cupboard"),
        ("红色工具箱放在走廊柜子里", "红色工具箱其实就放在走廊柜子里", "红色工具箱没放在走廊柜子里"),
        ("He really loves the 3pm choir", "he loves the 3pm choir", "he loves the 4pm choir"),
        ("He really loves the choir", "he loves the choir", "she loves the choir"),
    ],
)  # fmt: skip
def test_the_same_claim_in_other_words_adds_evidence_and_another_claim_does_not(
    user: Actor, clock: FixedClock, write: Any, first: str, second: str, other: str
) -> None:
    one = write("", content=first, fact=None)
    clock.advance(hours=1)
    two = write("", content=second, fact=None)
    assert (two.code, two.memory_id) == ("duplicate", one.memory_id)
    three = write("", content=other, fact=None)
    assert three.memory_id != one.memory_id
    with tenant_transaction(user.tenant_id):
        assert Evidence.objects.filter(memory_id=one.memory_id).count() == 2
        assert Memory.objects.current().count() == 2


def test_a_fact_that_was_archived_comes_back_when_it_is_said_in_other_words(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    [first] = say(user, subject_id, "My sister lives in Leeds.")
    with tenant_transaction(user.tenant_id):
        Memory.objects.filter(id=str(first.memory_id)).update(status="archived")
    clock.advance(days=100)
    [again] = say(user, subject_id, "By the way, my sister lives in Leeds now.")
    assert (again.memory_id, again.rule) == (first.memory_id, "dedup.revive.archived")
    assert memory_of(user, first.memory_id).status == "current"
