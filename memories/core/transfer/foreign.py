"""Reads what other products let people take along: memories of mem0 and Claude, conversations of ChatGPT and Claude, plain chat logs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from memories.core.transfer.columns import NotTaken

ROLES: Final = {
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "model": "assistant",
    "tool": "tool",
}
_BULLET = re.compile(r"^\s*(?:[-*•·]|\d{1,3}[.)])\s+")
_EARLIEST: Final = datetime(1990, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Kept:
    """A memory as the other product kept it."""

    text: str
    said_at: datetime | None = None
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Said:
    """One message; `role` is user, assistant or tool."""

    role: str
    text: str
    at: datetime | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation with its messages in order; `id` is its name there, or its number in the file."""

    id: str
    title: str
    said: tuple[Said, ...]


Piece = Kept | Conversation


def read_foreign(text: str) -> Iterator[Piece]:
    """What a file holds: JSON, lines of JSON, or plain lines with a memory each. NotTaken for JSON of a form that is not known.

    Known forms: mem0 (`{"results": [{"memory": …}]}` or the list), ChatGPT's conversations.json (`mapping`), Claude's conversations
    (`chat_messages`) and memories (`conversations_memory`), and chats as `[{"role", "content"}]`, `{"messages": […]}` or lists of these.
    """
    try:
        data = json.loads(text)
    except ValueError:
        data = _lines_of_json(text)
        if data is None:
            yield from _plain(text)
            return
    except RecursionError:
        raise NotTaken("is nested too deeply") from None
    yield from _pieces(data)


def _lines_of_json(text: str) -> list[Any] | None:
    rows = [line for line in text.splitlines() if line.strip()]
    if not rows or not rows[0].lstrip().startswith(("{", "[")):
        return None
    try:
        return [json.loads(row) for row in rows]
    except (ValueError, RecursionError):
        raise NotTaken("begins like JSON and is none") from None


def _plain(text: str) -> Iterator[Kept]:
    for line in text.splitlines():
        if bare := _BULLET.sub("", line).strip():
            yield Kept(bare)


def _pieces(data: Any) -> Iterator[Piece]:
    if isinstance(data, Mapping):
        for name in ("results", "memories", "conversations"):
            if isinstance(data.get(name), list):
                yield from _pieces(data[name])
                return
        data = [data]
    if not isinstance(data, list):
        raise NotTaken(_UNKNOWN)
    if data and all(_is_message(one) for one in data):
        yield Conversation("1", "", tuple(_messages(data)))
        return
    for number, one in enumerate(data, 1):
        yield from _piece(one, number)


_UNKNOWN: Final = "is of no form that is known: mem0, ChatGPT, Claude, or messages with role and content"


def _piece(one: Any, number: int) -> Iterator[Piece]:
    if isinstance(one, str):
        yield Kept(one)
    elif isinstance(one, list) and all(_is_message(message) for message in one):
        yield Conversation(str(number), "", tuple(_messages(one)))
    elif not isinstance(one, Mapping):
        raise NotTaken(f"entry {number} {_UNKNOWN}")
    elif isinstance(one.get("memory"), str):
        yield _of_mem0(one)
    elif isinstance(one.get("mapping"), Mapping):
        yield _of_chatgpt(one, number)
    elif isinstance(one.get("chat_messages"), list):
        said = _messages(
            [{"role": row.get("sender"), **row} for row in one["chat_messages"] if isinstance(row, Mapping)]
        )
        yield Conversation(_word(one.get("uuid")) or str(number), _word(one.get("name")), tuple(said))
    elif "conversations_memory" in one or "project_memories" in one:
        yield from _of_claude(one)
    elif isinstance(one.get("messages"), list):
        name = _word(one.get("id")) or _word(one.get("session_id")) or str(number)
        yield Conversation(name, _word(one.get("title")), tuple(_messages(one["messages"])))
    else:
        raise NotTaken(f"entry {number} {_UNKNOWN}")


def _of_mem0(one: Mapping[str, Any]) -> Kept:
    tags = tuple(tag for tag in one.get("categories") or () if isinstance(tag, str))
    metadata = one.get("metadata")
    return Kept(
        one["memory"], _moment(one.get("created_at")), tags, metadata if isinstance(metadata, Mapping) else {}
    )


def _of_claude(one: Mapping[str, Any]) -> Iterator[Kept]:
    """Claude keeps memory as prose with headings: each line that says something is one."""
    projects = one.get("project_memories")
    texts = [one.get("conversations_memory"), *(projects.values() if isinstance(projects, Mapping) else ())]
    for text in texts:
        if isinstance(text, str):
            yield from (
                kept
                for kept in _plain(text)
                if not kept.text.startswith(("#", "**")) or kept.text.count(" ") > 4
            )


def _of_chatgpt(one: Mapping[str, Any], number: int) -> Conversation:
    """The branch that ends in `current_node`, or all messages by time where none is named."""
    nodes: Mapping[str, Any] = one["mapping"]
    chain: list[Any] = []
    at, seen = one.get("current_node"), set()
    while isinstance(at, str) and at in nodes and at not in seen:
        seen.add(at)
        node = nodes[at] if isinstance(nodes[at], Mapping) else {}
        chain.append(node.get("message"))
        at = node.get("parent")
    chain.reverse()
    if not chain:
        chain = [node.get("message") for node in nodes.values() if isinstance(node, Mapping)]
        chain.sort(key=lambda row: (row or {}).get("create_time") or 0)
    rows = [
        {
            "role": (row.get("author") or {}).get("role"),
            "content": (row.get("content") or {}).get("parts"),
            "created_at": row.get("create_time"),
        }
        for row in chain
        if isinstance(row, Mapping)
    ]
    name = _word(one.get("conversation_id")) or _word(one.get("id")) or str(number)
    return Conversation(name, _word(one.get("title")), tuple(_messages(rows)))


def _is_message(one: Any) -> bool:
    return (
        isinstance(one, Mapping)
        and ("content" in one or "text" in one)
        and ("role" in one or "sender" in one)
    )


def _messages(rows: list[Any]) -> Iterator[Said]:
    """Those with words in them; instructions to the model ("system") are no part of what people said."""
    for row in rows:
        if not isinstance(row, Mapping):
            continue
        role = ROLES.get(str(row.get("role") or row.get("sender") or "").lower())
        text = _text(row.get("content")) or _text(row.get("text"))
        if role is None or not text:
            continue
        when = next(
            (row[name] for name in ("created_at", "timestamp", "create_time", "time") if row.get(name)), None
        )
        yield Said(role, text, _moment(when), _word(row.get("name")))


def _text(content: Any) -> str:
    """A text, or the texts of a list of parts."""
    if isinstance(content, str):
        return content.strip()
    if isinstance(content, list):
        parts = [part.get("text") if isinstance(part, Mapping) else part for part in content]
        return "\n".join(part.strip() for part in parts if isinstance(part, str) and part.strip())
    return ""


def _word(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""


def _moment(value: Any) -> datetime | None:
    """A time in ISO 8601 or in seconds since 1970; without a zone it is UTC. None for anything else."""
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            at = datetime.fromtimestamp(value if value < 1e11 else value / 1000, UTC)
        elif isinstance(value, str):
            at = datetime.fromisoformat(value)
            at = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
        else:
            return None
    except (ValueError, OverflowError, OSError):
        return None
    return at if at >= _EARLIEST else None
