"""Recall beside the exact floor, at every size of a subject; embedding excluded: the questions' vectors are known."""

from __future__ import annotations

import uuid
from functools import partial

from memories.adapters.factory import get_clock
from memories.benchmark.cases import Line, Options, Result
from memories.benchmark.floor import Floor
from memories.benchmark.measure import interleaved, ratio, shared_of
from memories.benchmark.store import Store
from memories.services.policies import policy_of
from memories.services.recall import recall
from memories.store.candidates import Form, Search, nearest
from memoryhub.common.db import tenant_transaction

EXACT = 32
"""Questions whose nearest are compared with the exact ones."""


def run(store: Store, options: Options) -> Result:
    """A line a subject: recall without and with its trace and reinforcement."""
    result = Result()
    floor = Floor()
    try:
        for size in sorted(store.people):
            result.lines += _at(store, options, floor, size)
    finally:
        floor.close()
    return result


def _nearest(
    store: Store, floor: Floor, subject_id: uuid.UUID
) -> tuple[list[list[uuid.UUID]], list[list[uuid.UUID]]]:
    """For each question the ten nearest that recall's own statement ranks by vectors, and the floor's ten, which are exact.

    Of equal cosines (half floats make some) either may come first: the floor's list is cut where ours could not be told.
    """
    policy, _ = policy_of(store.tenant_id)
    found, exact = [], []
    for text, vector in zip(store.questions[:EXACT], store.vectors, strict=False):
        search = Search(
            subject_id=subject_id,
            forms=[Form(text, vector.tolist())],
            space_id=store.space_id,
            now=get_clock().now(),
            returned=10,
        )
        with tenant_transaction(store.tenant_id):
            found.append(nearest(search, policy, 10))
        exact.append(floor.nearest(subject_id, vector.tolist(), 10))
    return found, exact


def _at(store: Store, options: Options, floor: Floor, size: int) -> list[Line]:
    subject_id = store.people[size]
    asked = store.questions

    def bare(number: int) -> object:
        vector = store.vectors[number % len(asked)]
        return floor.nearest(subject_id, vector.tolist(), 10)

    def ask(number: int, *, written: bool) -> object:
        return recall(
            actor=store.actor,
            subject_id=subject_id,
            query=asked[number % len(asked)],
            k=10,
            trace=written,
            reinforce=written,
        )

    found, exact = _nearest(store, floor, subject_id)
    rounds = max(5, min(options.rounds, 4_000_000 // max(size, 1)))
    timings = interleaved(
        {"floor": bare, "recall": partial(ask, written=False), "written": partial(ask, written=True)}, rounds
    )
    lines = []
    for name in ("recall", "written"):
        figures = timings[name].as_data()
        figures |= {f"ratio_p{p}": ratio(timings[name], timings["floor"], p) for p in (50, 95)}
        figures |= {f"floor_p{p}": round(timings["floor"].at(p), 3) for p in (50, 95)}
        figures["recall_at_10"] = round(shared_of(found, exact), 4)
        lines.append(
            Line(
                "recall" if name == "recall" else "recall, traced",
                f"{size:,} of {store.total:,}",
                figures,
                "exact search",
            )
        )
    return lines
