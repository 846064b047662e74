"""Tools that take away: the first call changes nothing and says what would go, the second one carries its confirmation."""

from __future__ import annotations

import uuid
from typing import Annotated, Any

from pydantic import Field

from accounts.actor import Actor
from memories.core.errors import MemoryGone
from memories.models import Memory, Status
from memories.services.forget import forget
from memories.services.forget_by_words import forget_by_words
from memories.services.forget_preview import Preview, preview
from memories.services.forget_wanted import wanted_of
from memories.services.get_memory import get_memory
from memories.services.tenant_subject import check_writable
from memoryhub.common.db import tenant_transaction
from sessions_app.mcp.common import WRITE, OfSubject, at, memory_data, memory_line, one_line
from sessions_app.mcp.confirming import LIVES_SECONDS, confirmed, token_of
from sessions_app.mcp.tool import Arguments, Said, Tool

MAX_NAMED = 20
"""Memories that are named of all that would go."""
_CONFIRMATION = "Left out in the first call. In the second: what the first one answered, after the person has said yes to what it named."


class DeleteMemory(Arguments):
    """One memory."""

    memory_id: Annotated[uuid.UUID, Field(description="The memory's id.")]
    confirmation: Annotated[str | None, Field(max_length=500, description=_CONFIRMATION)] = None


class DeleteAllMemories(OfSubject):
    """All of one subject's."""

    confirmation: Annotated[str | None, Field(max_length=500, description=_CONFIRMATION)] = None


def delete_memory(actor: Actor, given: DeleteMemory) -> Said:
    """Forgets one memory, after its confirmation."""
    memory = get_memory(actor=actor, memory_id=given.memory_id)
    with tenant_transaction(actor.tenant_id):
        check_writable(actor, memory.subject_id)
    asked = {"memory_id": str(given.memory_id)}
    shown = f"{memory.pk} {memory.version} {memory.status}"
    if given.confirmation is None:
        return _ask_for_one(actor, memory, asked, shown)
    with confirmed(given.confirmation, actor=actor, tool="delete_memory", arguments=asked, shown=shown):
        stone = forget(actor=actor, memory_id=given.memory_id, reason="mcp", cause="user")
    data = {"code": "forgotten", "memory_id": str(memory.pk), "restorable_until": at(stone.purge_after)}
    return Said(f"forgotten: memory {memory.pk}; restorable until {at(stone.purge_after)}", data)


def _ask_for_one(actor: Actor, memory: Memory, asked: dict[str, Any], shown: str) -> Said:
    if memory.status == Status.FORGOTTEN:
        data = {"code": "already_forgotten", "memory_id": str(memory.pk)}
        return Said(f"already_forgotten: memory {memory.pk}; nothing is left to do", data)
    if memory.status == Status.REDACTED:
        raise MemoryGone("the memory was redacted", hint="Nothing of it is left to delete.")
    found = memory_data(memory)
    token = token_of(actor, "delete_memory", asked, shown)
    return _asked(token, 1, [found], [memory_line(found)], "Its words go from stored conversations, too.")


def delete_all_memories(actor: Actor, given: DeleteAllMemories) -> Said:
    """Forgets everything of one subject, after its confirmation."""
    subject_id = given.found(actor, write=True)
    wanted = wanted_of(entity="user")
    would = preview(actor=actor, subject_id=subject_id, wanted=wanted)
    ids = sorted(str(one) for part in would for one in part.memory_ids)
    asked = {"subject_id": str(subject_id)}
    shown = " ".join(ids)
    if given.confirmation is None:
        token = token_of(actor, "delete_all_memories", asked, shown)
        return _ask_for_all(token, would, len(ids))
    with confirmed(given.confirmation, actor=actor, tool="delete_all_memories", arguments=asked, shown=shown):
        outcomes = forget_by_words(actor=actor, subject_id=subject_id, wanted=wanted, sure=True)
    gone = [str(one.memory_id) for one in outcomes if one.memory_id is not None]
    data = {
        "code": outcomes[0].code.value if outcomes else "not_worth_keeping",
        "memories": len(gone),
        "event_id": next(
            (reason[8:] for one in outcomes for reason in one.reasons if reason[:8] == "request "), None
        ),
    }
    if not gone and data["event_id"] is None:
        return Said("nothing was stored", {**data, "code": "nothing_found"})
    event = f"; get_event_status {data['event_id']} tells when stored conversations are rewritten, too"
    return Said(f"forgotten: {len(gone)} memories{event if data['event_id'] else ''}", data)


def _ask_for_all(token: str, would: list[Preview], count: int) -> Said:
    named = [one for part in would for one in part.going][:MAX_NAMED]
    found = [{"id": str(one.id), "content": one.content} for one in named]
    lines = [f"{one_line(one.content)} (id {one.id})" for one in named]
    if count > len(named):
        lines.append(f"… and {count - len(named)} more")
    return _asked(
        token, count, found, lines, "All that the subject said in stored conversations is emptied, too."
    )


def _asked(token: str, count: int, found: list[dict[str, Any]], lines: list[str], beside: str) -> Said:
    data = {
        "code": "needs_confirmation",
        "would_delete": count,
        "memories": found,
        "confirmation": token,
        "expires_in_seconds": LIVES_SECONDS,
    }
    head = f"needs_confirmation: nothing was deleted. {count} memories would go. {beside}"
    tail = f"Ask the person. After a yes, repeat the call within {LIVES_SECONDS} seconds with confirmation={token}"
    return Said("\n".join([head, *lines, tail]), data)


DELETING = (
    Tool(
        name="delete_memory",
        title="Delete memory",
        description=(
            "Forget one memory, in two steps: the first call (without confirmation) deletes nothing, names what would go and answers a "
            "confirmation; the second one carries it. The memory's words go from stored conversations, too, and are not learnt again. "
            "It can be restored over REST until the time that the answer names."
        ),
        arguments=DeleteMemory,
        run=delete_memory,
        needs=WRITE,
        destroys=True,
        repeatable=True,
    ),
    Tool(
        name="delete_all_memories",
        title="Delete all memories",
        description=(
            "Forget everything that is remembered of one subject, in two steps: the first call (without confirmation) deletes nothing, says what "
            "would go and answers a confirmation; the second one carries it. Other subjects are not touched. It can be undone over REST for a while; "
            "to erase a person for good, with a receipt, use REST."
        ),
        arguments=DeleteAllMemories,
        run=delete_all_memories,
        needs=WRITE,
        destroys=True,
        repeatable=True,
    ),
)
