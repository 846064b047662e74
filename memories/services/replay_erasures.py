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
    """What became of one tenant's ledger. `broken` are numbers of lines that were changed or cut."""

    entries: int = 0
    done: list[Erasure] = field(default_factory=list)
    due: list[LedgerEntry] = field(default_factory=list)
    broken: list[int] = field(default_factory=list)


def replay_erasures(*, actor: Actor, dry_run: bool = False) -> Replay:
    """Erase again what the ledger names and the database has; `due` is what that was, `done` the new erasures.

    A subject is found by its internal id, or by the fingerprint of its external id where it was made before the entry: who
    came back after being erased is a new subject and stays. Running it twice changes nothing.
    """
    actor.require(Capability.ERASE)
    entries, broken = erasure_ledger.read(actor.tenant_id)
    report = Replay(entries=len(entries), broken=broken)
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
