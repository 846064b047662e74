"""Bad input, at every address that writes: a problem that says what to do, in the form that the schema describes."""

from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
import yaml

from accounts.api.schema import with_problems
from tests.support.people import House

pytestmark = pytest.mark.django_db(transaction=True)

_BODIES: list[Any] = [
    '{"no_such_field": 1}',
    "[]",
    "null",
    '"x"',
    "{",
    '{"content": "\\u0000", "text": "\\ud800"}',
]


@pytest.fixture
def schema(acme: House) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(acme.api().get("/api/v1/schema/").content)
    return found


def _writes(schema: dict[str, Any]) -> list[tuple[str, str]]:
    return [
        (path, method)
        for path, operations in schema["paths"].items()
        for method in operations
        if method in {"post", "put", "patch"}
    ]


def test_every_address_that_writes_says_what_to_do_about_bad_input(
    acme: House, schema: dict[str, Any]
) -> None:
    api = acme.api("read", "write", "admin")
    writes = _writes(schema)
    assert len(writes) > 15
    for path, method in writes:
        address = re.sub(r"\{\w+\}", str(uuid.uuid4()), path)
        for body in _BODIES:
            answer = getattr(api, method)(address, body, content_type="application/json")
            told = f"{method} {path} {body}: {answer.status_code}"
            assert 400 <= answer.status_code < 500, told
            assert answer["content-type"] == "application/problem+json", told
            assert answer.json()["hint"], told
            assert answer.json()["status"] == answer.status_code, told


def test_what_is_no_json_at_all_is_a_problem_too(acme: House) -> None:
    api = acme.api("read", "write", "admin")
    for kind in ("text/plain", "application/xml", "multipart/form-data; boundary=x"):
        answer = api.post("/api/v1/forget/", b"forget my phone", content_type=kind)
        assert 400 <= answer.status_code < 500
        assert answer["content-type"] == "application/problem+json"


def test_the_schema_describes_problems(schema: dict[str, Any]) -> None:
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            shown = operation["responses"]["default"]["content"]["application/problem+json"]["schema"]
            assert shown == {"$ref": "#/components/schemas/Problem"}, (path, method)


def test_a_wrong_type_is_named_and_a_wrong_value_is_not_quoted(acme: House) -> None:
    api = acme.api("read", "write", "admin")
    body = {"subject": "s", "content": "Rye bread.", "tags": "bread", "kind": "my secret"}
    errors = api.post("/api/v1/memories/", body, content_type="application/json").json()["errors"]
    told = {error["field"]: error["message"] for error in errors}
    assert told["tags"].endswith("got a text.")
    assert "secret" not in str(errors)


def test_a_body_that_is_no_object_is_told_without_the_names_of_python(acme: House) -> None:
    answer = acme.api("write").post("/api/v1/memories/", [1], content_type="application/json")
    assert answer.status_code == 400
    assert [error["message"] for error in answer.json()["errors"]] == [
        "Invalid data. Expected a dictionary, but got a list."
    ]


def test_what_is_said_of_a_whole_path_is_no_operation() -> None:
    path = {"summary": "Kites", "parameters": [{"name": "id", "in": "path"}], "get": {"responses": {}}}
    found = with_problems({"paths": {"/kites/{id}/": path}})["paths"]["/kites/{id}/"]
    assert found["summary"] == "Kites" and found["parameters"] == [{"name": "id", "in": "path"}]
    assert "default" in found["get"]["responses"]


def test_erasing_a_kind_of_subject_that_there_is_not_names_the_field(acme: House) -> None:
    answer = acme.api("admin").delete("/api/v1/subjects/?subject=s&kind=person")
    assert answer.status_code == 400
    assert [error["field"] for error in answer.json()["errors"]] == ["kind"]
