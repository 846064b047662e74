"""Answers: streamed, stored, cited, stopped, broken, resent and made again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import pytest
from django.db import InterfaceError, OperationalError

from memories.adapters.factory import override
from memories.models import Episode, Job, Memory
from memories.ports import FixedClock, ModelInterrupted, ModelTruncated, ModelUnavailable, Usage
from memories.services.forget import forget
from memories.services.index_episode import index_episode
from memoryhub.common.db import tenant_transaction
from sessions_app import generation
from sessions_app import jobs as jobs_module
from sessions_app.core.errors import MessageIdReused, MessageTooLong, NotRetryable
from sessions_app.generation import cancel, generate
from sessions_app.models import Turn
from sessions_app.services import learn_now
from sessions_app.services import learn_turn as learning
from sessions_app.services import post_message as module
from sessions_app.services.flush_answer import flush_answer
from sessions_app.services.get_turns import get_turn, get_turns
from sessions_app.services.learn_turn import learn_turn
from sessions_app.services.reconcile_sessions import reconcile_sessions
from sessions_app.services.results import PostedMessage
from sessions_app.services.retry_answer import retry_answer
from sessions_app.services.set_outcome import set_outcome
from sessions_app.services.stop_answer import stop_answer
from sessions_app.services.turn_data import turn_data
from tests.sessions_app.conftest import Chat, chat_of
from tests.sessions_app.models import ScriptedModel
from tests.support.people import make_house

pytestmark = pytest.mark.django_db(transaction=True)

Frames = list[dict[str, Any]]


@pytest.fixture
def chat(transactional_db: None, clock: FixedClock) -> Chat:
    return chat_of(make_house("acme"), clock)


@pytest.fixture(autouse=True)
def _quick_flushes() -> Iterator[None]:
    with patch.object(generation, "FLUSH_SECONDS", 0.02):
        yield


def run(chat: Chat, posted: PostedMessage, model: ScriptedModel) -> Frames:
    """Generate with the model; the frames that were published."""
    frames: Frames = []

    async def publish(frame: dict[str, Any]) -> None:
        frames.append(frame)

    with override(chat_model=model):
        asyncio.run(generate(posted, actor=chat.actor, publish=publish))
    return frames


def stored(chat: Chat, turn: Turn) -> Turn:
    return get_turn(actor=chat.actor, turn_id=turn.pk)


def test_an_answer_is_streamed_in_order_and_stored_as_it_was_streamed(chat: Chat) -> None:
    posted = chat.post("你好,今天怎么样?")
    frames = run(chat, posted, ScriptedModel("你好", "，", "很好!😀", "完。", usage=Usage(40, 7)))
    deltas, done = frames[:-1], frames[-1]
    text = ""
    for frame in deltas:
        assert (frame["type"], frame["offset"]) == ("delta", len(text))
        text += frame["text"]
    answer = stored(chat, posted.answer_turn)
    assert text == answer.content == done["turn"]["content"] == "你好，很好!😀完。"
    assert (answer.state, answer.model, answer.lease_owner) == ("complete", "scripted", "")
    assert answer.usage == {"prompt_tokens": 40, "completion_tokens": 7, "estimated": False}
    assert answer.tokens > 0 and answer.reply_to_id == posted.user_turn.pk


def test_usage_is_counted_here_when_the_endpoint_reports_none(chat: Chat) -> None:
    posted = chat.post("Hello there")
    run(chat, posted, ScriptedModel("Hello to you"))
    usage = stored(chat, posted.answer_turn).usage
    assert usage["estimated"] and usage["prompt_tokens"] > usage["completion_tokens"] > 0


def test_the_model_gets_the_context_that_was_assembled(chat: Chat) -> None:
    posted = chat.post("What shall we cook tonight?")
    model = ScriptedModel("Soup.")
    run(chat, posted, model)
    assert posted.context is not None
    sent = [{"role": message.role, "content": message.content} for message in model.requests[0].messages]
    assert sent == posted.context.messages
    assert sent[-1] == {"role": "user", "content": "What shall we cook tonight?"}


def test_a_cited_memory_is_marked_and_strengthened(chat: Chat, clock: FixedClock) -> None:
    chat.say("Remember: the contract number of the project is KX-7731.")
    chat.work()
    chat.new_session()
    posted = chat.post("What is the contract number of the project?")
    assert posted.context is not None
    used = posted.context.used
    memory = next(item for item in used if item["item_kind"] == "memory")
    with tenant_transaction(chat.actor.tenant_id):
        before = Memory.objects.get(pk=memory["id"]).strength
    run(chat, posted, ScriptedModel(f"It is KX-7731 [{memory['number']}]."))
    answer = stored(chat, posted.answer_turn)
    assert [item["id"] for item in answer.used if item["cited"]] == [memory["id"]] or memory["id"] in [
        item["id"] for item in answer.used if item["cited"]
    ]
    with tenant_transaction(chat.actor.tenant_id):
        assert Memory.objects.get(pk=memory["id"]).strength == pytest.approx(before + 1.0, abs=0.1)


def test_a_memory_forgotten_later_leaves_old_answers(chat: Chat) -> None:
    chat.say("Remember: the contract number of the project is KX-7731.")
    chat.work()
    chat.new_session()
    posted = chat.post("What is the contract number of the project?")
    run(chat, posted, ScriptedModel("I looked it up [1]."))
    memory = next(item for item in stored(chat, posted.answer_turn).used if item["item_kind"] == "memory")
    forget(actor=chat.actor, memory_id=memory["id"])
    row = turn_data(actor=chat.actor, turns=[stored(chat, posted.answer_turn)])[0]
    shown = next(item for item in row["used"] if item["id"] == memory["id"])
    assert (shown["text"], shown["status"]) == ("", "forgotten")


def test_a_resent_message_finds_its_answer_and_nothing_is_generated(chat: Chat) -> None:
    first = chat.post("Hello there", client_msg_id="m1")
    run(chat, first, ScriptedModel("Hi."))
    again = chat.post("Hello there", client_msg_id="m1")
    assert not again.to_generate
    assert (again.user_turn.pk, again.answer_turn.pk) == (first.user_turn.pk, first.answer_turn.pk)
    frames = run(chat, again, ScriptedModel("Something else."))
    assert [frame["type"] for frame in frames] == ["done"]
    assert frames[0]["turn"]["content"] == "Hi."
    assert len(chat.turns()) == 2
    with pytest.raises(MessageIdReused):
        chat.post("Other words", client_msg_id="m1")


def test_a_message_that_is_too_long_stores_nothing(chat: Chat) -> None:
    with pytest.raises(MessageTooLong):
        chat.post("x" * 40_000)
    assert chat.turns() == []


def test_a_model_that_is_down_fails_the_answer_and_keeps_the_message(chat: Chat) -> None:
    posted = chat.post("Hello there")
    frames = run(
        chat, posted, ScriptedModel(ModelUnavailable("the model does not answer", hint="Check the URL."))
    )
    assert [frame["type"] for frame in frames] == ["error", "done"]
    assert (frames[0]["code"], frames[0]["hint"]) == ("model_unavailable", "Check the URL.")
    question, answer = chat.turns()
    assert question.content == "Hello there"
    assert (answer.state, answer.error_code) == ("failed", "model_unavailable")


def test_an_answer_that_breaks_off_keeps_what_was_said(chat: Chat) -> None:
    posted = chat.post("Hello there")
    run(chat, posted, ScriptedModel("The first half ", ModelInterrupted("lost")))
    answer = stored(chat, posted.answer_turn)
    assert (answer.state, answer.error_code, answer.content) == (
        "failed",
        "model_interrupted",
        "The first half ",
    )


def test_an_answer_that_the_model_cut_is_marked(chat: Chat) -> None:
    posted = chat.post("Hello there")
    frames = run(chat, posted, ScriptedModel("A long story", ModelTruncated("cut")))
    answer = stored(chat, posted.answer_turn)
    assert (answer.state, answer.error_code) == ("complete", "model_truncated")
    assert frames[-1]["turn"]["error_code"] == "model_truncated"


def test_an_empty_answer_is_a_failure(chat: Chat) -> None:
    posted = chat.post("Hello there")
    run(chat, posted, ScriptedModel())
    assert stored(chat, posted.answer_turn).error_code == "model_empty"


def test_an_unknown_error_tells_no_words(chat: Chat) -> None:
    posted = chat.post("Hello there")
    frames = run(chat, posted, ScriptedModel("So", ValueError("my secret words")))
    assert "secret" not in str(frames)
    assert stored(chat, posted.answer_turn).error_code == "internal"


def test_stop_ends_the_answer_at_once_and_closes_the_model(chat: Chat) -> None:
    posted = chat.post("Hello there")
    never = asyncio.Event()
    model = ScriptedModel("Half an answer", lambda: cancel(posted.answer_turn.pk), never)
    frames = run(chat, posted, model)
    answer = stored(chat, posted.answer_turn)
    assert (answer.state, answer.content, answer.error_code) == ("stopped", "Half an answer", "")
    assert model.closed
    assert frames[-1]["turn"]["state"] == "stopped"
    assert not cancel(posted.answer_turn.pk)


def test_a_stop_from_another_process_is_noticed_and_loses_no_word(chat: Chat) -> None:
    posted = chat.post("Hello there")
    never = asyncio.Event()

    def elsewhere() -> None:
        from concurrent.futures import ThreadPoolExecutor

        from django.db import connections

        def stop() -> None:
            stop_answer(actor=chat.actor, turn_id=posted.answer_turn.pk)
            connections.close_all()

        with ThreadPoolExecutor(1) as pool:
            pool.submit(stop).result()

    run(chat, posted, ScriptedModel("All ", "these ", elsewhere, "words", never))
    answer = stored(chat, posted.answer_turn)
    assert (answer.state, answer.content) == ("stopped", "All these words")


def test_an_answer_nobody_reads_any_more_is_interrupted(chat: Chat) -> None:
    posted = chat.post("Hello there")
    give_up = lambda: cancel(posted.answer_turn.pk, state="interrupted", code="reader_left")  # noqa: E731
    run(chat, posted, ScriptedModel("Half", give_up, asyncio.Event()))
    answer = stored(chat, posted.answer_turn)
    assert (answer.state, answer.error_code, answer.content) == ("interrupted", "reader_left", "Half")


def test_a_reader_whose_channel_fails_does_not_end_the_answer(chat: Chat) -> None:
    posted = chat.post("Hello there")

    async def broken(frame: dict[str, Any]) -> None:
        raise ConnectionError("gone")

    with override(chat_model=ScriptedModel("Still ", "here.")):
        asyncio.run(generate(posted, actor=chat.actor, publish=broken))
    assert stored(chat, posted.answer_turn).content == "Still here."


def test_a_process_that_stops_stores_what_was_said(chat: Chat) -> None:
    posted = chat.post("Hello there")

    async def shut_down() -> None:
        task = asyncio.create_task(generate(posted, actor=chat.actor, publish=published))
        await said.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    async def published(frame: dict[str, Any]) -> None:
        said.set()

    said = asyncio.Event()
    with override(chat_model=ScriptedModel("Half", asyncio.Event())):
        asyncio.run(shut_down())
    answer = stored(chat, posted.answer_turn)
    assert (answer.state, answer.error_code, answer.content) == ("interrupted", "process_stopping", "Half")


@pytest.mark.parametrize("kind", [OperationalError, InterfaceError])
def test_a_database_that_is_away_for_a_moment_loses_no_answer(chat: Chat, kind: type[Exception]) -> None:
    posted = chat.post("Hello there")
    real, calls = generation.finish_answer, []

    def flaky(**values: Any) -> Turn:
        calls.append(values)
        if len(calls) < 3:
            raise kind("the server closed the connection")
        return real(**values)

    with (
        patch.object(generation, "finish_answer", flaky),
        patch.object(generation, "STORE_DELAYS", (0.01, 0.01)),
    ):
        run(chat, posted, ScriptedModel("Kept."))
    assert stored(chat, posted.answer_turn).content == "Kept."


def test_a_retry_takes_the_answers_place_and_doubles_nothing(chat: Chat) -> None:
    posted = chat.post("Hello there")
    run(chat, posted, ScriptedModel("Half ", ModelInterrupted("lost")))
    again = retry_answer(actor=chat.actor, turn_id=posted.answer_turn.pk)
    assert again.replaced_turn is not None and again.replaced_turn.pk == posted.answer_turn.pk
    run(chat, again, ScriptedModel("Whole."))
    shown = [(turn.role, turn.content) for turn in get_turns(actor=chat.actor, session_id=chat.id)]
    assert shown == [("user", "Hello there"), ("assistant", "Whole.")]
    with pytest.raises(NotRetryable):
        retry_answer(actor=chat.actor, turn_id=posted.answer_turn.pk)
    with pytest.raises(NotRetryable):
        retry_answer(actor=chat.actor, turn_id=posted.user_turn.pk)


def test_only_the_newest_answer_can_be_made_again(chat: Chat) -> None:
    posted = chat.post("Hello there")
    with pytest.raises(NotRetryable):
        retry_answer(actor=chat.actor, turn_id=posted.answer_turn.pk)  # it is still being written
    run(chat, posted, ScriptedModel("Hi."))
    chat.post("And now?")
    with pytest.raises(NotRetryable):
        retry_answer(actor=chat.actor, turn_id=posted.answer_turn.pk)


def test_when_assembly_fails_the_message_stays_and_the_answer_says_why(chat: Chat) -> None:
    with patch.object(module, "assemble_context", side_effect=RuntimeError("my secret words")):
        posted = chat.post("Hello there")
    assert not posted.to_generate
    assert (posted.answer_turn.state, posted.answer_turn.error_code) == ("failed", "assembly_failed")
    frames = run(chat, posted, ScriptedModel("never"))
    assert [frame["type"] for frame in frames] == ["error", "done"]
    assert "secret" not in str(frames)
    assert [turn.content for turn in chat.turns()] == ["Hello there", ""]


def test_when_learning_fails_the_message_is_answered_and_learnt_later(chat: Chat, clock: FixedClock) -> None:
    with patch.object(learn_now, "learn_turn", side_effect=RuntimeError("down")):
        posted = chat.post("Remember that my sister is called Wen.")
    assert [outcome.code for outcome in posted.outcomes] == ["error"]
    assert [outcome["code"] for outcome in posted.user_turn.outcomes] == ["error"]
    assert stored(chat, posted.user_turn).outcomes == posted.user_turn.outcomes
    assert posted.to_generate
    clock.advance(minutes=5)
    reconcile_sessions(clock.now())
    chat.work()
    learnt = stored(chat, posted.user_turn)
    assert learnt.learned_at is not None
    assert "error" not in {outcome["code"] for outcome in learnt.outcomes}


def test_a_turn_that_cannot_be_learnt_from_is_not_tried_each_minute(chat: Chat, clock: FixedClock) -> None:
    turn = chat.say("Remember that my sister is called Wen.")
    tries: list[int] = []

    def fails(**fields: Any) -> None:
        tries.append(1)
        raise RuntimeError("down")

    with patch.object(jobs_module, "learn_turn", side_effect=fails):
        for _ in range(180):
            clock.advance(minutes=1)
            reconcile_sessions(clock.now())
            chat.work()
    with tenant_transaction(chat.actor.tenant_id):
        rows = Job.objects.filter(kind="learn_turn", key=str(turn.pk))
        assert rows.filter(state="failed").count() <= 3
    assert len(tries) <= 30


def test_a_secret_in_a_message_is_refused_by_name_and_kept_nowhere(chat: Chat) -> None:
    posted = chat.post("我的密码是 hunter2secret!,记一下")
    assert [outcome.code for outcome in posted.outcomes] == ["blocked_sensitive"]
    assert "hunter2secret" not in posted.user_turn.content
    assert posted.context is not None and "hunter2secret" not in str(posted.context.messages)


def test_a_full_window_is_compacted_after_the_reply(chat: Chat) -> None:
    for number in range(8):
        posted = chat.post(f"Room {100 + number} is free, please note it.")
        run(chat, posted, ScriptedModel(f"Noted room {100 + number}."))
    with tenant_transaction(chat.actor.tenant_id):
        assert Job.objects.filter(kind="compact_session", state="pending").count() == 1
    chat.work()
    turns = chat.turns()
    assert [turn.seq for turn in turns] == list(range(1, 17))
    assert any(turn.archived_at for turn in turns) and not turns[-1].archived_at


def test_a_session_that_was_done_strengthens_what_its_answers_cited(chat: Chat) -> None:
    chat.say("Remember: the contract number of the project is KX-7731.")
    chat.work()
    chat.new_session()
    posted = chat.post("What is the contract number of the project?")
    assert posted.context is not None
    memory = next(item for item in posted.context.used if item["item_kind"] == "memory")
    run(chat, posted, ScriptedModel(f"KX-7731 [{memory['number']}]"))

    def strength() -> float:
        with tenant_transaction(chat.actor.tenant_id):
            return float(Memory.objects.get(pk=memory["id"]).strength)

    before = strength()
    set_outcome(actor=chat.actor, session_id=chat.id, outcome="done")
    once = strength()
    set_outcome(actor=chat.actor, session_id=chat.id, outcome="done")
    assert once == pytest.approx(before + 1.0, abs=0.1) and strength() == once


def recallable(chat: Chat, turn: Turn) -> int:
    with tenant_transaction(chat.actor.tenant_id):
        return Episode.objects.filter(source_id=turn.pk, status="current").count()


def test_an_answer_that_a_retry_replaced_is_not_recalled(chat: Chat) -> None:
    posted = chat.post("Which bird sings at night?")
    run(
        chat,
        posted,
        ScriptedModel("The nightingale, mostly in ", lambda: cancel(posted.answer_turn.pk), asyncio.Event()),
    )
    chat.work()
    assert recallable(chat, posted.answer_turn) == 1
    again = retry_answer(actor=chat.actor, turn_id=posted.answer_turn.pk)
    assert recallable(chat, posted.answer_turn) == 0
    run(chat, again, ScriptedModel("The nightingale, mostly in May."))
    chat.work()
    assert (recallable(chat, posted.answer_turn), recallable(chat, again.answer_turn)) == (0, 1)


@pytest.mark.parametrize("when", ["before", "meanwhile"])
def test_learning_that_comes_after_the_retry_indexes_nothing(chat: Chat, when: str) -> None:
    posted = chat.post("Which bird sings at night?")
    run(chat, posted, ScriptedModel("The nightingale, mostly in ", ModelInterrupted("lost")))

    def retry(**fields: Any) -> int:
        retry_answer(actor=chat.actor, turn_id=posted.answer_turn.pk)
        return index_episode(**fields) if when == "meanwhile" else 0

    if when == "before":
        retry()
        learn_turn(actor=chat.actor, turn_id=posted.answer_turn.pk)
    else:
        with patch.object(learning, "index_episode", side_effect=retry):
            learn_turn(actor=chat.actor, turn_id=posted.answer_turn.pk)
    assert recallable(chat, posted.answer_turn) == 0


def test_a_broken_off_answer_says_which_model_made_it(chat: Chat) -> None:
    with override(chat_model=ScriptedModel("Half ", ModelInterrupted("lost"))):
        posted = chat.post("Hello there")
        run(chat, posted, ScriptedModel("Half ", ModelInterrupted("lost")))
    assert stored(chat, posted.answer_turn).model == "scripted"


def test_what_is_flushed_is_screened_and_counted(chat: Chat) -> None:
    posted = chat.post("Hello there")
    owner = posted.answer_turn.lease_owner
    text = "The card is 4111 1111 1111 1111, as you said."
    assert flush_answer(actor=chat.actor, turn_id=posted.answer_turn.pk, owner=owner, text=text)
    answer = stored(chat, posted.answer_turn)
    assert "4111" not in answer.content and answer.content.startswith("The card is ")
    assert answer.tokens > 0


def test_stopping_an_answer_whose_process_died_ends_it(chat: Chat, clock: FixedClock) -> None:
    posted = chat.post("Which bird sings at night?")
    with tenant_transaction(chat.actor.tenant_id):
        Turn.objects.filter(pk=posted.answer_turn.pk).update(
            content="The nightingale; the card is 4111 1111 1111 1111", model="scripted"
        )
    clock.advance(minutes=5)
    answer = stop_answer(actor=chat.actor, turn_id=posted.answer_turn.pk)
    assert (answer.state, answer.lease_owner, answer.leased_until) == ("stopped", "", None)
    assert "4111" not in answer.content and answer.tokens > 0
    chat.work()
    assert stored(chat, answer).learned_at is not None
