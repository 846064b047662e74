"""REST over recall: what it tells of validity, contradictions and the past, and the replay of a trace."""

from __future__ import annotations

import time
import uuid
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from memories.models import Contradiction, Memory
from memoryhub.common.db import tenant_transaction
from tests.support.people import House

pytestmark = pytest.mark.django_db
SUBJECT = "ada@example.org"


def post(client: Client, path: str, **body: Any) -> Any:
    return client.post(f"/api/v1/{path}", body, content_type="application/json")


def keep(client: Client, content: str, **fields: Any) -> str:
    stored = post(
        client, "memories/", subject=SUBJECT, content=content, **{"kind": "fact", "infer": False, **fields}
    )
    assert stored.status_code in {200, 201}, stored.content
    return str(stored.json()["results"][0]["memory_id"])


def recall(client: Client, query: str, **fields: Any) -> list[dict[str, Any]]:
    answer = post(client, "recall/", subject=SUBJECT, query=query, **fields)
    assert answer.status_code == 200, answer.content
    return list(answer.json()["items"])


def test_an_item_tells_whether_it_holds_and_what_contradicts_it(acme: House) -> None:
    api = acme.api()
    one = keep(api, "The spare key lies under the blue pot.")
    other = keep(api, "The spare key lies in the shed.")
    [first, *_] = recall(api, "where does the spare key lie?")
    assert (first["holding"], first["superseded"], first["contradicts"]) == ("", False, [])
    assert (first["valid_from"], first["valid_to"]) == (None, None)
    with tenant_transaction(acme.id):
        subject_id = Memory.objects.get(id=one).subject_id
        Contradiction.objects.create(
            subject_id=subject_id, older_id=one, newer_id=other, opened_at=timezone.now()
        )
    items = {item["id"]: item for item in recall(api, "where does the spare key lie?")}
    assert items[one]["contradicts"] == [other]
    assert items[other]["contradicted"] is True


def test_list_and_recall_answer_as_of_a_past_time(acme: House) -> None:
    api = acme.api()
    memory_id = keep(api, "The ferry leaves at nine.", tags=["travel"])
    time.sleep(0.002)
    then = timezone.now().isoformat()
    time.sleep(0.002)
    api.patch(
        f"/api/v1/memories/{memory_id}/",
        {"content": "The ferry leaves at ten."},
        content_type="application/json",
    )
    path = "/api/v1/memories/"
    now = api.get(path, {"subject": SUBJECT}).json()["results"]
    past = api.get(path, {"subject": SUBJECT, "as_of": then, "tag": "travel"}).json()["results"]
    assert [row["content"] for row in now] == ["The ferry leaves at ten."]
    assert [(row["content"], row["version"]) for row in past] == [("The ferry leaves at nine.", 1)]
    assert recall(api, "when does the ferry leave?", as_of=then)[0]["text"] == "The ferry leaves at nine."
    assert api.delete(f"{path}{memory_id}/").status_code == 204
    assert api.get(path, {"subject": SUBJECT, "as_of": then}).json()["results"] == []
    assert recall(api, "when does the ferry leave?", as_of=then) == []


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"as_of": "yesterday"}, "as_of"),
        ({"as_of": "2026-01-01T00:00:00"}, "as_of"),
        ({"since": "2026-13-01T00:00:00Z"}, "since"),
        ({"session_id": "mine"}, "session_id"),
    ],
)
def test_a_filter_that_cannot_be_read_is_refused_by_name(
    acme: House, query: dict[str, str], field: str
) -> None:
    api = acme.api()
    keep(api, "The ferry leaves at nine.")
    refused = api.get("/api/v1/memories/", {"subject": SUBJECT, **query})
    assert refused.status_code == 400
    assert field in str(refused.json())


def test_the_list_filters_by_tag_session_and_time(acme: House) -> None:
    api = acme.api()
    session = str(uuid.uuid4())
    keep(api, "The ferry leaves at nine.", tags=["travel", "ferry"])
    keep(api, "The bus leaves at noon.", tags=["travel"])
    path = "/api/v1/memories/"

    def listed(**query: Any) -> int:
        return len(api.get(path, {"subject": SUBJECT, **query}).json()["results"])

    assert listed(tag="travel") == 2
    assert listed(tag=["travel", "ferry"]) == 1
    assert listed(session_id=session) == 0
    assert listed(since="2020-01-01T00:00:00Z") == 2
    assert listed(until="2020-01-01T00:00:00Z") == 0


def test_a_recall_replays_from_its_trace(acme: House) -> None:
    api = acme.api()
    ids = [keep(api, f"The key number {at} hangs on the board.") for at in range(3)]
    answer = post(api, "recall/", subject=SUBJECT, query="which key hangs on the board?").json()
    path = f"/api/v1/traces/{answer['trace_id']}/replay/"
    assert api.delete(f"/api/v1/memories/{ids[0]}/").status_code == 204
    replay = api.get(path).json()
    assert [row["item_id"] for row in replay["rows"]] == [item["id"] for item in answer["items"]]
    assert (replay["redacted"], replay["exact"]) == (1, True)
    assert {row["item_id"]: row["text"] for row in replay["rows"] if row["gone"]} == {ids[0]: ""}
    weighed = api.post(
        path, {"policy": {"recall.weight.similarity": 0.0}}, content_type="application/json"
    ).json()
    assert {row["item_id"] for row in weighed["rows"]} == set(ids)
    refused = api.post(path, {"policy": {"recall.weight.similarity": 9}}, content_type="application/json")
    assert refused.status_code == 400
