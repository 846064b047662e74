"""The receipt of an erasure: what was found, what is left (nothing), what it covers and what it does not, signed."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime
from typing import Any, Final

from accounts.receipts import sign
from memories.holders import holders
from memories.models import Erasure

SCOPE: Final = {
    "covers": [
        "every row of the database that belongs to the subject: what was said, remembered, indexed, summarised, "
        "traced, answered and queued",
        "the columns that named the person, the API keys bound to the subject, and the keys in Valkey that name its chats",
        "vectors that the process which carried this out had in memory",
    ],
    "does_not_cover": [
        "the audit chain, which names the subject by its internal id and holds no content",
        "the database's write-ahead log and dead row versions, until they are recycled and vacuumed",
        "backups taken before: replay the erasure ledger after restoring one (manage.py replay_erasures)",
        "vectors in the memory of other running processes, without their texts, until they are displaced or restarted",
        "what was sent to an outside model, or exported, before",
        "the person's account as a member, which an admin removes by itself",
    ],
}
NAMELESS: Final = "a row without a name, an external id or any content, by which what other people said to this agent is kept apart"
_KINDS = {"postings": "index", "vectors": "index", "queued work": "queue"}


def receipt_of(
    erasure: Erasure, tenant_id: uuid.UUID, left: dict[str, int], kept: dict[str, int]
) -> dict[str, Any]:
    """The signed receipt; `left` are the counts after of everything that was counted before: each 0, but for what is `kept`."""
    tables = {one.name: one.table for one in holders()}
    names = sorted({*left, *erasure.found})
    return sign(
        {
            "format": "memoryhub.erasure/1",
            "erasure": str(erasure.id),
            "tenant": str(tenant_id),
            "subject": str(erasure.subject_ref),
            "external_id_fingerprint": bytes(erasure.external_print).hex(),
            "requested_at": _iso(erasure.requested_at),
            "finished_at": _iso(erasure.finished_at),
            "replayed_after_restore": erasure.replayed,
            "ledger_entry": erasure.ledger_seq,
            "checked": [
                {
                    "place": name,
                    "kind": _kind(name, tables),
                    "table": tables.get(name, ""),
                    "found": int(erasure.found.get(name, 0)),
                    "left": int(left.get(name, 0)),
                }
                for name in names
            ],
            "kept": [
                {"place": name, "rows": number, "what": NAMELESS} for name, number in kept.items() if number
            ],
            "scope": SCOPE,
        }
    )


def _kind(name: str, tables: dict[str, str]) -> str:
    if name in _KINDS:
        return _KINDS[name]
    if name in tables:
        return "table"
    return "store" if name.startswith("valkey") else "reference"


def _iso(at: datetime | None) -> str:
    return at.astimezone(UTC).isoformat(timespec="seconds") if at else ""
