"""The profile of a subject, read out of its current facts: no model, nothing stored (R15)."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.core.profile import LINE, ProfileFact, ProfileGroup, assemble
from memories.core.text.language import Language
from memories.core.values.normalise import slot_key
from memories.models import Contradiction, Fact, Status
from memories.services.subjects import check_readable
from memoryhub.common.db import tenant_transaction

MAX_FACTS = 1_000
"""Facts looked at, the newest: far more than a profile shows."""


_LINE_SLOTS = [slot_key("user", attribute) for attribute in LINE]


@dataclass(frozen=True, slots=True)
class Profile:
    """What is known of a person, by group; `facts` is the number of values in it."""

    groups: list[ProfileGroup]

    @property
    def facts(self) -> int:
        return sum(len(entry.values) + entry.more for group in self.groups for entry in group.entries)


def get_profile(
    *, actor: Actor, subject_id: uuid.UUID, language: Language = "en", now: datetime | None = None
) -> Profile:
    """The profile with labels in `language`; NotFound for a subject that the actor may not read.

    Only what holds now and reaches all conversations: what is forgotten, replaced, expired, over, still to come, or said for
    one session is not in it.
    """
    check_readable(actor, subject_id, "profile.read")
    now = now or get_clock().now()
    with tenant_transaction(actor.tenant_id):
        return Profile(assemble(profile_facts(subject_id, now), language))


def profile_facts(subject_id: uuid.UUID, now: datetime) -> list[ProfileFact]:
    """The facts of a profile within the open tenant transaction, the newest first."""
    facts, disputes = profile_rows(subject_id, now)
    return as_profile(facts, disputes)


def profile_rows(subject_id: uuid.UUID, now: datetime, *, for_line: bool = False) -> list[QuerySet[Any, Any]]:
    """What `as_profile` is made from: facts, and the sides of open contradictions. `for_line`: only what a line about the person
    may tell, however many facts there are."""
    rows = Fact.objects.filter(
        Q(entity="user") | Q(entity__startswith="user:"),
        Q(valid_from__isnull=True) | Q(valid_from__lte=now),
        Q(valid_to__isnull=True) | Q(valid_to__gt=now),
        Q(memory__pinned=True) | Q(memory__expires_at__isnull=True) | Q(memory__expires_at__gt=now),
        subject_id=subject_id,
        negated=False,
        memory__status=Status.CURRENT,
        memory__scope="user",
    )
    if for_line:
        rows = rows.filter(entity="user", attribute__in=LINE, slot_key__in=_LINE_SLOTS)
    facts = rows.order_by("-memory__said_at", "-id").values_list(
        "entity", "attribute", "value", "memory_id", "memory__said_at", "memory__importance"
    )[:MAX_FACTS]
    pairs = Contradiction.objects.filter(subject_id=subject_id, state=Contradiction.State.OPEN)
    return [facts, pairs.values_list("older_id", "newer_id")]


def as_profile(facts: Iterable[Any], disputes: Iterable[Any]) -> list[ProfileFact]:
    """The facts of `profile_rows`, the newest first."""
    disputed = {memory_id for pair in disputes for memory_id in pair}
    return [
        ProfileFact(entity, attribute, value, memory_id, said_at, importance, memory_id in disputed)
        for entity, attribute, value, memory_id, said_at, importance in facts
    ]
