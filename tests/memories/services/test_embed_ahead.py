"""A question embedded ahead: its recall takes the vectors up, asks for what is missing, and is weaker when the embedder is down."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

import pytest

from accounts.actor import Actor
from accounts.models import Subject
from memories.core.policy import Policy
from memories.services.embed_ahead import Ahead, embed_ahead
from memories.services.recall import recall
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import NotFound
from tests.memories.services.conftest import WordEmbedder
from tests.memories.services.helpers import keep

pytestmark = pytest.mark.django_db

QUESTION = "which number has the contract?"
KEPT = "the contract number is KX-4410"


def begun(question: str = QUESTION) -> Ahead:
    ahead = embed_ahead(question, Policy.default())
    assert ahead is not None
    return ahead


def asked(embedder: WordEmbedder) -> list[str]:
    return sorted(text for call in embedder.calls for text in call)


def test_a_question_is_embedded_once(user: Actor, subject_id: uuid.UUID, embedder: WordEmbedder) -> None:
    keep(user, subject_id, KEPT)
    plain = recall(actor=user, subject_id=subject_id, query=QUESTION, reinforce=False)
    embedder.calls.clear()
    result = recall(actor=user, subject_id=subject_id, query=QUESTION, ahead=begun())
    assert asked(embedder) == [QUESTION]
    assert [(item.text, item.score) for item in result.items] == [(KEPT, plain.items[0].score)]


def test_a_form_that_nobody_asked_for_ahead_is_embedded_too(
    user: Actor, subject_id: uuid.UUID, embedder: WordEmbedder
) -> None:
    keep(user, subject_id, KEPT)
    embedder.calls.clear()
    short = "and the number?"
    result = recall(
        actor=user, subject_id=subject_id, query=short, standalone_query=QUESTION, ahead=begun(short)
    )
    assert asked(embedder) == sorted([short, QUESTION])
    assert [item.text for item in result.items] == [KEPT]


def test_vectors_of_another_generation_are_left(
    user: Actor, subject_id: uuid.UUID, embedder: WordEmbedder
) -> None:
    keep(user, subject_id, KEPT)
    embedder.calls.clear()
    ahead = begun()
    ahead.vectors.result()
    other = Ahead(ahead.space_id + 1, ahead.texts, ahead.vectors)
    result = recall(actor=user, subject_id=subject_id, query=QUESTION, ahead=other)
    assert asked(embedder) == [QUESTION, QUESTION]
    assert [item.text for item in result.items] == [KEPT]


def test_an_embedder_that_is_down_leaves_the_search_to_words(
    user: Actor, subject_id: uuid.UUID, embedder: WordEmbedder
) -> None:
    keep(user, subject_id, KEPT)
    embedder.down = True
    result = recall(actor=user, subject_id=subject_id, query=QUESTION, ahead=begun())
    assert result.degraded == "no_embedding"
    assert [item.text for item in result.items] == [KEPT]


def test_nothing_is_embedded_for_a_subject_that_was_erased(
    user: Actor, subject_id: uuid.UUID, embedder: WordEmbedder
) -> None:
    keep(user, subject_id, KEPT)
    with tenant_transaction(user.tenant_id):
        Subject.objects.filter(pk=subject_id).update(erased_at=datetime.now(UTC))
    embedder.calls.clear()
    with pytest.raises(NotFound):
        recall(actor=user, subject_id=subject_id, query=QUESTION)
    assert embedder.calls == []
