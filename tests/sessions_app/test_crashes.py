"""kill -9 in the middle: of a compaction at each of its steps, and of an answer that is being streamed."""

from __future__ import annotations

import pytest
from asgiref.sync import async_to_sync

from memories.models import Job, Memory
from memories.ports import FixedClock
from memoryhub.common.db import tenant_transaction
from sessions_app import store
from sessions_app.generation import generate
from sessions_app.models import Digest, Turn
from sessions_app.services.get_turns import get_turn
from sessions_app.services.mark_interrupted import mark_interrupted
from sessions_app.services.retry_answer import retry_answer
from tests.sessions_app.child import child
from tests.sessions_app.conftest import Chat, chat_of, nobody
from tests.sessions_app.services.test_compaction import EN, VALUES, talk
from tests.support.people import make_house

pytestmark = pytest.mark.django_db(transaction=True)

RUN_JOB = """
from memories.services import jobs
from sessions_app import store
from sessions_app.services import compact_session as module
{patch}
jobs.run(uuid.UUID(sys.argv[2]), uuid.UUID(sys.argv[3]))
stand()
"""

POINTS = {
    "before anything is read": "module._next_span = stand",
    "while the model would work": "module.condense = stand",
    "with the digest made and nothing stored": "module.store_embedded = stand",
    "with its memory written": "store.archive = stand",
    "with everything written but not committed": "module.record = stand",
    "after the commit, before the job is done": "module.merge_digests = stand",
    "with the job running a second time": "",
}


@pytest.fixture
def crashing_chat(transactional_db: None, clock: FixedClock) -> Chat:
    chat = chat_of(make_house("acme"), clock)
    talk(chat, EN)
    return chat


@pytest.mark.parametrize("point", POINTS)
def test_a_killed_worker_loses_no_turn_and_compacts_none_twice(
    crashing_chat: Chat, clock: FixedClock, point: str
) -> None:
    chat = crashing_chat
    with tenant_transaction(chat.actor.tenant_id):
        job_id = Job.objects.get(kind="compact_session").pk
        Job.objects.exclude(pk=job_id).delete()
    before = [(turn.seq, turn.role, turn.content) for turn in chat.turns()]
    now = clock.advance(seconds=1)
    with child(RUN_JOB.format(patch=POINTS[point]), now.isoformat(), str(chat.actor.tenant_id), str(job_id)):
        pass  # It stands at the point now, and is killed.
    check(chat, before)
    clock.advance(minutes=3)  # The dead worker's lease lapses, and beat rings again.
    chat.work()
    check(chat, before)
    with tenant_transaction(chat.actor.tenant_id):
        made = list(store.live_digests(chat.id))
        assert Job.objects.get(pk=job_id).state == "done"
        assert Digest.objects.filter(session_id=chat.id).count() == len(made) == 1
        assert Memory.objects.filter(kind="digest").count() == 1
    turns = chat.turns()
    kept = "\n".join([made[0].memory.content, *(turn.content for turn in turns if not turn.archived_at)])
    assert [value for value in VALUES["en"] if value not in kept] == []


def check(chat: Chat, before: list[tuple[int, str, str]]) -> None:
    """All turns are there, in their order; the window begins exactly where the archive ends."""
    turns = chat.turns()
    assert [(turn.seq, turn.role, turn.content) for turn in turns] == before
    archived = [turn.seq for turn in turns if turn.archived_at is not None]
    assert archived == list(range(1, chat.reloaded().window_from))
    assert all((turn.digest_id is not None) == (turn.archived_at is not None) for turn in turns)


STREAM = """
import asyncio
from memories.adapters import factory
from memories.ports import Delta
from sessions_app import generation
from sessions_app.services.post_message import post_message
from accounts.actor import Actor, system_actor

class Slow:
    name, is_model = "slow", True
    async def stream(self, request):
        yield Delta("The answer begins ")
        yield Delta("and then")
        await asyncio.sleep(0.5)  # long enough for a flush
        print("STANDING", flush=True)
        await asyncio.sleep(600)

async def nobody(frame):
    pass

generation.FLUSH_SECONDS = 0.05
factory._parts["chat_model"] = Slow()
actor = system_actor(uuid.UUID(sys.argv[2]))
posted = post_message(actor=actor, session_id=uuid.UUID(sys.argv[3]), content="What now, then?", client_msg_id="m1")
asyncio.run(generation.generate(posted, actor=actor, publish=nobody))
"""


def test_a_killed_web_process_leaves_an_interrupted_answer_that_can_be_made_again(
    transactional_db: None, clock: FixedClock
) -> None:
    chat = chat_of(make_house("acme"), clock)
    now = clock.advance(minutes=1)
    with child(STREAM, now.isoformat(), str(chat.actor.tenant_id), str(chat.id)):
        pass
    question, answer = chat.turns()
    assert (answer.state, answer.content) == ("streaming", "The answer begins and then")
    clock.advance(seconds=10)
    assert mark_interrupted(clock.now()) == []
    clock.advance(seconds=30)
    assert mark_interrupted(clock.now()) == [(chat.actor.tenant_id, chat.id, answer.pk)]
    assert mark_interrupted(clock.now()) == []
    broken = get_turn(actor=chat.actor, turn_id=answer.pk)
    assert (broken.state, broken.error_code) == ("interrupted", "process_lost")
    assert broken.content == "The answer begins and then"

    again = retry_answer(actor=chat.actor, turn_id=answer.pk)
    async_to_sync(generate)(again, actor=chat.actor, publish=nobody)
    states = [(turn.seq, turn.role, str(turn.state), turn.reply_to_id) for turn in chat.turns()]
    assert states == [
        (1, "user", "complete", None),
        (2, "assistant", "replaced", question.pk),
        (3, "assistant", "complete", question.pk),
    ]
    with tenant_transaction(chat.actor.tenant_id):
        window = [turn.seq for turn in store.window(chat.reloaded())]
        assert window == [1, 3]
        assert Turn.objects.filter(client_msg_id="m1").count() == 1
