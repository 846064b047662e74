"""mem0's own client, unchanged but for host and key, against a running server: every ordinary call, and nobody else's memory."""

from __future__ import annotations

import asyncio
import importlib
import uuid
from pathlib import Path
from typing import Any

import pytest

from memories.models import Memory
from memoryhub.common.db import tenant_transaction
from tests.support.live_embedder import live_embedder  # noqa: F401
from tests.support.people import House, make_house

pytestmark = pytest.mark.django_db(transaction=True)

ALEX = {"user_id": "alex@example.com"}


@pytest.fixture(autouse=True)
def mem0(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The package; it writes to a folder of its own, and tells nobody of its use."""
    folder: Path = tmp_path_factory.mktemp("mem0")
    monkeypatch.setenv("MEM0_DIR", str(folder))
    monkeypatch.setenv("MEM0_TELEMETRY", "False")
    return importlib.import_module("mem0")


@pytest.fixture
def house() -> House:
    return make_house("acme")


@pytest.fixture
def client(mem0: Any, house: House, live_server: Any) -> Any:
    return mem0.MemoryClient(api_key=house.key("read", "write", "admin"), host=live_server.url)


def texts(found: dict[str, Any]) -> set[str]:
    return {one["memory"] for one in found["results"]}


def added(client: Any, text: str, **fields: Any) -> dict[str, Any]:
    answer = client.add(text, **{**ALEX, **fields})
    assert answer["status"] == "SUCCEEDED"
    return answer["results"][0]


def test_what_is_added_is_found_listed_changed_and_deleted(client: Any) -> None:
    one = added(client, "I live in Hangzhou.", metadata={"app": "notes"})
    assert (one["event"], one["memory"], one["code"]) == ("ADD", "I live in Hangzhou", "stored")
    client.add(
        [{"role": "user", "content": "我对花生过敏"}, {"role": "assistant", "content": "好的"}], **ALEX
    )
    assert texts(client.get_all(filters=ALEX)) == {"I live in Hangzhou", "我对花生过敏"}
    [best] = client.search("Where does he live: Hangzhou?", filters=ALEX, top_k=1)["results"]
    assert best["id"] == one["id"] and 0 < best["score"] <= 1
    assert best["metadata"] == {"app": "notes"} and best["user_id"] == "alex@example.com"
    assert client.get(one["id"])["memory"] == "I live in Hangzhou"
    client.update(one["id"], text="I live in Suzhou", metadata={"app": "diary"}, expiration_date="2099-01-31")
    now = client.get(one["id"])
    assert (now["memory"], now["metadata"], now["expiration_date"]) == (
        "I live in Suzhou", {"app": "diary"}, "2099-01-31"
    )  # fmt: skip
    assert [(row["event"], row["old_memory"], row["new_memory"]) for row in client.history(one["id"])] == [
        ("ADD", None, "I live in Hangzhou"),
        ("UPDATE", "I live in Hangzhou", "I live in Suzhou"),
    ]
    assert "deleted" in client.delete(one["id"])["message"]
    assert texts(client.get_all(filters=ALEX)) == {"我对花生过敏"}
    assert client.search("Suzhou", filters=ALEX)["results"] == []
    client.delete_all(**ALEX)
    assert client.get_all(filters=ALEX) == {"count": 0, "next": None, "previous": None, "results": []}


def test_an_update_takes_the_old_one_s_place_and_says_so(client: Any) -> None:
    first = added(client, "I live in Hangzhou.")
    second = added(client, "I moved to Shanghai.")
    assert (second["event"], second["replaced_id"]) == ("UPDATE", first["id"])
    assert len(client.get_all(filters=ALEX)["results"]) == 1
    again = added(client, "I moved to Shanghai.")
    assert (again["event"], again["code"]) == ("NONE", "duplicate")
    client.delete(second["id"], delete_linked=True)
    with pytest.raises(Exception, match=r"(?i)not found|no such|forgotten"):
        client.update(first["id"], text="I live in Hangzhou again")


def test_as_given_and_filters_by_run_metadata_and_page(client: Any) -> None:
    for number in range(5):
        added(
            client,
            f"Note {number} about the boat",
            infer=False,
            run_id=f"run {number % 2}",
            metadata={"n": number},
        )
    assert client.get_all(filters={"AND": [ALEX, {"run_id": "run 1"}]})["count"] == 2
    assert (
        client.get_all(filters={**ALEX, "metadata": {"n": 3}})["results"][0]["memory"]
        == "Note 3 about the boat"
    )
    page = client.get_all(filters=ALEX, page=2, page_size=2)
    assert (page["count"], len(page["results"])) == (5, 2) and page["next"] and page["previous"]
    assert client.get_all(filters={**ALEX, "created_at": {"gte": "2099-01-01"}})["count"] == 0
    found = client.search("boat", filters={**ALEX, "run_id": "run 0"}, threshold=0.0)
    assert {one["run_id"] for one in found["results"]} == {"run 0"}
    client.delete_all(**ALEX, run_id="run 0")
    assert client.get_all(filters=ALEX)["count"] == 2


def test_agents_batches_feedback_and_owners(client: Any) -> None:
    one = client.add("The build runs on Friday", infer=False, agent_id="bot *%.")["results"][0]
    assert client.get(one["id"])["agent_id"] == "bot *%."
    two = added(client, "The oboe is in the attic", infer=False)
    assert (
        "2"
        in client.batch_update(
            [
                {"memory_id": one["id"], "text": "The build runs on Monday"},
                {"memory_id": two["id"], "metadata": {"a": 1}},
            ]
        )["message"]
    )
    assert client.feedback(two["id"], feedback="VERY_NEGATIVE")["feedback"] == "VERY_NEGATIVE"
    names = {(row["type"], row["name"]) for row in client.users()["results"]}
    assert {("agent", "bot *%."), ("user", "alex@example.com")} <= names
    gone = client.batch_delete([{"memory_id": two["id"]}, {"memory_id": str(uuid.uuid4())}])
    assert "1" in gone["message"] and gone["refused"][0]["code"] == "memory_not_found"
    client.delete_users(agent_id="bot *%.")
    assert ("agent", "bot *%.") not in {(row["type"], row["name"]) for row in client.users()["results"]}


def test_the_async_client(mem0: Any, house: House, live_server: Any) -> None:
    key = house.key()

    async def run() -> Any:
        client = mem0.AsyncMemoryClient(api_key=key, host=live_server.url)
        await client.add("I live in Leeds.", **ALEX)
        return await client.search("Leeds", filters=ALEX)

    assert texts(asyncio.run(run())) == {"I live in Leeds"}


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda client: client.get_all(filters={"OR": [ALEX]}), "understood are"),
        (lambda client: client.get_all(filters={"user_id": "*"}), "literally"),
        (lambda client: client.get_all(filters={}), "nobody is named"),
        (lambda client: client.search("x", filters={**ALEX, "created_at": {"near": 1}}), "gte"),
        (lambda client: client.add([], **ALEX), "1 to 50"),
        (lambda client: client.add([{"role": "user"}], **ALEX), "role and a content"),
        (lambda client: client.add("x", **ALEX, expiration_date="soon"), "YYYY-MM-DD"),
        (lambda client: client.get(str(uuid.uuid4())), "no such memory"),
        (lambda client: client.get("not-an-id"), ""),
    ],
)
def test_what_is_not_understood_is_refused_in_words(client: Any, call: Any, says: str) -> None:
    with pytest.raises(Exception, match="(?s).*" + says.replace("*", "[*]")):
        call(client)


def test_another_tenant_a_bound_key_and_a_bad_key(
    mem0: Any, client: Any, house: House, live_server: Any
) -> None:
    one = added(client, "The oboe is in the attic", infer=False)
    other = make_house("globex")
    strangers = [
        mem0.MemoryClient(api_key=other.key("read", "write", "admin"), host=live_server.url),
        mem0.MemoryClient(api_key=house.key("read", "write", subject="other"), host=live_server.url),
    ]
    for stranger in strangers:
        for call in (stranger.get, stranger.delete, stranger.history):
            with pytest.raises(Exception, match="no such memory"):
                call(one["id"])
        assert stranger.get_all(filters=ALEX)["count"] == 0
        assert stranger.search("oboe", filters=ALEX)["results"] == []
    with pytest.raises(Exception, match=r"(?i)not allowed|permission|capab"):
        strangers[1].users()
    reader = mem0.MemoryClient(api_key=house.key("read"), host=live_server.url)
    with pytest.raises(Exception, match=r"(?i)not allowed|permission|capab"):
        reader.add("x", **ALEX)
    with pytest.raises(ValueError, match="unknown, expired or revoked"):
        mem0.MemoryClient(api_key="mh_no_key", host=live_server.url)
    with tenant_transaction(house.id):
        assert Memory.objects.get().status == "current"
