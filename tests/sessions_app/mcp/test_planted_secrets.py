"""Secrets said through the tools of /mcp, the protocol's SDK included: none is found in the clear in what is kept or logged."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import connection

from memories.services import policies
from tests.sessions_app.mcp.test_door import call, serving
from tests.support.dump import database_dump, places_of, valkey_dump
from tests.support.people import House
from tests.support.secrets import Maker, Planted

pytestmark = pytest.mark.django_db(transaction=True)
KINDS = {"secret", "credential", "card", "id_number"}
"""What the policy blocks or masks by default."""


def ways_in(one: Planted, note: str) -> list[dict[str, Any]]:
    """A call of each tool that takes words, with the secret wherever words may stand."""
    who = {"subject": "ada"}
    message = {"role": "user", "content": one.text, "speaker": one.text[:190], "id": one.text[:190]}
    return [
        call("add_memory", **who, content=one.text),
        call(
            "add_memory",
            **who,
            content=f"Note: {one.text}",
            infer=False,
            tags=[one.value[:64]],
            metadata={one.label: one.value, "said": [{"text": one.text}]},
        ),
        call("add_memory", **who, messages=[message], conversation=one.text[:500]),
        call("add_memory", **who, content=one.text, wait=False),
        call("add_memory", **who, content="x", kind=one.text, **{one.label.replace(" ", "_"): one.value}),
        call("search_memories", **who, query=f"Did I say this? {one.text}"),
        call("get_memories", **who, contains=one.text[:190]),
        call("get_memories", **who, cursor=one.text[:190]),
        call("get_context", **who, message=one.text, conversation=one.text[:500]),
        call("update_memory", memory_id=note, content=f"Edited: {one.text}"),
        call("update_memory", memory_id=note, metadata={one.label: one.value}),
        call("resolve_contradiction", contradiction_id=note, resolution="keep_new", reason=one.text[:190]),
        call("delete_memory", memory_id=one.text),
        call("delete_memory", memory_id=note, confirmation=one.text[:400]),
        call(one.text),
    ]


async def test_no_secret_is_kept_or_logged_in_the_clear(acme: House, key: str, log_lines: list[str]) -> None:
    planted = [one for one in Maker(4471).all(16) if one.kind in KINDS]
    assert len({one.kind for one in planted}) == len(KINDS)
    answers = ""
    async with serving(key) as http:
        add = call("add_memory", subject="ada", content="A plain note", infer=False)
        added = (await http.post("/mcp", json=add)).json()["result"]["structuredContent"]
        for one in planted:
            for way in ways_in(one, added["results"][0]["memory_id"]):
                answer = await http.post("/mcp", json=way)
                assert answer.status_code < 500
                answers += answer.text
    needles = {needle for one in planted for needle in one.needles}
    dump = await _dump()
    assert sum(len(text) for text in dump.values()) > 20_000
    assert places_of(needles, dump) == {}
    assert places_of(needles, valkey_dump()) == {}
    assert places_of(needles, {"answers": answers}) == {}
    assert any(line.startswith("mcp") for line in log_lines), "the SDK was to be heard"
    assert places_of(needles, {str(number): line for number, line in enumerate(log_lines)}) == {}
    policies.forget_cached()


async def _dump() -> dict[str, str]:
    return await sync_to_async(database_dump)(str(connection.settings_dict["NAME"]))
