"""What sessions know of memories, for the admin: the digests that a memory is or stands in, and the answers that cite one."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.urls import reverse
from django.utils.translation import gettext as _

from memories.admin.memory_links import Link, beside, cited
from memories.core.kinds import Kind
from memories.models import Memory
from sessions_app.models import Digest, Turn

MOST = 20


@beside
def digests(memory: Memory, turn_ids: Sequence[uuid.UUID]) -> list[Link]:
    """The digests of its turns, with those of a later generation that stand for them, at most MOST; three statements."""
    found: dict[uuid.UUID, Digest] = {}
    if memory.kind == Kind.DIGEST:
        found |= {one.pk: one for one in Digest.objects.filter(memory_id=memory.pk)[:MOST]}
    turns = Turn.objects.filter(pk__in=list(turn_ids), digest__isnull=False).select_related("digest")[:MOST]
    found |= {turn.digest.pk: turn.digest for turn in turns if turn.digest is not None}
    later = {one.replaced_by_id for one in found.values()} - {None}
    found |= {one.pk: one for one in Digest.objects.filter(pk__in=later)[:MOST]} if later else {}
    return [_link(one, memory) for one in found.values()]


def _link(digest: Digest, memory: Memory) -> Link:
    span = {"first": digest.first_seq, "last": digest.last_seq, "generation": digest.generation}
    if digest.memory_id == memory.pk:
        title = _("It is the digest of turns %(first)s to %(last)s (generation %(generation)s)") % span
        return Link(title, reverse("admin:sessions_app_digest_change", args=[digest.pk]))
    title = _("Digest of turns %(first)s to %(last)s (generation %(generation)s)") % span
    return Link(title, reverse("admin:memories_memory_change", args=[digest.memory_id]))


@cited
def answers_that_cite(question_turn_ids: Sequence[uuid.UUID], memory_ids: Sequence[uuid.UUID]) -> int:
    """Looks at the answers to these turns, found by the question that each replies to."""
    wanted = {str(one) for one in memory_ids}
    answers = Turn.objects.filter(reply_to_id__in=list(question_turn_ids)).values_list("used", flat=True)
    return sum(any(one.get("cited") and one.get("id") in wanted for one in used) for used in answers)
