"""Replay the ledger of erasures after a restore: what was erased since the backup is erased again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from accounts import erasure_ledger
from accounts.actor import Actor
from accounts.erasure_ledger import LedgerEntry
from accounts.models import Subject
from accounts.permissions import Capability
from accounts.services.quarantine_subject import external_print
from memories.models import Erasure
from memories.services.carry_out_erasure import carry_out
from memories.services.erase_subject import quarantine
from memoryhub.common.db import tenant_transaction


@dataclass(slots=True)
class Replay:
    """What became of one tenant's ledger. `broken` are numbers of lines that were changed or cut.

    `lost` are entries that receipts or the database name, and that the ledger has no more: its end was cut off, and whom
    they were about nobody erases again.
    """

    entries: int = 0
    done: list[Erasure] = field(default_factory=list)
    due: list[LedgerEntry] = field(default_factory=list)
    broken: list[int] = field(default_factory=list)
    lost: list[int] = field(default_factory=list)


def replay_erasures(*, actor: Actor, dry_run: bool = False) -> Replay:
    """Erase again what the ledger names and the database has; `due` is what that was, `done` the new erasures.

    A subject is found by its internal id, or by the fingerprint of its external id where it was made before the entry: who
    came back after being erased is a new subject and stays. Running it twice changes nothing.
    """
    actor.require(Capability.ERASE)
    entries, broken = erasure_ledger.read(actor.tenant_id)
    report = Replay(entries=len(entries), broken=broken)
    report.lost = _lost(actor, entries, broken)
    for entry in entries:
        with tenant_transaction(actor.tenant_id):
            subject = _subject_of(entry)
        if subject is None:
            continue
        report.due.append(entry)
        if not dry_run:
            erasure, _ = quarantine(actor, subject.pk, replayed_seq=entry.seq)
            report.done.append(carry_out(actor=actor, erasure_id=erasure.id))
    return report


def _lost(actor: Actor, entries: list[LedgerEntry], broken: list[int]) -> list[int]:
    """A chain that was cut at its end is sound, also after it went on: only what stands elsewhere tells what it held."""
    known = erasure_ledger.receipted(actor.tenant_id)
    with tenant_transaction(actor.tenant_id):
        rows = Erasure.objects.filter(ledger_seq__isnull=False, replayed=False)
        known |= {str(erasure): number for erasure, number in rows.values_list("id", "ledger_seq")}
    there = {str(entry.erasure_id) for entry in entries}
    return sorted(
        number for erasure, number in known.items() if erasure not in there and number not in broken
    )


def _subject_of(entry: LedgerEntry) -> Subject | None:
    found: Subject | None = Subject.objects.filter(id=entry.subject_id).first()
    if found is not None:
        finished = Erasure.objects.filter(subject_ref=found.pk, state=Erasure.State.DONE).exists()
        return None if found.erased_at is not None and finished else found
    older: Iterator[Subject] = Subject.objects.filter(
        created_at__lt=entry.at, erased_at__isnull=True
    ).iterator()
    for subject in older:
        if external_print(entry.tenant_id, subject.kind, subject.external_id).hex() == entry.external_print:
            return subject
    return None
