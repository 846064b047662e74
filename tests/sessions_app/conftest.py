"""Fixtures of the session tests: a clock that stands until it is moved, and helpers that send and drain."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import async_to_sync

from accounts.actor import Actor
from memories.adapters.factory import override
from memories.ports import FixedClock
from memories.services import embedding_space, policies
from memories.services.jobs import run_due
from memoryhub.common.db import tenant_transaction
from sessions_app.generation import generate
from sessions_app.models import ChatSession, Turn
from sessions_app.services.get_turns import get_turn
from sessions_app.services.open_session import open_session
from sessions_app.services.post_message import post_message
from sessions_app.services.record_turn import record_turn
from sessions_app.services.results import PostedMessage
from tests.sessions_app.embedder import WordEmbedder
from tests.support.people import House


@pytest.fixture(autouse=True)
def clock() -> Iterator[FixedClock]:
    """The time of every test of this folder."""
    fixed = FixedClock()
    # Databases are emptied between tests; what a process remembers of them goes, too.
    policies.forget_cached()
    embedding_space.forget_cached()
    with override(clock=fixed):
        yield fixed


@pytest.fixture(autouse=True)
def _light_embedder(request: pytest.FixtureRequest) -> Iterator[None]:
    """Most tests here are not about meaning; those marked with the fixture `real_embedder` are."""
    if "real_embedder" in request.fixturenames:
        yield
        return
    with override(embedder=WordEmbedder()):
        yield


@pytest.fixture
def real_embedder() -> None:
    """Asks for the default embedder."""


@dataclass
class Chat:
    """One person's chat, turn by turn through the real services."""

    actor: Actor
    clock: FixedClock
    session: ChatSession

    @property
    def id(self) -> uuid.UUID:
        return self.session.pk

    def new_session(self, **fields: Any) -> ChatSession:
        assert self.actor.subject_id is not None
        self.session = open_session(actor=self.actor, subject_id=self.actor.subject_id, **fields)
        return self.session

    def say(self, text: str, role: str = "user", **fields: Any) -> Turn:
        """Record a turn; a minute passes."""
        self.clock.advance(minutes=1)
        return record_turn(actor=self.actor, session_id=self.id, role=role, content=text, **fields).turn

    def post(self, text: str, **fields: Any) -> PostedMessage:
        """Post a message; a minute passes."""
        self.clock.advance(minutes=1)
        return post_message(actor=self.actor, session_id=self.id, content=text, **fields)

    def ask(self, text: str, **fields: Any) -> Turn:
        """Post a message and have it answered; the answer's turn."""
        posted = self.post(text, **fields)
        async_to_sync(generate)(posted, actor=self.actor, publish=nobody)
        return get_turn(actor=self.actor, turn_id=posted.answer_turn.pk)

    def work(self) -> int:
        """Do what a worker would: the jobs that are due."""
        return run_due(self.actor.tenant_id, now=self.clock.now() + timedelta(seconds=1))

    def turns(self) -> list[Turn]:
        with tenant_transaction(self.actor.tenant_id):
            return list(Turn.objects.filter(session_id=self.id).order_by("seq"))

    def reloaded(self) -> ChatSession:
        with tenant_transaction(self.actor.tenant_id):
            session: ChatSession = ChatSession.objects.get(pk=self.id)
            return session


async def nobody(frame: dict[str, Any]) -> None:
    """A reader that is not there."""


def chat_of(house: House, clock: FixedClock, who: str = "user") -> Chat:
    """A fresh session of one of the house's people."""
    actor = house.actor(who)
    assert actor.subject_id is not None
    return Chat(actor, clock, open_session(actor=actor, subject_id=actor.subject_id))


@pytest.fixture
def chat(acme: House, clock: FixedClock) -> Chat:
    """The user of acme in a fresh session."""
    return chat_of(acme, clock)
