"""Redaction: a value that stands in every kind of place is in none of them afterwards, and nothing else is changed by it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from accounts.audit import verify
from memories.models import (
    Episode,
    IdempotencyKey,
    Memory,
    MemoryVersion,
    Slot,
)
from memories.services.edit import edit
from memories.services.jobs import enqueue
from memories.services.preview_redaction import preview_redaction
from memories.services.recall import recall
from memories.services.remember import remember
from memoryhub.common.db import tenant_transaction
from sessions_app.models import Digest, Turn
from sessions_app.services.compact_session import compact_session
from tests.privacy.redaction.world import FILL, VALUE, everywhere, me, redacted
from tests.sessions_app.conftest import Chat
from tests.support.people import House

pytestmark = pytest.mark.django_db(transaction=True)

OTHERS = [
    "When do we meet?",
    "What is the budget limit?",
    "Are tables allowed in the report?",
    "Who is the owner?",
    "Which design was decided on?",
    "When is delivery due?",
    "Where do I live?",
    "What is my sister called?",
    "Which mint tea do I drink in the morning?",
    "Do I drive a Volvo?",
]


def digested(chat: Chat, *lines: str) -> Digest:
    """A session of these lines and enough beside them, learnt from and compacted."""
    chat.new_session()
    for line in [*lines, *FILL]:
        chat.say(line)
    chat.work()
    compact_session(actor=chat.actor, session_id=chat.id, closing=True)
    with tenant_transaction(chat.actor.tenant_id):
        digest = Digest.objects.filter(session_id=chat.id).select_related("memory").first()
    assert digest is not None
    return digest


@pytest.fixture
def planted(chat: Chat, house: House) -> dict[str, Any]:
    """The value in 3 versions, 2 digests, a slot, 5 traces, 4 turns, a pending job, and wherever else a text may stand."""
    for line in (
        "I live in Lisbon.",
        "My sister is Eva.",
        "I drink mint tea in the morning.",
        "I drive a Volvo.",
    ):
        remember(actor=chat.actor, subject_id=me(chat), content=line)
    [made] = remember(
        actor=chat.actor,
        subject_id=me(chat),
        content=f"The locker in the hall opens with {VALUE}.",
        infer=False,
    )
    memory_id = made.memory_id
    assert memory_id is not None
    for number, text in enumerate(
        (f"The hall locker opens with {VALUE} now.", f"Hall locker: {VALUE}, as ever."), 2
    ):
        memory = edit(
            actor=chat.actor, memory_id=memory_id, content=text,
            tags=["locker", VALUE], metadata={"note": f"see {VALUE}", VALUE: {"deep": [VALUE]}},
        )  # fmt: skip
        assert memory.version == number
    digests = [
        digested(chat, f"The contract number is {VALUE}, please remember.", f"Again: contract {VALUE}.")
        for _ in range(2)
    ]
    for number in range(5):
        recall(
            actor=chat.actor, subject_id=me(chat), query=f"Question {number} about {VALUE}?", reinforce=False
        )
    late = chat.say(f"Write {VALUE} on the box.")
    with tenant_transaction(house.id):
        enqueue(kind="nothing_does_this", key=f"about {VALUE}", payload={"said": VALUE}, subject_id=me(chat))
        Slot.objects.create(
            subject_id=me(chat), kind="entity", key=f"code {VALUE}", value=f"the code is {VALUE}",
            created_at=chat.clock.now(), updated_at=chat.clock.now(),
            expires_at=chat.clock.now() + timedelta(days=300),
        )  # fmt: skip
        IdempotencyKey.objects.create(
            subject_id=me(chat), principal="p", key="k", request_hash=b"h", created_at=chat.clock.now(),
            expires_at=chat.clock.now() + timedelta(days=1), response={"content": f'"{VALUE}"', VALUE: [VALUE]},
        )  # fmt: skip
    return {"memory": memory_id, "digests": digests, "late": late}


def test_a_value_in_every_kind_of_place_is_nowhere_afterwards(
    chat: Chat, house: House, planted: dict[str, Any]
) -> None:
    assert everywhere(house, VALUE), "the test would prove nothing"
    shown = preview_redaction(actor=house.actor("operator", "admin"), subject_id=me(chat), words=[VALUE])
    counts = shown.counts
    assert counts["versions"] >= 3 and counts["turns"] == 5 and counts["traces"] == 5 and counts["slots"] >= 1
    assert {str(digest.memory_id) for digest in planted["digests"]} <= set(shown.ids["memories"])
    assert counts["queued work"] == 1 and counts["kept answers"] == 1 and shown.jobs
    before = answers(chat)

    made = redacted(house, subject_id=me(chat), words=[VALUE])

    assert everywhere(house, VALUE) == {}
    assert made.proof is not None and set(made.proof["after"].values()) == {0}
    assert {name: made.found[name] for name in counts} == counts
    assert made.target is None
    with tenant_transaction(house.id):
        versions = list(MemoryVersion.objects.filter(memory_id=planted["memory"]).order_by("number"))
        assert [one.redacted_at is not None for one in versions] == [True] * 3 + [False]
        assert versions[-1].change == "redacted" and "[redacted]" in versions[0].content
        memory = Memory.objects.get(pk=planted["memory"])
        assert memory.content.startswith("Hall locker: [redacted]") and memory.tags == [
            "locker",
            "[redacted]",
        ]
        assert memory.metadata == {"note": "see [redacted]"}
        assert {turn.content for turn in Turn.objects.filter(content__contains="[redacted]")}
        assert list(verify()) == []
    after = answers(chat)
    chat.work()
    assert everywhere(house, VALUE) == {}, "work that was queued before brings nothing back"
    for question, rows in before.items():
        assert rows, question
        lost = {row[0] for row in rows} & touched(house)
        kept = [row for row in rows if row[0] not in lost]
        assert [row for row in after[question] if row[0] not in touched(house)] == kept, question


def touched(house: House) -> set[str]:
    """Items that lost words."""
    with tenant_transaction(house.id):
        memories = Memory.objects.filter(content__contains="[redacted]").values_list("pk", flat=True)
        episodes = Episode.objects.filter(text__contains="[redacted]").values_list("pk", flat=True)
        return set(map(str, [*memories, *episodes]))


def answers(chat: Chat) -> dict[str, list[tuple[str, float]]]:
    found = {}
    for question in OTHERS:
        result = recall(
            actor=chat.actor, subject_id=me(chat), query=question, reinforce=False, trace=False, k=20
        )
        found[question] = [(str(item.id), round(item.score, 4)) for item in result.items]
    return found
