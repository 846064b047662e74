"""Between a wide request and the job that rewrites the texts: what is said again stays, what is hidden shows nowhere, requests take turns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from memories.models import Episode, Fact, ForgetRequest, Job, Memory, MemoryVersion, Slot, Status
from memories.ports import FixedClock
from memories.services import forget_carry_out, forget_wide
from memories.services.forget_by_words import forget_by_words
from memories.services.forget_requests import decide_request
from memories.services.undo_request import undo_request
from memories.services.undo_supersession import undo_supersession
from memoryhub.common.db import tenant_transaction
from sessions_app.models import ChatSession, Turn
from sessions_app.services import learn_turn as learning
from sessions_app.services.get_turns import get_turns
from sessions_app.services.learn_turn import learn_turn
from sessions_app.services.list_sessions import list_sessions
from tests.sessions_app.conftest import Chat, chat_of
from tests.sessions_app.test_forgetting import recalled
from tests.sessions_app.test_forgetting_wide import state
from tests.support.people import House, make_house

pytestmark = pytest.mark.django_db(transaction=True)

SAID = ("Tom lives in Ghent.", "Tom likes asters.", "Eva lives in Bruges.", "Eva likes crocuses.")


@pytest.fixture
def house(transactional_db: None) -> House:
    return make_house("acme")


@pytest.fixture
def chat(house: House, clock: FixedClock, monkeypatch: pytest.MonkeyPatch) -> Chat:
    """Somebody who spoke of two friends; a single memory is much already."""
    monkeypatch.setattr(forget_carry_out, "WIDE_MEMORIES", 0)
    chat = chat_of(house, clock)
    for text in SAID:
        chat.post(text)
    chat.work()
    return chat


def asked(chat: Chat, text: str, *, wide: bool = True) -> ForgetRequest:
    """The request, carried out at once or after a yes; its job has still to come."""
    assert chat.actor.subject_id is not None
    chat.clock.advance(minutes=1)
    forget_by_words(actor=chat.actor, subject_id=chat.actor.subject_id, text=text)
    with tenant_transaction(chat.actor.tenant_id):
        request = ForgetRequest.objects.order_by("-asked_at").first()
    assert request is not None
    if request.state == "waiting":
        decide_request(actor=chat.actor, request_id=request.id, approve=True)
    with tenant_transaction(chat.actor.tenant_id):
        assert Job.objects.filter(kind=forget_wide.KIND, key=str(request.id)).exists() == wide
    return request


def one(chat: Chat, read: Callable[[], Any]) -> Any:
    with tenant_transaction(chat.actor.tenant_id):
        return read()


def dies_at(monkeypatch: pytest.MonkeyPatch, chat: Chat, holder: str, time: int) -> None:
    """Work until the worker dies before it rewrites that holder for the `time`-th time."""
    real, seen = forget_wide.rewrite, []

    def die(texts: Any, *args: Any, **kwargs: Any) -> None:
        seen.append(texts.name)
        if seen.count(holder) == time:
            raise KeyboardInterrupt
        real(texts, *args, **kwargs)

    with monkeypatch.context() as patch:
        patch.setattr(forget_wide, "rewrite", die)
        with pytest.raises(KeyboardInterrupt):
            chat.work()
    chat.clock.advance(minutes=10)


@pytest.mark.parametrize(
    ("text", "again", "word", "question"),
    [
        ("forget everything about me", "Tom lives in Ghent.", "Ghent", "Where does Tom live?"),
        ("forget everything about me", "Tom was born in Ghent.", "Ghent", "Where was Tom born?"),
        ("forget Tom", "Tom lives in Ghent.", "Ghent", "Where does Tom live?"),
        ("忘掉我的一切", "Tom likes asters.", "asters", "What does Tom like?"),
    ],
)
def test_what_is_said_again_while_the_job_waits_is_kept(
    chat: Chat, text: str, again: str, word: str, question: str
) -> None:
    asked(chat, text)
    posted = chat.post(again)
    assert [outcome.code for outcome in posted.outcomes] == ["stored"]
    chat.work()
    assert word in recalled(chat, question)
    turn = one(chat, lambda: Turn.objects.get(pk=posted.user_turn.pk))
    assert (turn.content, turn.forgotten_at) == (again, None)
    kept = one(chat, lambda: list(Memory.objects.filter(status="current", content__contains=word)))
    assert len(kept) == 1
    assert one(chat, lambda: Fact.objects.filter(memory=kept[0], value__contains=word).exists())
    texts = one(chat, lambda: list(Turn.objects.filter(content__contains=word).values_list("pk", flat=True)))
    assert texts == [turn.pk], "what was said before is gone"


def test_the_first_job_shows_nothing_that_the_second_request_hid(
    chat: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = one(chat, lambda: state(chat))
    tom, eva = asked(chat, "forget Tom"), asked(chat, "forget Eva")
    dies_at(monkeypatch, chat, "memories", 2)  # The first request's job is through.
    assert not one(chat, lambda: Turn.objects.filter(content__contains="Tom").exists())
    assert one(chat, lambda: Turn.objects.filter(content__contains="Eva").count()) == 2
    assert "Eva" not in recalled(chat, "Where does Eva live?")
    assert not one(chat, lambda: Episode.objects.filter(text__contains="Eva", status="current").exists())
    assert not one(
        chat, lambda: Turn.objects.filter(content__contains="Eva", forgotten_at__isnull=True).exists()
    )
    chat.work()
    assert not one(chat, lambda: Turn.objects.filter(content__contains="Eva").exists())
    assert not one(chat, lambda: Episode.objects.filter(status="quarantined").exists())
    for request in (tom, eva):
        undo_request(actor=chat.actor, request_id=request.id)
    assert state(chat) == before


def test_a_text_that_two_requests_concern_is_shown_by_the_last(
    chat: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat.post("The kettle is red. Tom met Eva by the lake.")
    chat.work()
    asked(chat, "forget Tom")
    asked(chat, "forget Eva")
    dies_at(monkeypatch, chat, "episodes", 2)
    assert "lake" not in recalled(chat, "Who was by the lake?")
    chat.work()
    assert "kettle" in recalled(chat, "What colour is the kettle?")
    assert not one(chat, lambda: Turn.objects.filter(content__contains="Eva").exists())


def test_a_slot_goes_with_the_memory_that_it_was_said_with(chat: Chat) -> None:
    chat.post("My locker code is 7315, Tom knows it.")
    chat.work()
    assert one(chat, lambda: Slot.objects.exists())
    asked(chat, "forget Tom")
    assert not one(chat, lambda: Slot.objects.filter(key__icontains="tom").exists())
    assert not one(chat, lambda: Slot.objects.filter(value__icontains="tom").exists())


def test_what_was_not_learnt_yet_is_learnt_all_the_same(chat: Chat) -> None:
    turn = chat.say("My sister Ida lives in Lund.")
    meant = chat.say("By the way, Tom moved to Namur.")
    asked(chat, "forget Tom")
    assert one(chat, lambda: Turn.objects.get(pk=turn.pk).forgotten_at) is None, (
        "it has nothing to do with it"
    )
    assert one(chat, lambda: Turn.objects.get(pk=meant.pk).forgotten_at) is not None
    assert learn_turn(actor=chat.actor, turn_id=meant.pk) == []
    chat.work()
    assert "Lund" in recalled(chat, "Where does Ida live?")
    assert "Namur" not in recalled(chat, "Where did Tom move?")


def test_a_hidden_turn_is_learnt_from_once_it_is_shown(chat: Chat) -> None:
    turn = chat.say("Tom waters the roses. My sister Ida lives in Lund.")
    asked(chat, "forget Tom")
    assert learn_turn(actor=chat.actor, turn_id=turn.pk) == [], "it is hidden"
    one(chat, lambda: Job.objects.filter(kind="learn_turn").delete())
    chat.work()
    assert "Lund" in recalled(chat, "Where does Ida live?")


def test_a_turn_that_is_hidden_while_it_is_learnt_from_is_not_recalled(
    chat: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = chat.say("Tom waters the roses. My sister Ida lives in Lund.")
    real = learning.note_slots

    def late(**kwargs: Any) -> Any:
        monkeypatch.setattr(learning, "note_slots", real)
        asked(chat, "forget Tom")
        return real(**kwargs)

    monkeypatch.setattr(learning, "note_slots", late)
    learn_turn(actor=chat.actor, turn_id=turn.pk)
    assert "roses" not in recalled(chat, "Who waters the roses?")
    chat.work()
    assert "Lund" in recalled(chat, "Where does Ida live?")
    assert "Tom" not in recalled(chat, "Who waters the roses?")


def test_pages_and_lists_show_nothing_hidden(chat: Chat) -> None:
    assert chat.actor.subject_id is not None
    one(chat, lambda: ChatSession.objects.filter(pk=chat.id).update(title="Tom lives in Ghent"))
    asked(chat, "forget Tom")
    listed = [turn.content for turn in get_turns(actor=chat.actor, session_id=chat.id)]
    assert "Tom" not in " ".join(listed)
    assert SAID[2] in listed
    titles = [row.title for row in list_sessions(actor=chat.actor, subject_id=chat.actor.subject_id)]
    assert "Tom" not in " ".join(titles)
    chat.work()
    seqs = [turn.seq for turn in get_turns(actor=chat.actor, session_id=chat.id)]
    assert seqs[0] == 1, "rewritten, it is listed again"


def _plain(chat: Chat) -> dict[str, Any]:
    now = chat.clock.now()
    return {
        "subject_id": chat.actor.subject_id, "kind": "note", "content": "The kettle shop is in Ghent.",
        "fingerprint": b"k", "said_at": now, "created_at": now, "updated_at": now,
    }  # fmt: skip


@pytest.mark.parametrize("worked", [False, True])
def test_asked_for_twice_it_is_back_once_both_are_undone(chat: Chat, worked: bool) -> None:
    before = state(chat)
    first = asked(chat, "forget Tom")
    if worked:
        chat.work()
    second = asked(chat, "forget Tom", wide=not worked)
    undone = undo_request(actor=chat.actor, request_id=first.id)
    assert (undone.memories, undone.stayed) == (0, 2), "the second one stands"
    undo_request(actor=chat.actor, request_id=second.id)
    assert state(chat) == before
    assert {row.state for row in one(chat, lambda: list(ForgetRequest.objects.all()))} == {"restored"}


def test_hidden_memories_have_versions_and_one_said_again_is_replaced(chat: Chat) -> None:
    """A memory that only holds the value is set aside and comes back, unless it was said again meanwhile."""
    rows = one(
        chat, lambda: [Memory.objects.create(**{**_plain(chat), "fingerprint": key}) for key in (b"1", b"2")]
    )
    one(chat, lambda: Memory.objects.filter(pk=rows[1].pk).update(status=Status.SUPERSEDED))
    asked(chat, "forget where Tom lives")
    hidden = one(chat, lambda: list(Memory.objects.filter(pk__in=[row.pk for row in rows])))
    assert {row.status for row in hidden} == {"quarantined"}
    again = one(
        chat,
        lambda: Memory.objects.create(**{**_plain(chat), "fingerprint": b"1", "said_at": chat.clock.now()}),
    )
    chat.clock.advance(minutes=1)
    chat.work()
    assert one(chat, lambda: MemoryVersion.objects.filter(memory=rows[0], change="hidden").count()) == 1
    first, second = (one(chat, lambda pk=row.pk: Memory.objects.get(pk=pk)) for row in rows)
    assert (first.status, first.superseded_by_id) == ("superseded", again.pk)
    assert second.status == "superseded"
    assert not one(chat, lambda: Memory.objects.filter(status="quarantined").exists())


def test_a_replacement_that_was_hidden_and_shown_can_still_be_undone(chat: Chat) -> None:
    chat.post("I live in Ghent.")
    chat.post("I moved to Bruges.")
    chat.work()
    old = one(chat, lambda: Memory.objects.get(content__contains="I live in Ghent"))
    assert old.status == "superseded"
    asked(chat, "forget where Tom lives")
    assert one(chat, lambda: Memory.objects.get(pk=old.pk).status) == "quarantined", "it holds the word"
    chat.work()
    assert one(chat, lambda: Memory.objects.get(pk=old.pk).status) == "superseded"
    assert undo_supersession(actor=chat.actor, memory_id=old.pk).status == "current"
