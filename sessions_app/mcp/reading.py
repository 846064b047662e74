"""Tools that read: search, list and get memories, and list of whom there are any."""

from __future__ import annotations

import uuid
from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, Field

from accounts.actor import Actor
from memories.core.kinds import Kind
from memories.services.browse_memories import browse_memories
from memories.services.get_memory import get_memory as get_one
from memories.services.limits import MAX_TAG, MAX_TAGS, clean
from memories.services.list_entities import MAX_LISTED
from memories.services.list_entities import list_entities as list_all
from memories.services.recall import recall
from memories.services.recall_result import RecallItem
from sessions_app.mcp.common import READ, OfSubject, at, memory_data, memory_line, one_line
from sessions_app.mcp.tool import Arguments, Said, Tool

MAX_QUERY = 4_000


class SearchMemories(OfSubject):
    """A question and its filters."""

    query: Annotated[
        str,
        Field(
            min_length=1,
            max_length=MAX_QUERY,
            description="What to look for, in any language; a question is fine.",
        ),
    ]
    limit: Annotated[int, Field(ge=1, le=50, description="At most so many results.")] = 6
    kinds: Annotated[list[Kind] | None, Field(min_length=1, description="Only these kinds of memory.")] = None
    tags: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=MAX_TAG)]] | None,
        Field(min_length=1, max_length=MAX_TAGS, description="Only memories that have all of these tags."),
    ] = None
    metadata: Annotated[
        dict[str, Any] | None, Field(description="Only memories whose metadata holds these values.")
    ] = None
    since: Annotated[
        AwareDatetime | None, Field(description="Said then or later (ISO 8601 with offset).")
    ] = None
    until: Annotated[AwareDatetime | None, Field(description="Said before (ISO 8601 with offset).")] = None
    as_of: Annotated[
        AwareDatetime | None, Field(description="What was believed at that time, in the words of then.")
    ] = None
    messages: Annotated[
        bool, Field(description="Also find messages of past conversations, beside memories.")
    ] = True


def search_memories(actor: Actor, given: SearchMemories) -> Said:
    """What fits the question, best first; or that nothing relevant is stored."""
    found = recall(
        actor=actor,
        subject_id=given.found(actor),
        query=given.query,
        k=given.limit,
        kinds=given.kinds,
        tags=given.tags,
        metadata=given.metadata,
        since=given.since,
        until=given.until,
        as_of=given.as_of,
        episodes=given.messages,
    )
    data = {
        "results": [_item_data(item) for item in found.items],
        "code": "found" if found.items else "nothing_relevant",
        "degraded": found.degraded,
        "trace_id": str(found.trace_id) if found.trace_id else None,
    }
    if not found.items:
        return Said("nothing_relevant: nothing that is stored fits. Do not guess.", data)
    return Said("\n".join(_item_line(number, item) for number, item in enumerate(found.items, 1)), data)


def _item_data(item: RecallItem) -> dict[str, Any]:
    return {
        "id": str(item.id),
        "type": "memory" if item.item_kind == "memory" else "message",
        "kind": item.kind,
        "content": item.text,
        "said_at": at(item.said_at),
        "said_by": item.speaker or item.role or item.source,
        "score": round(item.score, 3),
        "confidence": round(item.confidence, 3),
        "pinned": item.pinned,
        "contradicts": [str(one) for one in item.contradicts],
        "holding": item.holding or "now",
        "valid_from": at(item.valid_from),
        "valid_to": at(item.valid_to),
    }


def _item_line(number: int, item: RecallItem) -> str:
    what = item.kind if item.item_kind == "memory" else f"message of {item.speaker or item.role}"
    marks = [f"said {at(item.said_at)}"]
    if item.holding:
        marks.append(
            f"no longer true: {item.holding}" if item.holding != "upcoming" else "not true yet: upcoming"
        )
    if item.contradicted:
        marks.append("contradicted; ask the person")
    return f"{number}. [{what}] {one_line(item.text)} (id {item.id}, {', '.join(marks)})"


class GetMemories(OfSubject):
    """A page of a list."""

    kind: Annotated[Kind | None, Field(description="Only this kind of memory.")] = None
    contains: Annotated[
        str,
        Field(
            max_length=200,
            description="Only memories with all of these words, literally, in the text or as a tag.",
        ),
    ] = ""
    as_of: Annotated[
        AwareDatetime | None,
        Field(description="The list of that time, in the words of then (ISO 8601 with offset)."),
    ] = None
    limit: Annotated[int, Field(ge=1, le=100, description="Memories a page.")] = 20
    cursor: Annotated[
        str,
        Field(
            max_length=200, description="`cursor` of the page before, as it is; left out for the first page."
        ),
    ] = ""


def get_memories(actor: Actor, given: GetMemories) -> Said:
    """Current memories, pinned ones first, then the newest."""
    page = browse_memories(
        actor=actor,
        subject_id=given.found(actor),
        query=clean(given.contains),
        kind=given.kind or "",
        cursor=given.cursor,
        limit=given.limit,
        as_of=given.as_of,
    )
    found = [memory_data(one.memory) for one in page.items]
    lines = [f"{len(found)} of {page.total} memories", *(memory_line(one) for one in found)]
    if page.cursor:
        lines.append(f"more: call again with cursor {page.cursor}")
    return Said("\n".join(lines), {"memories": found, "total": page.total, "cursor": page.cursor or None})


class GetMemory(Arguments):
    """One memory."""

    memory_id: Annotated[uuid.UUID, Field(description="The memory's id.")]


def get_memory(actor: Actor, given: GetMemory) -> Said:
    """The memory, whatever its status."""
    data = memory_data(get_one(actor=actor, memory_id=given.memory_id))
    return Said(memory_line(data), {"memory": data})


class ListEntities(Arguments):
    """A page of subjects."""

    kind: Annotated[Literal["user", "agent", "run"] | None, Field(description="Only this kind.")] = None
    limit: Annotated[int, Field(ge=1, le=MAX_LISTED, description="Entities a page.")] = 50
    cursor: Annotated[
        str, Field(max_length=64, description="`cursor` of the page before; left out for the first page.")
    ] = ""


def list_entities(actor: Actor, given: ListEntities) -> Said:
    """Of whom something may be remembered; a bound key sees its own subject alone."""
    page = list_all(actor=actor, kind=given.kind or "", cursor=given.cursor, limit=given.limit)
    found = [
        {
            "subject": one.external_id,
            "subject_kind": one.kind,
            "memories": one.memories,
            "last_said_at": at(one.last_said_at),
        }
        for one in page.items
    ]
    lines = [f"{one['subject_kind']} {one['subject']}: {one['memories']} memories" for one in found]
    if page.cursor:
        lines.append(f"more: call again with cursor {page.cursor}")
    return Said("\n".join(lines) or "no entities", {"entities": found, "cursor": page.cursor or None})


READING = (
    Tool(
        name="search_memories",
        title="Search memories",
        description=(
            "Find what is remembered about a subject that fits a question, best first, by meaning and by words, across languages. Answers "
            "nothing_relevant where nothing stored fits: then say so instead of guessing. Use it before answering anything that may depend on "
            "who the person is, what they prefer or what was agreed."
        ),
        arguments=SearchMemories,
        run=search_memories,
        needs=READ,
        reads=True,
    ),
    Tool(
        name="get_memories",
        title="List memories",
        description=(
            "List a subject's current memories, pinned ones first, then the newest, page by page. To find what fits a question, use "
            "search_memories instead."
        ),
        arguments=GetMemories,
        run=get_memories,
        needs=READ,
        reads=True,
    ),
    Tool(
        name="get_memory",
        title="Get a memory",
        description="One memory by its id: its text, kind, status, tags, times and version (update_memory wants the version).",
        arguments=GetMemory,
        run=get_memory,
        needs=READ,
        reads=True,
    ),
    Tool(
        name="list_entities",
        title="List entities",
        description=(
            "The users, agents and runs that memories are kept of, with how many each has, the newest first. The ids are what other tools take "
            "as `subject`."
        ),
        arguments=ListEntities,
        run=list_entities,
        needs=READ,
        reads=True,
    ),
)
