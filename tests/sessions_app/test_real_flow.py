"""The whole way, turn by turn through the real services: said once, asked days later in another session."""

from __future__ import annotations

import pytest

from memories.ports import FixedClock
from sessions_app.services.end_session import end_session
from sessions_app.services.turn_data import turn_data
from tests.sessions_app.conftest import Chat, chat_of
from tests.support.people import House, make_house

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("real_embedder")]


@pytest.fixture
def house(transactional_db: None) -> House:
    return make_house("acme")


@pytest.fixture
def chat(house: House, clock: FixedClock) -> Chat:
    return chat_of(house, clock)


@pytest.mark.parametrize(
    ("told", "small_talk", "asked", "value"),
    [
        (
            "记一下,这个项目的合同编号是 KX-7731",
            ["今天天气真好", "午饭吃什么好呢?"],
            "合同编号是多少",
            "KX-7731",
        ),
        (
            "Please note, the contract number of this project is KX-7731.",
            ["Lovely weather today.", "What could I have for lunch?"],
            "What is the contract number?",
            "KX-7731",
        ),
        ("我对花生过敏,请记住", ["在吗", "周末去哪玩好?"], "我对什么过敏?", "花生"),
        (
            "My sister Wen lives in Lisbon.",
            ["How do I cook rice?", "Thanks!"],
            "Where does my sister live?",
            "Lisbon",
        ),
    ],
)
def test_days_later_another_session_knows_it_and_cites_it(
    chat: Chat, clock: FixedClock, told: str, small_talk: list[str], asked: str, value: str
) -> None:
    posted = chat.post(told)
    assert [outcome.code for outcome in posted.outcomes] == ["stored"]
    for text in small_talk:
        chat.ask(text)
    chat.work()
    end_session(actor=chat.actor, session_id=chat.id)
    chat.work()

    clock.advance(days=3)
    chat.new_session()
    answer = chat.ask(asked)
    assert answer.state == "complete"
    assert value in answer.content
    row = turn_data(actor=chat.actor, turns=[answer])[0]
    cited = [item for item in row["used"] if item["cited"]]
    assert any(item["item_kind"] == "memory" and value in item["text"] for item in cited)


def test_an_answer_confirms_what_was_kept(chat: Chat) -> None:
    assert "KX-7731" in chat.ask("记一下,这个项目的合同编号是 KX-7731").content
    assert "Lisbon" in chat.ask("Please remember that my sister Wen lives in Lisbon.").content


def test_a_correction_is_what_later_sessions_know(chat: Chat, clock: FixedClock) -> None:
    chat.ask("我住在杭州")
    chat.work()
    clock.advance(days=5)
    chat.new_session()
    chat.ask("我搬到上海了")
    chat.work()
    clock.advance(days=5)
    chat.new_session()
    answer = chat.ask("我现在住在哪里?")
    assert "上海" in answer.content


def test_what_nobody_said_is_not_answered(chat: Chat, clock: FixedClock) -> None:
    chat.ask("My sister Wen lives in Lisbon.")
    chat.work()
    clock.advance(days=1)
    chat.new_session()
    answer = chat.ask("What is the boiling point of the coolant in reactor nine?")
    assert "Lisbon" not in answer.content


def test_a_colleague_and_another_tenant_know_nothing_of_it(
    chat: Chat, house: House, clock: FixedClock
) -> None:
    chat.ask("记一下,这个项目的合同编号是 KX-7731")
    chat.work()
    for other in (chat_of(house, clock, "other"), chat_of(make_house("globex"), clock)):
        posted = other.post("合同编号是多少")
        assert posted.context is not None
        assert "KX-7731" not in str(posted.context.messages)


def test_a_long_chat_is_compacted_by_itself_and_still_knows_its_beginning(
    chat: Chat, clock: FixedClock
) -> None:
    chat.ask("The contract number of this project is KX-7731.")
    for number in range(14):
        chat.ask(f"Let us talk about holiday plan {number}: a trip to the hills with tents and soup.")
        chat.work()
    assert chat.reloaded().window_from > 1
    posted = chat.post("What is the contract number of this project?")
    assert posted.context is not None
    assert posted.context.used_tokens <= posted.context.budget_tokens
    assert "KX-7731" in str(posted.context.messages[:-1])
