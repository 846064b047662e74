"""Contradictions: settled by a person in each of the four ways, undone, and not opened again (R18)."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from accounts.actor import Actor
from accounts.models import AuditEntry
from memories.core.errors import MemoryGone, NotUndoable, SensitiveBlocked
from memories.models import Contradiction, Evidence, Fact, Memory, MemoryVersion
from memories.ports import FixedClock
from memories.services.contradictions import open_contradictions
from memories.services.forget import forget
from memories.services.pin import pin
from memories.services.resolve import resolve
from memories.services.undo_resolution import undo_resolution
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict, Invalid, NotFound
from tests.memories.services.helpers import current, memory_of, say
from tests.support.people import House

pytestmark = pytest.mark.django_db
COLUMNS = ("status", "superseded_by_id", "valid_from", "valid_to", "content", "kind", "pinned", "expires_at")


def dispute(user: Actor, subject_id: uuid.UUID, clock: FixedClock) -> Contradiction:
    """Two towns of the sister, said on two days without words of change."""
    for town in ("Leeds", "Bristol"):
        say(user, subject_id, f"My sister lives in {town}.")
        clock.advance(days=1)
    with tenant_transaction(user.tenant_id):
        row: Contradiction = Contradiction.objects.get(state="open")
    return row


def state(user: Actor) -> dict[str, Any]:
    """Everything that a resolution may touch, as it stands."""
    with tenant_transaction(user.tenant_id):
        return {
            "memories": {m.id: [getattr(m, c) for c in COLUMNS] for m in Memory.objects.all()},
            "facts": dict(Fact.objects.values_list("id", "valid_to")),
            "evidence": set(Evidence.objects.values_list("id", "memory_id")),
            "open": set(Contradiction.objects.filter(state="open").values_list("id", flat=True)),
        }


def settle(user: Actor, row: Contradiction, resolution: str, **more: Any) -> Contradiction:
    return resolve(actor=user, contradiction_id=row.id, resolution=resolution, **more)


@pytest.mark.parametrize(("resolution", "kept"), [("keep_new", "newer_id"), ("keep_old", "older_id")])
def test_keeping_one_side_supersedes_the_other_with_a_version_and_an_audit_entry(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock, resolution: str, kept: str
) -> None:
    row = dispute(user, subject_id, clock)
    done = settle(user, row, resolution, reason="asked her")
    winner = getattr(row, kept)
    loser = ({row.older_id, row.newer_id} - {winner}).pop()
    assert (done.state, done.resolution) == ("resolved", resolution)
    assert [memory.id for memory in current(user, subject_id)] == [winner]
    old = memory_of(user, loser)
    assert (old.status, old.superseded_by_id) == ("superseded", winner)
    assert old.valid_to is not None
    with tenant_transaction(user.tenant_id):
        newest = MemoryVersion.objects.filter(memory_id=loser).latest("number")
        assert (newest.change, newest.reason, newest.actor_id) == (
            f"resolved_{resolution}", "asked her", user.id,
        )  # fmt: skip
        assert Fact.objects.get(memory_id=loser).valid_to == old.valid_to
        assert AuditEntry.objects.filter(action="contradiction.resolved").count() == 1


def test_the_reason_is_screened_like_any_text(user: Actor, subject_id: uuid.UUID, clock: FixedClock) -> None:
    row = dispute(user, subject_id, clock)
    before = state(user)
    with pytest.raises(SensitiveBlocked, match="reason"):
        settle(user, row, "keep_new", reason="her password is hunter2-XyZ-99")
    assert state(user) == before
    settle(user, row, "keep_new", reason="card 4111 1111 1111 1111 says so")
    with tenant_transaction(user.tenant_id):
        reasons = set(MemoryVersion.objects.exclude(reason="").values_list("reason", flat=True))
    assert any("says so" in reason for reason in reasons)
    assert not any("4111 1111" in reason for reason in reasons)


def test_keeping_both_leaves_both_and_never_disputes_the_pair_again(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    row = dispute(user, subject_id, clock)
    settle(user, row, "keep_both")
    assert len(current(user, subject_id)) == 2
    [again] = say(user, subject_id, "My sister lives in Leeds.")
    assert (again.code, again.memory_id) == ("duplicate", row.older_id)
    assert open_contradictions(actor=user, subject_id=subject_id) == []
    # Even where one side is forgotten and said anew.
    forget(actor=user, memory_id=row.older_id)
    clock.advance(days=1)
    [anew] = say(user, subject_id, "My sister lives in Leeds.")
    assert anew.code == "stored"
    [third] = say(user, subject_id, "My sister lives in Dover.")
    assert third.code == "contradiction", "another value is still disputed"


def test_a_slot_in_which_both_were_kept_twice_holds_many_from_then_on(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    settle(user, dispute(user, subject_id, clock), "keep_both")
    [third] = say(user, subject_id, "My sister lives in Dover.")
    assert third.code == "contradiction"
    with tenant_transaction(user.tenant_id):
        still = list(Contradiction.objects.filter(state="open"))
    for row in still:
        settle(user, row, "keep_both")
    clock.advance(days=1)
    [fourth] = say(user, subject_id, "My sister lives in York.")
    assert fourth.code == "stored", "the person has taught that there are many"
    assert len(current(user, subject_id)) == 4


def test_a_merged_text_takes_the_place_of_both_with_the_evidence_of_both(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    row = dispute(user, subject_id, clock)
    text = "My sister lives in Leeds on weekdays and in Bristol at weekends"
    settle(user, row, "merge", content=text)
    [made] = current(user, subject_id)
    assert made.content == text
    assert {memory_of(user, side).status for side in (row.older_id, row.newer_id)} == {"merged"}
    with tenant_transaction(user.tenant_id):
        assert Evidence.objects.filter(memory_id=made.id).count() == 2


@pytest.mark.parametrize(
    ("resolution", "more"),
    [
        ("keep_new", {}),
        ("keep_old", {}),
        ("keep_both", {}),
        ("merge", {"content": "She moves between the two"}),
    ],
)
def test_undo_restores_the_exact_former_state(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock, resolution: str, more: dict[str, str]
) -> None:
    row = dispute(user, subject_id, clock)
    before = state(user)
    settle(user, row, resolution, **more)
    clock.advance(hours=1)
    undone = undo_resolution(actor=user, contradiction_id=row.id)
    assert (undone.state, undone.resolution, undone.undo) == ("open", "", {})
    after = state(user)
    made = set(after["memories"]) - set(before["memories"])
    assert {memory_of(user, one).status for one in made} <= {"superseded"}, "a merged text is history"
    for part in before:
        rows = after[part]
        if isinstance(rows, dict):
            assert {key: rows[key] for key in before[part]} == before[part]
        else:
            assert before[part] <= rows
    assert after["open"] == before["open"]
    settle(user, row, "keep_new")
    assert len(current(user, subject_id)) == 1, "it can be settled anew"


def test_what_changed_otherwise_since_survives_the_undo(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    row = dispute(user, subject_id, clock)
    settle(user, row, "keep_new")
    pin(actor=user, memory_id=row.newer_id, pinned=True)
    undo_resolution(actor=user, contradiction_id=row.id)
    assert memory_of(user, row.newer_id).pinned


def test_undo_names_what_stands_in_the_way(user: Actor, subject_id: uuid.UUID, clock: FixedClock) -> None:
    row = dispute(user, subject_id, clock)
    settle(user, row, "keep_new")
    [moved] = say(user, subject_id, "My sister moved to Dover.")
    before = state(user)
    with pytest.raises(NotUndoable, match=str(moved.memory_id)):
        undo_resolution(actor=user, contradiction_id=row.id)
    assert state(user) == before


def test_undo_does_not_bring_back_what_was_forgotten_since(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    row = dispute(user, subject_id, clock)
    settle(user, row, "keep_new")
    forget(actor=user, memory_id=row.older_id)
    with pytest.raises(MemoryGone):
        undo_resolution(actor=user, contradiction_id=row.id)


def test_settling_twice_or_undoing_what_is_open_is_a_conflict(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    row = dispute(user, subject_id, clock)
    with pytest.raises(Conflict):
        undo_resolution(actor=user, contradiction_id=row.id)
    settle(user, row, "keep_new")
    with pytest.raises(Conflict, match="keep_new"):
        settle(user, row, "keep_old")


def test_a_dispute_that_a_later_statement_settled_is_opened_by_undoing_that(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    from memories.services.undo_supersession import undo_supersession

    row = dispute(user, subject_id, clock)
    before = state(user)
    say(user, subject_id, "My sister moved to Dover.")
    with pytest.raises(NotUndoable):
        undo_resolution(actor=user, contradiction_id=row.id)
    undo_supersession(actor=user, memory_id=row.older_id)
    after = state(user)
    assert after["open"] == before["open"]
    assert {key: after["memories"][key] for key in before["memories"]} == before["memories"]
    assert {key: after["facts"][key] for key in before["facts"]} == before["facts"]


def test_other_disputes_of_the_side_that_goes_are_closed_and_come_back(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    row = dispute(user, subject_id, clock)
    say(user, subject_id, "My sister lives in Dover.")
    with tenant_transaction(user.tenant_id):
        assert Contradiction.objects.filter(state="open").count() == 3
    settle(user, row, "keep_new")
    with tenant_transaction(user.tenant_id):
        [left] = Contradiction.objects.filter(state="open")
        assert row.older_id not in {left.older_id, left.newer_id}
    undo_resolution(actor=user, contradiction_id=row.id)
    with tenant_transaction(user.tenant_id):
        assert Contradiction.objects.filter(state="open").count() == 3


def test_bad_input_says_what_to_do(user: Actor, subject_id: uuid.UUID, clock: FixedClock) -> None:
    row = dispute(user, subject_id, clock)
    for values in (
        {"resolution": "both"},
        {"resolution": "merge"},
        {"resolution": "keep_new", "content": "x"},
    ):
        with pytest.raises(Invalid):
            resolve(actor=user, contradiction_id=row.id, **values)
    with pytest.raises(SensitiveBlocked):
        settle(user, row, "merge", content="Her password is hunter2xx!9")
    with pytest.raises(NotFound):
        resolve(actor=user, contradiction_id=uuid.uuid4(), resolution="keep_new")


def test_another_person_may_not_settle_it_and_an_operator_may(
    acme: House, globex: House, user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    row = dispute(user, subject_id, clock)
    for stranger in (acme.actor("other"), globex.actor("admin")):
        with pytest.raises(NotFound):
            settle(stranger, row, "keep_new")
    assert settle(acme.actor("operator"), row, "keep_old").state == "resolved"
    assert undo_resolution(actor=acme.actor("operator"), contradiction_id=row.id).state == "open"


def test_both_sides_come_with_their_evidence(user: Actor, subject_id: uuid.UUID, clock: FixedClock) -> None:
    dispute(user, subject_id, clock)
    say(user, subject_id, "我姐姐住在苏州。")
    [one] = open_contradictions(actor=user, subject_id=subject_id)
    assert ["Leeds" in proof.quote for proof in one.older.evidence.all()] == [True]
    assert ["Bristol" in proof.quote for proof in one.newer.evidence.all()] == [True]
