"""Takes words out of every text of a subject, keeps them encrypted for a restore, and puts them back or destroys them."""

from __future__ import annotations

import json
import uuid
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from memories.core.forgetting.marks import HAN, MARKS, Span, marks_for, masked
from memories.core.forgetting.texts import Spec, apart, needles, spans
from memories.core.forgetting.undo import Cut, base_of, cut_out, made_final, shown
from memories.core.text.needles import pattern_of
from memories.holders import holder
from memories.models import ForgetRequest, Tombstone
from memories.services.text_holders import SourceLinks
from memories.texts import Passage, TextHolder, text_holder, text_holders

Row = tuple[str, str, str]
"""(holder, row, column)"""
Cuts = dict[Row, list[Cut]]


@dataclass(frozen=True, slots=True)
class Taking:
    """What one owner (a tombstone's or a request's id) takes out; `only` narrows it to what was said in these turns,
    `until` to the very words where something was said after that: a request of the past does not reach new values."""

    owner: uuid.UUID
    spec: Spec
    only: frozenset[str] = frozenset()
    until: datetime | None = None


@dataclass(slots=True)
class Taken:
    """What was taken out, by owner, and in how many places of each kind."""

    cuts: dict[uuid.UUID, list[dict[str, object]]] = field(default_factory=dict)
    places: dict[str, set[str]] = field(default_factory=dict)

    @property
    def texts(self) -> int:
        """Turns and digests that lost words; what is derived from them is not counted again."""
        return len(self.places.get("turns", set()) | self.places.get("memories", set()))

    def add(self, other: Taken) -> None:
        for owner, cuts in other.cuts.items():
            self.cuts.setdefault(owner, []).extend(cuts)
        for name, rows in other.places.items():
            self.places.setdefault(name, set()).update(rows)


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


def take_derived(subject_id: uuid.UUID, without: frozenset[uuid.UUID], standing: Cuts, taken: Taken) -> None:
    """What follows from the words that turns lost: slots made of them, and links of memories that were said elsewhere too."""
    gone: dict[str, list[tuple[uuid.UUID, str]]] = {}
    for who, cuts in taken.cuts.items():
        for cut in cuts:
            if cut["holder"] == "turns":
                gone.setdefault(str(cut["row"]), []).append((who, str(cut["text"]).casefold()))
    take_slots(subject_id, gone, standing, taken)
    _sources_of(subject_id, without, standing, taken)


def _sources_of(subject_id: uuid.UUID, without: frozenset[uuid.UUID], standing: Cuts, taken: Taken) -> None:
    """A memory that stays, and was said elsewhere too, is shown by its whole sources from now on."""
    owners = {
        str(cut["row"]): owner
        for owner, cuts in taken.cuts.items()
        for cut in cuts
        if cut["holder"] == "turns"
    }
    if not owners:
        return
    sources = text_holder("sources")
    assert isinstance(sources, SourceLinks)
    for passage in sources.spare(subject_id, frozenset(owners), without):
        row = (passage.holder, passage.row_id, passage.column)
        if standing.get(row):
            continue
        owner = owners[passage.source]
        cut = Cut(0, passage.text, "", str(owner))
        standing[row] = [cut]
        taken.cuts[owner].append(_as_data(row, cut))
        sources.put(subject_id, passage.row_id, {"turn_id": ""})


def take_slots(
    subject_id: uuid.UUID, gone: dict[str, list[tuple[uuid.UUID, str]]], standing: Cuts, taken: Taken
) -> None:
    """Slots that hold no more than a word out of what was taken from their turn ("Paris") go with it.

    `gone` are, by turn, (owner, words in lower case).
    """
    texts = text_holder("slots")
    if not gone or texts is None:
        return
    for passage in list(texts.passages(subject_id, None, frozenset())):
        if passage.column != "value":
            continue
        owner = next(
            (one for one, text in gone.get(passage.source, []) if passage.text.casefold() in text), None
        )
        if owner is None:
            continue
        new: dict[str, str] = {}
        for column in ("key", "value"):
            text = texts.get(subject_id, passage.row_id, column) or ""
            row = (passage.holder, passage.row_id, column)
            mark, left = _masked(texts, subject_id, row, text, apart(text))
            made = cut_out(text, standing.get(row, []), apart(text), mark=mark, owner=str(owner))
            if made:
                standing[row] = [*standing.get(row, []), *made]
                taken.cuts[owner].extend(_as_data(row, cut) for cut in made)
                new[column] = left
        if new:
            texts.put(subject_id, passage.row_id, new)
            taken.places.setdefault(passage.holder, set()).add(passage.row_id)


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
    shown: Sequence[str] = (),
) -> None:
    """Take the spans out of one holder's passages and store what is left; `locked` says that they were read under a lock.

    `shown` are rows that come into recall again, whether they lost words or not.
    """
    new: dict[str, dict[str, str]] = {row_id: {} for row_id in shown}
    given: set[tuple[str, str]] = set()
    for passage in passages:
        found = _spans_of(passage, passage.text, takings, request_turn)
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
                found = _spans_of(passage, text, takings, request_turn)
            whole = sorted(span for at in found.values() for span in at)
            mark, left = _masked(texts, subject_id, row, text, whole, given)
        before = standing.get(row, [])
        made: list[Cut] = []
        for owner, at in found.items():
            cuts = cut_out(text, before, at, mark=mark, owner=str(owner))
            made += cuts
            taken.cuts.setdefault(owner, []).extend(_as_data(row, cut) for cut in cuts)
        if not made:
            continue
        standing[row] = [*before, *made]
        taken.places.setdefault(passage.holder, set()).add(passage.row_id)
        if passage.whole:
            texts.put(subject_id, passage.row_id, {passage.column: left})
        else:
            new.setdefault(passage.row_id, {})[passage.column] = left
    if new:
        texts.put_many(subject_id, new, show=bool(shown))


_DISTINCT = frozenset({"key", "slot_key"})
"""Columns in which no two masked texts of one batch are to be the same."""


def _masked(
    texts: TextHolder,
    subject_id: uuid.UUID,
    row: Row,
    text: str,
    found: Sequence[Span],
    given: set[tuple[str, str]] | None = None,
) -> tuple[str, str]:
    """The first mark with which the column takes the masked text, and that text; `given` are those that others got."""
    marks = marks_for(text, row[1])
    for mark in marks:
        left = masked(text, found, mark)
        if row[2] in _DISTINCT and given is not None:
            if (row[2], left) in given:
                continue
            given.add((row[2], left))
        if texts.fits(subject_id, row[1], row[2], left):
            return mark, left
    return marks[-1], masked(text, found, marks[-1])


def _spans_of(
    passage: Passage, text: str, takings: Sequence[Taking], request_turn: str
) -> dict[uuid.UUID, list[Span]]:
    """Disjoint spans by owner; where two want the same words, the first has them."""
    own = request_turn != "" and request_turn in {passage.source, passage.row_id}
    found: dict[uuid.UUID, list[Span]] = {}
    covered: list[Span] = []
    for taking in takings:
        spec = taking.spec
        if taking.until is not None and passage.said_at is not None and passage.said_at > taking.until:
            # The very words of what went are gone everywhere; how else it might be said is not looked for.
            spec = replace(spec, reach=None)
        if taking.only:
            if not taking.only & {passage.source, passage.row_id}:
                continue
            at = spans(text, spec, role=passage.role, speaker=passage.speaker)
        elif own:
            at = _named(text, spec)
        else:
            at = spans(text, spec, role=passage.role, speaker=passage.speaker)
        parts = [part for span in at for part in _minus(span, covered)]
        # A full stop that another owner's words left says nothing by itself.
        free = (
            [part for part in parts if any(char.isalnum() for char in text[slice(*part)])]
            if covered
            else parts
        )
        if free:
            found.setdefault(taking.owner, []).extend(free)
            covered += free
    return {owner: sorted(at) for owner, at in found.items()}


def _named(text: str, spec: Spec) -> list[Span]:
    """In the request itself: the values, and the names of who is to be forgotten altogether."""
    words = list(spec.values)
    if spec.reach is not None:
        words += [spec.reach.target.value] if spec.reach.target.value else []
        if not spec.reach.attributes:
            words += [
                name
                for name in spec.reach.names
                if not name.startswith(("我", "你", "您", "my ", "our ", "your "))
            ]
    exact = Spec(reach=None, values=frozenset(words))
    pattern = pattern_of([word for word in words if len(word.strip()) > 1])
    at = [match.span() for match in pattern.finditer(text)] if pattern else []
    return sorted(
        {*at, *(span for span in spans(text, exact) if not any(low <= span[0] < high for low, high in at))}
    )


def _minus(span: Span, covered: Iterable[Span]) -> list[Span]:
    parts = [span]
    for low, high in covered:
        parts = (
            [
                piece
                for start, end in parts
                for piece in ((start, min(end, low)), (max(start, high), end))
                if piece[0] < piece[1]
            ]
            if any(start < high and low < end for start, end in parts)
            else parts
        )
    return parts


def _as_data(row: Row, cut: Cut) -> dict[str, object]:
    return {
        "holder": row[0],
        "row": row[1],
        "column": row[2],
        "start": cut.start,
        "text": cut.text,
        "mark": cut.mark,
    }


def open_cuts(subject_id: uuid.UUID) -> Cuts:
    """What may still be put back, by row."""
    found: Cuts = {}
    stones = Tombstone.objects.filter(subject_id=subject_id, restored_at__isnull=True, undo__isnull=False)
    asked = ForgetRequest.objects.filter(
        subject_id=subject_id, state=ForgetRequest.State.DONE, undo__isnull=False
    )
    for owner, undo in [*stones.values_list("id", "undo"), *asked.values_list("id", "undo")]:
        for one in json.loads(undo):
            cut = Cut(one["start"], one["text"], one["mark"], str(owner))
            found.setdefault((one["holder"], one["row"], one["column"]), []).append(cut)
    return found


def put_back(subject_id: uuid.UUID, owners: Collection[uuid.UUID]) -> list[dict[str, object]]:
    """Put the owners' words back, exactly, in the open transaction; the cuts that could not be, as their texts changed.

    Texts that are not there any more miss nothing. The caller marks the owners as restored; their cuts count as open until then.
    """
    names = {str(owner) for owner in owners}
    by_holder: dict[str, list[tuple[Row, list[Cut]]]] = {}
    for row, cuts in open_cuts(subject_id).items():
        if any(cut.owner in names for cut in cuts):
            by_holder.setdefault(row[0], []).append((row, cuts))
    missed: list[dict[str, object]] = []
    # In the reverse order: an entry that was taken out whole comes back before the words inside of it.
    for texts in reversed(text_holders()):
        changed: dict[str, dict[str, str]] = {}
        for row, cuts in by_holder.get(texts.name, ()):
            current = texts.get(subject_id, row[1], row[2])
            if current is None:
                continue
            base = base_of(current, cuts)
            text = shown(base, [cut for cut in cuts if cut.owner not in names]) if base is not None else None
            if text is None or not texts.fits(subject_id, row[1], row[2], text):
                missed += [_as_data(row, cut) for cut in cuts if cut.owner in names]
                continue
            changed.setdefault(row[1], {})[row[2]] = text
        if changed:
            texts.put_many(subject_id, changed)
    return missed


def make_final(subject_id: uuid.UUID, owners: Collection[uuid.UUID]) -> None:
    """The owners' words are about to be destroyed: other cuts of the same texts no longer count them."""
    names = {str(owner) for owner in owners}
    moved: dict[str, list[dict[str, object]]] = {}
    touched: set[str] = set()
    for row, cuts in open_cuts(subject_id).items():
        gone = [cut for cut in cuts if cut.owner in names]
        left = made_final(cuts, gone) if gone else cuts
        for cut in left:
            if cut.owner not in names:
                moved.setdefault(cut.owner, []).append(_as_data(row, cut))
                if gone:
                    touched.add(cut.owner)
    for owner in touched:
        undo = json.dumps(moved[owner], ensure_ascii=False)
        Tombstone.objects.filter(id=owner).update(undo=undo)
        ForgetRequest.objects.filter(id=owner).update(undo=undo)


def keep_undo(taken: Taken) -> None:
    """Store what was taken out with what its owners keep already, encrypted."""
    cuts = {owner: found for owner, found in taken.cuts.items() if found}
    if not cuts:
        return
    for model in (Tombstone, ForgetRequest):
        owners = list(model.objects.filter(id__in=list(cuts)))
        for owner in owners:
            kept = [*json.loads(owner.undo or "[]"), *cuts[owner.id]]
            owner.undo = json.dumps(kept, ensure_ascii=False)
        if owners:
            model.objects.bulk_update(owners, ["undo"], batch_size=500)


def clear_kept_answers(subject_id: uuid.UUID, specs: Iterable[Spec]) -> None:
    """Answers kept for repeated calls live for hours only: what they hold of it is masked for good."""
    # A name of two characters is a whole one in Chinese; as few Latin letters stand in many other words.
    words = [
        one
        for spec in specs
        for one in (*spec.quotes, *(spec.values - spec.kept), *_whole_names(spec))
        if len(one.strip()) > (1 if HAN.search(one) else 3)
    ]
    if words:
        holder("kept answers").mask(subject_id, words, MARKS["en"])


def _whole_names(spec: Spec) -> tuple[str, ...]:
    """The names of somebody who is to be forgotten altogether."""
    reach = spec.reach
    return reach.names if reach is not None and not reach.attributes and not reach.own else ()
