"""Where words stand: every text, what requests to forget keep for an undo, kept answers, queued work. Preview and proof count alike."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from accounts.models import Subject
from memories.content import ModelHolder
from memories.core.forgetting.redacting import each_text
from memories.core.forgetting.undo import Cut, base_of
from memories.holders import holder
from memories.models import Evidence, Fact, Job, Memory, MemoryVersion, Tombstone
from memories.services.forget_cuts import Row, open_cuts
from memories.services.redact_wanted import Sought
from memories.texts import Passage, TextHolder, text_holder, text_holders

SIDE = {
    # holder: (column, whether the JSON in it is our own)
    "kept answers": (("response", False),),
    "traces": (("considered", True), ("context", True)),
    "contradictions": (("undo", True),),
    "forget rules": (("label", True), ("target", True)),
    "forget requests": (("target", True),),
    "subjects": (("display_name", True),),
    "redactions": (("reason", True),),
    "queued texts": (("given", True),),
}
"""What no text holder reaches."""
NO_TEXTS = frozenset({"sources"})
ENTRIES = frozenset({"entries", "version entries"})
JOBS = "queued work"


@dataclass(slots=True)
class Places:
    """Ids of rows by holder, the very strings that stand there (never stored), and by turn what of it was said there."""

    rows: dict[str, set[str]] = field(default_factory=dict)
    strings: set[str] = field(default_factory=set)
    by_turn: dict[str, list[str]] = field(default_factory=dict)

    @property
    def counts(self) -> dict[str, int]:
        """Rows by holder."""
        return {name: len(ids) for name, ids in sorted(self.rows.items()) if ids}

    def add(self, name: str, row_id: object, texts: list[str] | None = None) -> None:
        """Note a row, with the strings found in it."""
        self.rows.setdefault(name, set()).add(str(row_id))
        self.strings.update(texts or ())


@dataclass(frozen=True, slots=True)
class Text:
    """One text that may hold them: as it would be with all that an undo may put back (`base`), and the cuts in it."""

    passage: Passage
    base: str
    cuts: list[Cut]

    @property
    def row(self) -> Row:
        return (self.passage.holder, self.passage.row_id, self.passage.column)

    def spans(self, looked: Sought) -> list[tuple[int, int]]:
        """In the base; what stands in a cut by itself, too."""
        role, speaker = self.passage.role, self.passage.speaker
        found = set(looked.spans(self.base, role=role, speaker=speaker))
        for cut in self.cuts:
            found |= {(cut.start + low, cut.start + high) for low, high in looked.spans(cut.text)}
        merged: list[tuple[int, int]] = []
        for low, high in sorted(found):
            if merged and low < merged[-1][1]:
                merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
            else:
                merged.append((low, high))
        return merged


def texts_of(subject_id: uuid.UUID, looked: Sought) -> Iterator[tuple[TextHolder, list[Text]]]:
    """By holder, the texts in which it may stand, their rows locked; what hangs on memories that go themselves left out."""
    standing = open_cuts(subject_id)
    for one in text_holders():
        if one.name in NO_TEXTS:
            continue
        texts = one.everything()
        passages = {
            (passage.row_id, passage.column): passage
            for passage in texts.passages(subject_id, looked.holding, looked.whole)
            if looked.spans(passage.text, role=passage.role, speaker=passage.speaker)
        }
        if texts.name not in ENTRIES:
            for name, row_id, column in standing:
                if name == texts.name:
                    passages.setdefault((row_id, column), Passage(name, row_id, column, ""))
        rows = texts.load(subject_id, {row_id for row_id, _ in passages})
        found = []
        for (row_id, column), passage in passages.items():
            if row_id not in rows:
                continue
            text = passage.text if passage.whole else texts.value(rows[row_id], column) or ""
            cuts = [] if passage.whole else standing.get((texts.name, row_id, column), [])
            base = base_of(text, cuts) if cuts else text
            if base is None:
                # It was changed since: the cuts are looked at by themselves, with all that is kept for an undo.
                base, cuts = text, []
            if base:
                found.append(Text(passage, base, cuts))
        yield texts, found


def side_values(subject_id: uuid.UUID) -> Iterator[tuple[ModelHolder, Any, str, Any, bool]]:
    """(holder, primary key, column, value, whether its JSON is our own) of what no text holder reaches."""
    for name, columns in SIDE.items():
        found = holder(name)
        assert isinstance(found, ModelHolder)
        for column, own in columns:
            for pk, value in found.values(subject_id, column):
                yield found, pk, column, value, own


def undo_texts(subject_id: uuid.UUID) -> Iterator[tuple[str, Any, list[dict[str, Any]]]]:
    """(holder, row, cuts) of all that is kept for an undo, open or not."""
    for name in ("tombstones", "forget requests"):
        found = holder(name)
        assert isinstance(found, ModelHolder)
        for pk, undo in found.values(subject_id, "undo"):
            yield name, pk, json.loads(undo)


def cut_texts(cut: dict[str, Any]) -> list[str]:
    """What of a kept cut people wrote: its text, and the keys on its path."""
    path = path_of(cut)
    text = list(each_text(str(cut["text"]), own=False)) if cut["holder"] in ENTRIES else [str(cut["text"])]
    return [*text, *(part for part in path if isinstance(part, str))]


def path_of(cut: dict[str, Any]) -> list[Any]:
    """The keys, behind the names of columns and parts that are ours."""
    column = str(cut["column"])
    if not column.startswith("["):
        return []
    ours = 2 if str(cut["holder"]).startswith("version") else 1
    return list(json.loads(column)[ours:])


def find_places(subject_id: uuid.UUID, looked: Sought) -> Places:
    """Where it stands, in the open transaction, under the subject's lock where it is to be the truth."""
    found = Places()
    for texts, some in texts_of(subject_id, looked):
        for text in some:
            spans = text.spans(looked)
            if not spans:
                continue
            strings = [text.base[low:high] for low, high in spans]
            found.add(texts.name, text.passage.row_id, strings)
            if texts.name == "turns":
                found.by_turn.setdefault(text.passage.row_id, []).extend(strings)
    for row_id in derived_slots(subject_id, found.by_turn):
        found.add("slots", row_id)
    for name, pk, cuts in undo_texts(subject_id):
        for cut in cuts:
            _note(found, f"{name} (undo)", pk, looked, cut_texts(cut))
    for side, pk, _, value, own in side_values(subject_id):
        _note(found, side.name, pk, looked, each_text(value, own=own))
    for job in Job.objects.filter(subject_id=subject_id):
        _note(found, JOBS, job.pk, looked, [job.key, *each_text(job.payload)])
    for memory_id in looked.whole:
        _own_rows(found, memory_id)
    return found


def _note(found: Places, name: str, pk: Any, looked: Sought, texts: Any) -> None:
    for text in texts:
        spans = looked.spans(text)
        if spans:
            found.add(name, pk, [text[low:high] for low, high in spans])


def _own_rows(found: Places, memory_id: uuid.UUID) -> None:
    """What a memory consists of goes, whatever it says; nothing of one that was redacted."""
    if not Memory.objects.filter(pk=memory_id).exclude(status="redacted").exists():
        return
    found.add("memories", memory_id)
    for name, model in (
        ("versions", MemoryVersion),
        ("evidence", Evidence),
        ("facts", Fact),
        ("tombstones", Tombstone),
    ):
        for pk in model._default_manager.filter(memory_id=memory_id).values_list("pk", flat=True):
            found.add(name, pk)


def derived_slots(subject_id: uuid.UUID, by_turn: Mapping[str, list[str]]) -> list[str]:
    """Slots that hold no more than a word out of what their turn loses: they go with it."""
    texts = text_holder("slots")
    if texts is None or not by_turn:
        return []
    gone = {turn: "\n".join(strings).casefold() for turn, strings in by_turn.items()}
    return [
        passage.row_id
        for passage in texts.passages(subject_id, None, frozenset())
        if passage.column == "value" and passage.text.casefold() in gone.get(passage.source, "")
    ]


def external_ids(subject_id: uuid.UUID, looked: Sought) -> int:
    """1 where the name by which the caller's system knows the person holds it: that is not rewritten, the person can be erased."""
    found = Subject.objects.filter(pk=subject_id).values_list("external_id", flat=True).first()
    return int(bool(found and looked.spans(found)))


def waiting_jobs(found: Places) -> list[str]:
    """Jobs not begun that will read turns in which it stands: they read what is left."""
    turns = sorted(found.rows.get("turns", ()))
    if not turns:
        return []
    rows = Job.objects.filter(state=Job.State.PENDING)
    of = rows.filter(payload__turn_id__in=turns) | rows.filter(key__in=turns)
    return [str(pk) for pk in of.order_by("pk").values_list("pk", flat=True)[:200]]
