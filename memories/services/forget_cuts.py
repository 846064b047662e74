"""The cuts that requests made in texts: collected, kept encrypted for an undo, or made final."""

from __future__ import annotations

import json
import uuid
from collections.abc import Collection
from dataclasses import dataclass, field

from memories.core.forgetting.undo import Cut, made_final
from memories.models import ForgetRequest, Tombstone

Row = tuple[str, str, str]
"""(holder, row, column)"""
Cuts = dict[Row, list[Cut]]


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


def as_data(row: Row, cut: Cut) -> dict[str, object]:
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
        subject_id=subject_id,
        state__in=[ForgetRequest.State.DONE, ForgetRequest.State.UNDOING],
        undo__isnull=False,
    )
    for owner, undo in [*stones.values_list("id", "undo"), *asked.values_list("id", "undo")]:
        for one in json.loads(undo):
            cut = Cut(one["start"], one["text"], one["mark"], str(owner))
            found.setdefault((one["holder"], one["row"], one["column"]), []).append(cut)
    return found


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
                moved.setdefault(cut.owner, []).append(as_data(row, cut))
                if gone:
                    touched.add(cut.owner)
    for owner in touched:
        undo = json.dumps(moved[owner], ensure_ascii=False)
        Tombstone.objects.filter(id=owner).update(undo=undo)
        ForgetRequest.objects.filter(id=owner).update(undo=undo)
