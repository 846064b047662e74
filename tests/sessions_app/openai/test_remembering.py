"""What an unchanged OpenAI client gets: its round is remembered, and known in the next conversation, in Chinese and English."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import openai
import pytest

from sessions_app.models import Turn
from tests.sessions_app.openai.conftest import MODEL, Door
from tests.support.model_server import ModelServer, Reply


def test_a_round_is_remembered_and_known_in_the_next_conversation(door: Door, model: ModelServer) -> None:
    model.script(Reply(["Noted."]), Reply(["KX-7731."]))
    client = door.client()
    said = "Please remember: the contract number of this project is KX-7731."
    first = client.chat.completions.with_raw_response.create(
        model=MODEL, messages=[{"role": "user", "content": said}], user="ann"
    )
    assert first.parse().choices[0].message.content == "Noted."
    assert first.headers["x-memoryhub-memory"] == "full"
    assert model.requests[0]["messages"] == [{"role": "user", "content": said}], "nothing was known yet"
    assert door.turns() == [("user", said, "complete"), ("assistant", "Noted.", "complete")]
    door.learn()
    second = client.chat.completions.with_raw_response.create(
        model=MODEL,
        messages=[
            {"role": "system", "content": "You are terse."},
            {"role": "user", "content": "What is the contract number?"},
        ],
        user="ann",
    )
    sent = model.requests[1]["messages"]
    assert [one["role"] for one in sent] == ["system", "system", "user"]
    assert "KX-7731" in sent[0]["content"]
    assert sent[1]["content"] == "You are terse."
    known = {str(one.pk) for one in door.memories()}
    assert known & set(second.headers["x-memoryhub-memories"].split(", "))
    assert first.headers["x-memoryhub-session"] != second.headers["x-memoryhub-session"]
    assert str(door.rows()[-1].trace_id) == second.headers["x-memoryhub-trace"]


def test_chinese_is_remembered_and_told_in_chinese(door: Door, model: ModelServer) -> None:
    model.script(Reply(["记住了。"]), Reply(["每周三上午十点。"]))
    door.say("请记住:我们的同步会固定在每周三上午10点。", user="林岚@例子")
    door.learn()
    answer = door.say("同步会是什么时候?", user="林岚@例子")
    context = model.requests[1]["messages"][0]["content"]
    assert "每周三上午10点" in context and "以下是记忆里" in context
    assert answer.json()["choices"][0]["message"]["content"] == "每周三上午十点。"


async def test_an_async_stream_is_passed_on_and_remembered(door: Door, model: ModelServer) -> None:
    model.script(Reply(["One", " two", " three."]))
    async with door.asynchronous() as client:
        stream = await client.chat.completions.create(
            model=MODEL,
            messages=[{"role": "user", "content": "Count to three, please."}],
            user="ann",
            stream=True,
            stream_options={"include_usage": True},
        )
        chunks = [chunk async for chunk in stream]
    assert "".join(c.choices[0].delta.content or "" for c in chunks if c.choices) == "One two three."
    assert chunks[-1].usage is not None and chunks[-1].usage.total_tokens == 18
    assert [(role, text) for role, text, _ in door.turns()] == [
        ("user", "Count to three, please."),
        ("assistant", "One two three."),
    ]
    assert door.rows()[1].usage == {"prompt_tokens": 11, "completion_tokens": 7, "estimated": False}
    assert door.rows()[1].reply_to_id == door.rows()[0].pk


def test_a_conversation_goes_on_in_its_session_and_stores_new_rounds_only(
    door: Door, model: ModelServer
) -> None:
    model.script(Reply(["Hello Ann."]), Reply(["Sure."]), Reply(["Done."]))
    door.say("Hi, I am Ann.")
    door.say("Hi, I am Ann.", "Hello Ann.", "Plan a trip to Kyoto.")
    # A client that keeps only its newest messages is known by its last round.
    door.say("Plan a trip to Kyoto.", "Sure.", "In May, please.")
    assert len(door.sessions()) == 1
    assert [text for _, text, _ in door.turns()] == [
        "Hi, I am Ann.",
        "Hello Ann.",
        "Plan a trip to Kyoto.",
        "Sure.",
        "In May, please.",
        "Done.",
    ]
    context = model.requests[1]["messages"]
    assert "Said before in this conversation" not in context[0]["content"], "the caller says that itself"


def test_a_resend_doubles_nothing_and_another_answer_takes_the_first_ones_place(
    door: Door, model: ModelServer
) -> None:
    model.script(Reply(["Blue."]), Reply(["Blue."]), Reply(["Green."]))
    for _ in range(3):
        door.say("Name a colour for the wall.")
    assert door.turns() == [
        ("user", "Name a colour for the wall.", "complete"),
        ("assistant", "Blue.", "replaced"),
        ("assistant", "Green.", "complete"),
    ]
    assert len(door.sessions()) == 1


def test_equal_requests_at_once_store_one_round_in_one_session(door: Door, model: ModelServer) -> None:
    with ThreadPoolExecutor(6) as together:
        answers = list(together.map(lambda _: door.say("Name a colour for the wall."), range(6)))
    assert {answer.status_code for answer in answers} == {200}
    assert door.turns() == [
        ("user", "Name a colour for the wall.", "complete"),
        ("assistant", "Hello there.", "complete"),
    ]
    assert len(door.sessions()) == 1


def test_the_same_first_words_begin_another_conversation_once_the_first_has_gone_on(
    door: Door, model: ModelServer
) -> None:
    model.script(*[Reply([text]) for text in ("Hello.", "Fine.", "Hello.")])
    door.say("Hi there, assistant.")
    door.say("Hi there, assistant.", "Hello.", "How are you today?")
    door.say("Hi there, assistant.")
    assert len(door.sessions()) == 2


def test_a_named_conversation_needs_no_history(door: Door, model: ModelServer) -> None:
    model.script(Reply(["A fine choice."]), Reply(["Kyoto."]))
    first = door.say("I will fly to Kyoto on Friday.", X_MemoryHub_Session="trip / 旅行".encode())
    second = door.say("Where do I fly?", X_MemoryHub_Session="UTF-8''trip%20%2F%20%E6%97%85%E8%A1%8C")
    assert first.headers["x-memoryhub-session"] == second.headers["x-memoryhub-session"]
    context = model.requests[1]["messages"][0]["content"]
    assert "Said before in this conversation" in context
    assert "user: I will fly to Kyoto on Friday." in context and "assistant: A fine choice." in context
    # The session's own id names it, too.
    third = door.say("And when?", X_MemoryHub_Session=first.headers["x-memoryhub-session"])
    assert third.headers["x-memoryhub-session"] == first.headers["x-memoryhub-session"]
    assert len(door.sessions()) == 1


def test_answers_are_recalled_as_such_and_teach_no_facts(door: Door, model: ModelServer) -> None:
    model.script(Reply(["I will remember: your budget is 4800 dollars."]))
    door.say("Thanks a lot.")
    door.learn()
    assert [one.content for one in door.memories() if "4800" in one.content] == []


@pytest.mark.parametrize("mode", ["off", "read", "full"])
def test_the_mode_says_how_much_memory_takes_part(door: Door, model: ModelServer, mode: str) -> None:
    model.script(Reply(["Noted."]), Reply(["Tea."]))
    door.say("Please remember that I prefer jasmine tea over coffee.")
    door.learn()
    before = len(door.turns())
    answer = door.say("Which drink do I prefer?", X_MemoryHub_Memory_Mode=mode)
    assert answer.headers["x-memoryhub-memory"] == mode
    told = "jasmine" in model.requests[1]["messages"][0]["content"]
    assert told == (mode != "off")
    assert len(door.turns()) - before == (2 if mode == "full" else 0)
    assert len(door.sessions()) == (2 if mode == "full" else 1)
    if mode == "off":
        assert "x-memoryhub-trace" not in answer.headers


def test_a_stream_tells_of_its_memories_where_that_is_asked_for(door: Door, model: ModelServer) -> None:
    model.script(Reply(["Noted."]), Reply(["Jasmine", " tea."]), Reply(["Jasmine tea."]))
    door.say("Please remember that I prefer jasmine tea over coffee.")
    door.learn()
    client = door.client(default_headers={"X-MemoryHub-Include": "memories"})
    question: list[openai.types.chat.ChatCompletionMessageParam] = [
        {"role": "user", "content": "Which drink do I prefer?"}
    ]
    stream = client.chat.completions.create(model=MODEL, messages=question, user="ann", stream=True)
    chunks = list(stream)
    told = chunks[0].model_extra["memoryhub"]  # type: ignore[index]
    known = {str(one.pk) for one in door.memories()}
    assert known & {one["id"] for one in told["memories"]}
    assert all("memoryhub" not in (chunk.model_extra or {}) for chunk in chunks[1:])
    whole = client.chat.completions.create(model=MODEL, messages=question, user="ann")
    assert whole.model_extra["memoryhub"]["session"] == told["session"]  # type: ignore[index]


def test_what_is_quoted_from_memory_counts_as_cited(door: Door, model: ModelServer) -> None:
    model.script(Reply(["Noted."]), Reply(["You told me: I prefer jasmine tea over strong black coffee."]))
    door.say("Please remember: I prefer jasmine tea over strong black coffee.")
    door.learn()
    door.say("Which drink should the hotel put into my room?")
    answer = next(turn for turn in door.rows()[::-1] if turn.role == Turn.Role.ASSISTANT)
    assert any(one["cited"] for one in answer.used)
