"""Rounds that another program's model answered: stored once, screened, and without what was forgotten meanwhile."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest

from memories.services.forget_by_words import forget_by_words
from memoryhub.common.errors import NotFound
from memoryhub.common.ids import uuid7
from sessions_app.core.limits import MAX_MESSAGE_CHARS
from sessions_app.services.end_session import end_session
from sessions_app.services.find_conversation import find_conversation
from sessions_app.services.record_round import RecordedRound, Round, record_round
from tests.sessions_app.conftest import Chat, chat_of
from tests.support.people import House

pytestmark = pytest.mark.django_db(transaction=True)


def _round(chat: Chat, question: str, answer: str = "Fine.", **fields: Any) -> Round:
    now = chat.clock.now()
    values: dict[str, Any] = {
        "mark": f"m:{question[:20]}",
        "answer_mark": f"a:{question[:20]}",
        "said_at": now,
    }
    return Round(question=question, answer=answer, answered_at=now, **{**values, **fields})


def _record(chat: Chat, said: Round, session_id: uuid.UUID | None = None, name: str = "") -> RecordedRound:
    assert chat.actor.subject_id is not None
    return record_round(
        actor=chat.actor,
        subject_id=chat.actor.subject_id,
        session_id=session_id or chat.id,
        said=said,
        name=name,
        marks=[said.mark],
    )


def test_a_round_is_stored_once_whatever_session_it_was_meant_for(chat: Chat) -> None:
    said = _round(chat, "Name a colour.", "Blue.")
    meant = uuid7()
    first = _record(chat, said, meant)
    assert first.session_id == meant and first.created
    # Another process had an id of its own for the same conversation.
    second = _record(chat, said, uuid7())
    assert second.session_id == meant and not second.created
    assert first.answer is not None and second.answer is not None
    assert second.answer.pk == first.answer.pk
    assert (second.answer.reply_to_id, second.answer.state) == (first.question.pk, "complete")


def test_an_answer_does_not_bring_back_what_was_forgotten_while_it_was_written(chat: Chat) -> None:
    begun = chat.clock.now()
    chat.say("My phone number is 555-1234")
    chat.work()
    assert chat.actor.subject_id is not None
    chat.clock.advance(seconds=5)
    forget_by_words(actor=chat.actor, subject_id=chat.actor.subject_id, text="forget my phone number")
    made = _record(
        chat,
        _round(
            chat,
            "What do you know?",
            "Your phone number is 555-1234. The trip to Kyoto begins in May.",
            begun_at=begun,
        ),
    )
    assert made.answer is not None
    assert "555-1234" not in made.answer.content and "Kyoto begins in May" in made.answer.content


def test_a_resend_after_its_words_were_taken_out_is_the_same_message_still(chat: Chat) -> None:
    said = _round(chat, "My phone number is 555-1234, and I like tea.", "")
    first = _record(chat, said)
    chat.work()
    chat.clock.advance(seconds=5)
    assert chat.actor.subject_id is not None
    forget_by_words(actor=chat.actor, subject_id=chat.actor.subject_id, text="forget my phone number")
    again = _record(chat, said)
    assert again.question.pk == first.question.pk and not again.created
    assert "555-1234" not in again.question.content


def test_secrets_are_screened_on_both_sides_and_long_texts_lose_their_middle(chat: Chat) -> None:
    key = "sk-proj-Zx81kPq0LmN4vB7tYcD2wE5rUa9sHj3g"
    long = "start " + "words " * 20_000 + " end"
    made = _record(chat, _round(chat, long, f"Your key is {key}."))
    assert len(made.question.content) <= MAX_MESSAGE_CHARS
    assert made.question.content.startswith("start") and made.question.content.endswith("end")
    assert made.answer is not None and key not in made.answer.content


def test_what_has_ended_is_followed_by_a_new_session_of_the_same_name(chat: Chat) -> None:
    first = _record(chat, _round(chat, "Hello.", mark="m1"), uuid7(), name="trip")
    end_session(actor=chat.actor, session_id=first.session_id, reason="closed")
    second = _record(chat, _round(chat, "Hello again.", mark="m2"), first.session_id, name="trip")
    assert second.session_id != first.session_id
    assert chat.actor.subject_id is not None
    search = {"actor": chat.actor, "subject_id": chat.actor.subject_id, "name": "trip"}
    found = find_conversation(**search, now=chat.clock.now())
    assert found is not None and found.pk == second.session_id
    assert find_conversation(**search, now=chat.clock.now() + timedelta(minutes=31)) is None


def test_nobody_records_for_or_finds_another_persons(chat: Chat, acme: House) -> None:
    other = chat_of(acme, chat.clock, "other")
    made = _record(other, _round(chat, "Mine."), other.id, name="trip")
    assert chat.actor.subject_id is not None and other.actor.subject_id is not None
    with pytest.raises(NotFound):
        record_round(
            actor=chat.actor,
            subject_id=other.actor.subject_id,
            session_id=made.session_id,
            said=_round(chat, "Theirs."),
        )
    for name in ("trip", str(made.session_id)):
        found = find_conversation(
            actor=chat.actor, subject_id=chat.actor.subject_id, name=name, now=chat.clock.now()
        )
        assert found is None
    # Their session's id is none that one's own round could stand in.
    assert _record(chat, _round(chat, "Mine, too."), made.session_id).session_id != made.session_id
