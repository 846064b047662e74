"""What became of work that goes on after an answer, and who may ask."""

from __future__ import annotations

import uuid
from dataclasses import replace

import pytest

from accounts.actor import Actor, system_actor
from accounts.authentication import actor_of_key
from memories.models import Job
from memories.services.erase_subject import erase_subject
from memories.services.forget_by_words import forget_by_words
from memories.services.jobs import enqueue, run_due
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import NotFound
from sessions_app.services.event_status import event_status
from sessions_app.services.open_session import open_session
from sessions_app.services.record_turn import record_turn
from tests.support.people import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def caller(acme: House) -> Actor:
    return replace(actor_of_key(acme.key("read", "write", "admin")), door="mcp")


def say(acme: House, caller: Actor, text: str) -> uuid.UUID:
    session = open_session(actor=caller, subject_id=acme.subjects["user"])
    turn: uuid.UUID = record_turn(actor=caller, session_id=session.pk, role="user", content=text).turn.pk
    return turn


def test_a_message_is_pending_until_it_was_learnt_from(acme: House, caller: Actor) -> None:
    turn = say(acme, caller, "我对花生过敏。")
    assert event_status(actor=caller, event_id=turn).state == "pending"
    run_due(acme.id)
    done = event_status(actor=caller, event_id=turn)
    assert (done.kind, done.state, done.results[0]["code"]) == ("message", "done", "stored")
    assert done.finished_at is not None


def test_a_message_whose_job_failed_says_so(acme: House, caller: Actor) -> None:
    turn = say(acme, caller, "I live in Lyon.")
    with tenant_transaction(acme.id):
        Job.objects.filter(key=str(turn)).update(state="failed", error_code="unavailable")
    failed = event_status(actor=caller, event_id=turn)
    assert (failed.state, failed.error_code) == ("failed", "unavailable")


def test_a_request_to_forget_and_an_erasure_are_events(acme: House, caller: Actor) -> None:
    say(acme, caller, "I live in Lyon.")
    run_due(acme.id)
    [outcome] = forget_by_words(actor=caller, subject_id=acme.subjects["user"], text="forget where I live")
    request = uuid.UUID(outcome.reasons[0].removeprefix("request "))
    found = event_status(actor=caller, event_id=request)
    assert (found.kind, found.state, found.results[0]["memories"]) == ("forget_request", "done", 1)
    erasure = erase_subject(actor=caller, subject_id=acme.subjects["user"])
    assert event_status(actor=caller, event_id=erasure.pk).kind == "erasure"
    with pytest.raises(NotFound):
        event_status(actor=caller, event_id=request)


def test_other_work_is_an_operation(acme: House, caller: Actor) -> None:
    with tenant_transaction(acme.id):
        job = enqueue(kind="promote_topic", key="k", subject_id=acme.subjects["user"])
    found = event_status(actor=caller, event_id=job)
    assert (found.kind, found.state) == ("operation", "pending")


def test_events_of_others_are_not_there(acme: House, globex: House, caller: Actor) -> None:
    turn = say(acme, caller, "I live in Lyon.")
    with tenant_transaction(acme.id):
        job = enqueue(kind="promote_topic", key="k", subject_id=acme.subjects["user"])
    bound = actor_of_key(acme.key("read", "write", subject="other"))
    foreign = actor_of_key(globex.key("read", "write", "admin"))
    for actor in (bound, foreign, system_actor(globex.id)):
        for event in (turn, job, uuid.uuid4()):
            with pytest.raises(NotFound, match="no such event"):
                event_status(actor=actor, event_id=event)
