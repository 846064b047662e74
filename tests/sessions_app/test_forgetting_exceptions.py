"""Requests that leave something out, or say what takes its place, on the real pipeline: asked first, and kept to."""

from __future__ import annotations

import pytest

from memories.models import ForgetRequest, Memory
from memories.ports import FixedClock
from memories.services.forget_requests import list_requests
from memoryhub.common.db import tenant_transaction
from sessions_app.models import Turn
from tests.sessions_app.conftest import Chat, chat_of
from tests.sessions_app.test_forgetting import recalled
from tests.sessions_app.test_forgetting_wide import fill
from tests.support.people import House, make_house

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def house(transactional_db: None) -> House:
    return make_house("acme")


@pytest.fixture
def chat(house: House, clock: FixedClock) -> Chat:
    return chat_of(house, clock)


def current(chat: Chat) -> set[str]:
    with tenant_transaction(chat.actor.tenant_id):
        return set(Memory.objects.filter(status="current").values_list("content", flat=True))


def said(chat: Chat) -> str:
    with tenant_transaction(chat.actor.tenant_id):
        return "\n".join(Turn.objects.filter(role="user").order_by("seq").values_list("content", flat=True))


@pytest.mark.parametrize(
    ("told", "request_", "yes", "stays", "goes"),
    [
        (
            "My name is Ines. I live in Namur. My phone is 5551234.",
            "Forget everything about me except my name.",
            "yes",
            "Ines",
            ("Namur", "5551234"),
        ),
        (
            "我叫罗小满。我住在无锡。我的电话是13700000000。",
            "忘掉我的一切，但是名字留着。",
            "是的",
            "罗小满",
            ("无锡", "13700000000"),
        ),
    ],
)
def test_what_is_left_out_stays_in_memories_and_texts(
    chat: Chat, told: str, request_: str, yes: str, stays: str, goes: tuple[str, ...]
) -> None:
    chat.say(told)
    chat.work()
    chat.say(request_)
    chat.work()
    assert all(one in said(chat) for one in goes), "nothing goes before the yes"
    [waiting] = list_requests(actor=chat.actor, subject_id=chat.actor.subject_id, waiting=True)  # type: ignore[arg-type]
    assert "except" in waiting.label or "除外" in waiting.label
    chat.say(yes)
    chat.work()
    assert any(stays in one for one in current(chat)) and stays in said(chat)
    for one in goes:
        assert not any(one in content for content in current(chat))
        assert one not in said(chat) and one not in recalled(chat, told)


def test_much_goes_but_what_is_left_out(chat: Chat) -> None:
    fill(chat, 60)
    chat.say("My name is Ines and my phone is 5551234.")
    chat.say("My name is Ines.")
    chat.work()
    chat.say("Forget everything about me except my name.")
    chat.work()
    chat.say("yes")
    assert "Ines" in recalled(chat, "What is my name?")
    chat.work()
    assert any("Ines" in one for one in current(chat)) and "My name is Ines" in said(chat)
    assert "Tom" not in said(chat) and not any("Tom" in one for one in current(chat))
    assert "Ines" in recalled(chat, "What is my name?")


@pytest.mark.parametrize(
    "request_", ["Forget everything except my shoe size.", "除了我的鞋码，其他都忘了吧。"]
)
def test_nothing_goes_where_what_is_left_out_is_not_known(chat: Chat, request_: str) -> None:
    chat.say("My name is Ines. I live in Namur.")
    chat.work()
    before = current(chat), said(chat)
    turn = chat.say(request_)
    chat.work()
    assert current(chat) == before[0] and said(chat).startswith(before[1])
    with tenant_transaction(chat.actor.tenant_id):
        rules = [one["rule"] for one in Turn.objects.get(pk=turn.pk).outcomes]
        assert not ForgetRequest.objects.exists()
    assert "forget.exception" in rules


@pytest.mark.parametrize(
    ("told", "request_", "old", "new"),
    [
        (
            "My phone number is 5551234.",
            "Forget my old phone number, the new one is 5559876.",
            "5551234",
            "5559876",
        ),
        ("我妈的电话是13912345678。", "我妈的电话删了吧，换成13700000000了。", "13912345678", "13700000000"),
    ],
)
def test_what_takes_its_place_is_learnt_in_the_same_turn(
    chat: Chat, told: str, request_: str, old: str, new: str
) -> None:
    chat.say(told)
    chat.work()
    chat.say(request_)
    chat.work()
    assert any(new in one for one in current(chat)) and not any(old in one for one in current(chat))
    assert old not in said(chat) and new in said(chat)
