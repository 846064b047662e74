"""Takes words out of every text of a subject, in the open transaction."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence

from memories.core.forgetting.texts import needles
from memories.core.forgetting.undo import Cut, cut_out
from memories.core.text.needles import pattern_of
from memories.services.forget_cuts import Cuts, Taken, as_data, open_cuts
from memories.services.forget_derived import take_derived
from memories.services.forget_spans import Taking, fitting, spans_of
from memories.texts import Passage, TextHolder, text_holders


def take_out(
    subject_id: uuid.UUID,
    takings: Sequence[Taking],
    *,
    without: frozenset[uuid.UUID] = frozenset(),
    request_turn: str = "",
    standing: Cuts | None = None,
) -> Taken:
    """Take the spans out of all texts, in the open transaction; `without` are memories that go themselves.

    In the request's own turn the words of the request stay, but not the values that it names. The caller holds the
    subject's lock.
    """
    taken = Taken()
    if not takings:
        return taken
    standing = standing if standing is not None else open_cuts(subject_id)
    wanted = [needle for taking in takings for needle in needles(taking.spec)]
    whole = any(
        taking.spec.reach is not None and taking.spec.reach.everything and not taking.only
        for taking in takings
    )
    only = {source for taking in takings for source in taking.only}
    pattern = None if whole or only else pattern_of(wanted)
    if pattern is None and not whole and not only:
        return taken
    for texts in text_holders():
        rewrite(
            texts,
            subject_id,
            list(texts.passages(subject_id, pattern, without)),
            takings,
            standing,
            taken,
            request_turn=request_turn,
        )
    take_derived(subject_id, without, standing, taken)
    return taken


def rewrite(
    texts: TextHolder,
    subject_id: uuid.UUID,
    passages: Sequence[Passage],
    takings: Sequence[Taking],
    standing: Cuts,
    taken: Taken,
    *,
    request_turn: str = "",
    locked: bool = False,
    shown: Collection[str] = (),
) -> None:
    """Take the spans out of one holder's passages and store what is left; `locked` says that they were read under a lock.

    `shown` are rows that come into recall again, whether they lost words or not.
    """
    new: dict[str, dict[str, str]] = {row_id: {} for row_id in shown}
    given: set[tuple[str, str]] = set()
    for passage in passages:
        found = spans_of(passage, passage.text, takings, request_turn)
        if not any(found.values()):
            continue
        fresh = locked and not passage.whole
        text = passage.text if fresh else texts.get(subject_id, passage.row_id, passage.column)
        if not text:
            continue
        row = (passage.holder, passage.row_id, passage.column)
        if passage.whole:
            found = {next(owner for owner, at in found.items() if at): [(0, len(text))]}
            mark, left = "", ""
        else:
            if text != passage.text:
                found = spans_of(passage, text, takings, request_turn)
            whole = sorted(span for at in found.values() for span in at)
            mark, left = fitting(texts, subject_id, row, text, whole, given)
        before = standing.get(row, [])
        made: list[Cut] = []
        for owner, at in found.items():
            cuts = cut_out(text, before, at, mark=mark, owner=str(owner))
            made += cuts
            taken.cuts.setdefault(owner, []).extend(as_data(row, cut) for cut in cuts)
        if not made:
            continue
        standing[row] = [*before, *made]
        taken.places.setdefault(passage.holder, set()).add(passage.row_id)
        if passage.whole:
            texts.put(subject_id, passage.row_id, {passage.column: left})
        else:
            new.setdefault(passage.row_id, {})[passage.column] = left
    if new:
        texts.put_many(subject_id, new, show=shown)
