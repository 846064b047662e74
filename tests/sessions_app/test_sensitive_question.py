"""Whether something sensitive was given is answered with yes and never with the value, on the whole pipeline, without a model."""

from __future__ import annotations

import pytest

from memories.adapters.chat_offline import OfflineResponder
from memories.adapters.factory import override
from tests.sessions_app.conftest import Chat

pytestmark = pytest.mark.django_db(transaction=True)
CARD = "4539 1488 0343 6467"


def answer(chat: Chat, question: str) -> str:
    with override(chat_model=OfflineResponder(pause=0)):
        return str(chat.ask(question).content)


@pytest.mark.parametrize("kept", ["same session", "another session"])
@pytest.mark.parametrize(
    ("told", "question", "yes"),
    [
        (
            f"My card number is {CARD}, for the ferry tickets.",
            "Did I give you my card number?",
            "Yes, you did",
        ),
        (f"我的银行卡号是{CARD}，买船票用的。", "我给过你银行卡号吗?", "给过"),
        (f"船票用这张卡付：{CARD}", "我有没有告诉过你卡号", "给过"),
        (
            "My password for the shop is Tr0ub4dor&3x, please note it.",
            "Have I told you my password?",
            "Yes, you did",
        ),
        ("商店的密码是Tr0ub4dor&3x，记一下。", "我告诉过你密码吗", "给过"),
    ],
)
@pytest.mark.usefixtures("real_embedder")
def test_yes_without_the_value(chat: Chat, kept: str, told: str, question: str, yes: str) -> None:
    chat.say(told)
    for line in ("The weather is fine today.", "今天天气不错，我们去公园走了走。"):
        chat.say(line)
    chat.work()
    if kept == "another session":
        chat.new_session()
    said = answer(chat, question)
    assert yes in said
    assert CARD not in said and CARD.replace(" ", "")[:12] not in said
    assert "Tr0ub4dor" not in said


@pytest.mark.parametrize(
    ("question", "no"),
    [
        ("Did I give you my passport number?", "nothing stored about that"),
        ("我给过你护照号吗?", "没有存过"),
    ],
)
@pytest.mark.usefixtures("real_embedder")
def test_no_where_nothing_of_the_sort_was_given(chat: Chat, question: str, no: str) -> None:
    chat.say(f"My card number is {CARD}, for the ferry tickets.")
    chat.say("I travel to Bergen in May.")
    chat.work()
    chat.new_session()
    assert no in answer(chat, question)


@pytest.mark.parametrize(
    ("question", "number"),
    [("Do you have my phone number?", "0391-4471820"), ("你有我的电话吗?", "0391-4471820")],
)
@pytest.mark.usefixtures("real_embedder")
def test_what_is_kept_in_the_clear_is_quoted(chat: Chat, question: str, number: str) -> None:
    chat.say(f"My phone number is {number}.")
    chat.say(f"我的电话是{number}。")
    chat.work()
    chat.new_session()
    assert number in answer(chat, question)
