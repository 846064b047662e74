"""Condenses a pile of digests into one of the next generation, which is never condensed again (R9)."""

from __future__ import annotations

import uuid
from datetime import datetime

from django.db import IntegrityError

from accounts.actor import Actor
from accounts.audit import record
from memories.core.digests.making import DigestTurn
from memories.core.policy import Policy
from memories.core.statement import Statement
from memories.models import Memory, Status
from memories.services.embedding import embed_passages
from memories.services.versioning import Change, save_change
from memories.services.write_memory import store_embedded
from memories.store.index import remove_from_index
from memoryhub.common.db import tenant_transaction
from sessions_app import store
from sessions_app.core.digests import pile
from sessions_app.models import Digest
from sessions_app.services.make_digest import RULES, condense_digests

RULE = "digest.generation"


def merge_digests(*, actor: Actor, session_id: uuid.UUID, policy: Policy, now: datetime) -> int:
    """Number of digests that went into one of the next generation; 0 while there is no pile.

    The old memories are marked merged, leave recall and link to the new one; turns keep their link to the old digests.
    """
    with tenant_transaction(actor.tenant_id):
        old = pile(list(store.live_digests(session_id)), policy)
    old = [digest for digest in old if digest.memory.status == Status.CURRENT]
    if len(old) < 2:
        return 0
    made = condense_digests(
        [DigestTurn("digest", "", digest.memory.content, digest.memory.said_at) for digest in old], policy
    )
    statement = Statement(
        content=made.text,
        kind="digest",
        source=old[-1].memory.source,
        said_at=old[-1].memory.said_at,
        language=made.language,
        rule=RULE,
        event_start=old[0].memory.event_start,
        event_end=old[-1].memory.event_end,
        scope=old[0].memory.scope,
        agent_id=old[0].memory.agent_id,
        session_id=session_id,
    )
    embedded = embed_passages([statement.content], policy)
    try:
        with tenant_transaction(actor.tenant_id):
            # Digests lose words under the lock that this holds: what is compared now must hold at the commit.
            session = store.lock_session(session_id)
            ids = [digest.pk for digest in old]
            live = Digest.objects.filter(pk__in=ids, undone_at__isnull=True, replaced_by__isnull=True)
            words = dict(
                Memory.objects.filter(pk__in=[d.memory_id for d in old]).values_list("id", "content")
            )
            same = all(words.get(digest.memory_id) == digest.memory.content for digest in old)
            if session is None or live.count() != len(old) or not same:
                return 0
            outcome = store_embedded(
                actor=actor,
                subject_id=session.subject_id,
                statements=[statement],
                policy=policy,
                now=now,
                embedded=embedded,
            )[0]
            if outcome.memory_id is None or outcome.memory_id in words:
                return 0
            digest = Digest(
                session=session,
                memory_id=outcome.memory_id,
                generation=old[0].generation + 1,
                first_seq=old[0].first_seq,
                last_seq=old[-1].last_seq,
                tokens=made.tokens,
                source_tokens=sum(one.tokens for one in old),
                method=RULES,
                created_at=now,
            )
            digest.save(force_insert=True)
            live.update(replaced_by=digest)
            for memory in Memory.objects.select_for_update().filter(pk__in=words).order_by("id"):
                memory.status, memory.superseded_by_id = Status.MERGED, digest.memory_id
                save_change(memory, actor, Change("merged", RULE), now, ["status", "superseded_by"])
            remove_from_index(list(words))
            record(
                actor,
                "session.merge_digests",
                target_kind="session",
                target_id=session.pk,
                subject_id=session.subject_id,
                digest=str(digest.pk),
                generation=digest.generation,
                merged=len(old),
            )
    except IntegrityError as error:
        if not store.is_doubled_span(error):
            raise
        return 0
    return len(old)
