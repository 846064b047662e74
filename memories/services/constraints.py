"""The rules that hold for a person: their own and those that operators laid down for the tenant, with what fits (R12)."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet

from accounts.actor import Actor
from accounts.models.subject import OF_TENANT
from memories.adapters.factory import get_clock
from memories.core.placement import standing
from memories.core.text.tokens import count
from memories.models import Memory
from memories.services.policies import policy_of
from memories.services.subjects import check_readable
from memories.services.tenant_subject import tenant_subject
from memoryhub.common.db import tenant_transaction

OBEYED = ("user", "operator")
"""A rule that a tool, an import or the assistant spoke of is a memory like any other, not one to be obeyed."""
MAX_LISTED = 500
LINE_TOKENS = 24
"""What a rule's line in the context takes beside its words: its number, kind, day and source."""


@dataclass(frozen=True, slots=True)
class Constraint:
    """A rule that holds.

    `of_tenant`: operators laid it down for everybody. `overruled`: theirs has the same key and stands above it. `fits` is
    False where the token cap leaves it out of contexts that are not about it.
    """

    memory: Memory
    of_tenant: bool
    overruled: bool = False
    fits: bool = True


@dataclass(frozen=True, slots=True)
class ConstraintList:
    """All that holds, in the order in which contexts tell it; `left_out` of them are above `cap_tokens`."""

    items: list[Constraint]
    cap_tokens: int
    used_tokens: int
    left_out: int


def list_constraints(
    *,
    actor: Actor,
    subject_id: uuid.UUID,
    session_id: uuid.UUID | None = None,
    agent_id: uuid.UUID | None = None,
    now: datetime | None = None,
) -> ConstraintList:
    """The rules of a subject, the operators' first; NotFound for one that the actor may not read.

    `session_id` and `agent_id` add that session's and that agent's own ones; they never widen what is the person's.
    """
    check_readable(actor, subject_id, "constraints.list")
    now = now or get_clock().now()
    policy, _ = policy_of(actor.tenant_id)
    cap = policy.integer("constraint.cap_tokens")
    with tenant_transaction(actor.tenant_id):
        found = standing_constraints(subject_id, now, session_id=session_id, agent_id=agent_id)
    used = 0
    items: list[Constraint] = []
    for one in found:
        tokens = count(one.memory.content) + LINE_TOKENS
        fits = used + tokens <= cap
        used += tokens if fits else 0
        items.append(Constraint(one.memory, one.of_tenant, one.overruled, fits))
    return ConstraintList(items, cap, used, sum(not item.fits for item in items))


def list_tenant_constraints(*, actor: Actor, now: datetime | None = None) -> list[Constraint]:
    """What operators laid down for everybody in the tenant; every member may know it."""
    now = now or get_clock().now()
    with tenant_transaction(actor.tenant_id):
        owner = tenant_subject()
        return [Constraint(row, True) for row in _operators(owner, now)]


def standing_constraints(
    subject_id: uuid.UUID,
    now: datetime,
    *,
    session_id: uuid.UUID | None = None,
    agent_id: uuid.UUID | None = None,
) -> list[Constraint]:
    """The same within an open tenant transaction, for contexts; who may read the subject is the caller's to check."""
    own, operators = constraint_rows(subject_id, now, session_id=session_id, agent_id=agent_id)
    return in_force(own, operators)


def constraint_rows(
    subject_id: uuid.UUID,
    now: datetime,
    *,
    session_id: uuid.UUID | None = None,
    agent_id: uuid.UUID | None = None,
) -> list[QuerySet[Memory]]:
    """What `in_force` is made from: the person's own rules that reach here, and the operators'."""
    reaches = Q(scope="user")
    if session_id is not None:
        reaches |= Q(scope="session", session_id=session_id)
    if agent_id is not None:
        reaches |= Q(scope="agent", agent_id=agent_id)
    rules = Memory.objects.constraints().alive(now).order_by("-said_at", "-id")
    own = rules.filter(reaches, subject_id=subject_id, source__in=OBEYED)
    operators = rules.filter(subject__kind=OF_TENANT).exclude(subject_id=subject_id)
    return [own[:MAX_LISTED], operators[:MAX_LISTED]]


def in_force(own: Iterable[Memory], operators: Iterable[Memory]) -> list[Constraint]:
    """The rules of `constraint_rows`, the operators' first."""
    above = standing.in_order(list(operators))
    return [
        *(Constraint(row, True) for row in above),
        *(
            Constraint(row, False, standing.overruled(row, above))
            for row in standing.in_order(standing.without_shadowed(list(own)))
        ),
    ]


def _operators(owner: uuid.UUID | None, now: datetime) -> list[Memory]:
    if owner is None:
        return []
    rows = Memory.objects.of(owner).constraints().alive(now).order_by("-said_at", "-id")[:MAX_LISTED]
    return standing.in_order(list(rows))
