"""A person's short answer in a chat is learnt with the question that was asked just before it."""

from __future__ import annotations

from memories.models import Fact
from memoryhub.common.db import tenant_transaction
from sessions_app.services.learn_turn import learn_turn
from sessions_app.services.record_turn import record_turn
from tests.sessions_app.conftest import Chat


def say(chat: Chat, text: str, *, role: str = "user", speaker: str = "") -> None:
    turn = record_turn(actor=chat.actor, session_id=chat.session.pk, role=role, content=text, speaker=speaker)
    learn_turn(actor=chat.actor, turn_id=turn.turn.pk)


def facts(chat: Chat) -> set[tuple[str, str, str, bool]]:
    with tenant_transaction(chat.actor.tenant_id):
        mine = Fact.objects.filter(subject_id=chat.session.subject_id)
        return set(mine.values_list("entity", "attribute", "value", "negated"))


def test_the_other_ones_question_is_read_with_the_answer(chat: Chat) -> None:
    say(chat, "你喜欢爬山吗？", speaker="阿梅")
    say(chat, "喜欢")
    say(chat, "Where do you live?", role="assistant")
    say(chat, "Lisbon")
    assert {("user", "likes", "爬山", False), ("user", "home", "Lisbon", False)} <= facts(chat)


def test_a_question_of_ones_own_and_one_further_back_are_not(chat: Chat) -> None:
    say(chat, "你喜欢爬山吗？")
    say(chat, "喜欢")
    say(chat, "你住哪？", speaker="阿梅")
    say(chat, "等一下。", speaker="阿梅")
    say(chat, "上海")
    assert facts(chat) == set()
