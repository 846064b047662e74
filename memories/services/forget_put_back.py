"""Puts words back that requests to forget took out of texts, exactly, and takes out again what another request wants gone as well."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from memories.core.forgetting.marks import Span
from memories.core.forgetting.texts import Spec
from memories.core.forgetting.undo import Cut, base_of, cut_out, shown
from memories.models import ForgetRequest
from memories.services.forget_cuts import Cuts, Row, Taken, as_data, keep_undo, open_cuts
from memories.services.forget_spans import Taking, fitting, spans_of
from memories.services.forget_wide import later, takings_of
from memories.texts import Passage, TextHolder, text_holders

Place = tuple[str, str]
"""(holder, row): how far putting back has come."""


@dataclass(slots=True)
class PutBack:
    """The cuts that could not be put back as their texts had changed, those that a later batch has, and where this one ended."""

    missed: list[dict[str, object]] = field(default_factory=list)
    waiting: list[dict[str, object]] = field(default_factory=list)
    place: Place | None = None
    rows_left: int = 0


def put_back(
    subject_id: uuid.UUID,
    owners: Collection[uuid.UUID],
    *,
    but: Collection[uuid.UUID] = (),
    after: Place | None = None,
    limit: int | None = None,
) -> PutBack:
    """Put the owners' words back in the open transaction, at most `limit` rows behind the place `after`, in a few statements a holder.

    What comes back and is wanted gone by another request that stands, other than `but`, goes again at once, for that one.
    Texts that are not there any more miss nothing. The caller holds the subject's lock and marks the owners as restored; their cuts
    count as open until then.
    """
    names = {str(owner) for owner in owners}
    standing = open_cuts(subject_id)
    rows = [row for row, cuts in standing.items() if any(cut.owner in names for cut in cuts)]
    done, chosen, waiting = _batch(rows, after, limit)
    back = PutBack(rows_left=len({row[:2] for row in waiting}))
    back.missed = [as_data(row, cut) for row in done for cut in standing[row] if cut.owner in names]
    back.waiting = [as_data(row, cut) for row in waiting for cut in standing[row] if cut.owner in names]
    back.place = chosen[-1][:2] if chosen else after
    by_holder: dict[str, list[Row]] = defaultdict(list)
    for row in chosen:
        by_holder[row[0]].append(row)
    others = _others(subject_id, {*owners, *but}, standing) if chosen else []
    again = Taken()
    for texts in reversed(text_holders()):
        if texts.name in by_holder:
            _put(texts, subject_id, by_holder[texts.name], names, standing, others, back, again)
    keep_undo(again)
    return back


def _batch(
    rows: Collection[Row], after: Place | None, limit: int | None
) -> tuple[list[Row], list[Row], list[Row]]:
    """What batches before this one had, this one's, and what is left for those behind it.

    In the reverse order of the holders: an entry that was taken out whole comes back before the words inside of it.
    """
    at = {texts.name: number for number, texts in enumerate(reversed(text_holders()))}
    order = sorted(rows, key=lambda row: (at.get(row[0], len(at)), *row[1:]))
    come = (at.get(after[0], -1), after[1]) if after is not None else (-1, "")
    ahead = [row for row in order if (at.get(row[0], len(at)), row[1]) > come]
    now = set(list(dict.fromkeys(row[:2] for row in ahead))[:limit])
    return (
        order[: len(order) - len(ahead)],
        [row for row in ahead if row[:2] in now],
        [row for row in ahead if row[:2] not in now],
    )


@dataclass(frozen=True, slots=True)
class _Other:
    """Another request that stands, with what it takes out."""

    request: ForgetRequest
    takings: Sequence[Taking]


def _others(subject_id: uuid.UUID, but: Collection[uuid.UUID], standing: Cuts) -> list[_Other]:
    rows = ForgetRequest.objects.filter(
        subject_id=subject_id, state=ForgetRequest.State.DONE, target__isnull=False
    ).exclude(id__in=list(but))
    found = []
    for row in rows.order_by("decided_at", "id"):
        takings, _ = takings_of(row)
        if row.scope == "last":
            # It named no more than a message: all that it took of that one is wanted gone.
            turns = frozenset(
                at[1]
                for at, cuts in standing.items()
                if at[0] == "turns" and any(c.owner == str(row.id) for c in cuts)
            )
            reach = takings[-1].spec.reach
            if turns and reach is not None:
                takings = [*takings[:-1], Taking(row.id, Spec(replace(reach, everything=True)), turns)]
        found.append(_Other(row, takings))
    return found


def _put(
    texts: TextHolder,
    subject_id: uuid.UUID,
    rows: Sequence[Row],
    names: Collection[str],
    standing: Cuts,
    others: Sequence[_Other],
    back: PutBack,
    again: Taken,
) -> None:
    """One holder's rows of a batch."""
    loaded = texts.load(subject_id, {row[1] for row in rows})
    changed: dict[str, dict[str, str]] = {}
    for row in rows:
        cuts = standing[row]
        own = [cut for cut in cuts if cut.owner in names]
        rest = [cut for cut in cuts if cut.owner not in names]
        current = texts.value(loaded[row[1]], row[2]) if row[1] in loaded else None
        if current is None:
            continue
        base = base_of(current, cuts)
        text = shown(base, rest) if base is not None else None
        if text is None or not texts.fits(subject_id, row[1], row[2], text):
            back.missed += [as_data(row, cut) for cut in own]
            continue
        changed.setdefault(row[1], {})[row[2]] = _without_others(
            texts, subject_id, row, loaded[row[1]], text, own, rest, others, again
        )
        standing[row] = rest
    if changed:
        texts.put_many(subject_id, changed)


def _without_others(
    texts: TextHolder,
    subject_id: uuid.UUID,
    row: Row,
    loaded: Any,
    text: str,
    own: Sequence[Cut],
    rest: Sequence[Cut],
    others: Sequence[_Other],
    again: Taken,
) -> str:
    """The text, less those of the words just put back that the other requests want gone, too."""
    passage = (
        next((one for one in texts.of_row(loaded, None) if one.column == row[2]), None) if others else None
    )
    if passage is None or passage.whole:
        return text
    returned = [_span_in(cut, rest) for cut in own]
    found: dict[uuid.UUID, list[Span]] = {}
    covered: list[Span] = []
    for other in others:
        for owner, at in _wanted(other, passage, text).items():
            parts = [part for span in at for part in _within(span, returned) if not _touches(part, covered)]
            if any(any(char.isalnum() for char in text[slice(*part)]) for part in parts):
                found.setdefault(owner, []).extend(parts)
                covered += parts
    if not covered:
        return text
    mark, left = fitting(texts, subject_id, row, text, sorted(covered))
    for owner, at in found.items():
        made = cut_out(text, rest, sorted(at), mark=mark, owner=str(owner))
        again.cuts.setdefault(owner, []).extend(as_data(row, cut) for cut in made)
    return left


def _wanted(other: _Other, passage: Passage, text: str) -> dict[uuid.UUID, list[Span]]:
    if later(passage, other.request):
        return {}
    return spans_of(replace(passage, text=text), text, other.takings, str(other.request.turn_id or ""))


def _span_in(cut: Cut, rest: Sequence[Cut]) -> Span:
    """Where the cut's words stand once they are back, behind the marks of the rest."""
    start = cut.start + sum(len(one.mark) - len(one.text) for one in rest if one.start < cut.start)
    return start, start + len(cut.text)


def _within(span: Span, wider: Sequence[Span]) -> list[Span]:
    both = [(max(span[0], low), min(span[1], high)) for low, high in wider]
    return [(low, high) for low, high in both if low < high]


def _touches(span: Span, others: Sequence[Span]) -> bool:
    return any(span[0] < high and low < span[1] for low, high in others)
