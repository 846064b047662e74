"""The tool that changes a memory: always a new version, so that nothing is lost."""

from __future__ import annotations

import uuid
from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, Field

from accounts.actor import Actor
from memories.core.kinds import Kind
from memories.services.edit import edit
from memories.services.limits import MAX_CONTENT, MAX_TAG, MAX_TAGS
from memoryhub.common.errors import Invalid
from sessions_app.mcp.common import WRITE, memory_data, memory_line
from sessions_app.mcp.tool import Arguments, Said, Tool

_CLEARS = ("expires_at",)
"""What null takes away; elsewhere null is the same as leaving it out."""


class UpdateMemory(Arguments):
    """Only what is given changes."""

    memory_id: Annotated[uuid.UUID, Field(description="The memory's id.")]
    content: Annotated[
        str | None, Field(min_length=1, max_length=MAX_CONTENT, description="The new text.")
    ] = None
    kind: Annotated[Kind | None, Field(description="The new kind.")] = None
    importance: Annotated[float | None, Field(ge=0, le=1, description="0 to 1.")] = None
    importance_level: Annotated[
        Literal["high", "medium", "low"] | None,
        Field(description="Sets how slowly it fades, whatever its kind."),
    ] = None
    tags: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=MAX_TAG)]] | None,
        Field(max_length=MAX_TAGS, description="All of its tags from now on."),
    ] = None
    metadata: Annotated[dict[str, Any] | None, Field(description="All of its metadata from now on.")] = None
    pinned: Annotated[bool | None, Field(description="Never swept away, and ranked first among equals.")] = (
        None
    )
    expires_at: Annotated[
        AwareDatetime | None, Field(description="Until when it holds (ISO 8601 with offset); null: for good.")
    ] = None
    version: Annotated[
        int | None,
        Field(
            ge=1,
            description="The version that you read: where it is another by now, nothing changes (conflict).",
        ),
    ] = None


def update_memory(actor: Actor, given: UpdateMemory) -> Said:
    """The memory as it is now."""
    changes = {
        name: getattr(given, name)
        for name in given.model_fields_set - {"memory_id", "version"}
        if name in _CLEARS or getattr(given, name) is not None
    }
    if not changes:
        raise Invalid(
            "nothing is to be changed",
            hint="Give at least one of content, kind, importance, importance_level, tags, metadata, pinned and expires_at.",
        )
    memory = edit(actor=actor, memory_id=given.memory_id, expected_version=given.version, **changes)
    data = memory_data(memory)
    return Said(
        f"updated, version {memory.version}: {memory_line(data)}", {"code": "updated", "memory": data}
    )


UPDATE_MEMORY = Tool(
    name="update_memory",
    title="Update memory",
    description=(
        "Correct a memory or change its properties. The former version is kept as history. When a person says something new, use add_memory: it "
        "finds what the new statement replaces."
    ),
    arguments=UpdateMemory,
    run=update_memory,
    needs=WRITE,
    repeatable=True,
)
