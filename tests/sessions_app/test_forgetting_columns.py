"""After somebody is forgotten no column names them any more, whatever it is for, and an undo brings each back as it was."""

from __future__ import annotations

import json
import uuid

import pytest

from memories.holders import find_everywhere
from memories.models import (
    Contradiction,
    Episode,
    Evidence,
    Fact,
    ForgetRequest,
    IdempotencyKey,
    Memory,
    MemoryVersion,
    Tombstone,
)
from memories.ports import FixedClock
from memories.services.undo_request import undo_request
from memories.services.versioning import Change, version_row
from memoryhub.common.db import tenant_transaction
from sessions_app.models import Turn
from tests.sessions_app.conftest import Chat, chat_of
from tests.support.people import House, make_house

pytestmark = pytest.mark.django_db(transaction=True)

KEPT = {"tombstones", "forget requests", "forget rules"}
"""Encrypted until the retention ends."""


@pytest.fixture
def house(transactional_db: None) -> House:
    return make_house("acme")


@pytest.fixture
def chat(house: House, clock: FixedClock) -> Chat:
    return chat_of(house, clock)


def planted(chat: Chat, name: str) -> uuid.UUID:
    """A memory that stays, with the name in every column but its content."""
    now = chat.clock.now()
    with tenant_transaction(chat.actor.tenant_id):
        fields = {"subject_id": chat.actor.subject_id, "said_at": now, "created_at": now, "updated_at": now}
        memory, other = (
            Memory.objects.create(
                kind="event", content=text, fingerprint=uuid.uuid4().bytes, speaker=speaker,
                reasons=[f"said by {speaker}"], tags=[speaker, "home"],
                metadata={speaker: {"note": f"{speaker} called", "n": 1}, "deep": [{f"by {speaker}": 2}], "x": "y"},
                **fields,
            )
            for text, speaker in (("The plumber comes on Tuesday", name), ("The plumber comes on Friday", ""))
        )  # fmt: skip
        version = version_row(memory, chat.actor, Change("created", reason=f"for {name}"), now)
        version.save()
        Evidence.objects.create(
            memory=memory, quote="the plumber comes", role="user", speaker=name, said_at=now, created_at=now
        )
        for attribute, slot in (("plumber", "a"), ("plan", "b")):
            Fact.objects.create(
                memory=memory, subject_id=chat.actor.subject_id, entity=f"{name}:friend", attribute=attribute,
                value="Tuesday", slot_key=f"{name.casefold()}|{slot}", single_valued=True,
            )  # fmt: skip
        Contradiction.objects.create(
            subject_id=chat.actor.subject_id, slot_key=f"{name.casefold()}|a", older=memory, newer=other,
            opened_at=now,
        )  # fmt: skip
        Tombstone.objects.create(
            memory=other, subject_id=chat.actor.subject_id, previous_status="current", cause="rule", at=now,
            actor_kind="user", reason=f"asked by {name}", restored_at=now, purge_after=now,
        )  # fmt: skip
        Episode.objects.create(
            subject_id=chat.actor.subject_id, source_id=uuid.uuid4(), role="user", speaker=name, said_at=now,
            text="The plumber comes.", created_at=now,
        )  # fmt: skip
        IdempotencyKey.objects.create(
            subject_id=chat.actor.subject_id, principal="p", key="k", request_hash=b"", created_at=now,
            response={"text": f"{name} called"}, expires_at=now,
        )  # fmt: skip
    chat.say("The kettle is blue.", speaker=name)
    chat.clock.advance(minutes=1)
    return memory.id  # type: ignore[no-any-return]


def columns(chat: Chat) -> str:
    with tenant_transaction(chat.actor.tenant_id):
        rows = [
            list(Memory.objects.exclude(status="forgotten").order_by("id").values("content", "speaker", "reasons", "tags", "metadata")),
            list(MemoryVersion.objects.filter(change="created").order_by("id").values("state", "reason")),
            list(Evidence.objects.order_by("id").values("quote", "speaker")),
            list(Fact.objects.order_by("id").values("entity", "attribute", "value", "slot_key")),
            list(Contradiction.objects.order_by("id").values("slot_key")),
            list(Episode.objects.order_by("id").values("text", "speaker", "status")),
            list(Turn.objects.filter(content__contains="kettle").order_by("id").values("content", "speaker")),
        ]  # fmt: skip
    return json.dumps(rows, ensure_ascii=False, sort_keys=True, default=str)


@pytest.mark.parametrize(
    ("name", "said", "request_"),
    [
        ("Henriette", "Henriette lives in Ghent", "forget Henriette"),
        ("王芳", "王芳住在苏州", "忘掉王芳的所有事情"),
    ],
)
def test_nothing_names_somebody_who_was_forgotten(chat: Chat, name: str, said: str, request_: str) -> None:
    chat.ask(said)
    kept = planted(chat, name)
    before = columns(chat)
    chat.ask(request_)
    with tenant_transaction(chat.actor.tenant_id):
        request = ForgetRequest.objects.get()
        assert request.state == "done"
        gone = set(Memory.objects.filter(status="forgotten").values_list("id", flat=True))
        parts = {str(pk) for pk in gone}
        for model in (MemoryVersion, Evidence, Fact):
            parts |= {str(pk) for pk in model.objects.filter(memory_id__in=gone).values_list("pk", flat=True)}
        found = find_everywhere(chat.actor.subject_id, [name])  # type: ignore[arg-type]
        named = {
            (one.holder, one.column) for one in found if one.holder not in KEPT and one.row_id not in parts
        }
        assert named == set()
        stones = Tombstone.objects.exclude(memory_id__in=gone).values_list("reason", flat=True)
        assert not any(name in reason for reason in stones)
        memory = Memory.objects.get(id=kept)
        assert memory.status == "current" and "home" in memory.tags and memory.metadata["x"] == "y"
        slots = list(Fact.objects.filter(memory_id=kept).values_list("slot_key", flat=True))
        assert len(set(slots)) == 2, "two slots do not become one"
    undone = undo_request(actor=chat.actor, request_id=request.id)
    assert undone.missed == 0
    assert columns(chat) == before
