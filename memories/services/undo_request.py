"""Undoing a request to forget, the first step: all that it took is recalled again in one short transaction (R25)."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from accounts import audit
from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.core.errors import MemoryGone
from memories.core.forgetting.marks import masked
from memories.core.forgetting.remains import nothing_left
from memories.core.policy import Policy
from memories.models import ForgetRequest, ForgetRule, Memory, Status, Tombstone
from memories.services.bring_back import bring_back
from memories.services.embedding import Embedded, embed_passages
from memories.services.emptied import EMPTIED, await_words, emptied
from memories.services.forget_hide import held_by, show_again
from memories.services.forget_requests import mine
from memories.services.forget_rules import prints_of, release
from memories.services.forget_spans import spans_of
from memories.services.forget_wide import Unfinished, stop, takings_of, unfinished
from memories.services.index_memory import index_memories
from memories.services.policies import policy_of
from memories.services.restore import rule_of
from memories.services.undo_texts import ask, begin, texts_left
from memories.store.locks import lock_subject
from memories.texts import TextHolder, text_holder
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict

EMBEDDED_AT_ONCE = 50
"""More memories than these get their vectors by a job, while words find them already."""


@dataclass(frozen=True, slots=True)
class Undone:
    """How many memories came back, how many stayed forgotten, how many cuts found their texts changed, and how many texts a
    job has still to put words back into."""

    memories: int = 0
    stayed: int = 0
    missed: int = 0
    texts_left: int = 0


@dataclass(frozen=True, slots=True)
class _Vectors:
    """Of texts that were embedded before the transaction, by memory: (text, row of the vectors)."""

    texts: dict[uuid.UUID, tuple[str, int]] = field(default_factory=dict)
    embedded: Embedded | None = None

    def of(self, memories: Sequence[Memory]) -> Embedded | None:
        """Those of the memories, in their order, if none of them changed meanwhile."""
        if self.embedded is None or any(self.texts.get(one.pk, ("",))[0] != one.content for one in memories):
            return None
        return Embedded(
            self.embedded.space_id, self.embedded.vectors[[self.texts[one.pk][1] for one in memories]]
        )


def undo_request(*, actor: Actor, request_id: uuid.UUID) -> Undone:
    """Bring back all that a request took: memories, words, and that it may be learnt again.

    Memories and hidden texts are recalled again at once, in a number of statements that does not grow with them; words come
    back by batches, the first of them at once, the rest by a job, the request being UNDOING until then. Memories that something newer replaces
    stay forgotten, and words whose texts changed stay encrypted: then the request is done again, and can be undone again. What another
    request wants gone as well becomes that one's, and comes back when that one is undone, too. Asked for twice it changes
    nothing. Raises NotFound, Conflict for a request that was not carried out, MemoryGone past the retention.
    """
    now = get_clock().now()
    policy, _ = policy_of(actor.tenant_id)
    vectors = _embedded(actor, request_id, policy)
    with tenant_transaction(actor.tenant_id):
        lock_subject(mine(actor, request_id).subject_id)
        row = mine(actor, request_id, lock=True)
        if row.state == ForgetRequest.State.RESTORED:
            return Undone()
        if row.state == ForgetRequest.State.UNDOING:
            ask(row)
            return Undone(texts_left=texts_left([row])[row.id])
        if row.state != ForgetRequest.State.DONE:
            raise Conflict(f"this request is {row.state}; there is nothing to bring back")
        if row.purge_after is None or row.purge_after <= now:
            raise MemoryGone("the retention time of this request has passed")
        return _undo(actor, row, vectors, policy, now)


def _embedded(actor: Actor, request_id: uuid.UUID, policy: Policy) -> _Vectors:
    """Vectors for few memories, made while no transaction is open."""
    with tenant_transaction(actor.tenant_id):
        row = mine(actor, request_id)
        if row.state != ForgetRequest.State.DONE:
            return _Vectors()
        stones = Tombstone.objects.filter(request_id=row.id, restored_at__isnull=True)
        ids = stones.filter(memory__status=Status.FORGOTTEN).values("memory_id")
        found = list(Memory.objects.filter(id__in=ids).values_list("id", "content")[: EMBEDDED_AT_ONCE + 1])
    if not found or len(found) > EMBEDDED_AT_ONCE:
        return _Vectors()
    texts = {memory_id: (content, at) for at, (memory_id, content) in enumerate(found)}
    return _Vectors(texts, embed_passages([content for _, content in found], policy))


def _undo(actor: Actor, row: ForgetRequest, vectors: _Vectors, policy: Policy, now: datetime) -> Undone:
    row.state = ForgetRequest.State.UNDOING
    row.save(update_fields=["state"])
    cut_short = stop(row)
    waiting = unfinished(row.subject_id)
    stones = {
        stone.memory_id: stone
        for stone in Tombstone.objects.filter(request_id=row.id, restored_at__isnull=True)
    }
    rows = Memory.objects.select_for_update(of=("self",)).filter(id__in=list(stones), status=Status.FORGOTTEN)
    memories = list(rows.order_by("id"))
    texts = text_holder("memories")
    assert texts is not None
    wordless = await_words(row, [one for one in memories if emptied(one.content)], list(stones.values()))
    held = _held(waiting, texts, [one for one in memories if one.pk not in wordless])
    taken_over = _taken_over(waiting, texts, [one for one in memories if str(one.pk) in held])
    ready = [one for one in memories if one.pk not in wordless and one.pk not in taken_over]
    rivals = bring_back(ready, stones, actor=actor, rule=rule_of, policy=policy, now=now)
    back = [one for one in ready if one.pk not in rivals]
    _gather(row, [stone for memory_id, stone in stones.items() if memory_id not in rivals])
    if cut_short:
        show_again(row.subject_id, waiting)
    texts.hide(row.subject_id, held & {str(one.pk) for one in back})
    seen = [one for one in back if str(one.pk) not in held]
    index_memories(seen, vectors.of(seen))
    staying = len(rivals) + sum(1 for one in wordless.values() if not one)
    _learnt_again(row, back, now, whole=not staying)
    put, more = begin(row)
    own = Tombstone.objects.filter(memory_id__in=[one.pk for one in memories], restored_at__isnull=True)
    stayed = own.exclude(rule=EMPTIED, request_id=row.id).count() if more else own.count()
    undone = Undone(len(back), stayed, len(put.missed), put.rows_left)
    audit.record(
        actor,
        "memory.forget_undone",
        target_kind="forget_request",
        target_id=row.id,
        subject_id=row.subject_id,
        memories=undone.memories,
        stayed=undone.stayed,
        missed=undone.missed,
        texts_left=undone.texts_left,
    )
    return undone


def _held(waiting: Sequence[Unfinished], texts: TextHolder, memories: Sequence[Memory]) -> set[str]:
    """Memories that another request's job has still to come to."""
    if not waiting:
        return set()
    return held_by(waiting, texts, [passage for one in memories for passage in texts.of_row(one, None)])


def _taken_over(
    waiting: Sequence[Unfinished], texts: TextHolder, memories: Sequence[Memory]
) -> set[uuid.UUID]:
    """Those of which such a job would leave nothing are that request's from now on, as if it had taken them itself."""
    over: set[uuid.UUID] = set()
    for one in waiting if memories else ():
        takings, _ = takings_of(one.request)
        mine_now = []
        for memory in memories:
            passage = next((each for each in texts.of_row(memory, None) if each.column == "content"), None)
            if passage is None or memory.pk in over:
                continue
            at = sorted(
                span for some in spans_of(passage, passage.text, takings, "").values() for span in some
            )
            if at and nothing_left(masked(passage.text, at)):
                mine_now.append(memory.pk)
        over.update(mine_now)
        Tombstone.objects.filter(memory_id__in=mine_now, restored_at__isnull=True).update(
            request_id=one.request.id
        )
    return over


def _gather(row: ForgetRequest, stones: Sequence[Tombstone]) -> None:
    """The words that the tombstones keep are the request's from now on, whose job puts them back."""
    cuts = [cut for stone in stones if stone.undo for cut in json.loads(str(stone.undo))]
    if cuts:
        row.undo = json.dumps([*json.loads(str(row.undo or "[]")), *cuts], ensure_ascii=False)
        row.save(update_fields=["undo"])
        Tombstone.objects.filter(id__in=[stone.id for stone in stones]).update(undo=None)


def _learnt_again(row: ForgetRequest, back: Sequence[Memory], now: datetime, *, whole: bool) -> None:
    """The request's rules end: all of them, unless something of it stays forgotten."""
    if whole:
        ForgetRule.objects.filter(request_id=row.id, removed_at__isnull=True).update(
            removed_at=now, label=None, target=None
        )
    else:
        release(row.subject_id, prints_of(back), now, row)
