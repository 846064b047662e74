"""Approving, editing and restoring follow the same rules as saying: no second current value beside the one that stands."""

from __future__ import annotations

import uuid

import pytest

from accounts.actor import Actor
from memories.core.errors import NotUndoable, SensitiveBlocked
from memories.models import Approval, Contradiction, Evidence, Fact, MemoryVersion
from memories.ports import FixedClock
from memories.services.approve import decide_approval
from memories.services.edit import edit
from memories.services.forget import forget
from memories.services.policies import forget_cached, set_policy
from memories.services.resolve import resolve
from memories.services.restore import restore
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict
from tests.memories.services.helpers import current, keep, memory_of, say
from tests.support.people import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def asks(acme: House) -> None:
    phones(acme, "ask")


def phones(house: House, action: str) -> None:
    set_policy(actor=house.actor("admin"), overrides={"pii.action.phone": action})
    forget_cached()


def approval_of(actor: Actor, memory_id: uuid.UUID | None) -> uuid.UUID:
    with tenant_transaction(actor.tenant_id):
        found: uuid.UUID = Approval.objects.values_list("id", flat=True).get(memory_id=memory_id)
        return found


def disputes(actor: Actor) -> list[set[uuid.UUID]]:
    with tenant_transaction(actor.tenant_id):
        rows = Contradiction.objects.filter(state=Contradiction.State.OPEN)
        return [{row.older_id, row.newer_id} for row in rows]


@pytest.mark.usefixtures("asks")
def test_a_yes_after_a_later_value_makes_history(
    user: Actor, acme: House, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    [old] = say(user, subject_id, "My phone number is 13812345678.")
    assert old.code == "needs_approval"
    phones(acme, "keep")
    clock.advance(days=1)
    [later] = say(user, subject_id, "My phone number is 13987654321.")
    approved = decide_approval(actor=user, approval_id=approval_of(user, old.memory_id), approve=True)
    assert (approved.id, approved.status, approved.superseded_by_id) == (
        old.memory_id,
        "superseded",
        later.memory_id,
    )
    assert [memory.id for memory in current(user, subject_id)] == [later.memory_id]


@pytest.mark.usefixtures("asks")
def test_a_yes_replaces_the_value_before(
    user: Actor, acme: House, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    phones(acme, "keep")
    [old] = say(user, subject_id, "我的手机号是13812345678")
    phones(acme, "ask")
    clock.advance(days=1)
    [new] = say(user, subject_id, "我的手机号是13987654321")
    approved = decide_approval(actor=user, approval_id=approval_of(user, new.memory_id), approve=True)
    assert (approved.id, approved.status, approved.content_encrypted) == (new.memory_id, "current", None)
    before = memory_of(user, old.memory_id)
    assert (before.status, before.superseded_by_id) == ("superseded", new.memory_id)
    with tenant_transaction(user.tenant_id):
        assert Fact.objects.filter(memory_id=new.memory_id).count() == 1
        assert Evidence.objects.filter(memory_id=new.memory_id).count() == 1
        changes = MemoryVersion.objects.filter(memory_id=new.memory_id).order_by("number")
        assert list(changes.values_list("change", flat=True)) == ["created", "approved"]


@pytest.mark.usefixtures("asks")
def test_a_yes_to_what_is_known_by_now_goes_into_it(
    user: Actor, acme: House, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    [waiting] = say(user, subject_id, "My phone number is 13812345678.")
    phones(acme, "keep")
    clock.advance(days=1)
    [known] = say(user, subject_id, "My phone number is 13812345678, by the way.")
    approval = approval_of(user, waiting.memory_id)
    assert known.memory_id != waiting.memory_id
    assert decide_approval(actor=user, approval_id=approval, approve=True).id == known.memory_id
    assert decide_approval(actor=user, approval_id=approval, approve=True).id == known.memory_id
    gone = memory_of(user, waiting.memory_id)
    assert (gone.status, gone.superseded_by_id) == ("merged", known.memory_id)
    with tenant_transaction(user.tenant_id):
        assert Evidence.objects.filter(memory_id=known.memory_id).count() == 2


def test_only_the_persons_own_text_is_a_yes(
    user: Actor, acme: House, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    [home] = say(user, subject_id, "I live in Lisbon.")
    clock.advance(days=1)
    note = keep(user, subject_id, "The flat has a balcony", kind="fact")
    assert home.memory_id is not None and note.memory_id is not None
    edit(actor=user, memory_id=note.memory_id, content="I live in Porto")
    with tenant_transaction(user.tenant_id):
        dispute = Contradiction.objects.get()
    phones(acme, "ask")
    text = "I live in Porto, my phone number is 13812345678"
    asked = {"contradiction_id": dispute.id, "resolution": "merge", "content": text}
    with pytest.raises(SensitiveBlocked):
        resolve(actor=acme.actor("admin"), **asked)  # type: ignore[arg-type]
    assert len(current(user, subject_id)) == 2
    resolve(actor=user, **asked)  # type: ignore[arg-type]
    [merged] = current(user, subject_id)
    assert (merged.content, merged.content_encrypted) == (text, None)


def test_an_edit_to_another_value_of_a_held_slot_is_a_contradiction(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    [home] = say(user, subject_id, "I live in Lisbon.")
    clock.advance(days=1)
    note = keep(user, subject_id, "The flat has a balcony", kind="fact")
    assert note.memory_id is not None and home.memory_id is not None
    edit(actor=user, memory_id=note.memory_id, content="I live in Porto")
    assert disputes(user) == [{home.memory_id, note.memory_id}]
    edit(actor=user, memory_id=note.memory_id, content="I live in Braga")
    assert len(disputes(user)) == 1, "the same two are in dispute once"


def test_an_edit_into_a_fact_that_is_held_is_refused(user: Actor, subject_id: uuid.UUID) -> None:
    [home] = say(user, subject_id, "我住在苏州")
    note = keep(user, subject_id, "阳台朝南", kind="fact")
    assert note.memory_id is not None
    with pytest.raises(Conflict) as caught:
        edit(actor=user, memory_id=note.memory_id, content="我现在住在苏州")
    assert str(home.memory_id) in caught.value.hint
    assert memory_of(user, note.memory_id).version == 1


def test_an_edit_that_ends_a_dispute_closes_it(user: Actor, subject_id: uuid.UUID, clock: FixedClock) -> None:
    say(user, subject_id, "I live in Lisbon.")
    clock.advance(days=1)
    note = keep(user, subject_id, "The flat has a balcony", kind="fact")
    assert note.memory_id is not None
    edit(actor=user, memory_id=note.memory_id, content="I live in Porto")
    edit(actor=user, memory_id=note.memory_id, content="The flat has a terrace")
    assert disputes(user) == []


@pytest.mark.parametrize(
    ("first", "second"), [("I live in Lisbon.", "I live in Porto."), ("我住在苏州", "我住在无锡")]
)
def test_what_was_replaced_meanwhile_is_not_restored(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock, first: str, second: str
) -> None:
    [old] = say(user, subject_id, first)
    assert old.memory_id is not None
    clock.advance(days=1)
    forget(actor=user, memory_id=old.memory_id)
    clock.advance(days=1)
    [new] = say(user, subject_id, second)
    with pytest.raises(NotUndoable) as caught:
        restore(actor=user, memory_id=old.memory_id)
    assert str(new.memory_id) in caught.value.hint
    assert [memory.id for memory in current(user, subject_id)] == [new.memory_id]


def test_two_in_dispute_are_so_again_after_a_restore(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    [home] = say(user, subject_id, "I live in Lisbon.")
    clock.advance(days=1)
    note = keep(user, subject_id, "The flat has a balcony", kind="fact")
    assert note.memory_id is not None and home.memory_id is not None
    edit(actor=user, memory_id=note.memory_id, content="I live in Porto")
    clock.advance(days=1)
    forget(actor=user, memory_id=home.memory_id)
    clock.advance(days=1)
    restore(actor=user, memory_id=home.memory_id)
    assert disputes(user) == [{home.memory_id, note.memory_id}]
