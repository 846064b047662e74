"""Resolve: settle a contradiction: keep the new, the old or both, or put one text in the place of the two (R18, R30)."""

from __future__ import annotations

import uuid
from datetime import datetime
from enum import StrEnum
from typing import Any

from accounts import audit
from accounts.actor import Actor
from accounts.models import Subject
from accounts.permissions import Capability
from memories.adapters.factory import get_clock
from memories.core.errors import SensitiveBlocked
from memories.core.extraction.engine import extract
from memories.core.policy import Policy
from memories.core.statement import Statement
from memories.core.text.language import detect
from memories.models import Contradiction, Evidence, Memory, Status
from memories.services.contradictions import close_for
from memories.services.embedding import Embedded, embed_passages
from memories.services.fingerprints import claim_print, statement_print
from memories.services.index_memory import index_memory
from memories.services.limits import Checks, clean
from memories.services.policies import policy_of
from memories.services.rows import fact_rows, memory_row
from memories.services.screen import screen
from memories.services.statements import fact_of, sealed
from memories.services.subjects import zone_of
from memories.services.tenant_subject import check_rules_writable
from memories.services.undo_records import before, end
from memories.services.versioning import Change, save_change, version_row
from memories.store.locks import lock_subject
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict, Invalid, NotFound
from memoryhub.common.ids import uuid7


class Resolution(StrEnum):
    """What may become of a contradiction."""

    KEEP_NEW = "keep_new"
    KEEP_OLD = "keep_old"
    KEEP_BOTH = "keep_both"
    MERGE = "merge"


def resolve(
    *,
    actor: Actor,
    contradiction_id: uuid.UUID,
    resolution: str,
    content: str | None = None,
    reason: str = "",
) -> Contradiction:
    """The settled contradiction; `undo_resolution` gives back the exact former state.

    keep_new and keep_old supersede the other side; keep_both leaves both and never disputes this pair again; merge puts
    `content` in the place of the two, which stay as history. For whoever may write the subject's memory, and operators who
    may resolve. Of two at once one wins. Raises NotFound, Invalid, SensitiveBlocked, Conflict when it is settled already.
    """
    if resolution not in list(Resolution):
        raise Invalid(
            f"there is no resolution {resolution!r}",
            hint=f"Use one of {', '.join(Resolution)}.",
            fields={"resolution": "unknown"},
        )
    text, reason = clean(content or ""), clean(reason)
    checks = Checks()
    if resolution == Resolution.MERGE:
        checks.content(text)
    elif text:
        checks.problems["content"] = "only merge takes a text"
    checks.short("reason", reason, 200)
    checks.done()
    now = get_clock().now()
    policy, _ = policy_of(actor.tenant_id)
    # It stands in the history of both sides, where everybody reads it who reads them.
    screened = screen(reason, policy)
    if screened.blocked:
        raise SensitiveBlocked(
            "the reason holds something that is not stored here",
            hint="Say why in other words, or leave it out.",
        )
    reason = screened.text_masked[:200]
    with tenant_transaction(actor.tenant_id):
        seen = readable_contradiction(actor, contradiction_id)
        merged = _merged(actor, seen, text, policy) if resolution == Resolution.MERGE else None
    embedded = embed_passages([merged.content], policy) if merged is not None else None
    with tenant_transaction(actor.tenant_id):
        lock_subject(seen.subject_id)
        row = _locked(contradiction_id)
        sides = {one.id: one for one in _sides(row)}
        older, newer = sides[row.older_id], sides[row.newer_id]
        change = Change(f"resolved_{resolution}"[:32], "contradiction.resolve", reason)
        record: dict[str, Any] = {"memories": {}, "made": None}
        if resolution == Resolution.KEEP_NEW:
            _supersede(older, newer, record, actor, change, now)
        elif resolution == Resolution.KEEP_OLD:
            _supersede(newer, older, record, actor, change, now)
        elif merged is not None:
            made = _make(row, merged, actor, policy, embedded, record, change, now, (older, newer))
            record["made"] = str(made.id)
        row.state, row.resolution, row.undo = Contradiction.State.RESOLVED, resolution, record
        row.resolved_at, row.resolved_by = now, actor.id[:64]
        row.save(update_fields=["state", "resolution", "undo", "resolved_at", "resolved_by"])
        for memory_id in record["memories"]:
            close_for(uuid.UUID(memory_id), by=row.id, now=now)
        audit.record(
            actor,
            "contradiction.resolved",
            target_kind="contradiction",
            target_id=row.id,
            subject_id=row.subject_id,
            resolution=resolution,
            older=row.older_id,
            newer=row.newer_id,
        )
    return row


def readable_contradiction(actor: Actor, contradiction_id: uuid.UUID) -> Contradiction:
    """The contradiction that the actor may settle, in the open transaction; NotFound when there is none, or not for them."""
    row: Contradiction | None = (
        Contradiction.objects.select_related("older", "newer").filter(id=contradiction_id).first()
    )
    if row is None:
        raise NotFound("no such contradiction")
    require_settler(actor, row.subject_id, "no such contradiction")
    return row


def require_settler(actor: Actor, subject_id: uuid.UUID, missing: str) -> None:
    """Whoever may write the subject's memory, or read it and resolve; NotFound with these words for anybody else."""
    try:
        actor.require_subject(subject_id, write=True)
    except NotFound:
        try:
            actor.require_subject(subject_id, write=False)
        except NotFound:
            raise NotFound(missing) from None
        if Capability.RESOLVE not in actor.capabilities:
            raise NotFound(missing) from None
    check_rules_writable(actor, subject_id)


def _locked(contradiction_id: uuid.UUID) -> Contradiction:
    row: Contradiction = Contradiction.objects.select_for_update().get(id=contradiction_id)
    if row.state != Contradiction.State.OPEN:
        how = row.resolution or row.resolved_by
        raise Conflict(f"this was settled already ({how})", hint="Undo that first, then decide anew.")
    return row


def _sides(row: Contradiction) -> list[Memory]:
    """Both memories, locked in the order of ids; Conflict when one of them does not stand any more."""
    rows = list(Memory.objects.select_for_update().filter(id__in=[row.older_id, row.newer_id]).order_by("id"))
    for memory in rows:
        if memory.status != Status.CURRENT:
            raise Conflict(f"the memory {memory.id} is {memory.status} by now", hint="Reload the list.")
    return rows


def _supersede(
    loser: Memory, winner: Memory, record: dict[str, Any], actor: Actor, change: Change, now: datetime
) -> None:
    starts = winner.valid_from or winner.said_at
    own = loser.valid_from or loser.said_at
    record["memories"][str(loser.id)] = before(loser)
    # Of two that were said in turn the new one holds from its own start; the old one, once kept, was right all along.
    fields = end(loser, status=Status.SUPERSEDED, successor=winner.id, until=starts if starts > own else now)
    save_change(loser, actor, change, now, fields)


def _merged(actor: Actor, row: Contradiction, text: str, policy: Policy) -> Statement:
    """The text that takes the place of both, read for its facts."""
    if screen(text, policy).blocked:
        raise SensitiveBlocked(
            "the text holds something that is not stored here", hint="Leave the secret out."
        )
    subject = Subject.objects.get(id=row.subject_id)
    newer: Memory = row.newer
    source = "user" if actor.subject_id == row.subject_id else "operator"
    said_at = max(row.older.said_at, newer.said_at)
    candidates = extract(text, role=source, speaker="", said_at=said_at, tz=zone_of(subject))
    facts = [fact for one in candidates if (fact := fact_of(one)) is not None]
    statement = Statement(
        content=text,
        kind=newer.kind,
        source=source,
        said_at=said_at,
        language=detect(text),
        quote=text,
        rule="contradiction.merge",
        importance=max(row.older.importance, newer.importance),
        explicit=True,
        fact=facts[0] if facts else None,
        more=tuple(facts[1:]),
        scope=newer.scope,
        agent_id=newer.agent_id,
        session_id=newer.session_id,
        pinned=row.older.pinned or newer.pinned,
    )
    # The person's own text is their yes; anybody else's words would be kept without one.
    own = actor.kind == "user" and actor.subject_id == row.subject_id
    statement = sealed(statement, policy, consented=own)
    if statement.needs_approval and not own:
        raise SensitiveBlocked(
            "the text holds something that only the person may have kept",
            hint="Leave it out, or let the person settle this.",
        )
    return statement


def _make(
    row: Contradiction,
    statement: Statement,
    actor: Actor,
    policy: Policy,
    embedded: Embedded | None,
    record: dict[str, Any],
    change: Change,
    now: datetime,
    sides: tuple[Memory, Memory],
) -> Memory:
    """The new memory, current, with the evidence of both; the two sides merged into it."""
    tenant_id = actor.tenant_id
    print_ = statement_print(tenant_id, row.subject_id, statement)
    same = Memory.objects.of(row.subject_id).current().filter(fingerprint=print_)
    if (other := same.values_list("id", flat=True).first()) is not None:
        kept = "Keep that side instead." if other in {row.older_id, row.newer_id} else f"See {other}."
        raise Conflict("a memory says this already", hint=kept)
    claim = claim_print(tenant_id, row.subject_id, statement)
    made = memory_row(row.subject_id, statement, print_, policy, now, "contradiction.merge", claim=claim)
    made.status = Status.CURRENT
    made.save(force_insert=True)
    for one in fact_rows(row.subject_id, made, statement):
        one.save(force_insert=True)
    version_row(made, actor, Change("created", "contradiction.merge", change.reason), now).save(
        force_insert=True
    )
    until = made.valid_from or made.said_at
    for side in sides:
        record["memories"][str(side.id)] = before(side)
        fields = end(side, status=Status.MERGED, successor=made.id, until=until)
        save_change(side, actor, change, now, fields)
    proofs = Evidence.objects.filter(memory_id__in=[side.id for side in sides]).order_by("said_at", "id")
    for proof in proofs:
        proof.pk, proof.memory_id, proof._state.adding = uuid7(), made.id, True
        proof.save(force_insert=True)
    index_memory(made, embedded)
    return made
