"""Undoing much that was forgotten: recalled again at once by a fixed number of statements, the words put back batch by batch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from memories.models import Embedding, Episode, ForgetRequest, Job, Memory, MemoryVersion, Tombstone
from memories.ports import FixedClock
from memories.services import forget_carry_out, undo_texts
from memories.services.forget_requests import list_requests
from memories.services.jobs import enqueue
from memories.services.undo_request import undo_request
from memories.store.index import Indexed, put_postings
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import NotFound
from sessions_app.models import Turn
from tests.sessions_app.conftest import Chat, chat_of
from tests.sessions_app.test_forgetting import context, recalled
from tests.sessions_app.test_forgetting_waiting import asked
from tests.sessions_app.test_forgetting_wide import fill, state
from tests.support.people import House, make_house

pytestmark = pytest.mark.django_db(transaction=True)

ALL = "forget everything about me"


@pytest.fixture
def house(transactional_db: None) -> House:
    return make_house("acme")


@pytest.fixture
def chat(house: House, clock: FixedClock, monkeypatch: pytest.MonkeyPatch) -> Chat:
    """A single memory is much already."""
    monkeypatch.setattr(forget_carry_out, "WIDE_MEMORIES", 0)
    return chat_of(house, clock)


def read(chat: Chat, what: Callable[[], Any]) -> Any:
    with tenant_transaction(chat.actor.tenant_id):
        return what()


def filled(chat: Chat, many: int) -> None:
    """The same as `fill`, with the vectors of all that it stored."""
    fill(chat, many)
    read(chat, lambda: enqueue(kind="index_pending", key="index_pending"))
    chat.work()


def whole(chat: Chat) -> dict[str, object]:
    """All that must be as it was: texts and statuses, facts, quotes, the words and vectors of the index."""
    return state(chat) | read(
        chat,
        lambda: {
            "vectors": sorted(Embedding.objects.values_list("item_id", flat=True)),
            "facts": sorted(Memory.objects.values_list("id", "facts__value", "facts__valid_to")),
            "quotes": sorted(
                Memory.objects.values_list("id", "evidence__quote", "evidence__turn_id"), key=str
            ),
            "told": sorted(
                MemoryVersion.objects.exclude(
                    change__in=["forgotten", "hidden", "shown", "restored"]
                ).values_list("memory_id", "number", "content")
            ),
        },
    )


def gone(chat: Chat, word: str) -> bool:
    """Whether no text that anything is recalled from or shown in has the word."""
    return not read(
        chat,
        lambda: (
            Turn.objects.filter(content__contains=word, forgotten_at__isnull=True).exists()
            or Episode.objects.filter(text__contains=word, status="current").exists()
            or Memory.objects.filter(content__contains=word, status__in=["current", "superseded"]).exists()
        ),
    )


def undo(chat: Chat, request: ForgetRequest) -> Any:
    return undo_request(actor=chat.actor, request_id=request.id)


def test_the_undo_takes_as_many_statements_for_sixty_memories_as_for_five(
    house: House, clock: FixedClock, chat: Chat
) -> None:
    taken = {}
    for many, who in ((5, "user"), (60, "other")):
        one = chat_of(house, clock, who)
        fill(one, many)
        request = asked(one, ALL)
        one.work()
        with CaptureQueriesContext(connection) as seen:
            undone = undo(one, request)
        assert undone.memories >= many
        taken[many] = len(seen.captured_queries)
    assert taken[60] <= taken[5] + 3, taken
    assert taken[60] < 150


def test_memories_are_recalled_before_the_words_of_texts_are_back(
    chat: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(chat, 60)
    before = whole(chat)
    request = asked(chat, ALL)
    chat.work()
    assert "Tom" not in recalled(chat, "What did Tom plant?")
    monkeypatch.setattr(undo_texts, "BATCH", 10)
    undone = undo(chat, request)
    assert (undone.memories, undone.stayed, undone.missed) == (60, 0, 0)
    assert undone.texts_left > 50
    assert "Tom planted" in recalled(chat, "What did Tom plant?")
    assert "planted" in context(chat, "What was planted?")
    assert chat.actor.subject_id is not None
    [listed] = list_requests(actor=chat.actor, subject_id=chat.actor.subject_id)
    assert (listed.state, listed.texts_left, listed.restorable) == ("undoing", undone.texts_left, False)
    assert undo(chat, request).texts_left == undone.texts_left, "asked for again it changes nothing"
    chat.work()
    assert whole(chat) == before
    [listed] = list_requests(actor=chat.actor, subject_id=chat.actor.subject_id)
    assert (listed.state, listed.texts_left) == ("restored", 0)
    assert read(chat, lambda: list(ForgetRequest.objects.values_list("undo", flat=True))) == [None]
    assert not read(chat, lambda: Tombstone.objects.filter(undo__isnull=False).exists())


@pytest.mark.parametrize("crashes", [1, 3])
def test_a_worker_that_dies_between_batches_is_followed_by_one_that_goes_on(
    chat: Chat, monkeypatch: pytest.MonkeyPatch, crashes: int
) -> None:
    filled(chat, 60)
    before = whole(chat)
    request = asked(chat, ALL)
    chat.work()
    monkeypatch.setattr(undo_texts, "BATCH", 15)
    left = [undo(chat, request).texts_left]
    real = undo_texts.put_back
    for _ in range(crashes):
        done: list[object] = []

        def die(*args: Any, done: list[object] = done, **kwargs: Any) -> Any:
            found = real(*args, **kwargs)
            done.append(found)
            if len(done) == 2:
                raise KeyboardInterrupt  # In the middle of a batch: what it did is rolled back.
            return found

        with monkeypatch.context() as patch:
            patch.setattr(undo_texts, "put_back", die)
            with pytest.raises(KeyboardInterrupt):
                chat.work()
        chat.clock.advance(minutes=10)
        left.append(read(chat, lambda: Job.objects.get(kind=undo_texts.KIND).payload["left"]))
    assert left == sorted(left, reverse=True) and len(set(left)) == crashes + 1, "each goes on where it stood"
    assert read(chat, lambda: ForgetRequest.objects.get().state) == "undoing"
    chat.work()
    assert whole(chat) == before
    assert read(chat, lambda: ForgetRequest.objects.get().state) == "restored"


@pytest.mark.parametrize("worked", ["both", "first", "none"])
@pytest.mark.parametrize(("first", "second"), [("forget Tom", ALL), ("forget Tom", "forget Eva")])
def test_nothing_comes_back_that_another_request_hides_as_well(
    chat: Chat, worked: str, first: str, second: str
) -> None:
    chat.post("Tom met Eva by the lake.")
    filled(chat, 10)
    before = whole(chat)
    one = asked(chat, first)
    if worked != "none":
        chat.work()
    other = asked(chat, second)
    if worked == "both":
        chat.work()
    undo(chat, one)
    word = "Tom" if second == ALL else "Eva"
    assert gone(chat, word) and word not in recalled(chat, f"What did {word} plant?")
    chat.work()
    assert gone(chat, word) and word not in recalled(chat, f"What did {word} plant?")
    if second != ALL:
        assert "Tom planted" in recalled(chat, "What did Tom plant?")
    undo(chat, other)
    chat.work()
    assert whole(chat) == before
    assert set(read(chat, lambda: list(ForgetRequest.objects.values_list("state", flat=True)))) == {
        "restored"
    }


def test_a_summary_that_two_requests_empty_is_back_once_both_are_undone(chat: Chat) -> None:
    now = chat.clock.now()
    row = {"content": "Tom lives in Ghent.", "fingerprint": b"d", "created_at": now, "updated_at": now}
    digest = read(
        chat,
        lambda: Memory.objects.create(subject_id=chat.actor.subject_id, kind="digest", said_at=now, **row),
    )
    assert chat.actor.subject_id is not None
    words = Indexed("memory", digest.pk, chat.actor.subject_id, digest.content)
    read(chat, lambda: put_postings([words]))
    filled(chat, 4)
    before = whole(chat)
    one, other = asked(chat, "forget Tom"), asked(chat, ALL)
    chat.work()
    undo(chat, one)
    chat.work()
    kept = read(chat, lambda: Memory.objects.get(pk=digest.pk))
    assert kept.status == "forgotten" and "Ghent" not in kept.content
    assert read(chat, lambda: ForgetRequest.objects.get(pk=one.pk).state) == "restored"
    undo(chat, other)
    chat.work()
    assert whole(chat) == before
    assert read(chat, lambda: ForgetRequest.objects.get(pk=other.pk).state) == "restored"


def test_history_comes_back_as_history_with_its_vector(chat: Chat) -> None:
    chat.post("I live in Ghent.")
    chat.post("I moved to Bruges.")
    filled(chat, 2)
    before = whole(chat)
    old = read(chat, lambda: Memory.objects.get(status="superseded"))
    assert read(chat, lambda: Embedding.objects.filter(item_id=old.pk).exists())
    request = asked(chat, ALL)
    chat.work()
    undo(chat, request)
    chat.work()
    assert whole(chat) == before
    again = read(chat, lambda: Memory.objects.get(pk=old.pk))
    assert (again.status, again.superseded_by_id) == ("superseded", old.superseded_by_id)


def test_an_earlier_request_keeps_what_a_later_one_brings_back(chat: Chat) -> None:
    """The first took the words already: undone, they go back into texts out of which the second wants them, too."""
    chat.post("My boss Ann lives in Ghent. The kettle is blue.")
    chat.work()
    before = whole(chat)
    one, other = asked(chat, "forget where my boss lives"), asked(chat, "forget my boss", wide=True)
    chat.work()
    undo(chat, one)
    chat.work()
    assert gone(chat, "Ghent")
    undo(chat, other)
    chat.work()
    assert whole(chat) == before


def test_another_tenants_request_is_not_found(chat: Chat) -> None:
    fill(chat, 5)
    request = asked(chat, ALL)
    chat.work()
    before = state(chat)
    other = make_house("globex")
    for who in ("user", "admin"):
        with pytest.raises(NotFound):
            undo_request(actor=other.actor(who), request_id=request.id)
    assert state(chat) == before
    assert read(chat, lambda: ForgetRequest.objects.get().state) == "done"


def test_page_and_rest_say_that_it_is_being_brought_back(
    chat: Chat, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(chat, 20)
    request = asked(chat, ALL)
    chat.work()
    monkeypatch.setattr(undo_texts, "BATCH", 5)
    client = house.client("user")
    url = reverse("undo_forgetting", args=[request.id])
    page = client.post(url, {"next": reverse("forgetting")}, follow=True).content.decode()
    assert "being brought back" in page
    assert "texts to go" in page
    assert url not in page, "there is nothing more to press"
    page = client.get(reverse("forgetting"), headers={"accept-language": "zh-hans"}).content.decode()
    assert "正在恢复" in page
    [listed] = client.get("/api/v1/forget/requests/").json()["results"]
    assert listed["state"] == "undoing" and listed["texts_left"] > 0
    chat.work()
    [listed] = client.get("/api/v1/forget/requests/").json()["results"]
    assert (listed["state"], listed["texts_left"]) == ("restored", 0)
