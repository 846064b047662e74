"""What several tools share: whose memory is meant, and how memories, outcomes and times look in an answer."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from accounts.actor import Actor
from accounts.permissions import Capability
from accounts.services.ensure_subject import ensure_subject, find_subject
from memories.models import Memory
from memories.store.past_sql import NEVER_AGAIN
from memoryhub.common.db import own_commit
from memoryhub.common.errors import Invalid, NotFound
from sessions_app.mcp.tool import Arguments

READ = frozenset({Capability.OWN_MEMORY_READ})
WRITE = frozenset({Capability.OWN_MEMORY_READ, Capability.OWN_MEMORY_WRITE})
ADD = frozenset({Capability.OWN_MEMORY_WRITE})
_LINE = 400
"""Characters of a memory in a line of text; the data has all of them."""


class OfSubject(Arguments):
    """Arguments that say whose memory is meant."""

    subject: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=512,
            description="Whose memory: your own id of the user (or agent, or run), taken literally; no wildcards. "
            "May be left out only with a key that is bound to one subject.",
        ),
    ] = None
    subject_kind: Annotated[
        Literal["user", "agent", "run"], Field(description="What the subject is; user, when left out.")
    ] = "user"

    def found(self, actor: Actor, *, write: bool = False) -> uuid.UUID:
        """The subject's id. NotFound when nothing is known of it, or the key does not reach it."""
        if self.subject is None:
            return self._own(actor)
        try:
            subject = find_subject(actor=actor, kind=self.subject_kind, external_id=self.subject)
            actor.require_subject(subject.pk, write=write)
        except NotFound:
            raise NotFound(
                "no such subject",
                hint="Nothing is stored under this id, or the key does not reach it. Check its spelling "
                "(list_entities shows the ids); add_memory makes a new one.",
            ) from None
        found: uuid.UUID = subject.pk
        return found

    def made(self, actor: Actor) -> uuid.UUID:
        """The same to be written to: an id that is not known becomes a subject."""
        if self.subject is None:
            return self._own(actor)
        with own_commit():
            subject = ensure_subject(actor=actor, kind=self.subject_kind, external_id=self.subject)
        actor.require_subject(subject.pk, write=True)
        found: uuid.UUID = subject.pk
        return found

    @staticmethod
    def _own(actor: Actor) -> uuid.UUID:
        if actor.subject_id is None:
            raise Invalid(
                "no subject is named",
                hint="Give `subject`: your own id of whose memory is meant.",
                fields={"subject": "is required"},
            )
        return actor.subject_id


def at(time: datetime | None) -> str | None:
    """ISO 8601 to the second."""
    return time.isoformat(timespec="seconds") if time is not None else None


def one_line(text: str, most: int = _LINE) -> str:
    """A memory's words on one line, so that an answer's lines are its own."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def memory_data(memory: Memory) -> dict[str, Any]:
    """A memory as data; without its words when they were taken out on purpose."""
    gone = memory.status in NEVER_AGAIN
    return {
        "id": str(memory.pk),
        "kind": memory.kind,
        "content": "" if gone else memory.content,
        "status": memory.status,
        "tags": [] if gone else list(memory.tags),
        "metadata": {} if gone else memory.metadata,
        "importance": memory.importance,
        "pinned": memory.pinned,
        "source": memory.source,
        "speaker": "" if gone else memory.speaker,
        "said_at": at(memory.said_at),
        "valid_from": at(memory.valid_from),
        "valid_to": at(memory.valid_to),
        "expires_at": at(memory.expires_at),
        "superseded_by": str(memory.superseded_by_id) if memory.superseded_by_id else None,
        "version": memory.version,
    }


def memory_line(data: Mapping[str, Any]) -> str:
    """A memory's line of text."""
    state = "" if data["status"] == "current" else f", {data['status']}"
    pinned = ", pinned" if data["pinned"] else ""
    return f"[{data['kind']}] {one_line(data['content'])} (id {data['id']}, said {data['said_at']}{pinned}{state})"


_BECAME = {
    "stored": "kept as memory {memory_id}",
    "duplicate": "known already: memory {memory_id} was strengthened",
    "superseded": "kept as memory {memory_id}, which replaces {replaced_id}",
    "contradiction": "kept as memory {memory_id}, but it contradicts {replaced_id}: ask the person, then resolve_contradiction",
    "blocked_sensitive": "refused: it holds a secret or personal data that is not stored here; leave that out",
    "needs_approval": "waits for the person's yes and is not recalled until then",
    "not_worth_keeping": "not kept: nothing in it looks lasting; with infer=false it is kept as given",
    "budget": "not kept: more statements at once than are taken; send less at a time",
    "forgotten": "memory {memory_id} was forgotten",
    "error": "failed; it is tried again later",
}


def outcome_lines(outcomes: Iterable[Mapping[str, Any]]) -> list[str]:
    """A line for each reason code."""
    lines = []
    for one in outcomes:
        words = _BECAME.get(str(one["code"]), "").format(**one)
        rule = f" [{one['rule']}]" if one.get("rule") else ""
        where = f"{one['index'] + 1}. " if "index" in one else ""
        lines.append(f"{where}{one['code']}: {words}{rule}")
    return lines
