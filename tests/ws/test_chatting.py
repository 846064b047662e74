"""Sending, streaming, several tabs, stopping and trying again."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from memoryhub.common.db import tenant_transaction
from memoryhub.common.executor import run_in_services
from sessions_app import live
from sessions_app.models import Turn
from sessions_app.services.end_session import end_session
from tests.support.model_server import ModelServer, Reply
from tests.support.people import House
from tests.ws.conftest import Reader, of

pytestmark = pytest.mark.django_db(transaction=True)

PIECES = ["Der ", "Plan ", "steht", ":\n\n", "- 一\n", "- 二 👩‍🚀\n", "- drei"]


def stored_turns(house: House, session_id: object) -> list[Turn]:
    with tenant_transaction(house.id):
        return list(Turn.objects.filter(session_id=session_id).order_by("seq"))


async def test_an_answer_arrives_in_frames_without_gaps(acme: House, sit: Any, model: ModelServer) -> None:
    model.script(Reply(pieces=PIECES))
    socket, session_id, state = await sit(acme)
    await socket.say("send", client_msg_id="a1", content="Wie steht der Plan?")
    frames = await socket.hear_until(of("done"))

    numbers = [frame["n"] for frame in frames]
    assert numbers == list(range(state["n"] + 1, state["n"] + 1 + len(frames)))
    reader = Reader()
    for frame in frames:
        reader.take(frame)
    done = frames[-1]["turn"]
    assert reader.gaps == 0
    assert reader.text[done["id"]] == done["content"] == "".join(PIECES)
    assert "<li>二 👩‍🚀</li>" in frames[-1]["html"]
    assert [turn.state for turn in await run_in_services(stored_turns, acme, session_id)] == ["complete"] * 2


async def test_what_was_remembered_stands_beside_the_message(acme: House, sit: Any) -> None:
    socket, _, _ = await sit(acme, query="lang=zh-hans")
    await socket.say("send", client_msg_id="a1", content="记住:我对花生过敏")
    frames = await socket.hear_until(of("done"), 30)
    said = next(frame for frame in frames if of("turn")(frame) and frame["turn"]["role"] == "user")
    assert said["turn"]["outcomes"][0]["code"] == "stored"
    assert "记住了" in said["html"]


async def test_two_tabs_show_the_same(acme: House, sit: Any, model: ModelServer) -> None:
    model.script(Reply(pieces=PIECES))
    first, session_id, _ = await sit(acme)
    second, _, _ = await sit(acme, session_id)
    await first.say("send", client_msg_id="a1", content="Hello")
    here, there = await asyncio.gather(first.hear_until(of("done")), second.hear_until(of("done")))
    assert here == there


async def test_a_message_that_is_sent_again_is_stored_and_answered_once(
    acme: House, sit: Any, model: ModelServer
) -> None:
    model.script(Reply(pieces=PIECES))
    socket, session_id, _ = await sit(acme)
    await socket.say("send", client_msg_id="a1", content="Hello")
    await socket.hear_until(of("done"))
    await socket.say("send", client_msg_id="a1", content="Hello")
    again = [await socket.hear(), await socket.hear()]
    assert [frame["turn"]["state"] for frame in again] == ["complete", "complete"]
    assert len(await run_in_services(stored_turns, acme, session_id)) == 2
    assert len(model.requests) == 1


async def test_the_same_id_with_another_text_is_refused(acme: House, sit: Any) -> None:
    socket, _, _ = await sit(acme)
    await socket.say("send", client_msg_id="a1", content="Hello")
    await socket.hear_until(of("done"), 30)
    await socket.say("send", client_msg_id="a1", content="Goodbye")
    assert of("error", code="client_msg_id_reused", client_msg_id="a1")(await socket.hear())


async def test_stop_ends_the_answer_at_once_and_keeps_what_was_said(
    acme: House, sit: Any, model: ModelServer
) -> None:
    model.script(Reply(pieces=PIECES, hold=threading.Event(), hold_at=3))
    socket, session_id, _ = await sit(acme)
    await socket.say("send", client_msg_id="a1", content="Hello")
    reader = Reader()
    while reader.text != (said := {t: "".join(PIECES[:3]) for t in reader.text}) or not said:
        reader.take(await socket.hear())
    answer = reader.streaming
    assert answer is not None
    await socket.say("stop", turn_id=answer["id"])
    done = (await socket.hear_until(of("done")))[-1]
    assert (done["turn"]["state"], done["turn"]["content"]) == ("stopped", "".join(PIECES[:3]))
    assert model.client_left.wait(0) or live.find(answer["id"]) is None
    assert [turn.state for turn in await run_in_services(stored_turns, acme, session_id)] == [
        "complete",
        "stopped",
    ]


async def test_a_stopped_answer_can_be_generated_again_in_its_place(
    acme: House, sit: Any, model: ModelServer
) -> None:
    model.script(Reply(pieces=PIECES, hold=threading.Event(), hold_at=2), Reply(pieces=["Zweiter Versuch."]))
    socket, session_id, _ = await sit(acme)
    await socket.say("send", client_msg_id="a1", content="Hello")
    answer = (await socket.hear_until(of("delta")))[-1]["turn_id"]
    await socket.say("stop", turn_id=answer)
    await socket.hear_until(of("done"))
    await socket.say("retry", turn_id=answer)
    frames = await socket.hear_until(of("done"))
    assert frames[-1]["turn"]["content"] == "Zweiter Versuch."
    assert frames[-1]["turn"]["reply_to"] == frames[0]["turn"]["reply_to"]
    states = [turn.state for turn in await run_in_services(stored_turns, acme, session_id)]
    assert states == ["complete", "replaced", "complete"]


async def test_a_model_that_is_down_fails_the_answer_and_keeps_the_message(
    acme: House, sit: Any, model: ModelServer
) -> None:
    model.script(Reply(status=401))
    socket, _, _ = await sit(acme, query="lang=zh-hans")
    await socket.say("send", client_msg_id="a1", content="Hello")
    frames = await socket.hear_until(of("done"))
    error = next(frame for frame in frames if frame["type"] == "error")
    assert error["code"] == "model_misconfigured"
    assert error["message"] == "语言模型的配置有误。"
    assert frames[-1]["turn"]["state"] == "failed"
    assert "data-retry" in frames[-1]["html"]


async def test_an_ended_session_says_so_and_takes_no_message(acme: House, sit: Any) -> None:
    socket, session_id, _ = await sit(acme)
    await run_in_services(lambda: end_session(actor=acme.actor(), session_id=session_id, reason="closed"))
    await socket.say("send", client_msg_id="a1", content="Hello")
    assert of("error", code="session_ended", client_msg_id="a1")(await socket.hear())


async def test_nobody_stops_or_retries_an_answer_of_another_session(
    acme: House, sit: Any, model: ModelServer
) -> None:
    hold = threading.Event()
    model.script(Reply(pieces=PIECES, hold=hold, hold_at=1))
    mine, _, _ = await sit(acme)
    theirs, _, _ = await sit(acme, who="other")
    await mine.say("send", client_msg_id="a1", content="Hello")
    answer = (await mine.hear_until(of("delta")))[-1]["turn_id"]
    for verb in ("stop", "retry"):
        await theirs.say(verb, turn_id=answer)
        assert of("error", turn_id=answer)(await theirs.hear())
    hold.set()
    assert (await mine.hear_until(of("done")))[-1]["turn"]["state"] == "complete"
