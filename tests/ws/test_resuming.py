"""A dropped socket resumes with nothing lost and nothing repeated, whichever process it comes back to."""

from __future__ import annotations

import asyncio
import random
import threading
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from memoryhub.common.db import tenant_transaction
from memoryhub.common.executor import run_in_services
from sessions_app import consumers, live, relay, state
from sessions_app.models import Turn
from sessions_app.services.post_message import post_message
from tests.support.model_server import ModelServer, Reply
from tests.support.people import House
from tests.ws.conftest import Reader, of

pytestmark = pytest.mark.django_db(transaction=True)

TEXT = [f"{word}{'字' * (at % 4)}👍 " for at, word in enumerate(["alpha", "beta", "gamma", "delta"] * 30)]


@pytest.mark.parametrize("seed", range(4))
async def test_random_drops_lose_and_repeat_nothing(
    acme: House, sit: Any, model: ModelServer, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    model.script(Reply(pieces=TEXT, pause=0.01))
    monkeypatch.setattr(live, "GATHER_SECONDS", 0)
    dice = random.Random(seed)
    socket, session_id, _ = await sit(acme)
    reader, drops = Reader(), 0
    await socket.say("send", client_msg_id="a1", content="Tell me all of it")
    while not _finished(reader):
        for _ in range(dice.randint(1, 12)):
            if not _finished(reader):
                reader.take(await socket.hear())
        if _finished(reader):
            break
        drops += 1
        await socket.disconnect()
        socket, _, _ = await sit(acme, session_id)
        await socket.say("resume", **reader.resume())
        reader.take((await socket.hear_until(of("state")))[-1])
    answer = reader.turns[2]
    assert drops > 1
    assert reader.gaps == 0
    assert answer["content"] == "".join(TEXT)
    assert "".join(TEXT).startswith(reader.text.get(answer["id"], ""))


def _finished(reader: Reader) -> bool:
    return 2 in reader.turns and reader.turns[2]["state"] != "streaming"


async def test_resume_brings_exactly_what_is_missing(acme: House, sit: Any, model: ModelServer) -> None:
    hold = threading.Event()
    model.script(Reply(pieces=TEXT, hold=hold, hold_at=40))
    socket, session_id, _ = await sit(acme)
    await socket.say("send", client_msg_id="a1", content="Hello")
    said = "".join(TEXT[:40])
    reader = Reader()
    while reader.text != dict.fromkeys(reader.text, said) or not reader.text:
        reader.take(await socket.hear())
    answer = reader.streaming
    assert answer is not None
    other, _, _ = await sit(acme, session_id)
    await other.say("resume", after_seq=1, answer_id=answer["id"], answer_offset=100)
    state_ = (await other.hear_until(of("state")))[-1]
    assert [row["turn"]["seq"] for row in state_["turns"]] == [2]
    assert state_["turns"][0]["turn"]["content"] == ""
    assert [(one["offset"], one["text"]) for one in state_["live"]] == [(100, said[100:])]
    hold.set()
    assert (await other.hear_until(of("done")))[-1]["turn"]["content"] == "".join(TEXT)


async def test_two_answers_at_once_are_both_resumed(acme: House, sit: Any, model: ModelServer) -> None:
    hold = threading.Event()
    model.script(Reply(pieces=TEXT, hold=hold, hold_at=40), Reply(pieces=TEXT, hold=hold, hold_at=20))
    socket, session_id, _ = await sit(acme)
    await socket.say("send", client_msg_id="a1", content="Hello")
    first = Reader()
    while not first.text:
        first.take(await socket.hear())
    await socket.say("send", client_msg_id="a2", content="And hello again")
    said = sorted(["".join(TEXT[:40]), "".join(TEXT[:20])])
    while sorted(first.text.values()) != said:
        first.take(await socket.hear())
    _, _, state_ = await sit(acme, session_id)
    back = Reader()
    back.take(state_)
    assert back.text == first.text
    assert back.gaps == 0
    hold.set()


async def test_another_process_asks_the_writing_one_for_its_newest_words(
    acme: House, sit: Any, model: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold = threading.Event()
    model.script(Reply(pieces=TEXT, hold=hold, hold_at=40))
    socket, session_id, _ = await sit(acme)
    await socket.say("send", client_msg_id="a1", content="Hello")
    await socket.hear_until(of("delta"))
    # Reading the state as a process would that does not write this answer; the request itself travels for real.
    monkeypatch.setattr(state.live, "find", lambda turn_id: None)
    other, _, first = await sit(acme, session_id)
    reader = Reader()
    reader.take(first)
    while next(iter(reader.text.values()), "") != "".join(TEXT[:40]):
        reader.take(await other.hear())
    assert reader.gaps == 0
    hold.set()


async def test_words_that_are_published_before_the_newest_ones_arrive_wait_for_them(
    acme: House, sit: Any, model: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The request for the newest words may travel slowly; the answer does not stand still meanwhile."""
    hold = threading.Event()
    model.script(Reply(pieces=TEXT, hold=hold, hold_at=40, pause=0.01))
    socket, session_id, _ = await sit(acme)
    await socket.say("send", client_msg_id="a1", content="Hello")
    while len("".join(TEXT[:40])) > len((await socket.hear_until(of("delta")))[-1]["text"]):
        if live.running()[0].text == "".join(TEXT[:40]):
            break
    tell = relay.tell_answer

    async def slowly(turn_id: Any, message: Any) -> None:
        hold.set()
        (answer,) = live.running()
        while answer._sent <= len("".join(TEXT[:45])):
            await asyncio.sleep(0.005)
        await tell(turn_id, message)

    monkeypatch.setattr(state.live, "find", lambda turn_id: None)
    monkeypatch.setattr(relay, "tell_answer", slowly)
    other, _, first = await sit(acme, session_id)
    reader = Reader()
    reader.take(first)
    numbers = []
    while not _finished(reader):
        frame = await other.hear()
        numbers += [frame["n"]] if "n" in frame else []
        reader.take(frame)
    assert reader.gaps == 0
    assert reader.turns[2]["content"] == "".join(TEXT)
    assert numbers == sorted(numbers)


async def test_a_writer_that_does_not_answer_holds_nothing_back_for_long(
    acme: House, sit: Any, model: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold = threading.Event()
    model.script(Reply(pieces=TEXT, hold=hold, hold_at=40))
    socket, session_id, _ = await sit(acme)
    await socket.say("send", client_msg_id="a1", content="Hello")
    await socket.hear_until(of("delta"))

    async def lost(turn_id: Any, message: Any) -> None:
        """The process that writes never hears of it."""

    monkeypatch.setattr(state.live, "find", lambda turn_id: None)
    monkeypatch.setattr(relay, "tell_answer", lost)
    monkeypatch.setattr(consumers, "CATCH_UP_SECONDS", 0.05)
    other, _, _ = await sit(acme, session_id)
    hold.set()
    assert (await other.hear_until(of("done")))[-1]["turn"]["content"] == "".join(TEXT)


async def test_an_answer_outlives_the_socket_that_asked(acme: House, sit: Any, model: ModelServer) -> None:
    hold = threading.Event()
    model.script(Reply(pieces=TEXT, hold=hold, hold_at=5))
    socket, session_id, _ = await sit(acme)
    await socket.say("send", client_msg_id="a1", content="Hello")
    await socket.hear_until(of("delta"))
    await socket.disconnect()
    hold.set()
    (answer,) = live.running() or [None]
    if answer is not None:
        await asyncio.wait({answer.task}, timeout=10)
    _, _, back = await sit(acme, session_id)
    assert [row["turn"]["state"] for row in back["turns"]] == ["complete", "complete"]
    assert back["turns"][1]["turn"]["content"] == "".join(TEXT)


async def test_an_answer_that_nobody_reads_any_more_is_given_up(
    acme: House, sit: Any, model: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "GRACE_SECONDS", 0.2)
    monkeypatch.setattr(live, "LOOK_EVERY_SECONDS", 0.05)
    model.script(Reply(pieces=TEXT, hold=threading.Event(), hold_at=5))
    socket, session_id, _ = await sit(acme)
    await socket.say("send", client_msg_id="a1", content="Hello")
    await socket.hear_until(of("delta"))
    (answer,) = live.running()
    await socket.disconnect()
    await asyncio.wait_for(answer.task, 10)
    _, _, back = await sit(acme, session_id)
    turn = back["turns"][1]["turn"]
    assert (turn["state"], turn["error_code"]) == ("interrupted", "reader_left")
    assert "data-retry" in back["turns"][1]["html"]


async def test_another_tab_keeps_the_answer_going(
    acme: House, sit: Any, model: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "GRACE_SECONDS", 0.2)
    monkeypatch.setattr(live, "LOOK_EVERY_SECONDS", 0.05)
    hold = threading.Event()
    model.script(Reply(pieces=TEXT, hold=hold, hold_at=5))
    first, session_id, _ = await sit(acme)
    second, _, _ = await sit(acme, session_id)
    await first.say("send", client_msg_id="a1", content="Hello")
    await first.hear_until(of("delta"))
    await first.disconnect()
    (answer,) = live.running()
    done, _ = await asyncio.wait({answer.task}, timeout=0.6)
    assert not done
    hold.set()
    assert (await second.hear_until(of("done")))[-1]["turn"]["state"] == "complete"


async def test_an_answer_whose_process_died_is_shown_as_interrupted(
    acme: House, sit: Any, open_chat: Any
) -> None:
    session = await run_in_services(open_chat, acme)

    def died() -> None:
        """What a killed process leaves behind: a streaming turn with a flushed prefix and a lease that lapsed."""
        posted = post_message(actor=acme.actor(), session_id=session.pk, content="Hello", client_msg_id="a1")
        with tenant_transaction(acme.id):
            lapsed = timezone.now() - timedelta(seconds=1)
            Turn.objects.filter(pk=posted.answer_turn.pk).update(
                content="The first half", leased_until=lapsed
            )

    await run_in_services(died)
    _, _, back = await sit(acme, session.pk)
    turn = back["turns"][1]["turn"]
    assert (turn["state"], turn["content"], turn["error_code"]) == (
        "interrupted",
        "The first half",
        "process_lost",
    )
    assert "data-retry" in back["turns"][1]["html"]
