"""A tenant's month of model tokens in the chat: every call is charged, and a spent month breaks and loses nothing."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import pytest

from accounts.actor import system_actor
from accounts.models import AuditEntry
from memories.adapters.chat_offline import OfflineResponder
from memories.adapters.chat_openai import OpenAIChat
from memories.adapters.factory import override
from memories.core.budget import Spent, Use
from memories.ports import FixedClock, ModelUnavailable, Usage
from memories.services.model_usage import charge_alone, standing_of
from memories.services.policies import forget_cached, set_policy
from memoryhub.common.db import tenant_transaction
from sessions_app import generation, labels
from sessions_app.generation import cancel, generate
from sessions_app.models import Turn
from sessions_app.pages import outcome_view
from sessions_app.services.get_turns import get_turn
from sessions_app.services.mark_interrupted import mark_interrupted
from sessions_app.services.results import PostedMessage
from sessions_app.services.retry_answer import retry_answer
from sessions_app.services.stop_answer import stop_answer
from tests.sessions_app.conftest import Chat, chat_of
from tests.sessions_app.models import ScriptedModel
from tests.sessions_app.services.test_compaction import EN, digests, talk
from tests.support.model_server import ModelServer, Reply, json_reply, model_server
from tests.support.people import make_house

pytestmark = pytest.mark.django_db(transaction=True)

TEXT = (
    "Our old ferry, the Marigold, carries twelve cars since the refit, so plan 45 minutes for the crossing."
)


@pytest.fixture
def chat(transactional_db: None, clock: FixedClock) -> Chat:
    return chat_of(make_house("acme"), clock)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """A model behind real HTTP that answers everything of this process."""
    with model_server() as running:
        model = OpenAIChat(base_url=running.base_url, model="test-model", pause=0.01)
        with override(chat_model=model):
            yield running


@pytest.fixture(autouse=True)
def _quick_flushes() -> Iterator[None]:
    with patch.object(generation, "FLUSH_SECONDS", 0.02):
        yield


def answer(chat: Chat, posted: PostedMessage) -> tuple[Turn, list[dict[str, Any]]]:
    frames: list[dict[str, Any]] = []

    async def publish(frame: dict[str, Any]) -> None:
        frames.append(frame)

    asyncio.run(generate(posted, actor=chat.actor, publish=publish))
    return get_turn(actor=chat.actor, turn_id=posted.answer_turn.pk), frames


def spent(chat: Chat, use: Use = Use.ANSWER) -> Spent:
    return standing_of(chat.actor.tenant_id).uses.get(use, Spent())


def spend_the_month(chat: Chat) -> None:
    tenant_id = chat.actor.tenant_id
    set_policy(actor=system_actor(tenant_id), overrides={"budget.tokens_month": 1000})
    forget_cached(tenant_id)
    charge_alone(tenant_id, Use.ANSWER, Spent(1000, 0, 1))


def test_an_answer_is_charged_with_what_the_endpoint_tells(chat: Chat, server: ModelServer) -> None:
    turn, _ = answer(chat, chat.post("What shall we cook tonight?"))
    assert turn.usage == {"prompt_tokens": 11, "completion_tokens": 7, "estimated": False}
    assert spent(chat) == Spent(11, 7, 1)
    server.script(Reply(status=503), Reply())
    answer(chat, chat.post("And tomorrow?"))
    assert spent(chat) == Spent(22, 14, 3)


def test_a_failed_and_a_stopped_answer_cost_as_well(chat: Chat, server: ModelServer) -> None:
    server.script(Reply(cut_at=2))
    turn, _ = answer(chat, chat.post("What shall we cook tonight?"))
    assert turn.state == "failed"
    first = spent(chat)
    assert (first.calls, first.estimated) == (1, 1) and first.prompt_tokens > first.completion_tokens > 0
    hold = threading.Event()
    server.script(Reply(hold=hold, hold_at=1))
    posted = chat.post("And tomorrow?")

    async def stopped() -> None:
        async def publish(frame: dict[str, Any]) -> None:
            if frame["type"] == "delta":
                cancel(posted.answer_turn.pk)

        await generate(posted, actor=chat.actor, publish=publish)

    asyncio.run(stopped())
    hold.set()
    assert get_turn(actor=chat.actor, turn_id=posted.answer_turn.pk).state == "stopped"
    assert spent(chat).calls == 2 and spent(chat).completion_tokens > first.completion_tokens


def test_an_answer_that_never_reached_the_endpoint_costs_nothing(chat: Chat) -> None:
    with override(chat_model=ScriptedModel(ModelUnavailable("down"))):
        answer(chat, chat.post("Hello there"))
    assert spent(chat) == Spent()


def test_an_answer_whose_process_died_is_charged_once(chat: Chat, clock: FixedClock) -> None:
    with override(chat_model=ScriptedModel("Never.", usage=Usage(40, 7))):
        posted = chat.post("Hello there")
        clock.advance(hours=1)
        assert mark_interrupted(clock.now())
        charged = spent(chat)
        assert posted.context is not None
        assert charged == Spent(posted.context.used_tokens, 0, 1, 1)
        # The process was slow, not dead: its answer is not its to end any more, and not to charge either.
        answer(chat, posted)
    assert spent(chat) == charged


def test_an_answer_that_is_made_again_while_it_is_stopped_is_charged_once(chat: Chat) -> None:
    model = ScriptedModel("Never.", usage=Usage(40, 7))
    with override(chat_model=model):
        posted = chat.post("Hello there")
        stop_answer(actor=chat.actor, turn_id=posted.answer_turn.pk)
        assert spent(chat) == Spent()
        again = retry_answer(actor=chat.actor, turn_id=posted.answer_turn.pk)
        assert spent(chat).calls == 1 and spent(chat).estimated == 1
        answer(chat, posted)
        assert spent(chat).calls == 1
        answer(chat, again)
    assert spent(chat).calls == 2 and spent(chat).completion_tokens == 7


def test_the_offline_responder_costs_nothing(chat: Chat) -> None:
    answer(chat, chat.post("Hello there"))
    assert standing_of(chat.actor.tenant_id).total == Spent()


def test_over_the_budget_the_answer_quotes_what_is_remembered_and_says_why(
    chat: Chat, server: ModelServer, clock: FixedClock
) -> None:
    with override(chat_model=OfflineResponder()):
        chat.say("Remember: the contract number of the project is KX-7731.")
        chat.work()
    chat.new_session()
    spend_the_month(chat)
    before = spent(chat)
    posted = chat.post("What is the contract number of the project?")
    turn, frames = answer(chat, posted)
    assert not server.requests
    assert "KX-7731" in turn.content
    assert "model tokens for this month are spent" in turn.content and "2026-02-01" in turn.content
    assert (turn.state, turn.model, turn.error_code) == ("complete", "offline", "model_budget")
    told = next(frame for frame in frames if frame["type"] == "error")
    assert told["code"] == "model_budget" and "2026-02-01" in told["hint"]
    assert labels.state(turn.state, turn.error_code) is not None
    assert spent(chat) == before
    clock.advance(days=31)
    chat.new_session()
    again, _ = answer(chat, chat.post("What is the contract number of the project?"))
    assert (again.model, again.error_code) == ("test-model", "")


def test_over_the_budget_a_message_is_stored_and_learnt_from_by_rules(
    chat: Chat, server: ModelServer
) -> None:
    spend_the_month(chat)
    posted = chat.post("Remember: the contract number of the project is KX-7731.")
    assert [outcome.code for outcome in posted.outcomes] == ["stored"]
    answer(chat, posted)
    chat.work()
    assert not server.requests
    with tenant_transaction(chat.actor.tenant_id):
        outcomes = Turn.objects.get(pk=posted.user_turn.pk).outcomes
    late = next(row for row in outcomes if row["rule"] == "model.budget")
    assert late["code"] == "budget"
    shown = outcome_view(late)
    assert shown["label"] == "Not read by the model" and "tokens for this month are spent" in shown["why"]


def test_learning_is_charged_with_what_it_came_to(chat: Chat, server: ModelServer) -> None:
    server.script(json_reply({"nonsense": 1}), json_reply({"statements": []}))
    chat.say(TEXT)
    chat.work()
    assert spent(chat, Use.LEARNING) == Spent(22, 14, 2)
    server.script(Reply(status=401))
    chat.say(f"{TEXT} And back again.")
    chat.work()
    assert spent(chat, Use.LEARNING) == Spent(22, 14, 3)


def test_a_digest_is_charged_and_over_the_budget_rules_write_it(chat: Chat, server: ModelServer) -> None:
    # What learning would be asked here is not the point.
    with patch("memories.services.learn_with_model.ask_later", return_value=False):
        server.script(*[json_reply({"digest": "They set up the project.", "memories": []})] * 5)
        talk(chat, EN)
        chat.work()
        assert [digest.method for digest in digests(chat)] == ["model"]
        charged = spent(chat, Use.DIGEST)
        assert charged == Spent(11, 7, 1)
        chat.new_session()
        spend_the_month(chat)
        talk(chat, EN)
        chat.work()
        assert [digest.method for digest in digests(chat)] == ["rules"]
        assert spent(chat, Use.DIGEST) == charged
    with tenant_transaction(chat.actor.tenant_id):
        entries = AuditEntry.objects.filter(changes__contains=[{"action": "session.compact"}])
        rules = [
            change["detail"].get("rule")
            for entry in entries.order_by("seq")
            for change in entry.changes
            if change["action"] == "session.compact"
        ]
    assert rules == [None, "model.budget"]


def test_another_tenants_spent_month_changes_nothing(
    chat: Chat, server: ModelServer, clock: FixedClock
) -> None:
    spend_the_month(chat)
    other = chat_of(make_house("globex"), clock)
    turn, _ = answer(other, other.post("What shall we cook tonight?"))
    assert (turn.model, turn.error_code) == ("test-model", "")
    assert spent(other) == Spent(11, 7, 1)
