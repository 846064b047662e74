"""An outside reranker has its say in a recall, sees only what a model may see, and is never missed."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator

import pytest
from django.db import connection
from prometheus_client import REGISTRY

from accounts.actor import Actor
from memories.adapters import factory
from memories.adapters.reranking_http import HttpReranker
from memories.models import RecallTrace
from memories.services import policies
from memories.services.policies import set_policy
from memories.services.recall import recall
from memories.services.recall_result import RecallResult
from memoryhub.common.db import tenant_transaction
from tests.memories.services.helpers import keep
from tests.support.model_server import ModelServer, Reply, model_server
from tests.support.people import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        one = HttpReranker(f"{running.base_url}/rerank", "test-rerank", seconds=5)
        with factory.override(reranker=one):
            yield running
        one.close()


@pytest.fixture
def kept(user: Actor, subject_id: uuid.UUID) -> None:
    for content in ("The boat lies in the north harbour", "The boat needs a new sail", "The boat is red"):
        keep(user, subject_id, content)


def ask(user: Actor, subject_id: uuid.UUID) -> RecallResult:
    return recall(actor=user, subject_id=subject_id, query="what of the boat?", k=3)


def counted(outcome: str) -> float:
    return REGISTRY.get_sample_value("memoryhub_rerank_total", {"outcome": outcome}) or 0.0


def prefer(part: str, server: ModelServer, texts: list[str]) -> None:
    """The next reply scores texts with `part` 1 and others 0; texts in the order in which they will be sent."""
    rows = [{"index": at, "relevance_score": float(part in text)} for at, text in enumerate(texts)]
    server.script(Reply(raw=json.dumps({"results": rows})))


def trace_of(user: Actor, result: RecallResult) -> RecallTrace:
    with tenant_transaction(user.tenant_id):
        return RecallTrace.objects.get(id=result.trace_id)


def test_without_one_nothing_changes(user: Actor, subject_id: uuid.UUID, kept: None) -> None:
    result = ask(user, subject_id)
    assert len(result.items) == 3
    assert all("outside" not in item.parts for item in result.items)


@pytest.mark.parametrize("part", ["north", "sail", "red"])
def test_what_it_prefers_comes_first_with_its_part_in_the_trace(
    user: Actor, subject_id: uuid.UUID, kept: None, server: ModelServer, part: str
) -> None:
    ask(user, subject_id)
    sent = server.requests[-1]["documents"]
    before = counted("ok")
    prefer(part, server, sent)
    result = ask(user, subject_id)
    assert part in result.items[0].text
    assert result.items[0].parts["outside"] == 1.0 and result.items[1].parts["outside"] == 0.0
    assert trace_of(user, result).considered[0]["scores"]["outside"] == 1.0
    assert trace_of(user, result).degraded == ""
    assert counted("ok") == before + 1


@pytest.mark.parametrize("reply", [Reply(status=500), Reply(raw="nonsense")])
def test_when_it_fails_the_recall_is_as_without_it_but_counted_and_traced(
    user: Actor, subject_id: uuid.UUID, kept: None, reply: Reply
) -> None:
    plain = [item.text for item in ask(user, subject_id).items]
    with model_server() as running:
        running.script(reply)
        one = HttpReranker(f"{running.base_url}/rerank", "m", seconds=5)
        before = counted("error") + counted("malformed")
        with factory.override(reranker=one):
            result = ask(user, subject_id)
    assert [item.text for item in result.items] == plain
    assert result.degraded == "", "who asks is not told"
    assert trace_of(user, result).degraded == "no_reranking"
    assert counted("error") + counted("malformed") == before + 1


def test_it_sees_the_question_and_the_texts_only_as_a_model_may(
    acme: House, user: Actor, subject_id: uuid.UUID, server: ModelServer
) -> None:
    set_policy(actor=acme.actor("admin"), overrides={"pii.model.phone": "mask", "pii.model.email": "mask"})
    keep(user, subject_id, "The harbour master's phone is 13812345678 and his address boats@example.com")
    recall(actor=user, subject_id=subject_id, query="is 13812345678 the phone of the harbour master?")
    [request] = server.requests
    sent = json.dumps(request, ensure_ascii=False)
    assert "harbour master" in sent
    assert "13812345678" not in sent and "boats@example.com" not in sent


def test_a_tenant_that_weighs_it_with_nothing_sends_it_nothing(
    acme: House, user: Actor, subject_id: uuid.UUID, kept: None, server: ModelServer
) -> None:
    set_policy(actor=acme.actor("admin"), overrides={"recall.outside_bonus": 0})
    policies.forget_cached()
    assert len(ask(user, subject_id).items) == 3
    assert server.requests == []


@pytest.mark.django_db(transaction=True)
def test_no_transaction_is_open_while_it_works(user: Actor, subject_id: uuid.UUID, kept: None) -> None:
    class Watching:
        def scores(self, query: str, documents: list[str]) -> list[float]:
            assert not connection.in_atomic_block
            return [0.5] * len(documents)

    with factory.override(reranker=Watching()):  # type: ignore[arg-type]
        assert ask(user, subject_id).items[0].parts["outside"] == 0.5
