"""What follows from words that texts lost: slots made of them, links of memories that were said elsewhere too, kept answers."""

from __future__ import annotations

import uuid
from collections.abc import Iterable

from memories.core.forgetting.marks import HAN, MARKS
from memories.core.forgetting.texts import Spec, apart
from memories.core.forgetting.undo import Cut, cut_out
from memories.holders import holder
from memories.services.forget_cuts import Cuts, Taken, as_data
from memories.services.forget_spans import fitting
from memories.services.text_holders import SourceLinks
from memories.texts import text_holder


def take_derived(subject_id: uuid.UUID, without: frozenset[uuid.UUID], standing: Cuts, taken: Taken) -> None:
    """What follows from the words that turns lost: slots made of them, and links of memories that were said elsewhere too."""
    gone: dict[str, list[tuple[uuid.UUID, str]]] = {}
    for who, cuts in taken.cuts.items():
        for cut in cuts:
            if cut["holder"] == "turns":
                gone.setdefault(str(cut["row"]), []).append((who, str(cut["text"]).casefold()))
    take_slots(subject_id, gone, standing, taken)
    _sources_of(subject_id, without, standing, taken)


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
            mark, left = fitting(texts, subject_id, row, text, apart(text))
            made = cut_out(text, standing.get(row, []), apart(text), mark=mark, owner=str(owner))
            if made:
                standing[row] = [*standing.get(row, []), *made]
                taken.cuts.setdefault(owner, []).extend(as_data(row, cut) for cut in made)
                new[column] = left
        if new:
            texts.put(subject_id, passage.row_id, new)
            taken.places.setdefault(passage.holder, set()).add(passage.row_id)


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
        taken.cuts.setdefault(owner, []).append(as_data(row, cut))
        sources.put(subject_id, passage.row_id, {"turn_id": ""})


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
