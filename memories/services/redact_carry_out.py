"""Carries a redaction of one subject out in the open transaction, and proves that nothing is left."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from accounts.actor import Actor
from memories.core.forgetting.redacting import plain_form
from memories.models import Embedding, Memory, MemoryVersion, Posting
from memories.services.redact_memories import redact_whole, settle_touched
from memories.services.redact_places import Places, external_ids, find_places
from memories.services.redact_prints import bind_words
from memories.services.redact_texts import take_out_for_good
from memories.services.redact_wanted import Sought
from memoryhub.common.errors import Conflict

INDEX = "index"
"""Rows of vectors and postings of what lost words: dropped with the old words, made anew from what is left."""
PASSES = 3


@dataclass(frozen=True, slots=True)
class CarriedOut:
    """Rows by place before, the ids of the rules that keep it from being learnt again, how many memories went whole, and
    whether the external id holds it, which stays."""

    found: dict[str, int]
    rules: list[uuid.UUID]
    memories_gone: int
    external_ids: int = 0


def carry_out_redaction(
    actor: Actor,
    subject_id: uuid.UUID,
    looked: Sought,
    now: datetime,
    *,
    standing: bool = False,
    show: bool = False,
    words: Iterable[str] = (),
    bound: Iterable[str] = (),
) -> CarriedOut:
    """Under the subject's lock. Conflict, and nothing changed, when anything is found afterwards.

    `words` are bound beside what was found of them, so that they are known where they never stood; those of `bound` are
    bound for the whole tenant already. `show` brings into recall what a run over the tenant had hidden.
    """
    before = find_places(subject_id, looked)
    if not before.counts:
        return CarriedOut({}, [], 0, external_ids(subject_id, looked))
    index = _index_rows(before)
    found = {**before.counts, **({INDEX: index} if index else {})}
    known = {plain_form(word)[0] for word in bound}
    fresh = {one for one in (*before.strings, *words) if plain_form(one)[0] not in known}
    rules = bind_words(subject_id, fresh, now, standing=standing)
    gone = 0
    for memory in Memory.objects.select_for_update().filter(pk__in=looked.whole).exclude(status="redacted"):
        redact_whole(memory, looked, actor, now)
        gone += 1
    touched: set[str] = set()
    left = before
    for _ in range(PASSES):
        # What is left of a sentence may read as the same statement, with the mark for a value: then it goes, too.
        done = take_out_for_good(subject_id, looked, now, show=show)
        touched |= _memories(done)
        left = find_places(subject_id, looked)
        if not left.counts:
            break
    gone += settle_touched(touched, actor, now)
    if left.counts:
        places = ", ".join(left.counts)
        raise Conflict(f"something is left in {places}", hint="Nothing was changed. Try it again.")
    return CarriedOut(found, rules, gone, external_ids(subject_id, looked))


def _memories(done: Places) -> set[str]:
    """Those whose own columns lost words, and those only whose history did: both are other memories now."""
    touched = set[str]().union(*(done.rows.get(name, set()) for name in ("memories", "details", "entries")))
    for name in ("versions", "version details", "version entries"):
        rows = MemoryVersion.objects.filter(pk__in=done.rows.get(name, set()))
        touched |= set(map(str, rows.values_list("memory_id", flat=True)))
    return touched


def _index_rows(found: Places) -> int:
    items = found.rows.get("memories", set()) | found.rows.get("episodes", set())
    return sum(model.objects.filter(item_id__in=items).count() for model in (Embedding, Posting))
