"""Lay down a rule on purpose: a person for themselves, an operator for everybody in the tenant (R12)."""

from __future__ import annotations

import uuid
from datetime import datetime

from accounts import audit
from accounts.actor import Actor
from accounts.permissions import Capability
from memories.adapters.factory import get_clock
from memories.core.extraction.constraint_keys import constraint_key
from memories.core.importance import importance_of
from memories.core.kinds import Kind
from memories.core.outcomes import Reason
from memories.core.statement import Statement
from memories.core.text.language import detect
from memories.services import limits
from memories.services.embedding import embed_passages
from memories.services.learn import block
from memories.services.limits import Checks, clean
from memories.services.outcome import Outcome
from memories.services.policies import policy_of
from memories.services.remember import remember
from memories.services.screen import screen
from memories.services.tenant_subject import make_tenant_subject
from memories.services.write_memory import store_embedded
from memoryhub.common.db import tenant_transaction

MAX_CHARS = 1_000
"""A rule stands in every context: what is longer is a document."""


def declare_constraint(
    *,
    actor: Actor,
    subject_id: uuid.UUID,
    content: str,
    key: str = "",
    scope: str = "user",
    session_id: uuid.UUID | None = None,
    expires_at: datetime | None = None,
) -> list[Outcome]:
    """The outcome of one person's rule; the one that stood under its key is replaced and stays in history.

    Without a `key` it is read out of the words, so that "no tables in reports" said again in other words replaces itself.
    Invalid for what is empty or too long; NotFound for a subject that the actor may not write.
    """
    content = _checked(content, key)
    return remember(
        actor=actor,
        subject_id=subject_id,
        content=content,
        kind=Kind.CONSTRAINT.value,
        key=key.strip() or constraint_key(content),
        scope=scope,
        session_id=session_id,
        expires_at=expires_at,
        infer=False,
    )


def declare_tenant_constraint(
    *, actor: Actor, content: str, key: str = "", expires_at: datetime | None = None
) -> list[Outcome]:
    """The outcome of a rule for every subject of the tenant, those that come later too; audited together with what it changes.

    A person's own rule never replaces it. Needs the capability to write constraints.
    """
    actor.require(Capability.CONSTRAINTS_WRITE)
    content = _checked(content, key)
    now = get_clock().now()
    checks = Checks()
    checks.future("expires_at", expires_at, now)
    checks.done()
    policy, _ = policy_of(actor.tenant_id)
    found, named = screen(content, policy), screen(clean(key), policy)
    if found.blocked or named.blocked:
        with tenant_transaction(actor.tenant_id):
            return [block(actor, make_tenant_subject(), found.types | named.types)]
    statement = Statement(
        content=found.text_masked,
        kind=Kind.CONSTRAINT.value,
        source="operator",
        said_at=now,
        language=detect(content),
        quote=found.text_masked,
        rule="constraint.declared",
        reasons=("declared for the tenant",),
        importance=importance_of(content, Kind.CONSTRAINT.value),
        explicit=True,
        key=named.text_masked.strip() or constraint_key(found.text_masked),
        expires_at=expires_at,
    )
    embedded = embed_passages([statement.content], policy)
    with tenant_transaction(actor.tenant_id):
        owner = make_tenant_subject()
        outcomes = store_embedded(
            actor=actor, subject_id=owner, statements=[statement], policy=policy, now=now, embedded=embedded
        )
        for outcome in outcomes:
            # Said again, or refused, it changes nothing; where the write fails, this entry goes with it.
            if outcome.memory_id is not None and outcome.code is not Reason.DUPLICATE:
                audit.record(
                    actor,
                    "constraint.declared",
                    target_kind="memory",
                    target_id=outcome.memory_id,
                    subject_id=owner,
                )
    return outcomes


def _checked(content: str, key: str) -> str:
    content = clean(content)
    checks = Checks()
    checks.content(content)
    if len(content) > MAX_CHARS:
        checks.problems["content"] = f"at most {MAX_CHARS} characters: a rule stands in every context"
    checks.short("key", key, limits.MAX_KEY)
    checks.done()
    return content
