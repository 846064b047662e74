"""The session tables as content holders: forget, redact and erase reach messages and titles."""

from __future__ import annotations

from memories.holders import find_everywhere, holder, holders
from memoryhub.common.db import tenant_transaction
from sessions_app.models import ChatSession, Digest, Turn
from tests.sessions_app.conftest import Chat, chat_of
from tests.support.people import House


def test_messages_and_titles_are_registered() -> None:
    assert {"turns", "sessions"} <= {one.name for one in holders()}


def test_words_are_found_and_masked_in_one_persons_rows_only(chat: Chat, acme: House) -> None:
    turn = chat.say("My number is 555-0199, call me.")
    tool = chat.say("Result: " + "filler. " * 60 + "phone 555-0199", role="tool")
    other = chat_of(acme, chat.clock, "other")
    other.say("555-0199 is mine, too.")
    assert chat.actor.subject_id is not None
    with tenant_transaction(acme.id):
        found = {
            (one.holder, one.row_id, one.column)
            for one in find_everywhere(chat.actor.subject_id, ["555-0199"])
        }
        assert ("turns", str(turn.pk), "content") in found
        assert ("turns", str(tool.pk), "full_content") in found
        assert ("sessions", str(chat.id), "title") in found
        assert holder("turns").mask(chat.actor.subject_id, ["555-0199"], "[removed]") == 2
        assert holder("sessions").mask(chat.actor.subject_id, ["555-0199"], "[removed]") == 1
        names = {"turns", "sessions"}
        assert not [
            one for one in find_everywhere(chat.actor.subject_id, ["555-0199"]) if one.holder in names
        ]
        assert Turn.objects.filter(content__contains="555-0199").count() == 1
        assert Turn.objects.get(pk=turn.pk).content == "My number is [removed], call me."


def test_masking_knows_no_letter_case_and_no_patterns(chat: Chat) -> None:
    turn = chat.say("Ask KX-7731 (a.b) or kx-7731.")
    assert chat.actor.subject_id is not None
    with tenant_transaction(chat.actor.tenant_id):
        holder("turns").mask(chat.actor.subject_id, ["KX-7731", "(a.b)"], r"\1")
        assert Turn.objects.get(pk=turn.pk).content == r"Ask \1 \1 or \1."


def test_a_number_inside_another_number_stays(chat: Chat) -> None:
    turn = chat.say("Room 148003 costs 4800, not 48000. 房号4800号")
    assert chat.actor.subject_id is not None
    with tenant_transaction(chat.actor.tenant_id):
        assert {one.holder for one in find_everywhere(chat.actor.subject_id, ["4800"])} >= {
            "turns",
            "sessions",
        }
        assert holder("turns").find(chat.actor.subject_id, ["14800"]) == []
        assert holder("turns").mask(chat.actor.subject_id, ["4800"], "[removed]") == 1
        holder("sessions").mask(chat.actor.subject_id, ["4800"], "[removed]")
        assert (
            Turn.objects.get(pk=turn.pk).content == "Room 148003 costs [removed], not 48000. 房号[removed]号"
        )
        assert "148003" in ChatSession.objects.get(pk=chat.id).title


def test_erasing_leaves_no_row_of_the_person(chat: Chat, acme: House) -> None:
    for number in range(9):
        chat.say(f"Sentence number {number} about the garden.")
        chat.say("Noted.", role="assistant")
    chat.work()
    other = chat_of(acme, chat.clock, "other")
    other.say("Mine stays.")
    assert chat.actor.subject_id is not None
    with tenant_transaction(acme.id):
        assert Digest.objects.exists()
        assert holder("turns").erase(chat.actor.subject_id) == 18
        holder("sessions").erase(chat.actor.subject_id)
        assert (
            holder("turns").count(chat.actor.subject_id)
            == holder("sessions").count(chat.actor.subject_id)
            == 0
        )
        assert not Digest.objects.exists()
        assert (ChatSession.objects.count(), Turn.objects.count()) == (1, 1)
