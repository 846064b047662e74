"""What bringing memories back does to them, whoever asks and however many they are: recalled again, as they were (R25)."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from django.db.models import Case, F, FloatField, Value, When
from django.db.models.functions import Greatest

from accounts.actor import Actor
from memories.core.decay import starting_strength
from memories.core.policy import Policy
from memories.models import Approval, Contradiction, Memory, Status, Tombstone
from memories.services.undo_records import rivals_of
from memories.services.versioning import Change, save_changes

_RECALLED = (Status.CURRENT, Status.ARCHIVED, Status.EXPIRED)
"""What was one of these is current again; what was anything else is that again."""


def bring_back(
    memories: Sequence[Memory],
    stones: Mapping[uuid.UUID, Tombstone],
    *,
    actor: Actor,
    rule: Callable[[Tombstone | None], str],
    policy: Policy,
    now: datetime,
) -> dict[uuid.UUID, uuid.UUID]:
    """Give memories of one subject, locked with it, the status that they had before their tombstones; who stays behind which rival.

    The reverse of `removing.remove`, in a number of statements that does not grow with the memories. What is recalled again
    starts at a fresh strength, with an end that has passed taken away, so that no sweep takes it at once; what waited for a
    yes waits for it again. Indexes, rules, texts and the audit are the caller's.
    """
    before = {
        one.pk: stones[one.pk].previous_status if one.pk in stones else Status.CURRENT for one in memories
    }
    recalled = [one for one in memories if before[one.pk] in _RECALLED]
    # Of two that would be in each other's way the one that was current comes first.
    recalled.sort(key=lambda one: before[one.pk] != Status.CURRENT)
    since = [(one, stones[one.pk].at if one.pk in stones else one.updated_at) for one in recalled]
    rivals = rivals_of(since)
    groups: dict[tuple[Status, str], list[Memory]] = defaultdict(list)
    for one in memories:
        if one.pk not in rivals:
            status = Status.CURRENT if before[one.pk] in _RECALLED else Status(before[one.pk])
            groups[status, rule(stones.get(one.pk))].append(one)
    fresh = [one for one in recalled if one.pk not in rivals]
    _strengthen(fresh, policy, now)
    asked = [one.pk for one in memories if before[one.pk] not in _RECALLED]
    Approval.objects.filter(memory_id__in=asked, state=Approval.State.REFUSED).update(
        state=Approval.State.WAITING, decided_at=None, decided_by=""
    )
    for (status, name), some in groups.items():
        save_changes(some, actor, Change("restored", name), now, status=status)
    back = [one.pk for some in groups.values() for one in some]
    Tombstone.objects.filter(memory_id__in=back, restored_at__isnull=True).update(restored_at=now)
    # The contradictions that forgetting had closed are open again.
    Contradiction.objects.filter(
        undo__forgotten__in=[str(one) for one in back], state=Contradiction.State.RESOLVED
    ).update(state=Contradiction.State.OPEN, resolution="", resolved_at=None, resolved_by="", undo={})
    return rivals


def _strengthen(memories: Sequence[Memory], policy: Policy, now: datetime) -> None:
    if not memories:
        return
    start = {kind: starting_strength(policy, kind=kind) for kind in {one.kind for one in memories}}
    rows = Memory.objects.filter(id__in=[one.pk for one in memories])
    whens = [When(kind=kind, then=Value(strength)) for kind, strength in start.items()]
    rows.update(strength=Greatest(F("strength"), Case(*whens, output_field=FloatField())), last_hit_at=now)
    rows.filter(expires_at__lte=now).update(expires_at=None)
    for one in memories:
        one.strength, one.last_hit_at = max(one.strength, start[one.kind]), now
        if one.expires_at is not None and one.expires_at <= now:
            one.expires_at = None
