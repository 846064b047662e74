"""Forgetting fits in every column, is undone to the character, and never reaches what was said after the request."""

from __future__ import annotations

import threading
import uuid
from datetime import timedelta

import pytest
from django.db import connection

from accounts.actor import system_actor
from accounts.models import AuditEntry
from memories.core.errors import NotUndoable
from memories.models import (
    Fact,
    ForgetRequest,
    ForgetRule,
    IdempotencyKey,
    Memory,
    MemoryVersion,
    Slot,
    Tombstone,
)
from memories.ports import FixedClock
from memories.services.forget_labels import described
from memories.services.forget_wanted import wanted_of
from memories.services.purge import purge
from memories.services.restore import restore
from memories.services.undo_request import undo_request
from memories.services.versioning import Change, version_row
from memories.store.locks import lock_subject
from memoryhub.common.db import tenant_transaction
from sessions_app.models import ChatSession, Turn
from tests.sessions_app.conftest import Chat, chat_of
from tests.support.people import House, make_house

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def house(transactional_db: None) -> House:
    return make_house("acme")


@pytest.fixture
def chat(house: House, clock: FixedClock) -> Chat:
    return chat_of(house, clock)


def undo(chat: Chat) -> None:
    with tenant_transaction(chat.actor.tenant_id):
        request = ForgetRequest.objects.get(state="done")
    undo_request(actor=chat.actor, request_id=request.id)


def other_memory(chat: Chat, content: str, **fields: object) -> uuid.UUID:
    """Another current memory of the person, whatever its columns hold."""
    now = chat.clock.now()
    with tenant_transaction(chat.actor.tenant_id):
        made = Memory.objects.create(
            subject_id=chat.actor.subject_id,
            content=content,
            fingerprint=uuid.uuid4().bytes,
            said_at=now,
            created_at=now,
            updated_at=now,
            **{"kind": "event", **fields},
        )
    return made.id  # type: ignore[no-any-return]


def memory(chat: Chat, memory_id: uuid.UUID) -> Memory:
    with tenant_transaction(chat.actor.tenant_id):
        return Memory.objects.get(id=memory_id)


def test_a_key_at_its_limit_is_masked_and_comes_back(chat: Chat) -> None:
    chat.ask("My phone number is 555-1234")
    key = "k" * 191 + " 555-1234"
    kept = other_memory(chat, "The plumber comes on Tuesday", key=key)
    chat.ask("forget my phone number")
    masked = memory(chat, kept).key
    assert "555-1234" not in masked and masked.startswith("k" * 191) and len(masked) <= 200
    undo(chat)
    assert memory(chat, kept).key == key


def test_two_keys_that_are_masked_alike_stay_two(chat: Chat) -> None:
    chat.ask("My phone number is 555-1234")
    chat.ask("My phone number is now 555-9876")
    keys = ["555-1234", "555-9876"]
    kept = [other_memory(chat, f"Rule {key[:3]}", kind="constraint", key=key) for key in keys]
    chat.ask("forget my phone number")
    found = [memory(chat, one).key for one in kept]
    assert len(set(found)) == 2 and not any("555" in one for one in found)
    undo(chat)
    assert [memory(chat, one).key for one in kept] == keys


def test_titles_and_slots_at_their_limit_come_back_whole(chat: Chat) -> None:
    chat.ask("My phone number is 555-1234")
    chat.ask("My phone number is now 555-9876")
    title = f"{'call 555-1234 ' * 14}tail"
    now = chat.clock.now()
    keys = [f"{'x' * 189} 555-1234 {end}" for end in "ab"]
    keys += ["ring 555-1234", "ring 555-9876"]
    with tenant_transaction(chat.actor.tenant_id):
        ChatSession.objects.filter(pk=chat.id).update(title=title)
        for key in keys:
            Slot.objects.create(
                subject_id=chat.actor.subject_id,
                kind="entity",
                key=key,
                value="v",
                created_at=now,
                updated_at=now,
                expires_at=now.replace(year=now.year + 1),
            )
    assert len(title) == 200
    chat.ask("forget my phone number")
    with tenant_transaction(chat.actor.tenant_id):
        assert "1234" not in ChatSession.objects.get(pk=chat.id).title
        assert not Slot.objects.filter(key__contains="555-").exists()
    undo(chat)
    with tenant_transaction(chat.actor.tenant_id):
        assert ChatSession.objects.get(pk=chat.id).title == title
        assert set(keys) <= set(Slot.objects.values_list("key", flat=True))


def test_a_request_of_the_past_does_not_reach_what_was_said_after_it(chat: Chat) -> None:
    past = chat.clock.now() - timedelta(days=900)
    chat.say("My phone number is 555-9876", at=past - timedelta(days=1))
    chat.work()
    chat.clock.advance(minutes=5)
    chat.ask("My phone number is 555-1234")
    chat.say("Forget my phone number.", at=past)
    chat.work()
    with tenant_transaction(chat.actor.tenant_id):
        [current] = Memory.objects.filter(status="current", facts__attribute="phone").distinct()
        turns = "\n".join(Turn.objects.order_by("seq").values_list("content", flat=True))
    assert "555-1234" in current.content
    assert "555-1234" in turns and "555-9876" not in turns


def test_a_memory_that_lost_all_its_words_has_a_tombstone_and_comes_back_with_them_only(chat: Chat) -> None:
    chat.ask("My phone number is 555-1234")
    kept = other_memory(chat, "555-1234", kind="conclusion")
    chat.ask("forget my phone number")
    with tenant_transaction(chat.actor.tenant_id):
        [stone] = Tombstone.objects.filter(memory_id=kept)
        assert stone.request_id is not None and stone.restored_at is None
        assert MemoryVersion.objects.filter(memory_id=kept, change="forgotten").exists()
        told = AuditEntry.objects.filter(action="memory.forgotten").values_list("changes", flat=True)
        assert any(str(kept) in str(one) for one in told)
    with pytest.raises(NotUndoable):
        restore(actor=chat.actor, memory_id=kept)
    undo(chat)
    back = memory(chat, kept)
    assert (back.content, back.status) == ("555-1234", "current")
    with tenant_transaction(chat.actor.tenant_id):
        assert not Tombstone.objects.filter(memory_id=kept, restored_at__isnull=True).exists()


def test_words_go_from_tags_metadata_facts_and_the_state_of_versions_and_come_back(chat: Chat) -> None:
    chat.ask("My phone number is 555-1234")
    tags = ["call 555-1234", "home"]
    metadata = {"note": "ring 555-1234 first", "more": [{"deep": "555-1234"}], "n": 5}
    kept = other_memory(chat, "The plumber comes on Tuesday", tags=tags, metadata=metadata)
    with tenant_transaction(chat.actor.tenant_id):
        row = Memory.objects.get(id=kept)
        version_row(row, chat.actor, Change("created"), chat.clock.now()).save()
        Fact.objects.create(
            memory_id=kept,
            subject_id=chat.actor.subject_id,
            entity="plumber",
            attribute="contact",
            value="under 555-1234 at noon",
            slot_key="plumber|contact",
        )

    def columns() -> tuple[object, ...]:
        with tenant_transaction(chat.actor.tenant_id):
            row = Memory.objects.get(id=kept)
            state = MemoryVersion.objects.filter(memory_id=kept).latest("number").state
            return row.tags, row.metadata, state, Fact.objects.get(memory_id=kept).value

    before = columns()
    chat.ask("forget my phone number")
    during = columns()
    assert "555-1234" not in str(during)
    assert "home" in str(during[0]) and "at noon" in str(during[3]) and during[2]["kind"] == "event"  # type: ignore[index]
    undo(chat)
    assert columns() == before


def test_words_whose_text_changed_are_kept_and_can_be_put_back_later(chat: Chat) -> None:
    chat.ask("My phone number is 555-1234")
    title = "Call 555-1234 today"
    with tenant_transaction(chat.actor.tenant_id):
        ChatSession.objects.filter(pk=chat.id).update(title=title)
    chat.ask("forget my phone number")
    with tenant_transaction(chat.actor.tenant_id):
        # Said without a memory of its own, so that the cut is the request's.
        request = ForgetRequest.objects.get(state="done")
        masked = ChatSession.objects.get(pk=chat.id).title
        stones = list(Tombstone.objects.filter(request=request).values_list("undo", flat=True))
        by_request = "sessions" in str(request.undo)
        assert by_request or any("sessions" in str(one) for one in stones)
        ChatSession.objects.filter(pk=chat.id).update(title="Renamed")
    undone = undo_request(actor=chat.actor, request_id=request.id)
    assert undone.memories == 1
    with tenant_transaction(chat.actor.tenant_id):
        kept = [*Tombstone.objects.values_list("undo", flat=True), ForgetRequest.objects.get().undo]
        assert any("555-1234" in str(one) for one in kept), "nothing is destroyed before its time"
        assert masked != title and ChatSession.objects.get(pk=chat.id).title == "Renamed"
    chat.clock.advance(days=40)
    purge(actor=system_actor(chat.actor.tenant_id))
    with tenant_transaction(chat.actor.tenant_id):
        assert not any("555-1234" in str(one) for one in Tombstone.objects.values_list("undo", flat=True))


def test_a_request_whose_memory_has_a_successor_stays_done_and_says_so(chat: Chat) -> None:
    chat.ask("I live in Lisbon")
    chat.ask("forget where I live")
    chat.ask("I live in Porto")
    with tenant_transaction(chat.actor.tenant_id):
        request = ForgetRequest.objects.get(state="done")
    undone = undo_request(actor=chat.actor, request_id=request.id)
    assert (undone.memories, undone.stayed) == (0, 1)
    with tenant_transaction(chat.actor.tenant_id):
        assert ForgetRequest.objects.get().state == "done"
        assert ForgetRule.objects.filter(request=request, removed_at__isnull=True).exists()


def test_purge_waits_for_who_changes_the_same_persons_memory(chat: Chat) -> None:
    chat.ask("My phone number is 555-1234")
    chat.ask("forget my phone number")
    chat.clock.advance(days=40)
    assert chat.actor.subject_id is not None
    done = threading.Event()

    def work() -> None:
        try:
            purge(actor=system_actor(chat.actor.tenant_id))
        finally:
            done.set()
            connection.close()

    thread = threading.Thread(target=work)
    with tenant_transaction(chat.actor.tenant_id):
        lock_subject(chat.actor.subject_id)
        thread.start()
        assert not done.wait(2)
        assert Tombstone.objects.filter(restored_at__isnull=True).exists()
    thread.join(60)
    with tenant_transaction(chat.actor.tenant_id):
        assert not Tombstone.objects.exists() and not ForgetRequest.objects.exists()


def test_kept_answers_lose_short_chinese_values_too(chat: Chat) -> None:
    chat.ask("我住在苏州")
    now = chat.clock.now()
    with tenant_transaction(chat.actor.tenant_id):
        IdempotencyKey.objects.create(
            subject_id=chat.actor.subject_id,
            principal="p",
            key="k",
            request_hash=b"h",
            response={"results": ["苏州好地方"]},
            created_at=now,
            expires_at=now + timedelta(days=1),
        )
    chat.ask("忘掉我住在哪里")
    with tenant_transaction(chat.actor.tenant_id):
        assert "苏州" not in str(IdempotencyKey.objects.get().response)


def test_the_list_of_requests_shows_nothing_sensitive_that_was_typed_as_an_attribute() -> None:
    [target] = wanted_of(attribute="card 4111 1111 1111 1111")
    assert "4111" not in described(target)
