"""Making what was said recallable: pieces, vectors, postings, once each."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from accounts.actor import Actor
from memories import tasks
from memories.core.text.tokens import count
from memories.models import Embedding, EmbeddingSpace, Episode, Job, Posting
from memories.ports import FixedClock
from memories.services import embedding_space
from memories.services.embedding_space import active_space
from memories.services.index_episode import Said, index_episode, index_episodes
from memories.services.index_pending import ask_for_pending, index_pending
from memories.services.jobs import run_due
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import NotFound
from memoryhub.common.ids import uuid7
from tests.memories.services.conftest import WordEmbedder
from tests.memories.services.helpers import indexed, keep
from tests.support.people import House

pytestmark = pytest.mark.django_db


def index(actor: Actor, subject_id: uuid.UUID, text: str, clock: FixedClock, **changes: Any) -> int:
    values: dict[str, Any] = {
        "source_kind": "turn",
        "source_id": uuid7(),
        "role": "user",
        "speaker": "",
        "said_at": clock.now(),
        "session_id": None,
        "seq": 1,
        **changes,
    }
    return index_episode(actor=actor, subject_id=subject_id, text=text, **values)


def test_a_long_text_stands_in_overlapping_pieces(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    text = " ".join(
        f"Paragraph {n} describes how pump {n} is primed before the season starts." for n in range(120)
    )
    parts = index(user, subject_id, text, clock)
    assert parts > 2
    with tenant_transaction(user.tenant_id):
        rows = list(Episode.objects.order_by("part"))
        assert [row.part for row in rows] == list(range(parts))
        assert all(count(row.text) <= 500 for row in rows)
        assert Embedding.objects.count() == parts
        assert Posting.objects.filter(term="").count() == parts


def test_indexing_again_changes_nothing_and_embeds_nothing(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock, embedder: WordEmbedder
) -> None:
    turn_id = uuid7()
    index(user, subject_id, "水泵要先灌水", clock, source_id=turn_id)
    with tenant_transaction(user.tenant_id):
        before = list(Episode.objects.values_list("id", flat=True))
    calls = len(embedder.calls)
    index(user, subject_id, "水泵要先灌水", clock, source_id=turn_id)
    with tenant_transaction(user.tenant_id):
        assert list(Episode.objects.values_list("id", flat=True)) == before
    assert len(embedder.calls) == calls


def test_a_changed_text_takes_the_old_ones_place(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    turn_id = uuid7()
    index(user, subject_id, "The old crane stands in the yard", clock, source_id=turn_id)
    index(user, subject_id, "The new crane stands in the yard", clock, source_id=turn_id)
    with tenant_transaction(user.tenant_id):
        assert [row.text for row in Episode.objects.all()] == ["The new crane stands in the yard"]
        assert Embedding.objects.count() == 1
        assert not Posting.objects.filter(term="old").exists()


def test_many_turns_need_one_call_of_the_embedder(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock, embedder: WordEmbedder
) -> None:
    items = [
        Said("turn", uuid7(), f"Delivery {n} left the depot", "user", clock.now(), seq=n) for n in range(30)
    ]
    assert index_episodes(actor=user, subject_id=subject_id, items=items) == 30
    assert [len(call) for call in embedder.calls] == [30]


def test_a_document_is_screened_before_it_is_embedded(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock, embedder: WordEmbedder
) -> None:
    index(user, subject_id, "付款卡号 6222021234567890128,请核对", clock, source_kind="document")
    with tenant_transaction(user.tenant_id):
        [row] = Episode.objects.all()
    assert "6222021234567890128" not in row.text + str(embedder.calls)


def test_without_an_embedder_it_is_found_by_words_at_once_and_embedded_later(
    user: Actor, subject_id: uuid.UUID, clock: FixedClock, embedder: WordEmbedder
) -> None:
    embedder.down = True
    index(user, subject_id, "The depot opens at six", clock)
    with tenant_transaction(user.tenant_id):
        assert Posting.objects.filter(term="depot").exists()
        assert not Embedding.objects.exists()
    embedder.down = False
    assert index_pending(actor=user) == 1
    assert index_pending(actor=user) == 0


def test_the_space_of_an_embedder_is_made_once(user: Actor) -> None:
    first = active_space()
    embedding_space.forget_cached()
    assert active_space() == first
    assert EmbeddingSpace.objects.count() == 1


def test_nothing_blank_is_indexed(user: Actor, subject_id: uuid.UUID, clock: FixedClock) -> None:
    assert index(user, subject_id, "  \n ", clock) == 0


def test_another_tenants_subject_is_not_found(user: Actor, globex: House, clock: FixedClock) -> None:
    with pytest.raises(NotFound):
        index(user, globex.subjects["user"], "not here", clock)


def test_beats_ask_for_one_leased_job_that_goes_on_until_nothing_is_left(
    acme: House, user: Actor, subject_id: uuid.UUID, embedder: WordEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ask_for_pending(actor=user) is False
    embedder.down = True
    ids = [keep(user, subject_id, f"Box {number} holds cables").memory_id for number in range(5)]
    embedder.down = False
    for _ in range(2):
        tasks.index_pending()
    with tenant_transaction(acme.id):
        job = Job.objects.get(kind="index_pending")
    assert embedder.calls == []
    assert job.state == "pending"
    monkeypatch.setattr("memories.services.index_pending.MAX_ITEMS", 2)
    run_due(acme.id)
    assert [len(call) for call in embedder.calls] == [2, 2, 1]
    assert all(indexed(user, memory_id)[0] for memory_id in ids)
    assert ask_for_pending(actor=user) is False
