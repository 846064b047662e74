"""Edit: change a memory's text or properties as a new version (R19)."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from enum import Enum
from typing import Any, Final

from accounts import audit
from accounts.actor import Actor
from accounts.models import Subject
from memories.adapters.factory import get_clock
from memories.core.errors import MemoryGone, NotPinnable, SensitiveBlocked
from memories.core.extraction.engine import extract
from memories.core.kinds import NEVER_PINNED, Kind
from memories.core.policy import Policy
from memories.core.statement import Statement
from memories.core.text.language import detect
from memories.models import Fact, Memory, Status
from memories.services.embedding import embed_passages
from memories.services.fingerprints import claim_print, text_print, time_of
from memories.services.get_memory import readable, writable
from memories.services.index_memory import index_memory
from memories.services.limits import Checks, clean
from memories.services.policies import policy_of
from memories.services.rivals import settle_edited
from memories.services.rows import fact_rows
from memories.services.screen import screen, screen_values
from memories.services.standing import Standing
from memories.services.statements import fact_of, sealed
from memories.services.subjects import zone_of
from memories.services.tenant_subject import check_writable
from memories.services.versioning import Change, save_change
from memories.store.index import remove_from_index
from memories.store.locks import lock_subject
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict


class Unset(Enum):
    """Tells "leave as it is" from None, which means "never"."""

    UNSET = "unset"


UNSET: Final = Unset.UNSET


def edit(
    *,
    actor: Actor,
    memory_id: uuid.UUID,
    content: str | None = None,
    kind: str | None = None,
    importance: float | None = None,
    importance_level: str | None = None,
    tags: Sequence[str] | None = None,
    metadata: Mapping[str, Any] | None = None,
    expires_at: datetime | Unset | None = UNSET,
    pinned: bool | None = None,
    expected_version: int | None = None,
) -> Memory:
    """The memory as it is now; what is None (or UNSET) stays as it is, and no change makes no version.

    All of it is one version or, on an error, nothing. A new text is screened, read for its fact and indexed anew; tags
    and metadata are screened, too. Raises Invalid, MemoryNotFound, MemoryGone when it is not current, SensitiveBlocked when
    the policy refuses what is given or a standing redaction does, NotPinnable for the kind sensitive, and Conflict when `expected_version` is not the
    newest or another memory says the same already. Where another holds a value that cannot hold beside the new one, a
    contradiction is opened.
    """
    now = get_clock().now()
    text = clean(content) if content is not None else None
    checks = Checks()
    if text is not None:
        checks.content(text)
    checks.kind(kind)
    checks.importance(importance)
    checks.level(importance_level)
    checks.tags(tags)
    checks.metadata(metadata)
    if isinstance(expires_at, datetime):
        checks.future("expires_at", expires_at, now)
    checks.done()
    policy, _ = policy_of(actor.tenant_id)
    (tags, metadata), refused = screen_values(
        [
            None if tags is None else [clean(tag) for tag in tags],
            None if metadata is None else dict(metadata),
        ],
        policy,
    )
    if refused:
        raise SensitiveBlocked(
            "the tags or the metadata hold something that is not stored here", hint="Leave the secret out."
        )
    with tenant_transaction(actor.tenant_id):
        before = readable(actor, memory_id)
        check_writable(actor, before.subject_id)
        subject = Subject.objects.get(id=before.subject_id)
    wanted = kind or before.kind
    statement = None
    if text is not None or wanted != before.kind:
        full = text if text is not None else str(before.content_encrypted or before.content)
        # Who writes about themself on purpose has said yes.
        consents = actor.kind == "user" and actor.subject_id == before.subject_id
        statement = reread(before, subject, full, wanted, policy, consented=consents)
    embedded = embed_passages([statement.content], policy) if statement is not None else None
    with tenant_transaction(actor.tenant_id):
        lock_subject(before.subject_id)
        memory = writable(actor, memory_id)
        if memory.status != Status.CURRENT:
            raise MemoryGone(f"the memory is {memory.status}", hint="Restore it first.")
        if expected_version is not None and memory.version != expected_version:
            raise Conflict(
                f"the memory is at version {memory.version}, not {expected_version}",
                hint="Read it again, then edit.",
            )
        fields: set[str] = set()
        if statement is not None:
            if text is not None and Standing(before.subject_id).redacts(replace(statement, said_at=now)):
                raise SensitiveBlocked("the text says what was redacted for good", hint="Leave it out.")
            fields |= _take_text(memory, statement)
        if pinned and memory.kind in NEVER_PINNED:
            raise NotPinnable(f"a memory of the kind {memory.kind} may not be pinned")
        values: dict[str, Any] = {
            "importance": importance,
            "importance_level": importance_level,
            "tags": tags,
            "metadata": metadata,
            "pinned": pinned,
        }
        given = {name: value for name, value in values.items() if value is not None}
        if not isinstance(expires_at, Unset):
            given["expires_at"] = expires_at
        for name, value in given.items():
            if getattr(memory, name) != value:
                setattr(memory, name, value)
                fields.add(name)
        if not fields:
            return memory
        change = ("pinned" if memory.pinned else "unpinned") if fields == {"pinned"} else "edited"
        save_change(memory, actor, Change(change), now, fields)
        if statement is not None and fields & {"content", "fingerprint"}:
            settle_edited(memory, statement, policy, now)
            Fact.objects.filter(memory_id=memory.id).delete()
            Fact.objects.bulk_create(fact_rows(memory.subject_id, memory, statement))
            remove_from_index([memory.id])
            index_memory(memory, embedded)
        audit.record(
            actor,
            f"memory.{change}",
            target_kind="memory",
            target_id=memory.id,
            subject_id=memory.subject_id,
            fields=sorted(fields),
        )
    return memory


def reread(
    memory: Memory, subject: Subject, text: str, kind: str, policy: Policy, *, consented: bool = False
) -> Statement:
    """The text as a statement with the facts that are read out of it; SensitiveBlocked when the policy refuses it."""
    if screen(text, policy).blocked:
        raise SensitiveBlocked(
            "the text holds something that is not stored here", hint="Leave the secret out."
        )
    speaker = memory.speaker
    candidates = extract(
        text, role=memory.source, speaker=speaker, said_at=memory.said_at, tz=zone_of(subject)
    )
    facts = [fact for candidate in candidates if (fact := fact_of(candidate)) is not None]
    statement = Statement(
        content=text,
        kind=kind,
        source=memory.source,
        said_at=memory.said_at,
        valid_from=memory.valid_from,
        valid_to=memory.valid_to,
        scope=memory.scope,
        agent_id=memory.agent_id,
        session_id=memory.session_id,
        language=detect(text),
        fact=facts[0] if facts else None,
        more=tuple(facts[1:]),
        key=memory.key if kind == Kind.CONSTRAINT else "",
    )
    return sealed(statement, policy, consented=consented)


def _take_text(memory: Memory, statement: Statement) -> set[str]:
    """Put the statement's text and kind over the memory's; the names of the columns that changed."""
    print_ = text_print(
        memory.tenant_id, memory.subject_id, statement.clear or statement.content, when=time_of(memory)
    )
    if print_ != bytes(memory.fingerprint):
        same = Memory.objects.of(memory.subject_id).current().filter(fingerprint=print_).exclude(id=memory.id)
        same = same.filter(scope=memory.scope, agent_id=memory.agent_id, session_id=memory.session_id)
        other = same.values_list("id", flat=True).first()
        if other is not None:
            raise Conflict("another memory says this already", hint=f"See {other}; forget one of the two.")
    new = {
        "content": statement.content,
        "content_encrypted": statement.clear,
        "kind": statement.kind,
        "language": statement.language,
        "key": statement.key,
        "fingerprint": print_,
        "claim": claim_print(memory.tenant_id, memory.subject_id, statement),
        "pinned": memory.pinned and statement.kind not in NEVER_PINNED,
    }
    changed = {name for name, value in new.items() if _plain(getattr(memory, name)) != value}
    for name in changed:
        setattr(memory, name, new[name])
    return changed


def _plain(value: Any) -> Any:
    return bytes(value) if isinstance(value, memoryview) else value
