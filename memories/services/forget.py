"""Forget: take memories, and the words of theirs in every text, out of recall at once; restorable until retention ends (R25, R26)."""

from __future__ import annotations

import uuid

from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.core.errors import MemoryGone
from memories.models import Status, Tombstone
from memories.services.emptied import lay_for_emptied
from memories.services.forget_cuts import keep_undo
from memories.services.forget_derived import clear_kept_answers
from memories.services.forget_spans import Taking
from memories.services.forget_specs import spec_of
from memories.services.forget_texts import take_out
from memories.services.get_memory import readable, writable
from memories.services.policies import policy_of
from memories.services.removing import remove
from memories.services.tenant_subject import check_writable
from memories.services.tombstones import audit_forgotten, open_one
from memories.store.locks import lock_subject
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid

CAUSES = ("user", "operator", "rule", "merge")
BY_WILL = frozenset({"user", "operator"})
"""Somebody wants it gone: the words go, too. A rule or a merge removes a memory, not what was said."""


def forget(*, actor: Actor, memory_id: uuid.UUID, reason: str = "", cause: str = "user") -> Tombstone:
    """The tombstone; forgetting twice returns the first one.

    In one transaction the memory leaves recall with its vector and postings, its words are taken out of turns, episodes,
    digests, titles, slots and traces, and what was said so far is not learnt again (a later restatement is). `reason`
    must hold no content. Raises MemoryNotFound, MemoryGone when it was redacted, Invalid for an unknown cause.
    """
    if cause not in CAUSES:
        raise Invalid(
            f"there is no cause {cause!r}",
            hint=f"Use one of {', '.join(CAUSES)}.",
            fields={"cause": "unknown"},
        )
    now = get_clock().now()
    policy, _ = policy_of(actor.tenant_id)
    with tenant_transaction(actor.tenant_id):
        seen = readable(actor, memory_id)
        check_writable(actor, seen.subject_id)
        lock_subject(seen.subject_id)
        memory = writable(actor, memory_id)
        stone = open_one(memory)
        if memory.status == Status.FORGOTTEN and stone is not None:
            return stone
        if memory.status == Status.REDACTED:
            raise MemoryGone("the memory was redacted", hint="Nothing of it is left to forget.")
        spec = spec_of(memory)
        [made] = remove([memory], actor=actor, cause=cause, reason=reason, policy=policy, now=now, before=now)
        audit_forgotten([memory], actor=actor, cause=cause)
        if cause in BY_WILL:
            taken = take_out(memory.subject_id, [Taking(made.id, spec)], without=frozenset({memory.id}))
            keep_undo(taken)
            emptied = taken.places.get("memories", set())
            lay_for_emptied(emptied, actor=actor, cause=cause, policy=policy, now=now)
            clear_kept_answers(memory.subject_id, [spec])
    return made
