"""Who gets what of mem0's door: its lists are empty for whom they are not, as mem0's are."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from tests.tenancy.rows import MARKER, Row, api, memory, named
from tests.tenancy.world import World


def owner(world: World) -> dict[str, Any]:
    """The owner's memory, as mem0 names it."""
    return {"filters": {"user_id": world.owner_external_id}}


def query(name: str) -> Any:
    return lambda world: f"{reverse(name)}?user_id={world.owner_external_id}"


def said(world: World) -> dict[str, Any]:
    return {**owner(world), "messages": [{"role": "user", "content": "The oboe is in the attic."}]}


def asked(world: World) -> dict[str, Any]:
    return {**owner(world), "query": MARKER}


def one(world: World) -> dict[str, Any]:
    return {"memories": [{"memory_id": str(memory(world)), "text": "It lies in the shed."}]}


MEM0: list[Row] = [
    api("GET", "mem0_ping", named("mem0_ping"), 200, 200, 200, 200),
    *(
        api("POST", name, named(name), 200, 404, 404, (200, 404), body=said)
        for name in ("mem0_add", "mem0_memories")
    ),
    *(
        api("GET", name, query(name), 200, 200, 200, 200)
        for name in ("mem0_memories", "mem0_list", "mem0_list_v2")
    ),
    *(
        api("POST", name, named(name), 200, 200, 200, 200, body=owner)
        for name in ("mem0_list", "mem0_list_v2")
    ),
    *(
        api("POST", name, named(name), 200, 200, 200, 200, body=asked)
        for name in ("mem0_search", "mem0_search_v1", "mem0_search_v2")
    ),
    api("DELETE", "mem0_memories", query("mem0_memories"), 200, 404, 404, 404),
    api("GET", "mem0_memory", named("mem0_memory", memory), 200, 404, 200, 404),
    api(
        "PUT",
        "mem0_memory",
        named("mem0_memory", memory),
        200,
        404,
        404,
        404,
        body={"text": "It lies in the shed."},
    ),
    api("DELETE", "mem0_memory", named("mem0_memory", memory), 200, 404, 404, 404),
    api("GET", "mem0_history", named("mem0_history", memory), 200, 404, 200, 404),
    # Of several each is told by itself.
    api("PUT", "mem0_batch", named("mem0_batch"), 200, 200, 200, 200, body=one),
    api("DELETE", "mem0_batch", named("mem0_batch"), 200, 200, 200, 200, body=one),
    api(
        "POST",
        "mem0_feedback",
        named("mem0_feedback"),
        200,
        404,
        404,
        404,
        body=lambda w: {"memory_id": str(memory(w)), "feedback": "POSITIVE"},
    ),
    api("GET", "mem0_owners", named("mem0_owners"), 403, 403, 200, (200, 403)),
    api(
        "DELETE",
        "mem0_owner",
        lambda w: reverse("mem0_owner", args=["user", w.owner_external_id]),
        403,
        403,
        403,
        (403, 404),
    ),
]
