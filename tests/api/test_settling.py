"""REST over contradictions, replacements, merging and what to ask about."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests.support.people import House

pytestmark = pytest.mark.django_db


def post(client: Client, path: str, **body: Any) -> Any:
    return client.post(f"/api/v1/{path}", body, content_type="application/json")


def tell(client: Client, content: str, *, day: int = 0, **fields: Any) -> dict[str, Any]:
    said_at = (timezone.now() - timedelta(days=30 - day)).isoformat()
    body = {"subject": "ada", "content": content, "said_at": said_at, **fields}
    result: dict[str, Any] = post(client, "memories/", **body).json()["results"][0]
    return result


def listed(client: Client, **params: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = client.get("/api/v1/contradictions/", {"subject": "ada", **params}).json()[
        "results"
    ]
    return rows


@pytest.fixture
def api(acme: House) -> Client:
    """An API key with a contradiction about the sister's town."""
    client = acme.api()
    tell(client, "My sister lives in Leeds.")
    assert tell(client, "My sister lives in Bristol.", day=1)["code"] == "contradiction"
    return client


def test_a_contradiction_is_listed_with_both_sides_and_their_evidence(api: Client) -> None:
    [row] = listed(api, state="open")
    assert (row["state"], row["rule"]) == ("open", "slot.unclear")
    assert ["Leeds" in row["older"]["content"], "Bristol" in row["newer"]["content"]] == [True, True]
    assert "Leeds" in row["older"]["evidence"][0]["quote"]
    assert listed(api, state="resolved") == []
    assert api.get("/api/v1/contradictions/", {"subject": "ada", "state": "odd"}).status_code == 400


def test_it_is_settled_undone_and_settled_again(api: Client) -> None:
    [row] = listed(api)
    path = f"contradictions/{row['id']}"
    settled = post(api, f"{path}/resolve/", resolution="keep_old", reason="asked her")
    assert (settled.status_code, settled.json()["resolution"]) == (200, "keep_old")
    assert settled.json()["newer"]["status"] == "superseded"
    assert post(api, f"{path}/resolve/", resolution="keep_new").status_code == 409
    undone = post(api, f"{path}/undo/")
    assert (undone.status_code, undone.json()["state"]) == (200, "open")
    assert undone.json()["newer"]["status"] == "current"
    merged = post(
        api, f"{path}/resolve/", resolution="merge", content="My sister commutes from Leeds to Bristol."
    )
    assert merged.status_code == 200
    assert {merged.json()[side]["status"] for side in ("older", "newer")} == {"merged"}


@pytest.mark.parametrize(
    "body",
    [{}, {"resolution": "both"}, {"resolution": "merge"}, {"resolution": "keep_new", "content": "x"}, {"resolution": "keep_new", "why": "x"}],
)  # fmt: skip
def test_a_decision_that_says_too_little_or_too_much_is_refused(api: Client, body: dict[str, str]) -> None:
    [row] = listed(api)
    answer = post(api, f"contradictions/{row['id']}/resolve/", **body)
    assert answer.status_code == 400
    assert listed(api, state="open") != []


def test_a_replacement_is_undone_and_says_what_stands_in_the_way(api: Client) -> None:
    first = tell(api, "I live in Leeds.")["memory_id"]
    second = tell(api, "I moved to Bristol.", day=2)["memory_id"]
    back = post(api, f"memories/{first}/undo/")
    assert (back.status_code, back.json()["status"], back.json()["valid_to"]) == (200, "current", None)
    assert api.get(f"/api/v1/memories/{second}/").json()["status"] == "superseded"
    refused = post(api, f"memories/{first}/undo/")
    assert (refused.status_code, refused.json()["code"]) == (409, "not_undoable")
    third = tell(api, "I moved to Dover.", day=3)["memory_id"]
    assert third in str(post(api, f"memories/{second}/undo/").json())


def test_confirmations_are_merged_and_come_apart(api: Client) -> None:
    ids = [
        tell(api, text, kind="fact", infer=False)["memory_id"]
        for text in ("The attic key hangs by the door", "By the door hangs the key of the attic")
    ]
    merged = post(api, f"memories/{ids[0]}/merge/", memories=[ids[1]])
    assert (merged.status_code, merged.json()["id"]) == (200, ids[0])
    assert api.get(f"/api/v1/memories/{ids[1]}/").json()["superseded_by"] == ids[0]
    assert post(api, f"memories/{ids[1]}/undo/").json()["status"] == "current"
    assert post(api, f"memories/{ids[0]}/merge/", memories=[str(uuid.uuid4())]).status_code == 404
    assert post(api, f"memories/{ids[0]}/merge/", memories=[]).status_code == 400


def test_what_matters_and_was_not_confirmed_for_long_is_asked_about_until_it_is(api: Client) -> None:
    old = (timezone.now() - timedelta(days=400)).isoformat()
    memory = tell(
        api, "My blood type is AB negative.", said_at=old, importance=0.9, kind="profile", infer=False
    )
    tell(api, "My umbrella is grey.", said_at=old, importance=0.1, kind="fact", infer=False)
    new = timezone.now().isoformat()
    tell(api, "My passport is in the desk.", said_at=new, importance=0.9, kind="fact", infer=False)

    def stale() -> list[str]:
        rows = api.get("/api/v1/memories/stale/", {"subject": "ada"}).json()["results"]
        return [row["id"] for row in rows]

    assert stale() == [memory["memory_id"]]
    post(api, "feedback/", subject="ada", verdict="right", memory_id=memory["memory_id"])
    assert stale() == []
