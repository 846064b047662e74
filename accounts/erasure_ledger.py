"""The ledger of erasures: appended to outside the database, so that a restored backup can be brought up to date."""

from __future__ import annotations

import fcntl
import hashlib
import hmac
import json
import os
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings

from accounts.receipts import ReceiptError, parse, verify


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One erasure that was begun. `external_print` is the keyed fingerprint of the subject's external id."""

    seq: int
    tenant_id: uuid.UUID
    subject_id: uuid.UUID
    erasure_id: uuid.UUID
    external_print: str
    at: datetime


def append(
    *,
    tenant_id: uuid.UUID,
    subject_id: uuid.UUID,
    erasure_id: uuid.UUID,
    external_print: str,
    now: datetime,
) -> int:
    """The entry's number in its tenant's ledger; an erasure that stands there already keeps its number.

    One JSON line, chained by HMAC to the one before, appended under a lock and synced to the disk before anything is
    deleted. OSError when the place cannot be written to: then nothing may be erased.
    """
    path = ledger_path(tenant_id)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
    with os.fdopen(descriptor, "r+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        text = file.read()
        lines = text.splitlines()
        for line in lines:
            row = _row(line)
            if row and row.get("erasure") == str(erasure_id):
                return int(row["seq"])
        before = _row(lines[-1]) if lines else None
        body: dict[str, Any] = {
            "seq": len(lines) + 1,
            "tenant": str(tenant_id),
            "subject": str(subject_id),
            "erasure": str(erasure_id),
            "external_print": external_print,
            "at": now.astimezone(UTC).isoformat(timespec="seconds"),
        }
        entry = {**body, "seal": _seal(str(before["seal"]) if before else "", body)}
        # A line that was cut off by a power failure must not swallow this one.
        file.write(
            ("\n" if text and not text.endswith("\n") else "") + json.dumps(entry, sort_keys=True) + "\n"
        )
        file.flush()
        os.fsync(file.fileno())
    return int(entry["seq"])


def read(tenant_id: uuid.UUID) -> tuple[list[LedgerEntry], list[int]]:
    """(the sound entries, the numbers of the lines that were changed, or that do not follow from the one before)."""
    path = ledger_path(tenant_id)
    if not path.is_file():
        return [], []
    sound: list[LedgerEntry] = []
    broken: list[int] = []
    before = ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        row = _row(line)
        entry = _entry(row, before) if row else None
        if entry is None:
            broken.append(number)
        else:
            sound.append(entry)
        before = str(row.get("seal", "")) if row else ""
    return sound, broken


def tenants() -> Iterator[uuid.UUID]:
    """Those that have a ledger here."""
    for path in sorted(Path(settings.ERASURE_LEDGER_DIR).glob("*.jsonl")):
        yield uuid.UUID(path.stem)


def keep_receipt(tenant_id: uuid.UUID, erasure_id: uuid.UUID, receipt: dict[str, Any]) -> None:
    """A copy of the receipt beside the ledger: a restore takes the database's copy back, too."""
    folder = Path(settings.ERASURE_LEDGER_DIR) / str(tenant_id)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = folder / f"receipt-{erasure_id}.json"
    descriptor = os.open(path, os.O_WRONLY | os.O_TRUNC | os.O_CREAT, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(receipt, file, ensure_ascii=False, indent=1, sort_keys=True)
        file.flush()
        os.fsync(file.fileno())


def receipted(tenant_id: uuid.UUID) -> dict[str, int]:
    """{erasure: number of its entry} out of the receipts kept beside the ledger that this installation signed."""
    found: dict[str, int] = {}
    for path in (Path(settings.ERASURE_LEDGER_DIR) / str(tenant_id)).glob("receipt-*.json"):
        try:
            receipt = parse(path.read_text(encoding="utf-8"))
            verify(receipt)
        except (OSError, UnicodeDecodeError, ReceiptError):
            continue
        number = receipt.get("ledger_entry")
        # One that was carried out again after a restore names the entry of the first.
        if receipt.get("tenant") == str(tenant_id) and not receipt.get("replayed_after_restore"):
            found[str(receipt.get("erasure"))] = int(number or 0)
    return found


def ledger_path(tenant_id: uuid.UUID) -> Path:
    """Where a tenant's ledger stands: keep this folder on another disk than the database, and out of its backups."""
    return Path(settings.ERASURE_LEDGER_DIR) / f"{tenant_id}.jsonl"


def _row(line: str) -> dict[str, Any] | None:
    try:
        row = json.loads(line)
    except ValueError:
        return None
    return row if isinstance(row, dict) else None


def _entry(row: dict[str, Any], before: str) -> LedgerEntry | None:
    body = {name: value for name, value in row.items() if name != "seal"}
    try:
        if not hmac.compare_digest(_seal(before, body), str(row["seal"])):
            return None
        return LedgerEntry(
            int(row["seq"]),
            uuid.UUID(row["tenant"]),
            uuid.UUID(row["subject"]),
            uuid.UUID(row["erasure"]),
            str(row["external_print"]),
            datetime.fromisoformat(row["at"]),
        )
    except (KeyError, TypeError, ValueError):
        return None


def _seal(before: str, body: dict[str, Any]) -> str:
    """HMAC under AUDIT_KEY over the seal before and the entry."""
    text = before + json.dumps(body, sort_keys=True, separators=(",", ":"))
    return hmac.new(settings.AUDIT_KEY.encode(), b"erasure" + text.encode(), hashlib.sha256).hexdigest()
