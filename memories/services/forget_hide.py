"""Forgetting much at once, the first step: memories and texts out of recall in one short transaction, the rest left to a job (R26)."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from datetime import datetime
from re import Pattern

from accounts.actor import Actor
from memories.core.policy import Policy
from memories.models import Evidence, ForgetRequest, Job, Memory, Tombstone
from memories.services.forget_cuts import Taken, keep_undo, open_cuts
from memories.services.forget_derived import clear_kept_answers, take_slots
from memories.services.forget_spans import Taking
from memories.services.forget_texts import rewrite
from memories.services.forget_wide import BATCH, FIRST, KIND, Unfinished, concerned, takings_of
from memories.services.jobs import enqueue
from memories.services.removing import remove
from memories.texts import Passage, TextHolder, text_holder, text_holders


def hide(
    request: ForgetRequest,
    rows: Sequence[Memory],
    *,
    actor: Actor,
    policy: Policy,
    now: datetime,
    before: datetime,
) -> Taken:
    """Take the memories, locked with their subject, and all texts that the request concerns out of recall; which texts.

    A number of statements that does not grow with the memories. The request is stored, with its reach bound, by the caller.
    """
    stones = remove(
        rows, actor=actor, cause="user", reason="", policy=policy, now=now, before=before, request=request
    )
    subject_id, without = request.subject_id, frozenset(row.pk for row in rows)
    takings, pattern = takings_of(request)
    hidden = Taken()
    for texts in text_holders():
        if texts.hides:
            found = concerned(request, takings, pattern, texts.passages(subject_id, pattern, without))
            hidden.places[texts.name] = set(texts.hide(subject_id, found))
    taken = _rewritten_at_once(subject_id, takings, pattern, without, stones)
    keep_undo(taken)
    clear_kept_answers(subject_id, [taking.spec for taking in takings])
    enqueue(kind=KIND, key=str(request.id), subject_id=subject_id)
    return hidden


def held_by(waiting: Sequence[Unfinished], texts: TextHolder, passages: Sequence[Passage]) -> set[str]:
    """The rows of one holder that requests concern whose jobs have still to come to them."""
    held: set[str] = set()
    for one in waiting:
        takings, pattern = takings_of(one.request)
        found = concerned(one.request, takings, pattern, passages)
        held |= {row_id for row_id in found if _ahead(one.job, texts.name, row_id)}
    return held


def _ahead(job: Job, name: str, row_id: str) -> bool:
    names = [texts.name for texts in text_holders() if texts.name not in FIRST]
    at, after = str(job.payload.get("holder", names[0])), str(job.payload.get("after", ""))
    return (names.index(name), row_id) > (names.index(at), after)


def show_again(subject_id: uuid.UUID, waiting: Sequence[Unfinished]) -> None:
    """Bring what is hidden, with its words in it, into recall again, unless it waits for the jobs of other requests.

    The reverse, for a request that is undone before its job came to all texts; in a number of statements that does not grow.
    """
    for texts in text_holders():
        ids = texts.hidden(subject_id) if texts.hides else frozenset()
        if ids:
            rows = texts.load(subject_id, ids).values()
            held = held_by(waiting, texts, [passage for row in rows for passage in texts.of_row(row, None)])
            show = ids - held
            texts.put_many(subject_id, {row_id: {} for row_id in show}, show=show)


def _rewritten_at_once(
    subject_id: uuid.UUID,
    takings: Sequence[Taking],
    pattern: Pattern[str] | None,
    without: frozenset[uuid.UUID],
    stones: Collection[Tombstone],
) -> Taken:
    """What pages and contexts show as it stands: slots and titles."""
    standing, taken = open_cuts(subject_id), Taken()
    for name in FIRST:
        texts, after, full = text_holder(name), "", True
        while texts is not None and full:
            batch = texts.batch(subject_id, pattern, without, after, BATCH)
            rewrite(texts, subject_id, batch.passages, takings, standing, taken, locked=True)
            after, full = batch.last, len(batch.row_ids) == BATCH
    by_memory = {stone.memory_id: stone.id for stone in stones}
    quotes: dict[str, list[tuple[uuid.UUID, str]]] = {}
    said = Evidence.objects.filter(memory_id__in=without, turn_id__isnull=False)
    for memory_id, turn_id, quote in said.values_list("memory_id", "turn_id", "quote"):
        quotes.setdefault(str(turn_id), []).append((by_memory[memory_id], quote.casefold()))
    take_slots(subject_id, quotes, standing, taken)
    return taken
