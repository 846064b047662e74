"""Anchors of the audit chain: its newest link, written outside the database from time to time, so that a cut tail shows."""

from __future__ import annotations

import fcntl
import hashlib
import hmac
import json
import os
import uuid
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings

from accounts.models import AuditHead
from memoryhub.common.db import current_tenant_id


def write_anchor(now: datetime | None = None) -> int | None:
    """Append the open tenant's newest link to its file; the number anchored, or None when it stands there already.

    One JSON line {seq, hash, at, hmac} a call, appended under a lock, synced to the disk. Nothing is ever rewritten.
    """
    tenant_id = current_tenant_id()
    head = AuditHead.objects.first()
    if head is None:
        return None
    path = anchor_path(tenant_id)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
    with os.fdopen(descriptor, "r+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        lines = file.read().splitlines()
        if lines and _seq(lines[-1]) >= head.seq:
            return None
        at = (now or datetime.now(UTC)).isoformat(timespec="seconds")
        digest = bytes(head.hash).hex()
        line = {"seq": head.seq, "hash": digest, "at": at, "hmac": _seal(tenant_id, head.seq, digest, at)}
        file.write(json.dumps(line, sort_keys=True) + "\n")
        file.flush()
        os.fsync(file.fileno())
    return int(head.seq)


def anchors_of(tenant_id: uuid.UUID) -> tuple[dict[int, bytes], list[int]]:
    """({seq: hash} of the sound anchors, line numbers of those that are not ours or were changed)."""
    path = anchor_path(tenant_id)
    sound: dict[int, bytes] = {}
    broken: list[int] = []
    if not path.is_file():
        return sound, broken
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            row = json.loads(line)
            seal = _seal(tenant_id, row["seq"], row["hash"], row["at"])
            intact = hmac.compare_digest(seal, row["hmac"])
            digest = bytes.fromhex(row["hash"])
        except (ValueError, KeyError, TypeError):
            intact = False
        if not intact:
            broken.append(number)
        else:
            sound[int(row["seq"])] = digest
    return sound, broken


def anchor_path(tenant_id: uuid.UUID) -> Path:
    """Where a tenant's anchors stand: keep this folder on another disk than the database, or copy it elsewhere."""
    return Path(settings.AUDIT_ANCHOR_DIR) / f"{tenant_id}.jsonl"


def _seq(line: str) -> int:
    try:
        return int(json.loads(line)["seq"])
    except (ValueError, KeyError, TypeError):
        return -1


def _seal(tenant_id: uuid.UUID, seq: int, digest: str, at: str) -> str:
    body = json.dumps([str(tenant_id), seq, digest, at], separators=(",", ":"))
    return hmac.new(settings.AUDIT_KEY.encode(), b"anchor" + body.encode(), hashlib.sha256).hexdigest()
