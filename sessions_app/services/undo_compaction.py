"""Takes a digest back: its turns return to the window, or its older digests to their places (R9)."""

from __future__ import annotations

import uuid
from datetime import datetime

from accounts.actor import Actor
from accounts.audit import record
from accounts.permissions import Capability
from memories.adapters.factory import get_clock
from memories.core.errors import NotUndoable
from memories.models import Memory, Status
from memories.services.jobs import enqueue
from memories.services.versioning import Change, save_change
from memories.store.index import Indexed, put_postings, remove_from_index
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import NotFound
from sessions_app.models import ChatSession, Digest, Turn
from sessions_app.services.access import access_session

RULE = "digest.undo"


def undo_compaction(*, actor: Actor, digest_id: uuid.UUID, now: datetime | None = None) -> int:
    """Number of turns (or older digests) that came back. The digest's memory is archived and leaves recall.

    NotUndoable when something newer stands in the way: a later digest of the session, or one that this went into. The
    atomic memories of the compaction stay: they are what was said.
    """
    actor.require(Capability.RESTORE)
    now = now or get_clock().now()
    with tenant_transaction(actor.tenant_id):
        found = Digest.objects.filter(pk=digest_id).first()
        if found is None:
            raise NotFound("no such digest")
        session = access_session(actor, found.session_id, write=True, lock=True)
        digest: Digest = Digest.objects.select_for_update().get(pk=digest_id)
        if digest.undone_at is not None:
            return 0
        if digest.replaced_by_id is not None:
            raise NotUndoable(
                "this digest went into another one", hint=f"Undo digest {digest.replaced_by_id} first."
            )
        sources = list(Digest.objects.filter(replaced_by=digest))
        back = _digests_back(actor, sources, now) if sources else _turns_back(session, digest)
        digest.undone_at = now
        digest.save(update_fields=["undone_at"])
        memory: Memory = Memory.objects.select_for_update().get(pk=digest.memory_id)
        if memory.status == Status.CURRENT:
            memory.status = Status.ARCHIVED
            save_change(memory, actor, Change("archived", RULE, reason="compaction undone"), now, ["status"])
        remove_from_index([memory.pk])
        record(
            actor,
            "session.undo_compaction",
            target_kind="session",
            target_id=session.pk,
            subject_id=session.subject_id,
            digest=str(digest.pk),
            came_back=back,
        )
    return back


def _turns_back(session: ChatSession, digest: Digest) -> int:
    if session.window_from != digest.last_seq + 1:
        newer = Digest.objects.filter(
            session=session, undone_at__isnull=True, generation=1, first_seq__gt=digest.last_seq
        )
        ids = ", ".join(str(pk) for pk in newer.order_by("-first_seq").values_list("id", flat=True)[:5])
        raise NotUndoable("later turns are in a digest, too", hint=f"Undo these first: {ids}.")
    back: int = Turn.objects.filter(digest=digest).update(archived_at=None, digest=None)
    session.window_from = digest.first_seq
    session.save(update_fields=["window_from"])
    return back


def _digests_back(actor: Actor, sources: list[Digest], now: datetime) -> int:
    Digest.objects.filter(pk__in=[source.pk for source in sources]).update(replaced_by=None)
    ids = [source.memory_id for source in sources]
    revived: list[Indexed] = []
    for memory in Memory.objects.select_for_update().filter(pk__in=ids, status=Status.MERGED).order_by("id"):
        memory.status, memory.superseded_by_id = Status.CURRENT, None
        save_change(memory, actor, Change("revived", RULE), now, ["status", "superseded_by"])
        revived.append(Indexed("memory", memory.pk, memory.subject_id, memory.content))
    put_postings(revived)
    # Vectors are made outside of this transaction.
    enqueue(kind="index_pending", key="index_pending")
    return len(sources)
