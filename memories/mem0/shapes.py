"""How a memory and its history look to mem0's clients."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from accounts.models import Subject
from memories.models import Memory, MemoryVersion
from memories.services.outcome import Outcome, Reason

_OWNER_OF = {"user": "user_id", "agent": "agent_id", "run": "run_id"}
_BESIDE = ("agent_id", "run_id", "app_id")
_EVENT_OF = {
    Reason.STORED: "ADD",
    Reason.CONTRADICTION: "ADD",
    Reason.SUPERSEDED: "UPDATE",
    Reason.NEEDS_APPROVAL: "ADD",
}
_CHANGE_OF = {"created": "ADD", "forgotten": "DELETE"}


def item(memory: Memory, subject: Subject) -> dict[str, Any]:
    """A memory as mem0 gives it; `metadata` without the ids that say where it was made, which have fields of their own."""
    metadata = {key: value for key, value in memory.metadata.items() if key not in _BESIDE}
    beside: dict[str, Any] = dict.fromkeys(("user_id", *_BESIDE))
    beside |= {key: memory.metadata[key] for key in _BESIDE if key in memory.metadata}
    if subject.kind in _OWNER_OF:
        beside[_OWNER_OF[subject.kind]] = subject.external_id
    return {
        "id": str(memory.pk),
        "memory": memory.content,
        **beside,
        "metadata": metadata,
        "categories": list(memory.tags),
        "created_at": memory.created_at.isoformat(),
        "updated_at": memory.updated_at.isoformat(),
        "expiration_date": memory.expires_at.date().isoformat() if memory.expires_at else None,
    }


def event(outcome: Outcome, contents: dict[Any, str]) -> dict[str, Any]:
    """What became of a statement: ADD, UPDATE or NONE, with MemoryHub's own code and reasons beside it."""
    found = {
        "id": str(outcome.memory_id) if outcome.memory_id else None,
        "memory": contents.get(outcome.memory_id, ""),
        "event": _EVENT_OF.get(outcome.code, "NONE"),
        "code": outcome.code.value,
        "reasons": list(outcome.reasons),
    }
    if outcome.replaced_id is not None:
        found["replaced_id"] = str(outcome.replaced_id)
    return found


def history(memory_id: uuid.UUID, versions: Sequence[MemoryVersion]) -> list[dict[str, Any]]:
    """Its versions, the oldest first, each with the text before and after."""
    found: list[dict[str, Any]] = []
    before: str | None = None
    for version in versions:
        kind = _CHANGE_OF.get(version.change, "UPDATE")
        found.append(
            {
                "id": str(version.pk),
                "memory_id": str(memory_id),
                "old_memory": before,
                "new_memory": None if kind == "DELETE" else version.content,
                "event": kind,
                "metadata": version.state.get("metadata") or {},
                "created_at": version.at.isoformat(),
                "updated_at": version.at.isoformat(),
            }
        )
        before = version.content
    return found
