"""What a context reads in few trips: the same as each queryset by itself, sealed rows among it, and nothing for who may not ask."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

import pytest
from django.db.models import Model

from accounts.models import Subject
from memories.adapters.factory import override
from memories.models import Memory, Slot
from memories.ports import EmbeddingKind, Vectors
from memories.services.policies import forget_cached, policy_of, set_policy
from memoryhub.common.db import tenant_transaction
from sessions_app.core.errors import SessionNotFound
from sessions_app.models import ChatSession, Digest, Turn
from sessions_app.services.assemble_context import assemble_context
from sessions_app.services.context_rows import Known, read_known, readable_session
from tests.sessions_app.conftest import Chat
from tests.sessions_app.embedder import WordEmbedder
from tests.support.people import House

# As in production: without a transaction around the test, or all is read within it, one queryset at a time.
pytestmark = pytest.mark.django_db(transaction=True)

NUMBER = "13812345678"


@pytest.fixture
def seals(acme: House) -> None:
    """The tenant's policy stores phone numbers encrypted."""
    set_policy(actor=acme.actor("admin"), overrides={"pii.action.phone": "encrypt"}, note="")
    forget_cached()


def encrypted_of_kind(
    chat: Chat, kind: str, said: str = f"My boss Ann's phone number is {NUMBER}."
) -> Memory:
    """A current memory of that kind in the person's scope, stored encrypted."""
    with tenant_transaction(chat.actor.tenant_id):
        known = set(Memory.objects.values_list("pk", flat=True))
    chat.say(said)
    chat.work()
    with tenant_transaction(chat.actor.tenant_id):
        made = Memory.objects.filter(content_encrypted__isnull=False).exclude(pk__in=known).first()
        assert made is not None
        Memory.objects.filter(pk=made.pk).update(kind=kind, status="current", scope="user", source="user")
        return made


def test_a_sealed_turn_does_not_keep_a_context_from_being_made(chat: Chat, seals: None) -> None:
    turn = chat.say(f"My phone number is {NUMBER}, call me.")
    with tenant_transaction(chat.actor.tenant_id):
        assert NUMBER in str(Turn.objects.get(pk=turn.pk).sealed)
    made = assemble_context(actor=chat.actor, session_id=chat.id, question="What is my phone number?")
    assert turn.pk in made.turn_ids
    assert NUMBER not in str(made.messages)


def test_an_encrypted_rule_stands_masked_in_a_context(chat: Chat, seals: None) -> None:
    rule = encrypted_of_kind(chat, "constraint")
    chat.new_session()
    made = assemble_context(actor=chat.actor, session_id=chat.id, question="Where do I live?")
    assert str(rule.pk) in {used["id"] for used in made.used}
    assert NUMBER not in str(made.messages)


def test_rows_of_every_kind_are_those_that_are_read_one_by_one(chat: Chat, seals: None) -> None:
    with tenant_transaction(chat.actor.tenant_id):
        agent = Subject.objects.create(kind="agent", external_id="helper")
        ChatSession.objects.filter(pk=chat.id).update(agent=agent)
    for text in ("My name is Bo.", "I live in Lisbon.", "I moved to Porto.", "Always answer in French."):
        chat.post(text)
        chat.work()
    encrypted_of_kind(chat, "constraint")
    digested = encrypted_of_kind(chat, "digest", "My sister Eva's phone number is 13998765432.")
    with tenant_transaction(chat.actor.tenant_id):
        Digest.objects.create(
            session_id=chat.id,
            memory_id=digested.pk,
            first_seq=1,
            last_seq=1,
            method="rules",
            created_at=chat.clock.now(),
        )
        assert Slot.objects.exists()
    last = chat.say(f"My phone number is {NUMBER}, call me.")
    question = chat.say("Where do I live?")
    policy, _ = policy_of(chat.actor.tenant_id)

    def read() -> tuple[Known, Any]:
        session = readable_session(chat.actor, chat.id)
        known = read_known(chat.actor, session, question.pk, policy, chat.clock.now())
        return known, [[_plain(row) for row in rows] for rows in ([session], known.window, known.slots)]

    known, rows = read()
    with tenant_transaction(chat.actor.tenant_id):
        assert read() == (known, rows)
    assert known.window[-1].pk == last.pk and known.session.agent_id == agent.pk
    assert known.digests and len(known.constraints) >= 2 and known.slots and known.profile and known.replaced


def _plain(row: Model) -> dict[str, Any]:
    """What was loaded of a row, and of the rows that came with it."""
    beside = {name: _plain(other) for name, other in row._state.fields_cache.items() if other is not None}
    return {**{name: value for name, value in vars(row).items() if name != "_state"}, "beside": beside}


class Counting(WordEmbedder):
    """Keeps what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str], *, kind: EmbeddingKind) -> Vectors:
        self.asked += texts
        return super().embed(texts, kind=kind)


def test_who_may_not_ask_has_nothing_embedded(chat: Chat, globex: House) -> None:
    chat.post("I live in Lisbon.")
    stranger = globex.actor("user")
    counting = Counting()
    with override(embedder=counting):
        for actor, session_id in ((stranger, chat.id), (chat.actor, uuid.uuid4())):
            with pytest.raises(SessionNotFound):
                assemble_context(actor=actor, session_id=session_id, question="Where do I live?")
        with tenant_transaction(chat.actor.tenant_id):
            Subject.objects.filter(pk=chat.actor.subject_id).update(erased_at=chat.clock.now())
        with pytest.raises(SessionNotFound):
            assemble_context(actor=chat.actor, session_id=chat.id, question="Where do I live?")
    assert counting.asked == []
