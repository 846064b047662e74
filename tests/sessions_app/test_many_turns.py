"""Many turns of one person learnt at once through the whole path: recorded, queued, learnt by several workers."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from memories.models import Evidence, Memory, MemoryVersion
from memories.ports import FixedClock
from memories.services.jobs import run_due
from memoryhub.common.db import tenant_transaction
from sessions_app.services.open_session import open_session
from sessions_app.services.record_turn import record_turn
from tests.support.people import House
from tests.support.threads import all_at_once

pytestmark = pytest.mark.django_db(transaction=True)
WRITERS = 50


def test_fifty_turns_of_equal_and_of_contradicting_words_leave_one_memory_of_each(
    acme: House, clock: FixedClock
) -> None:
    actor = acme.actor("user")
    assert actor.subject_id is not None
    sessions = [open_session(actor=actor, subject_id=actor.subject_id).pk for _ in range(5)]
    start = clock.now()
    calls: list[Any] = []
    for at in range(WRITERS // 2):
        said = start + timedelta(minutes=at)
        for text in ("我对花生过敏", f"我搬到第{at + 1}大道了"):
            calls.append(
                partial(
                    record_turn, actor=actor, session_id=sessions[len(calls) % 5], role="user", content=text, at=said
                )
            )  # fmt: skip
    recorded = all_at_once(calls)
    assert [one for one in recorded if isinstance(one, Exception)] == []
    due = clock.now() + timedelta(days=1)
    worked = all_at_once([partial(run_due, acme.id, now=due) for _ in range(4)])
    assert [one for one in worked if isinstance(one, Exception)] == []
    run_due(acme.id, now=due + timedelta(hours=2))
    with tenant_transaction(acme.id):
        [allergy] = Memory.objects.current().filter(facts__attribute="allergy")
        assert Evidence.objects.filter(memory_id=allergy.id).count() == WRITERS // 2
        [home] = Memory.objects.current().filter(facts__attribute="home")
        assert f"第{WRITERS // 2}大道" in home.content, "the last said stands"
        assert Memory.objects.filter(facts__attribute="home").count() == WRITERS // 2
        for memory in Memory.objects.all():
            assert MemoryVersion.objects.filter(memory_id=memory.id).count() == memory.version
