"""Notes that somebody reads what is known of another person (R31): ids only, in the open tenant transaction."""

from __future__ import annotations

import uuid

from accounts.actor import Actor
from accounts.audit import record


def note_reading(
    actor: Actor,
    subject_id: uuid.UUID,
    action: str,
    *,
    target_kind: str = "subject",
    target_id: uuid.UUID | None = None,
    programs: bool = False,
) -> None:
    """One change of the audit's entry where a person reads another one's content; nothing for one's own, or MemoryHub's.

    A program with an API key asks on behalf of the subject with every message that it answers, which is use and not
    reading: it is noted where `programs` says so.
    """
    if not is_noted(actor, subject_id, programs=programs):
        return
    record(
        actor,
        action,
        target_kind=target_kind,
        target_id=target_id or subject_id,
        subject_id=subject_id,
    )


def is_noted(actor: Actor, subject_id: uuid.UUID, *, programs: bool = False) -> bool:
    """Whether `note_reading` would write anything."""
    if actor.subject_id == subject_id or actor.kind == "system":
        return False
    return actor.kind == "user" or programs
