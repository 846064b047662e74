"""What can be asked of MemoryHub: each returns the call for it."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from memoryhub.client.calls import Call, call, of

Id = uuid.UUID | str


def add(
    content: str,
    *,
    subject: str | None = None,
    subject_kind: str | None = None,
    kind: str | None = None,
    infer: bool | None = None,
    tags: Sequence[str] | None = None,
    metadata: Mapping[str, Any] | None = None,
    said_at: datetime | None = None,
    importance: float | None = None,
    expires_at: datetime | None = None,
    pinned: bool | None = None,
    source: str | None = None,
    idempotency_key: str | None = None,
) -> Call:
    """Keep what a text tells (or, with `infer` false, the text itself)."""
    body = {
        "content": content, "subject": subject, "subject_kind": subject_kind, "kind": kind, "infer": infer, "tags": tags,
        "metadata": metadata, "said_at": said_at, "importance": importance, "expires_at": expires_at, "pinned": pinned,
        "source": source,
    }  # fmt: skip
    return call("POST", of("memories"), body=body, key=idempotency_key)


def recall(
    query: str,
    *,
    subject: str | None = None,
    subject_kind: str | None = None,
    k: int | None = None,
    kinds: Sequence[str] | None = None,
    tags: Sequence[str] | None = None,
    metadata: Mapping[str, Any] | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    as_of: datetime | None = None,
    episodes: bool | None = None,
    reinforce: bool | None = None,
    explain: bool | None = None,
) -> Call:
    """What fits a question."""
    body = {
        "query": query, "subject": subject, "subject_kind": subject_kind, "k": k, "kinds": kinds, "tags": tags, "metadata": metadata,
        "since": since, "until": until, "as_of": as_of, "episodes": episodes, "reinforce": reinforce, "explain": explain,
    }  # fmt: skip
    return call("POST", of("recall"), body=body)


def context(
    message: str,
    *,
    subject: str | None = None,
    subject_kind: str | None = None,
    session_id: Id | None = None,
    system: str | None = None,
    budget_tokens: int | None = None,
) -> Call:
    """Messages for a model that is to answer."""
    body = {
        "message": message, "subject": subject, "subject_kind": subject_kind, "session_id": session_id, "system": system,
        "budget_tokens": budget_tokens,
    }  # fmt: skip
    return call("POST", of("context"), body=body)


def page(
    *,
    subject: str | None = None,
    subject_kind: str | None = None,
    cursor: str | None = None,
    limit: int = 200,
    kind: str | None = None,
    tags: Sequence[str] | None = None,
    status: str | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    as_of: datetime | None = None,
) -> Call:
    """One page of memories, the newest first."""
    query = {
        "subject": subject, "subject_kind": subject_kind, "cursor": cursor, "limit": limit, "kind": kind, "tag": tags,
        "status": status, "since": since, "until": until, "as_of": as_of,
    }  # fmt: skip
    return call("GET", of("memories"), query=query)


def get(memory_id: Id) -> Call:
    """One memory."""
    return call("GET", of("memories", memory_id))


def update(memory_id: Id, *, version: int | None = None, **changes: Any) -> Call:
    """Change fields of a memory, of just that version where it is given."""
    return call("PATCH", of("memories", memory_id), body=changes, version=version)


def delete(memory_id: Id) -> Call:
    """Forget a memory."""
    return call("DELETE", of("memories", memory_id))


def versions(memory_id: Id) -> Call:
    """What a memory was, version by version."""
    return call("GET", of("memories", memory_id, "versions"))


def forget(
    text: str, *, subject: str | None = None, subject_kind: str | None = None, preview: bool | None = None
) -> Call:
    """Forget what a person asks for in words, or say what would go."""
    body = {"text": text, "subject": subject, "subject_kind": subject_kind, "preview": preview}
    return call("POST", of("forget"), body=body)


def contradictions(*, subject: str | None = None, subject_kind: str | None = None) -> Call:
    """Pairs that cannot both hold, and wait to be settled."""
    return call("GET", of("contradictions"), query={"subject": subject, "subject_kind": subject_kind})


def resolve(contradiction_id: Id, resolution: str, *, content: str | None = None) -> Call:
    """Settle one: keep_new, keep_old, keep_both, or merge with a content."""
    body = {"resolution": resolution, "content": content}
    return call("POST", of("contradictions", contradiction_id, "resolve"), body=body)


def profile(*, subject: str | None = None, subject_kind: str | None = None) -> Call:
    """What is known of a person, in sections."""
    return call("GET", of("profile"), query={"subject": subject, "subject_kind": subject_kind})
