"""What matters and was not confirmed for long is marked in a context and asked about once in a while (R24)."""

from __future__ import annotations

import pytest

from memories.models import Memory
from memories.services.feedback import give_feedback
from memories.services.remember import remember
from memoryhub.common.db import tenant_transaction
from sessions_app.services.assemble_context import assemble_context
from tests.sessions_app.conftest import Chat

pytestmark = pytest.mark.django_db
MARK, ASK = (
    {"en": "not confirmed for long", "zh": "很久没有确认过"},
    {"en": "still holds", "zh": "是否还是这样"},
)


def system_text(chat: Chat, question: str) -> str:
    turn = chat.say(question)
    context = assemble_context(
        actor=chat.actor, session_id=chat.id, question=question, question_turn_id=turn.pk
    )
    return context.messages[0]["content"]


@pytest.mark.parametrize(
    ("language", "fact", "question"),
    [
        ("en", "My blood type is AB negative.", "What is my blood type?"),
        ("zh", "我的血型是AB型阴性", "我的血型是什么?"),
    ],
)
def test_a_stale_memory_is_asked_about_once_and_not_any_more_when_it_is_confirmed(
    chat: Chat, language: str, fact: str, question: str
) -> None:
    assert chat.actor.subject_id is not None
    subject_id = chat.actor.subject_id
    [kept] = remember(
        actor=chat.actor, subject_id=subject_id, content=fact, kind="profile", importance=0.9, infer=False
    )
    chat.new_session()
    assert MARK[language] not in system_text(chat, question)
    chat.clock.advance(days=400)
    chat.new_session()
    first = system_text(chat, question)
    assert MARK[language] in first
    assert ASK[language] in first
    with tenant_transaction(chat.actor.tenant_id):
        assert Memory.objects.get(id=str(kept.memory_id)).asked_about_at is not None
    chat.new_session()
    second = system_text(chat, question)
    assert MARK[language] in second, "it is still doubtful"
    assert ASK[language] not in second, "but nobody is asked twice in a row"
    give_feedback(actor=chat.actor, subject_id=subject_id, verdict="right", memory_id=kept.memory_id)
    chat.new_session()
    assert MARK[language] not in system_text(chat, question)
