"""Words that were forgotten while a text was being written (an answer that streams): taken out before it is stored (R26)."""

from __future__ import annotations

import json
import uuid
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from memories.core.forgetting.marks import masked
from memories.core.forgetting.target import Scope, Target
from memories.core.forgetting.texts import Spec, spans
from memories.models import ForgetRequest, Memory, Tombstone
from memories.services.forget import BY_WILL
from memories.services.forget_specs import spec_of
from memories.services.reach_known import reach_of
from memories.services.redact_prints import redacted_since

MARGIN = timedelta(minutes=1)
"""A request takes effect a little after the time that it carries: it waits for other writers first."""
_MIN_PIECE = 4


@dataclass(frozen=True, slots=True)
class Written:
    """A text in the making: since when, and what it answers (`turn_id`, what that one says now, and its own requests)."""

    since: datetime
    turn_id: uuid.UUID | None = None
    said: str = ""
    requests: frozenset[uuid.UUID] = frozenset()
    role: str = "assistant"
    speaker: str = ""


def without_forgotten(subject_id: uuid.UUID, text: str, written: Written) -> str:
    """The text without what was forgotten since it was begun, in the open transaction.

    What the message that it answers asked to forget itself, or says again after the request, stays. The caller holds the
    subject's lock, or comes back under it before the text is final.
    """
    if not text.strip():
        return text
    redacted = redacted_since(subject_id, written.since - MARGIN)
    if not redacted.spans(written.said):
        text = redacted.clean(text)
    requests = _requests(subject_id, written)
    stones = _stones(subject_id, written)
    for spec in _specs(subject_id, requests, stones, written.since):
        if not _whole(spec) and spans(written.said, spec):
            continue
        found = spans(text, spec, role=written.role, speaker=written.speaker)
        text = masked(text, found) if found else text
    return text


def _requests(subject_id: uuid.UUID, written: Written) -> list[ForgetRequest]:
    rows = ForgetRequest.objects.filter(
        subject_id=subject_id,
        state=ForgetRequest.State.DONE,
        decided_at__gte=written.since - MARGIN,
        target__isnull=False,
    ).exclude(id__in=written.requests)
    return list(rows.exclude(turn_id=written.turn_id) if written.turn_id else rows)


def _stones(subject_id: uuid.UUID, written: Written) -> list[Tombstone]:
    rows = Tombstone.objects.filter(
        subject_id=subject_id,
        restored_at__isnull=True,
        cause__in=BY_WILL,
        at__gte=written.since - MARGIN,
    ).exclude(request_id__in=written.requests)
    if written.turn_id is not None:
        rows = rows.exclude(request__turn_id=written.turn_id)
    return list(rows.select_related("memory"))


def _specs(
    subject_id: uuid.UUID, requests: Sequence[ForgetRequest], stones: Sequence[Tombstone], since: datetime
) -> Iterator[Spec]:
    leaving = [stone.memory_id for stone in stones]
    for stone in stones:
        memory: Memory = stone.memory
        yield spec_of(memory, leaving=leaving)
    for request in requests:
        target = Target.of_data(json.loads(str(request.target)))
        if target.scope is Scope.LAST:
            yield Spec(None, frozenset(_pieces(str(request.undo or "[]"))))
        elif target.scope is not Scope.EVERYTHING or (request.decided_at or since) >= since:
            yield Spec(reach_of(subject_id, target))


def _pieces(undo: str) -> Collection[str]:
    cuts = json.loads(undo)
    return {
        str(cut["text"])
        for cut in cuts
        if cut["holder"] == "turns" and len(str(cut["text"]).strip()) >= _MIN_PIECE
    }


def _whole(spec: Spec) -> bool:
    return spec.reach is not None and spec.reach.everything
