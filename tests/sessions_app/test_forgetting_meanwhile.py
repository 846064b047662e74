"""Forgetting while something else is at work: an answer that streams, and later statements under another name of somebody."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actor import system_actor
from memories.adapters.factory import override
from memories.holders import find_everywhere
from memories.models import Episode, ForgetRequest, ForgetRule, Memory
from memories.ports import FixedClock
from memories.services.forget_by_words import forget_by_words
from memories.services.purge import purge
from memories.services.standing_rules import list_rules, remove_rule
from memoryhub.common.db import tenant_transaction
from sessions_app import generation
from sessions_app.generation import generate
from sessions_app.models import Turn
from sessions_app.services.flush_answer import flush_answer
from sessions_app.services.get_turns import get_turn
from sessions_app.services.learn_turn import learn_turn
from tests.sessions_app.conftest import Chat, chat_of, nobody
from tests.sessions_app.models import ScriptedModel
from tests.support.people import House, make_house
from tests.support.threads import all_at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def house(transactional_db: None) -> House:
    return make_house("acme")


@pytest.fixture
def chat(house: House, clock: FixedClock) -> Chat:
    return chat_of(house, clock)


@pytest.fixture(autouse=True)
def _quick_flushes() -> Iterator[None]:
    with patch.object(generation, "FLUSH_SECONDS", 0.02):
        yield


def forget(chat: Chat, text: str) -> None:
    assert chat.actor.subject_id is not None
    chat.clock.advance(seconds=5)
    forget_by_words(actor=chat.actor, subject_id=chat.actor.subject_id, text=text)


def answered(chat: Chat, question: str, *pieces: Any) -> Turn:
    posted = chat.post(question)
    with override(chat_model=ScriptedModel(*pieces)):
        asyncio.run(generate(posted, actor=chat.actor, publish=nobody))
    return get_turn(actor=chat.actor, turn_id=posted.answer_turn.pk)


@pytest.mark.parametrize(
    ("said", "question", "request_", "first", "rest", "gone", "kept"),
    [
        ("My phone number is 555-1234", "Tell me what you know", "forget my phone number",
         "Your phone number is 555-1234. ", "The weather is mild today.", "555-1234", "weather"),
        ("我的电话是13800138000", "你知道我什么", "忘掉我的电话号码",
         "你的电话是13800138000。", "今天天气不错。", "13800138000", "天气"),
        ("My boss Ann lives in Ghent", "Tell me what you know", "forget my boss",
         "Your boss Ann lives in Ghent. ", "Rain is likely.", "Ghent", "Rain"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("early", [True, False])
def test_an_answer_that_streams_does_not_keep_what_is_forgotten_meanwhile(
    chat: Chat,
    said: str,
    question: str,
    request_: str,
    first: str,
    rest: str,
    gone: str,
    kept: str,
    early: bool,
) -> None:
    """Whether the words were flushed before the request, or come after it."""
    chat.ask(said)
    chat.work()
    posted = chat.post(question)
    owner = posted.answer_turn.lease_owner
    if early:
        assert flush_answer(actor=chat.actor, turn_id=posted.answer_turn.pk, owner=owner, text=first)
    forget(chat, request_)
    assert flush_answer(actor=chat.actor, turn_id=posted.answer_turn.pk, owner=owner, text=first)
    assert gone not in get_turn(actor=chat.actor, turn_id=posted.answer_turn.pk).content
    with override(chat_model=ScriptedModel(first, rest)):
        asyncio.run(generate(posted, actor=chat.actor, publish=nobody))
    content = get_turn(actor=chat.actor, turn_id=posted.answer_turn.pk).content
    assert gone not in content and kept in content
    chat.work()
    with tenant_transaction(chat.actor.tenant_id):
        assert not Episode.objects.filter(status="current", text__contains=gone).exists()


def test_the_answer_to_what_is_said_again_keeps_it(chat: Chat) -> None:
    chat.ask("I live in Lisbon")
    forget(chat, "forget where I live")
    chat.clock.advance(seconds=-50)
    answer = answered(chat, "I live in Lisbon", "You live in Lisbon, noted.")
    assert answer.content == "You live in Lisbon, noted."


def test_the_answer_to_a_request_for_everything_is_kept(chat: Chat) -> None:
    chat.ask("I live in Lisbon")
    chat.ask("forget everything about me")
    answer = answered(chat, "yes", "All of it is forgotten.")
    assert answer.content == "All of it is forgotten."
    with tenant_transaction(chat.actor.tenant_id):
        assert ForgetRequest.objects.get().state == "done"


@pytest.mark.parametrize(
    ("first", "request_", "later", "other"),
    [
        ("My boss is Ann", "never remember anything about my boss", "Ann plays chess.", "Tom plays chess."),
        ("我上司叫李雷", "以后不要记我上司的任何事", "李雷喜欢下棋。", "王芳喜欢下棋。"),
    ],
)
@pytest.mark.parametrize("purged", [False, True])
def test_a_lasting_rule_binds_the_bare_name_too(
    chat: Chat, house: House, first: str, request_: str, later: str, other: str, purged: bool
) -> None:
    chat.ask(first)
    chat.ask(request_)
    chat.work()
    if purged:
        chat.clock.advance(days=40)
        purge(actor=system_actor(house.id))
        chat.new_session()
    assert [one.rule for one in chat.post(later).outcomes] == ["forget.standing"]
    assert [one.code for one in chat.post(other).outcomes] == ["stored"]
    chat.work()
    with tenant_transaction(chat.actor.tenant_id):
        assert (
            not Memory.objects.filter(content__contains=later.strip("。."))
            .exclude(status="forgotten")
            .exists()
        )
        assert not Episode.objects.filter(status="current", text__contains=later.strip("。.")).exists()
        rule = ForgetRule.objects.get(kind="standing")
        assert "Ann" not in str(rule.target) and "李雷" not in str(rule.target), "names stay as prints"
    [listed] = list_rules(actor=chat.actor, subject_id=chat.actor.subject_id)  # type: ignore[arg-type]
    remove_rule(actor=chat.actor, rule_id=listed.id)
    assert [one.code for one in chat.post(later).outcomes] == ["stored"]


def test_a_name_that_is_given_after_the_rule_is_bound_as_well(chat: Chat) -> None:
    chat.ask("My boss likes tea")
    chat.ask("never remember anything about my boss")
    assert [one.rule for one in chat.post("My boss is Ann").outcomes] == ["forget.standing"]
    assert [one.rule for one in chat.post("Ann plays chess.").outcomes] == ["forget.standing"]
    with tenant_transaction(chat.actor.tenant_id):
        found = find_everywhere(chat.actor.subject_id, ["Ann"])  # type: ignore[arg-type]
        assert {one.holder for one in found} <= {"turns", "sessions", "traces"}


def test_the_page_says_what_an_undo_left_out(chat: Chat, house: House) -> None:
    chat.ask("I live in Lisbon")
    chat.ask("forget where I live")
    chat.clock.advance(minutes=1)
    chat.ask("I live in Porto")
    with tenant_transaction(chat.actor.tenant_id):
        request = ForgetRequest.objects.get()
    client: Client = house.client()
    page = client.post(reverse("undo_forgetting", args=[request.id]), follow=True).content.decode()
    assert "1 memory stays forgotten" in page and "It is remembered again" not in page
    page = client.post(
        reverse("undo_forgetting", args=[request.id]), follow=True, headers={"accept-language": "zh-hans"}
    ).content.decode()
    assert "1 条记忆仍然是忘记的" in page


def test_a_request_of_long_before_the_answer_takes_nothing_from_it(chat: Chat) -> None:
    chat.ask("I live in Lisbon")
    forget(chat, "forget where I live")
    chat.clock.advance(seconds=timedelta(minutes=10).total_seconds())
    assert answered(chat, "Where is that?", "You live in Lisbon.").content == "You live in Lisbon."


def test_a_request_that_two_read_at_once_is_carried_out_once(chat: Chat) -> None:
    chat.post("My locker code is 7315.")
    turn = chat.say("Forget my locker code.")
    outcomes = all_at_once([lambda: learn_turn(actor=chat.actor, turn_id=turn.pk)] * 4)
    assert [one for one in outcomes if isinstance(one, Exception)] == []
    with tenant_transaction(chat.actor.tenant_id):
        assert ForgetRequest.objects.filter(turn_id=turn.pk).count() == 1
        assert not Memory.objects.filter(status="current", content__contains="7315").exists()
