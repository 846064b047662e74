"""Redact: take words, or a whole memory, out of everything that is kept of a subject, for good, in one transaction (R30)."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from accounts import audit
from accounts.actor import Actor
from accounts.permissions import Capability
from memories.adapters.factory import forget_embedded, get_clock
from memories.core.errors import MemoryGone, MemoryNotFound
from memories.core.text.kept import forget_kept
from memories.models import Memory, Redaction, Status
from memories.services.forget_wide import finish_texts
from memories.services.policies import policy_of
from memories.services.redact_carry_out import carry_out_redaction
from memories.services.redact_wanted import (
    Sought,
    check_reason,
    no_standing_pattern,
    sought,
    sought_memory,
    wanted,
)
from memories.services.screen import screen
from memories.store.locks import lock_subject
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid

CONFIRMATIONS = frozenset({"redact", "删除"})
"""What is typed to confirm: a click does not do."""


def redact(
    *,
    actor: Actor,
    reason: str,
    confirmation: str,
    subject_id: uuid.UUID | None = None,
    memory_id: uuid.UUID | None = None,
    words: Sequence[str] = (),
    pattern: str = "",
    standing: bool = False,
) -> Redaction:
    """The record, with the proof that nothing is left. It cannot be undone.

    With `words` or a `pattern` these are taken out of every text of the subject (or of the memory's subject); with a
    memory alone the whole memory goes, with whatever says it. Versions, digests, slots, facts, evidence, turns, episodes, titles, the
    questions of traces, what requests to forget keep for an undo, kept answers and queued work are rewritten in place, with
    their index, in one transaction. What was said so far is not learnt again from turns, imports or compactions; what the
    person says again is, unless it is `standing`: then never, until it is lifted.

    Raises PermissionDenied without the capability, NotFound, MemoryNotFound, MemoryGone for one that was redacted, Invalid
    with the field for a missing reason or confirmation and for words that stand nowhere.
    """
    actor.require(Capability.REDACT)
    check_confirmed(confirmation)
    what = wanted(words, pattern) if words or pattern else None
    if what is None and memory_id is None:
        raise Invalid("nothing is named", fields={"words": "Give the words to take out."})
    if standing and pattern:
        raise no_standing_pattern()
    now = get_clock().now()
    policy, _ = policy_of(actor.tenant_id)
    with tenant_transaction(actor.tenant_id):
        owner = owner_of(memory_id, subject_id)
    # Words that a job of a request has still to take out would not be known to it afterwards.
    finish_texts(actor.tenant_id, owner)
    with tenant_transaction(actor.tenant_id):
        lock_subject(owner)
        looked = sought(what) if what is not None else whole_memory(memory_id)
        reason = screen(check_reason(reason, looked), policy).text_masked[:200]
        done = carry_out_redaction(
            actor, owner, looked, now, standing=standing, words=what.words if what is not None else ()
        )
        if what is not None and not done.found:
            raise Invalid("it stands nowhere", fields={"words" if words else "pattern": "It stands nowhere."})
        made = Redaction(
            scope=Redaction.Scope.SUBJECT if what is not None else Redaction.Scope.MEMORY,
            state=Redaction.State.DONE,
            subject_id=owner,
            memory_ref=memory_id,
            by_pattern=bool(pattern),
            standing=standing,
            reason=reason,
            rules=[str(rule) for rule in done.rules],
            found=done.found,
            subjects=1,
            subjects_done=1,
            proof={
                "before": done.found,
                "after": dict.fromkeys(done.found, 0),
                "memories_gone": done.memories_gone,
                "external_ids": done.external_ids,
                "checked_at": now.isoformat(),
            },
            requested_by_kind=actor.kind,
            requested_by=actor.id[:64],
            requested_at=now,
            finished_at=now,
        )
        made.save(force_insert=True)
        audit.record(
            actor,
            "memory.redact",
            target_kind="redaction",
            target_id=made.pk,
            subject_id=owner,
            memory=memory_id,
            scope=made.scope,
            places=sum(done.found.values()),
            standing=standing,
        )
    forget_embedded()
    forget_kept()
    return made


def check_confirmed(confirmation: str) -> None:
    """Invalid unless the word was typed."""
    if confirmation.strip().casefold() not in CONFIRMATIONS:
        raise Invalid("not confirmed", fields={"confirmation": "Type the word to confirm."})


def owner_of(memory_id: uuid.UUID | None, subject_id: uuid.UUID | None) -> uuid.UUID:
    """Whose texts they are; in the open tenant transaction."""
    if memory_id is None:
        assert subject_id is not None
        return subject_id
    found: uuid.UUID | None = Memory.objects.filter(pk=memory_id).values_list("subject_id", flat=True).first()
    if found is None or (subject_id is not None and subject_id != found):
        raise MemoryNotFound("no such memory")
    return found


def whole_memory(memory_id: uuid.UUID | None) -> Sought:
    """How all of a memory is looked for; its row is locked. MemoryGone for one that was redacted."""
    assert memory_id is not None
    memory: Memory = Memory.objects.select_for_update().get(pk=memory_id)
    if memory.status == Status.REDACTED:
        raise MemoryGone("the memory was redacted", hint="Nothing of it is left.")
    return sought_memory(memory)
