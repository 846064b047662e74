"""Takes words out of every place for good, in the open transaction: texts with their index, versions, what an undo would bring back."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from memories.content import ModelHolder
from memories.core.forgetting.marks import REDACTED, mark_for, marks_for, masked
from memories.core.forgetting.redacting import each_text, mask_each
from memories.core.forgetting.texts import apart
from memories.core.forgetting.undo import Cut, masked_for_good, shown
from memories.holders import holder
from memories.models import ForgetRule, Job, MemoryVersion
from memories.services.redact_places import (
    ENTRIES,
    JOBS,
    Places,
    Text,
    cut_texts,
    derived_slots,
    path_of,
    side_values,
    texts_of,
    undo_texts,
)
from memories.services.redact_wanted import Sought
from memories.services.rule_names import bind_names, name_print
from memories.texts import TextHolder, text_holder

Moved = dict[tuple[str, str, str, str, int], Cut]
"""(owner, holder, row, column, start) of a cut as it was kept, and what it is now."""


def take_out_for_good(subject_id: uuid.UUID, looked: Sought, now: datetime, *, show: bool = False) -> Places:
    """The rows that lost words; `show` brings those that a run had hidden into recall again. Under the subject's lock.

    Memories that go themselves (`looked.whole`) are the caller's, and what becomes of memories of which nothing is left.
    """
    done, moved = Places(), Moved()
    for texts, some in texts_of(subject_id, looked):
        _rewrite(texts, subject_id, some, looked, done, moved, show)
    _take_slots(subject_id, done)
    versions = done.rows.get("versions", set()) | done.rows.get("version details", set())
    versions |= done.rows.get("version entries", set())
    MemoryVersion.objects.filter(pk__in=versions).update(redacted_at=now)
    _rewrite_undo(subject_id, looked, done, moved)
    _rewrite_side(subject_id, looked, done)
    return done


def _rewrite(
    texts: TextHolder,
    subject_id: uuid.UUID,
    some: Sequence[Text],
    looked: Sought,
    done: Places,
    moved: Moved,
    show: bool,
) -> None:
    new: dict[str, dict[str, str]] = {}
    given: set[tuple[str, str]] = set()
    for text in some:
        spans = text.spans(looked)
        if not spans:
            continue
        _, row_id, column = text.row
        strings = [text.base[low:high] for low, high in spans]
        done.add(texts.name, row_id, strings)
        if texts.name == "turns":
            done.by_turn.setdefault(row_id, []).extend(strings)
        if text.passage.whole:
            texts.put(subject_id, row_id, {column: ""})
            continue
        if show:
            new.setdefault(row_id, {})
        left, cuts = _fitting(texts, subject_id, text, spans, given)
        if left != shown(text.base, text.cuts):
            new.setdefault(row_id, {})[column] = left
        for before, after in zip(text.cuts, cuts, strict=True):
            moved[(before.owner, *text.row, before.start)] = after
    if new:
        texts.put_many(subject_id, new, show=list(new) if show else ())


def _fitting(
    texts: TextHolder,
    subject_id: uuid.UUID,
    text: Text,
    spans: Sequence[tuple[int, int]],
    given: set[tuple[str, str]],
) -> tuple[str, list[Cut]]:
    """The text as it is shown from now on, with the first mark that the column takes, and its cuts."""
    _, row_id, column = text.row
    left, cuts = "", list(text.cuts)
    marks = marks_for(text.base, row_id, REDACTED)
    # Two keys of which an undo gives all the rest back must not be one then.
    for mark in marks[1:] if column in {"key", "slot_key"} and text.cuts else marks:
        base, cuts = masked_for_good(text.base, text.cuts, spans, mark)
        left = shown(base, cuts)
        if column in {"key", "slot_key"} and (column, left) in given:
            continue
        if texts.fits(subject_id, row_id, column, left):
            given.add((column, left))
            break
    return left, cuts


def _take_slots(subject_id: uuid.UUID, done: Places) -> None:
    texts = text_holder("slots")
    for row_id in derived_slots(subject_id, done.by_turn):
        assert texts is not None
        new = {}
        for column in ("key", "value"):
            text = texts.get(subject_id, row_id, column) or ""
            for mark in marks_for(text, row_id, REDACTED):
                left = masked(text, apart(text), mark)
                if texts.fits(subject_id, row_id, column, left):
                    break
            new[column] = left
        texts.put(subject_id, row_id, new)
        done.add("slots", row_id)


def _rewrite_undo(subject_id: uuid.UUID, looked: Sought, done: Places, moved: Moved) -> None:
    """What requests to forget would put back is masked where it is kept, so that no undo brings it back."""
    for name, pk, cuts in list(undo_texts(subject_id)):
        changed = False
        for cut in cuts:
            after = moved.get((str(pk), cut["holder"], cut["row"], cut["column"], cut["start"]))
            if after is not None and (after.start, after.text) != (cut["start"], cut["text"]):
                if after.text != cut["text"]:
                    done.add(f"{name} (undo)", pk)
                cut["start"], cut["text"] = after.start, after.text
                changed = True
            if any(looked.spans(text) for text in cut_texts(cut)):
                _mask_cut(cut, looked)
                done.add(f"{name} (undo)", pk)
                changed = True
        if changed:
            store_undo(name, subject_id, pk, cuts)


def _mask_cut(cut: dict[str, Any], looked: Sought) -> None:
    if cut["holder"] in ENTRIES:
        cut["text"] = mask_each(str(cut["text"]), looked.mask, own=False)
    else:
        cut["text"] = looked.mask(str(cut["text"]))
    keys = path_of(cut)
    if keys:
        ours = json.loads(cut["column"])[: -len(keys)]
        behind = [looked.mask(part) if isinstance(part, str) else part for part in keys]
        cut["column"] = json.dumps([*ours, *behind])


def _rewrite_side(subject_id: uuid.UUID, looked: Sought, done: Places) -> None:
    for side, pk, column, value, own in list(side_values(subject_id)):
        texts = [text for text in each_text(value, own=own) if looked.spans(text)]
        if not texts:
            continue
        done.add(side.name, pk, [text[low:high] for text in texts for low, high in looked.spans(text)])
        _store(side.name, subject_id, pk, column, mask_each(value, looked.mask, own=own))
        if side.name == "forget rules":
            _keep_binding(subject_id, pk, texts, looked)
    for job in Job.objects.filter(subject_id=subject_id):
        mask_job(job, looked, done)


def mask_job(job: Job, looked: Sought, done: Places) -> None:
    """A job holds ids only; should one hold words after all, they go, too."""
    payload, key = mask_each(job.payload, looked.mask), looked.mask(job.key)
    if (payload, key) != (job.payload, job.key):
        done.add(JOBS, job.pk)
        Job.objects.filter(pk=job.pk).update(payload=payload, key=key[:200])


def _keep_binding(subject_id: uuid.UUID, pk: Any, texts: Sequence[str], looked: Sought) -> None:
    """A standing rule about somebody whose name goes knows the name by its print from now on."""
    rule = ForgetRule.objects.filter(pk=pk, target__isnull=False).first()
    if rule is not None:
        words = {text[low:high] for text in texts for low, high in looked.spans(text)}
        bind_names(rule, {name_print(rule.tenant_id, subject_id, word) for word in words})


def _store(name: str, subject_id: uuid.UUID, pk: Any, column: str, value: Any) -> None:
    found = holder(name)
    assert isinstance(found, ModelHolder)
    found.put(subject_id, pk, column, value)


def store_undo(name: str, subject_id: uuid.UUID, pk: Any, cuts: Sequence[dict[str, Any]]) -> None:
    """Keep these cuts for an undo, encrypted."""
    _store(name, subject_id, pk, "undo", json.dumps(cuts, ensure_ascii=False) if cuts else None)


def mark_of(text: str) -> str:
    """The mark that stands for a whole text."""
    return mark_for(text, REDACTED)
