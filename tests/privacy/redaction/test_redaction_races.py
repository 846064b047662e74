"""Redaction against a compaction that is at work: whichever commits first, nothing of the words is left."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest
from django.db import connection, connections

from memories.models import Memory, Redaction
from memoryhub.common.db import tenant_transaction
from sessions_app.services import compact_session as compaction
from sessions_app.services.compact_session import compact_session
from tests.privacy.redaction.world import LINES, VALUE, everywhere, me, redacted
from tests.sessions_app.conftest import Chat
from tests.support.people import House

pytestmark = pytest.mark.django_db(transaction=True)


def in_a_thread(work: Callable[[], Any]) -> threading.Thread:
    def run() -> None:
        try:
            work()
        finally:
            connections.close_all()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def test_a_redaction_that_commits_first_makes_a_running_compaction_lose(chat: Chat, house: House) -> None:
    for line in LINES:
        chat.say(line)
    chat.work()
    real = compaction.condense

    def redact_meanwhile(*args: Any, **kwargs: Any) -> Any:
        in_a_thread(lambda: redacted(house, subject_id=me(chat), words=[VALUE])).join()
        return real(*args, **kwargs)

    with patch.object(compaction, "condense", redact_meanwhile):
        done = compact_session(actor=chat.actor, session_id=chat.id, closing=True)
    assert done.reason == "done_elsewhere"
    assert everywhere(house, VALUE) == {}
    assert compact_session(actor=chat.actor, session_id=chat.id, closing=True).reason == "compacted"
    assert everywhere(house, VALUE) == {}


def test_a_compaction_that_commits_first_has_its_digest_redacted(chat: Chat, house: House) -> None:
    for line in LINES:
        chat.say(line)
    chat.work()
    threads: list[threading.Thread] = []
    made: list[Redaction] = []
    real = compaction.record

    def redaction_waits(*args: Any, **kwargs: Any) -> Any:
        """The digest is stored and not committed; the redaction begins and waits for the subject's lock."""
        threads.append(in_a_thread(lambda: made.append(redacted(house, subject_id=me(chat), words=[VALUE]))))
        while not waiting_for_a_lock():
            assert threads[0].is_alive(), "the redaction did not wait"
        return real(*args, **kwargs)

    with patch.object(compaction, "record", redaction_waits):
        done = compact_session(actor=chat.actor, session_id=chat.id, closing=True)
    threads[0].join()
    assert done.reason == "compacted" and made
    with tenant_transaction(house.id):
        digest = Memory.objects.get(kind="digest")
        assert "[redacted]" in digest.content
    assert everywhere(house, VALUE) == {}


def waiting_for_a_lock() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted "
            "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
        )
        return cursor.fetchone() is not None
