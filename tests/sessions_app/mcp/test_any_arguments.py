"""Whatever fits a tool's schema, or nearly, is answered or refused with a code: nothing breaks, and its own data fits JSON."""

from __future__ import annotations

import json
import uuid
from dataclasses import replace
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from accounts.actor import Actor
from accounts.authentication import actor_of_key
from memories.services.remember import remember
from memoryhub.common.errors import DomainError
from sessions_app.mcp.tool import Said
from sessions_app.mcp.tools import TOOLS
from tests.support.people import House

pytestmark = pytest.mark.django_db
# Lone surrogates do not come through JSON.
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30) | st.sampled_from(
    [
        "",
        " ",
        "\x00",
        "%",
        "_*?[",
        "'; --",
        "忘掉我的电话",
        "what is my name?",
        "9" * 400,
        "\u200b",
        "null",
        "1",
    ]
)
TIMES = st.sampled_from(
    [
        "2026-01-01T00:00:00Z",
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-12:00",
        "2026-01-01T00:00:00",
        "x",
    ]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)


def fitting(schema: dict[str, Any], ids: list[str]) -> st.SearchStrategy[Any]:
    """Values for a schema of ours; of texts, lists and numbers also some that are a little too long or large."""
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    match schema.get("type"):
        case "object" if "properties" in schema:
            fields = {name: fitting(inner, ids) for name, inner in schema["properties"].items()}
            needed = {name: fields[name] for name in schema.get("required", ())}
            rest = {name: inner for name, inner in fields.items() if name not in needed}
            return st.fixed_dictionaries(needed, optional=rest)
        case "object":
            return st.dictionaries(TEXT, JSON, max_size=3)
        case "array":
            return st.lists(fitting(schema["items"], ids), max_size=3)
        case "integer":
            return st.integers(schema.get("minimum", 1) - 1, schema.get("maximum", 2**63) + 1)
        case "number":
            return st.floats(-0.1, 1.1)
        case "boolean":
            return st.booleans()
    if schema.get("format") == "uuid":
        return st.sampled_from(ids)
    return TIMES if schema.get("format") == "date-time" else TEXT


def consistent(given: dict[str, Any], messages: bool) -> dict[str, Any]:
    """add_memory's, without what does not go together."""
    given = {**given, "content": given.get("content", "I live in Lyon.")}
    if not messages or not given.get("messages"):
        return {name: value for name, value in given.items() if name not in {"messages", "conversation"}}
    kept = {"messages", "conversation", "wait", "subject", "subject_kind", "idempotency_key"}
    return {name: value for name, value in given.items() if name in kept}


@pytest.fixture
def caller(acme: House) -> Actor:
    return replace(actor_of_key(acme.key("read", "write", "admin")), door="mcp")


@pytest.fixture
def ids(acme: House, caller: Actor) -> list[str]:
    """Of memories that contradict each other, of a text that waits to be learnt from, and of nothing."""
    outcomes = [
        remember(actor=caller, subject_id=acme.subjects["user"], content=f"My sister lives in {town}.")[0]
        for town in ("Leeds", "Bristol")
    ]
    rows = TOOLS["check_contradictions"].call(caller, {"subject": str(acme.user_of("user").pk)})
    waiting = TOOLS["add_memory"].call(caller, {"subject": "ada", "content": "Hello.", "wait": False})
    return [
        waiting.data["event_id"],
        *(str(one.memory_id) for one in outcomes),
        rows.data["contradictions"][0]["id"],
        str(uuid.uuid4()),
    ]


@pytest.mark.parametrize("name", list(TOOLS))
def test_nothing_breaks(acme: House, caller: Actor, ids: list[str], name: str) -> None:
    tool = TOOLS[name]
    Draft202012Validator.check_schema(tool.schema)
    someone = st.sampled_from([str(acme.user_of("user").pk), "ada", "nobody"])
    arguments = fitting(tool.schema, ids)
    if "subject" in tool.schema["properties"]:
        arguments = st.builds(lambda given, who: {**given, "subject": who}, arguments, someone) | arguments
    if name == "add_memory":
        arguments = st.builds(consistent, arguments, st.booleans()) | arguments

    @settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
    @given(arguments | st.dictionaries(TEXT, JSON, max_size=3))
    def asked(given: dict[str, Any]) -> None:
        try:
            with transaction.atomic():
                said = tool.call(caller, json.loads(json.dumps(given)))
        except DomainError as error:
            assert error.code != "error"
            return
        assert isinstance(said, Said)
        assert said.text
        json.dumps(said.data, allow_nan=False)

    asked()
