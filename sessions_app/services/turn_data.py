"""A turn as plain data for a page or a frame, with the words of the memories that it names looked up."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from accounts.actor import Actor
from memories.models import Episode, Evidence, Memory
from memoryhub.common.db import tenant_transaction
from sessions_app.models import Turn

Row = dict[str, Any]


def turn_data(*, actor: Actor, turns: Sequence[Turn]) -> list[Row]:
    """JSON-able turns, in the order given; the caller has got them through a service that checked the access.

    Each of `used` is {id, item_kind, number, section, score, cited} plus what the item is now: {kind, text, said_at,
    speaker, source, pinned, status, version, session_id, turn_id}, where `turn_id` is where it was last said; of `outcomes` {code, memory_id, kind, rule, reasons, replaced_id,
    text, status, version, pinned, replaced: {text, status}}. An item that was forgotten, redacted or purged keeps its id, with an empty text and its status
    ("gone" when there is no row any more): forgetting reaches old answers, too.
    """
    ids = {item["id"] for turn in turns for item in turn.used}
    ids |= {
        outcome[side]
        for turn in turns
        for outcome in turn.outcomes
        for side in ("memory_id", "replaced_id")
        if outcome.get(side)
    }
    with tenant_transaction(actor.tenant_id):
        known = _known({uuid.UUID(each) for each in ids}) if ids else {}
    return [_row(turn, known) for turn in turns]


def _row(turn: Turn, known: dict[str, Row]) -> Row:
    return {
        "id": str(turn.pk),
        "session_id": str(turn.session_id),
        "seq": turn.seq,
        "role": turn.role,
        "speaker": turn.speaker,
        "content": turn.content,
        "language": turn.language,
        "state": str(turn.state),
        "error_code": turn.error_code,
        "said_at": turn.said_at.isoformat(),
        "client_msg_id": turn.client_msg_id,
        "reply_to": str(turn.reply_to_id) if turn.reply_to_id else None,
        "model": turn.model,
        "usage": turn.usage,
        "used": [{**item, **known.get(item["id"], _GONE)} for item in turn.used],
        "outcomes": [_outcome(outcome, known) for outcome in turn.outcomes],
        "trace_id": str(turn.trace_id) if turn.trace_id else None,
        "archived": turn.archived_at is not None,
    }


_GONE: Row = {
    "kind": "",
    "text": "",
    "said_at": None,
    "speaker": "",
    "source": "",
    "pinned": False,
    "status": "gone",
    "version": 0,
    "session_id": None,
    "turn_id": None,
}
_HIDDEN = frozenset({"forgotten", "redacted", "quarantined"})


def _outcome(outcome: Row, known: dict[str, Row]) -> Row:
    memory_id = outcome.get("memory_id")
    memory = known.get(memory_id, _GONE) if memory_id else _GONE
    replaced = known.get(outcome.get("replaced_id") or "", _GONE)
    return {
        **outcome,
        **{key: memory[key] for key in ("text", "status", "version", "pinned")},
        "replaced": {"text": replaced["text"], "status": replaced["status"]},
    }


def _known(ids: set[uuid.UUID]) -> dict[str, Row]:
    found: dict[str, Row] = {}
    said = Evidence.objects.filter(memory_id__in=ids, turn_id__isnull=False).order_by("said_at", "id")
    turns = dict(said.values_list("memory_id", "turn_id"))
    for memory in Memory.objects.filter(pk__in=ids).defer("content_encrypted", "fingerprint"):
        found[str(memory.pk)] = {
            "kind": memory.kind,
            "text": "" if memory.status in _HIDDEN else memory.content,
            "said_at": memory.said_at.isoformat(),
            "speaker": memory.speaker,
            "source": memory.source,
            "pinned": memory.pinned,
            "status": memory.status,
            "version": memory.version,
            "session_id": str(memory.session_id) if memory.session_id else None,
            "turn_id": str(turns[memory.pk]) if memory.pk in turns else None,
        }
    for episode in Episode.objects.filter(pk__in=ids):
        found[str(episode.pk)] = {
            "kind": episode.source_kind,
            "text": "" if episode.status in _HIDDEN else episode.text,
            "said_at": episode.said_at.isoformat(),
            "speaker": episode.speaker,
            "source": episode.role,
            "pinned": False,
            "status": episode.status,
            "version": 1,
            "session_id": str(episode.session_id) if episode.session_id else None,
            "turn_id": str(episode.source_id) if episode.source_kind == "turn" else None,
        }
    return found
