"""Conversations are posted as people's are: turns in sessions, learnt by jobs, at their own time; asking leaves no trace."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from memories.evaluation.datasets import Conversation, Question, SaidTurn
from memories.evaluation.suites import SuiteOptions
from memories.models import Job, Memory, RecallTrace
from memoryhub.common.db import tenant_transaction
from sessions_app.core.limits import MAX_MESSAGE_CHARS
from sessions_app.evaluation.posting import ask, flagged_turns, post_conversation
from sessions_app.models import ChatSession, Turn

pytestmark = pytest.mark.django_db
BEGIN = datetime(2024, 5, 6, 9, tzinfo=UTC)


def conversation(*said: tuple[str, str]) -> Conversation:
    turns = [
        SaidTurn(f"t{at}", session, BEGIN + timedelta(minutes=at), "user", text)
        for at, (session, text) in enumerate(said)
    ]
    return Conversation("c", tuple(turns))


MOVED = conversation(
    ("one", "我住在杭州。"),
    ("one", "今天有点困"),
    ("two", "我搬到上海了,现在住在上海。"),
    ("two", "我喜欢喝乌龙茶。"),
)


def test_turns_are_stored_in_their_sessions_at_their_times_and_learnt() -> None:
    posted = post_conversation(SuiteOptions(), "own", MOVED)
    with tenant_transaction(posted.actor.tenant_id):
        turns = list(Turn.objects.order_by("said_at"))
        states = list(ChatSession.objects.order_by("started_at").values_list("state", flat=True))
        open_jobs = Job.objects.exclude(state=Job.State.DONE).count()
    assert [posted.ids[turn.pk] for turn in turns] == ["t0", "t1", "t2", "t3"]
    assert [turn.said_at for turn in turns] == [turn.time for turn in MOVED.turns]
    assert all(turn.learned_at is not None for turn in turns)
    assert states == ["ended", "open"]
    assert (open_jobs, posted.failed, posted.turns) == (0, 0, 4)


def test_the_turn_that_replaces_a_statement_is_flagged_and_no_other() -> None:
    posted = post_conversation(SuiteOptions(), "own", MOVED)
    assert flagged_turns(posted) == {"t2"}


def test_asking_ranks_source_turns_and_changes_nothing() -> None:
    posted = post_conversation(SuiteOptions(), "own", MOVED)
    with tenant_transaction(posted.actor.tenant_id):
        before = sorted(Memory.objects.values_list("id", "hits", "strength"))
    answer = ask(posted, Question("q", "我喜欢喝什么?", "", ()))
    assert answer.ranking[0] == "t3"
    assert len(answer.ranking) == len(set(answer.ranking))
    with tenant_transaction(posted.actor.tenant_id):
        assert sorted(Memory.objects.values_list("id", "hits", "strength")) == before
        assert not RecallTrace.objects.exists()


def test_suites_of_one_run_share_what_was_posted_but_not_what_was_left_out() -> None:
    options = SuiteOptions()
    first = post_conversation(options, "own", MOVED)
    assert post_conversation(options, "own", MOVED) is first
    without = post_conversation(options, "own", MOVED, {"t2"})
    assert without.actor.tenant_id != first.actor.tenant_id
    assert sorted(without.ids.values()) == ["t0", "t1", "t3"]
    assert post_conversation(SuiteOptions(), "own", MOVED) is not first


def test_a_turn_longer_than_a_message_may_be_is_cut_and_counted() -> None:
    posted = post_conversation(SuiteOptions(), "own", conversation(("one", "word " * 8000), ("one", "hello")))
    assert posted.cut == 1
    with tenant_transaction(posted.actor.tenant_id):
        assert max(len(turn.content) for turn in Turn.objects.all()) <= MAX_MESSAGE_CHARS
