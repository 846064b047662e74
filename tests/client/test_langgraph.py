"""The store for LangGraph beside LangGraph's own in memory: the same operations give the same, by value, key and namespace."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from langgraph.store.base import BaseStore, GetOp, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore

from memoryhub.client import MemoryHub
from memoryhub.client.langgraph import MemoryHubStore
from tests.support.people import House, make_house

pytestmark = pytest.mark.django_db(transaction=True)

DOCUMENTS: list[tuple[tuple[str, ...], str, dict[str, Any]]] = [
    (("users", "alex", "memories"), "home", {"text": "I live in Hangzhou", "rank": 3, "tags": ["a", None, 1.5]}),
    (("users", "alex", "memories"), "moved", {"text": "I live in Shanghai", "rank": 5}),
    (("users", "alex"), "profile", {"name": "Alex", "rank": 5}),
    (("users", "mary*%"), "profile", {"name": "玛丽", "nested": {"a": {"b": [1, {"c": "```code```"}]}}}),
    (("docs", "v1"), "a/b", {"text": "", "empty": {}}),
]  # fmt: skip


@pytest.fixture
def store(hub: MemoryHub) -> MemoryHubStore:
    return MemoryHubStore(hub, subject="graph one")


@pytest.fixture
def stores(store: MemoryHubStore) -> list[BaseStore]:
    both: list[BaseStore] = [InMemoryStore(), store]
    for one in both:
        for namespace, key, value in DOCUMENTS:
            one.put(namespace, key, value)
    return both


def shape(found: Any) -> Any:
    if isinstance(found, list):
        return sorted(json.dumps(shape(one), sort_keys=True) for one in found)
    return (found.namespace, found.key, found.value) if found is not None else None


def test_both_answer_alike(stores: list[BaseStore]) -> None:
    asked: list[Any] = [
        *(lambda s, n=n, k=k: s.get(n, k) for n, k, _ in DOCUMENTS),
        lambda s: s.get(("users", "alex"), "nothing"),
        lambda s: s.search(("users",)),
        lambda s: s.search(("users", "alex")),
        lambda s: s.search(()),
        lambda s: s.search(("users",), filter={"rank": 5}),
        lambda s: s.search(("users", "alex"), filter={"rank": {"$gt": 3}}),
        lambda s: s.search(("users", "alex"), filter={"rank": {"$gte": 3, "$lt": 5}}),
        lambda s: s.search(("users",), filter={"name": {"$ne": "Alex"}}),
        lambda s: s.list_namespaces(),
        lambda s: s.list_namespaces(prefix=("users",), max_depth=2),
        lambda s: s.list_namespaces(suffix=("memories",)),
        lambda s: s.list_namespaces(prefix=("users", "*", "memories")),
        lambda s: s.list_namespaces(limit=1, offset=1),
    ]  # fmt: skip
    for number, ask in enumerate(asked):
        ours, theirs = (ask(one) for one in reversed(stores))
        if isinstance(theirs, list) and theirs and isinstance(theirs[0], tuple):
            assert ours == theirs, number
        else:
            assert shape(ours) == shape(theirs), number


def test_putting_again_replaces_deleting_takes_away_and_a_batch_reads_first(stores: list[BaseStore]) -> None:
    namespace = ("users", "alex")
    for store in stores:
        before = store.get(namespace, "profile")
        store.put(namespace, "profile", {"name": "Alexander"})
        after = store.get(namespace, "profile")
        assert before and after and after.value == {"name": "Alexander"}
        assert after.created_at <= after.updated_at
        read, *_ = store.batch(
            [
                GetOp(namespace, "profile"),
                PutOp(namespace, "profile", {"name": "x"}),
                PutOp(namespace, "profile", {"name": "Al"}),
            ]
        )
        assert shape(read)[2] == {"name": "Alexander"}
        store.delete(namespace, "profile")
        store.delete(namespace, "profile")
        assert store.get(namespace, "profile") is None
        store.put(namespace, "profile", {"name": "Alexander"})
        assert store.get(namespace, "profile").value == {"name": "Alexander"}  # type: ignore[union-attr]


def test_a_question_ranks_pages_and_keeps_documents_that_contradict_each_other(
    store: MemoryHubStore, stores: list[BaseStore]
) -> None:
    found = store.search(("users",), query="Who lives in Shanghai?", limit=2)
    assert found[0].key == "moved" and found[0].score is not None
    assert [
        one.key for one in store.search(("users",), query="Who lives in Shanghai?", limit=1, offset=1)
    ] == [found[1].key]
    assert store.get(("users", "alex", "memories"), "home").value["text"] == "I live in Hangzhou"  # type: ignore[union-attr]


def test_the_async_forms(store: MemoryHubStore) -> None:
    async def run() -> Any:
        await store.aput(("a",), "k", {"v": 1})
        await store.abatch([PutOp(("a",), "l", {"v": 2})])
        return await store.aget(("a",), "k"), await store.abatch([SearchOp(("a",))])

    one, [rows] = asyncio.run(run())
    assert one.value == {"v": 1} and {row.key for row in rows} == {"k", "l"}


def test_another_subject_and_another_tenant_see_none_of_it(
    hub: MemoryHub, stores: list[BaseStore], live_server: Any
) -> None:
    namespace = ("users", "alex")
    assert MemoryHubStore(hub, subject="graph two").get(namespace, "profile") is None
    house: House = make_house("globex")
    with MemoryHub(live_server.url, house.key()) as stranger:
        assert MemoryHubStore(stranger, subject="graph one").get(namespace, "profile") is None
        assert MemoryHubStore(stranger, subject="graph one").search(()) == []
