"""REST over what waits for a yes, verdicts, traces, and recall as of a past time."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from tests.support.people import House

pytestmark = pytest.mark.django_db


def post(client: Client, path: str, **body: Any) -> Any:
    return client.post(f"/api/v1/{path}", body, content_type="application/json")


def keep(client: Client, content: str, **fields: Any) -> dict[str, Any]:
    body = {"subject": "ada", "content": content, "kind": "fact", "infer": False, **fields}
    result: dict[str, Any] = post(client, "memories/", **body).json()["results"][0]
    return result


def waiting(client: Client) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = client.get("/api/v1/approvals/", {"subject": "ada"}).json()["results"]
    return rows


@pytest.mark.parametrize(("approve", "status"), [(True, "current"), (False, "forgotten")])
def test_what_waits_is_listed_and_decided(acme: House, approve: bool, status: str) -> None:
    api = acme.api()
    outcome = keep(api, "I have asthma.", kind="sensitive")
    assert outcome["code"] == "needs_approval"
    [row] = waiting(api)
    assert row["memory_id"] == outcome["memory_id"]
    assert "asthma" not in row["content"]
    answer = post(api, f"approvals/{row['id']}/", approve=approve)
    assert (answer.status_code, answer.json()["status"]) == (200, status)
    assert waiting(api) == []
    assert post(api, f"approvals/{row['id']}/", approve=not approve).status_code == 409


def test_a_decision_needs_a_yes_or_a_no(acme: House) -> None:
    answer = post(acme.api(), f"approvals/{uuid.uuid4()}/")
    assert answer.status_code == 400 and "approve" in str(answer.json())
    assert post(acme.api(), f"approvals/{uuid.uuid4()}/", approve=True).status_code == 404


def test_a_verdict_changes_the_memorys_strength(acme: House) -> None:
    api = acme.api()
    memory_id = keep(api, "The spare key lies under the blue pot.")["memory_id"]
    given = post(api, "feedback/", subject="ada", verdict="right", memory_id=memory_id)
    assert (given.status_code, given.json()["verdict"]) == (201, "right")
    assert api.get(f"/api/v1/memories/{memory_id}/").json()["strength"] == pytest.approx(2.0, abs=0.01)
    post(api, "feedback/", subject="ada", verdict="wrong", memory_id=memory_id)
    assert api.get(f"/api/v1/memories/{memory_id}/").json()["strength"] == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"verdict": "meh", "memory_id": str(uuid.uuid4())}, 400),
        ({"verdict": "right"}, 400),
        ({"verdict": "right", "memory_id": str(uuid.uuid4())}, 404),
        ({"verdict": "right", "turn_id": str(uuid.uuid4()), "trace_id": str(uuid.uuid4())}, 404),
    ],
)
def test_a_verdict_on_nothing_is_refused(acme: House, body: dict[str, Any], code: int) -> None:
    api = acme.api()
    keep(api, "The spare key lies under the blue pot.")
    assert post(api, "feedback/", subject="ada", **body).status_code == code


def test_a_trace_explains_a_recall(acme: House) -> None:
    api = acme.api()
    memory_id = keep(api, "The spare key lies under the blue pot.")["memory_id"]
    recalled = post(api, "recall/", subject="ada", query="Where does the spare key lie?").json()
    trace = api.get(f"/api/v1/traces/{recalled['trace_id']}/").json()
    assert trace["query"] == "Where does the spare key lie?"
    assert [row["id"] for row in trace["considered"] if row["used"]] == [memory_id]
    assert "relevance" in trace["considered"][0]["scores"]


def test_recall_as_of_a_time_before_it_was_known_finds_nothing(acme: House) -> None:
    api = acme.api()
    keep(api, "The spare key lies under the blue pot.")
    known = datetime.now(UTC)

    def found(at: datetime) -> list[str]:
        answer = post(
            api, "recall/", subject="ada", query="Where does the spare key lie?", as_of=at.isoformat()
        )
        assert answer.status_code == 200, answer.content
        return [item["text"] for item in answer.json()["items"]]

    assert found(known - timedelta(days=1)) == []
    assert found(known + timedelta(days=1)) == ["The spare key lies under the blue pot."]
