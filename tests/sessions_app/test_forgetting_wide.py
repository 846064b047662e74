"""Much is forgotten at once: hidden by a few statements, rewritten batch by batch, gone on with after a crash, and undone exactly."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memories.models import Episode, Fact, ForgetRequest, Job, Memory, Posting, Slot, Tombstone
from memories.ports import FixedClock
from memories.services import forget_wide
from memories.services.forget_by_words import forget_by_words
from memories.services.forget_requests import decide_request
from memories.services.restore import restore
from memories.services.undo_request import undo_request
from memories.store.index import Indexed, put_postings
from memoryhub.common.db import tenant_transaction
from sessions_app.models import ChatSession, Turn
from tests.sessions_app.conftest import Chat, chat_of
from tests.sessions_app.test_forgetting import context, recalled
from tests.support.people import House, make_house

pytestmark = pytest.mark.django_db(transaction=True)

MANY = 500
_FLOWERS = ("asters", "begonias", "crocuses", "dahlias", "freesias")


@pytest.fixture
def house(transactional_db: None) -> House:
    return make_house("acme")


@pytest.fixture
def chat(house: House, clock: FixedClock) -> Chat:
    return chat_of(house, clock)


def fill(chat: Chat, many: int = MANY) -> None:
    """As many turns with an episode and a memory each, every other about Tom; one more of something else."""
    now = chat.clock.now()
    chat.say("The kettle is blue.")
    chat.work()
    with tenant_transaction(chat.actor.tenant_id):
        subject_id = chat.actor.subject_id
        session = ChatSession.objects.get(pk=chat.id)
        start = session.next_seq
        ChatSession.objects.filter(pk=chat.id).update(next_seq=start + many)
        for number in range(many):
            who = "Tom" if number % 2 else "Eva"
            text = f"{who} planted {_FLOWERS[number % 5]} in bed {number}."
            said = now + timedelta(seconds=number)
            turn = Turn.objects.create(
                session=session, seq=start + number, role="user", content=text, said_at=said, created_at=said,
                learned_at=said, tokens=8,
            )  # fmt: skip
            episode = Episode.objects.create(
                subject_id=subject_id, session_id=session.pk, source_id=turn.pk, seq=turn.seq, role="user",
                said_at=said, text=text, created_at=said,
            )  # fmt: skip
            memory = Memory.objects.create(
                subject_id=subject_id, kind="event", content=text, fingerprint=uuid.uuid4().bytes,
                said_at=said, created_at=said, updated_at=said,
            )  # fmt: skip
            memory.evidence.create(turn_id=turn.pk, quote=text, role="user", said_at=said, created_at=said)
            Fact.objects.create(
                memory=memory, subject_id=subject_id, entity=who, attribute="planted", value=text[12:],
                slot_key=f"{who.casefold()}|planted",
            )  # fmt: skip
            put_postings(
                [
                    Indexed("episode", episode.pk, subject_id, text),
                    Indexed("memory", memory.pk, subject_id, text),
                ]  # type: ignore[arg-type]
            )
    chat.clock.advance(minutes=20)


def state(chat: Chat) -> dict[str, object]:
    with tenant_transaction(chat.actor.tenant_id):
        return {
            "turns": sorted(Turn.objects.values_list("seq", "content", "forgotten_at")),
            "episodes": sorted(Episode.objects.values_list("id", "text", "status")),
            "memories": sorted(Memory.objects.values_list("id", "content", "status")),
            "slots": sorted(Slot.objects.values_list("key", "value")),
            "terms": Posting.objects.exclude(term__startswith="@").count(),
        }


def asked(chat: Chat, text: str) -> tuple[ForgetRequest, int]:
    """The request after the yes, and how many statements the yes took."""
    assert chat.actor.subject_id is not None
    [outcome] = forget_by_words(actor=chat.actor, subject_id=chat.actor.subject_id, text=text)
    assert outcome.rule == "forget.ask"
    with tenant_transaction(chat.actor.tenant_id):
        request = ForgetRequest.objects.get(state="waiting")
    with CaptureQueriesContext(connection) as seen:
        decide_request(actor=chat.actor, request_id=request.id, approve=True)
    return request, len(seen.captured_queries)


@pytest.mark.parametrize(
    ("text", "many", "gone", "kept"),
    [
        ("forget everything about me", MANY, ["Tom", "Eva", "kettle"], []),
        ("forget Tom", 120, ["Tom"], ["Eva", "kettle"]),
    ],
)
def test_hundreds_are_hidden_at_once_and_rewritten_in_batches(
    chat: Chat, text: str, many: int, gone: list[str], kept: list[str]
) -> None:
    fill(chat, many)
    before = state(chat)
    request, statements = asked(chat, text)
    assert statements < 120, "it must not grow with what is forgotten"
    for word in gone:
        assert word not in recalled(chat, f"What about {word}?"), "nothing is recalled meanwhile"
        assert word not in context(chat, "What was planted?")
    for word in kept:
        assert word in recalled(chat, f"What about {word}?")
    with tenant_transaction(chat.actor.tenant_id):
        assert Turn.objects.filter(content__contains=gone[0]).exists(), "the texts are rewritten later"
        [job] = Job.objects.filter(kind=forget_wide.KIND)
    with CaptureQueriesContext(connection) as seen:
        chat.work()
    batches = sum(1 for one in seen.captured_queries if "pg_advisory_xact_lock" in one["sql"])
    assert len(seen.captured_queries) < 60 * batches + 200, "batches, not rows"
    with tenant_transaction(chat.actor.tenant_id):
        assert Job.objects.get(pk=job.pk).state == "done"
        for word in gone:
            assert not Turn.objects.filter(content__contains=word).exists()
            assert not Episode.objects.filter(text__contains=word).exists()
        for word in kept:
            assert Episode.objects.filter(text__contains=word, status="current").exists()
        assert not Episode.objects.filter(status="quarantined").exists()
        assert not Memory.objects.filter(status="quarantined").exists()
    undone = undo_request(actor=chat.actor, request_id=request.id)
    assert (undone.stayed, undone.missed) == (0, 0)
    chat.work()
    assert state(chat) == before


@pytest.mark.parametrize("crashes", [1, 3])
def test_a_worker_that_dies_between_batches_is_followed_by_one_that_goes_on(
    chat: Chat, monkeypatch: pytest.MonkeyPatch, crashes: int
) -> None:
    fill(chat, 120)
    before = state(chat)
    monkeypatch.setattr(forget_wide, "BATCH", 25)
    request, _ = asked(chat, "forget everything about me")
    real: Callable[..., None] = forget_wide.rewrite
    for crash in range(crashes):
        left = iter(range(3 + crash))

        def die(*args: object, left: Iterator[int] = left, **kwargs: object) -> None:
            real(*args, **kwargs)
            if next(left, None) is None:
                raise KeyboardInterrupt  # In the middle of a batch: what it did is rolled back.

        with monkeypatch.context() as patch:
            patch.setattr(forget_wide, "rewrite", die)
            with pytest.raises(KeyboardInterrupt):
                chat.work()
        chat.clock.advance(minutes=10)
    chat.work()
    with tenant_transaction(chat.actor.tenant_id):
        assert Job.objects.get(kind=forget_wide.KIND).state == "done"
        assert not Turn.objects.filter(content__contains="planted").exists()
        assert not Episode.objects.filter(status="quarantined").exists()
    undo_request(actor=chat.actor, request_id=request.id)
    chat.work()
    assert state(chat) == before


def test_an_undo_before_the_job_ran_brings_everything_back(chat: Chat) -> None:
    fill(chat, 120)
    before = state(chat)
    request, _ = asked(chat, "forget Tom")
    assert undo_request(actor=chat.actor, request_id=request.id).memories == 60
    assert state(chat) == before
    chat.work()
    assert state(chat) == before


def test_one_memory_of_many_can_come_back_by_itself(chat: Chat) -> None:
    fill(chat, 120)
    asked(chat, "forget Tom")
    with tenant_transaction(chat.actor.tenant_id):
        one = Memory.objects.filter(status="forgotten").latest("said_at")
    restore(actor=chat.actor, memory_id=one.id)
    chat.work()
    with tenant_transaction(chat.actor.tenant_id):
        assert Memory.objects.get(id=one.id).content == one.content
        assert [turn.content for turn in Turn.objects.filter(content__contains="Tom")] == [one.content]
        assert Tombstone.objects.filter(restored_at__isnull=True).count() == 59


def test_what_is_said_while_the_job_waits_stays(chat: Chat) -> None:
    fill(chat, 120)
    asked(chat, "forget Tom")
    chat.post("My brother Tom lives in Ghent")
    chat.work()
    assert "Ghent" in recalled(chat, "Where does Tom live?")
