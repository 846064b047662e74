"""Recall's one round trip: the ranked candidates of a question within one subject, as the app role under row-level security."""

from __future__ import annotations

import json
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from functools import lru_cache
from operator import attrgetter
from typing import Any

import numpy as np

from memories.core.decay import half_life_days
from memories.core.forgetting.marks import ANY_MARK
from memories.core.kinds import Kind, Level, Source
from memories.core.policy import WEIGHTS, Policy
from memories.core.statement import FactPart
from memories.core.text.lexical import query_terms
from memories.store import prepared
from memories.store.candidates_sql import statement
from memories.store.first_pass_sql import passed
from memories.store.past import Extra
from memories.store.recall_shape import Shape
from memories.store.sizes import size_of
from memories.store.speakers import speakers_in, speakers_query
from memoryhub.common.db import current_tenant_id

EPISODE_KINDS = frozenset({"turn", "chunk", "episode"})


@dataclass(frozen=True, slots=True)
class Form:
    """One wording of the question; `vector` is a unit vector in the space that is asked, None while there is no embedder."""

    text: str
    vector: Sequence[float] | None = None


@dataclass(frozen=True, slots=True)
class Search:
    """What to look for and what may be found. `returned` rows come back, ranked out of the best `recall.candidates`.

    `speakers` are the terms of named speakers that the question mentions (core.names). `session_id` and `agent_id` open
    that session's and that agent's own memories; without them only memories of scope user are found. `past` finds what was
    superseded, too, marked; `extras` are memories as of `as_of` that the index does not hold as they were then (store.past).
    """

    subject_id: uuid.UUID
    forms: Sequence[Form]
    space_id: int | None
    now: datetime
    returned: int
    speakers: Collection[str] = ()
    session_id: uuid.UUID | None = None
    agent_id: uuid.UUID | None = None
    episodes: bool = True
    memories: bool = True
    kinds: Collection[str] | None = None
    tags: Collection[str] | None = None
    metadata: Mapping[str, Any] | None = None
    since: datetime | None = None
    until: datetime | None = None
    as_of: datetime | None = None
    past: bool = False
    extras: Sequence[Extra] = ()
    excluded_turn_ids: Collection[uuid.UUID] = ()


@dataclass(slots=True)
class Candidate:
    """One ranked row, not to be changed after it was made (frozen ones take several times as long to make); every part in 0..1 and not yet weighted. The last eleven are services.rerank's.

    `near` maps the places (0-based) of better-ranked rows to the cosine with them, from NEAR up. `covered` is the share of
    the question's lexical weight (idf) that the item's terms cover, `cosine` is None without a vector. `source_ids` are the
    newest first. `superseded` comes only to a search of the past; `partly` says that some of what was learnt from a turn was
    superseded since, `contradicts` names the other sides of open contradictions, and `facts` are a memory's that hold.
    """

    item_id: uuid.UUID
    item_kind: str
    kind: str
    text: str
    said_at: datetime
    speaker: str
    role: str
    source: str
    importance: float
    pinned: bool
    strength: float
    score: float
    cosine: float | None
    lexical: float
    covered: float
    context: float
    relevance: float
    similarity: float
    strong: float
    recency: float
    credibility: float
    pin: float
    session_id: uuid.UUID | None
    seq: int
    source_ids: list[uuid.UUID] = field(default_factory=list)
    confidence: float = 1.0
    near: dict[int, float] = field(default_factory=dict)
    considered: int = 0
    source_id: uuid.UUID | None = None
    superseded: bool = False
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    partly: bool = False
    contradicts: list[uuid.UUID] = field(default_factory=list)
    facts: list[FactPart] = field(default_factory=list)
    answer: float = 0.0
    kept: float = 0.0
    asks: float = 0.0
    slot: float = 0.0
    told: float = 0.0
    own: float = 0.0
    experience: float = 0.0
    liking: float = 0.0
    later: float = 0.0
    hop: float = 0.0
    theirs: float = 0.0
    stale: float = 0.0
    outside: float | None = None

    @property
    def contradicted(self) -> bool:
        """Whether it stands in an open contradiction, itself or what was learnt from it."""
        return bool(self.contradicts)

    def but(self, **changed: Any) -> Candidate:
        """A copy with these fields changed; several times faster than dataclasses.replace, which every recall would feel."""
        made = Candidate(*_VALUES(self))
        for name, value in changed.items():
            setattr(made, name, value)
        return made


_VALUES = attrgetter(*(one.name for one in fields(Candidate)))


NEAR = 0.85
"""Cosine from which two rows are reported as near; what follows from that is decided by the caller."""
_VECTOR = 26
"""Where a row of the statement has its vector, a candidate what is near."""


def near_among(vectors: Sequence[bytes | None]) -> list[dict[int, float]]:
    """For each row, which of the rows before it (0-based) it is near to, and how near; nothing for one without a vector.

    Here and not in SQL: comparing all of some ninety rows took longer there than finding them.
    """
    near: list[dict[int, float]] = [{} for _ in vectors]
    places = [place for place, vector in enumerate(vectors) if vector is not None]
    if len(places) < 2:
        return near
    rows = prepared.from_halfvecs([vector for vector in vectors if vector is not None])
    cosines = rows @ rows.T
    for later, earlier in np.argwhere(np.tril(cosines >= NEAR, -1)).tolist():
        near[places[later]][places[earlier]] = float(cosines[later, earlier])
    return near


def candidates(search: Search, policy: Policy) -> list[Candidate]:
    """The best rows for the question, best first. One statement; inside a tenant transaction.

    Exact over all of the subject's vectors, up to `recall.exact_up_to` items and wherever a filter could leave over little;
    else a first pass by bits (store.first_pass_sql). The lists that are ranked: the `recall.candidates` nearest and as many best
    by BM25, each after the filters, and the turns beside the best of them.
    """
    return _candidates(prepared.fetch(*query(search, policy)))


def candidates_alone(
    tenant_id: uuid.UUID, search: Search, policy: Policy, names: Sequence[str] = ()
) -> tuple[list[Candidate], list[str] | None]:
    """The same in a transaction of its own, and which of the names are speakers (store.speakers.speakers_among); in one trip."""
    rows, speakers = prepared.fetch_alone(
        tenant_id, query(search, policy, tenant_id), speakers_query(tenant_id, search.subject_id, names)
    )
    return _candidates(rows), speakers_in(speakers, search.subject_id)


def nearest(search: Search, policy: Policy, k: int) -> list[uuid.UUID]:
    """The k items that the statement's vector step takes for the nearest, before any filter: what `bench` compares with an
    exact search."""
    sql, values = query(search, policy)
    head = sql[: sql.index(_FIRST_FILTER)].rstrip().removesuffix(",")
    return [
        row[0]
        for row in prepared.fetch(f"{head} SELECT item_id FROM dense ORDER BY c0 DESC LIMIT {int(k)}", values)
    ]


def explain(search: Search, policy: Policy) -> str:
    """The statement's plan as it runs for the current role, for tests and `bench`."""
    sql, values = query(search, policy)
    return "\n".join(row[0] for row in prepared.fetch(f"EXPLAIN (ANALYZE, BUFFERS) {sql}", values))


def query(search: Search, policy: Policy, tenant_id: uuid.UUID | None = None) -> tuple[str, dict[str, Any]]:
    """The statement and its parameters; of the open scope's tenant, where none is given."""
    if not search.forms:
        raise ValueError("a search needs at least one form of the question")
    dense = search.space_id is not None and all(form.vector is not None for form in search.forms)
    wants_turns = search.kinds is None or not EPISODE_KINDS.isdisjoint(search.kinds)
    shape = Shape(
        forms=len(search.forms),
        dense=dense,
        speakers=bool(search.speakers),
        # Tags and metadata are a memory's; a turn has none, so it cannot match.
        episodes=search.episodes and wants_turns and not search.tags and not search.metadata,
        memories=search.memories and (search.kinds is None or not EPISODE_KINDS.issuperset(search.kinds)),
        kinds=search.kinds is not None,
        tags=bool(search.tags),
        metadata=bool(search.metadata),
        since=search.since is not None,
        until=search.until is not None,
        as_of=search.as_of is not None,
        past=search.past,
        extra=bool(search.extras),
        excluded=bool(search.excluded_turn_ids),
    )
    tenant = tenant_id or current_tenant_id()
    size = size_of(tenant, search.subject_id)
    if size.items > policy.integer("recall.exact_up_to") and not _picky(shape):
        shape = replace(shape, large=True)
    if not shape.episodes and not shape.memories:
        shape = Shape(forms=len(search.forms), dense=dense, episodes=False, kinds=True)
    values = {
        **_of_search(search, dense),
        "tenant": tenant,
        **_of_policy(policy),
        "items": size.items,
        "mean_length": size.mean_length,
        "first_pass": passed(policy.integer("recall.first_pass"), size.items),
    }
    if shape.large:
        values["terms"] = [term for term in values["terms"] if term not in search.speakers]
    if search.extras:
        values |= _of_extras(search.extras, values["terms"])
    return _statement(shape), values


_FIRST_FILTER = "\ndense_top AS"
_statement = lru_cache(maxsize=256)(statement)


def _picky(shape: Shape) -> bool:
    """Whether filters may leave over little of what is nearest, so that only an exact search finds it."""
    return (
        shape.kinds
        or shape.tags
        or shape.metadata
        or shape.since
        or shape.until
        or shape.as_of
        or shape.extra
    )


def _of_search(search: Search, dense: bool) -> dict[str, Any]:
    forms = [query_terms(form.text) for form in search.forms]
    values: dict[str, Any] = {
        "subject": search.subject_id,
        "space": search.space_id,
        "now": search.as_of or search.now,
        "as_of": search.as_of,
        "since": search.since,
        "until": search.until,
        "session": search.session_id,
        "agent": search.agent_id,
        "kinds": list(search.kinds or ()),
        "tags": list(search.tags or ()),
        "metadata": json.dumps(search.metadata or {}),
        "excluded": list(search.excluded_turn_ids),
        "speakers": list(search.speakers),
        "terms": list(dict.fromkeys([*(term for terms in forms for term in terms), *search.speakers])),
        "returned": search.returned,
        "taken": ANY_MARK.pattern,
    }
    for at, (form, terms) in enumerate(zip(search.forms, forms, strict=True)):
        values[f"terms{at}"] = terms
        if dense and form.vector is not None:
            values[f"vector{at}"] = prepared.halfvec(form.vector)
    return values


def _of_extras(extras: Sequence[Extra], terms: Sequence[str]) -> dict[str, Any]:
    hits = [
        (extra.item_id, term, extra.terms[term], extra.length)
        for extra in extras
        for term in terms
        if term in extra.terms
    ]
    return {
        "extra_ids": [extra.item_id for extra in extras],
        "extra_vectors": [None if extra.vector is None else _as_text(extra.vector) for extra in extras],
        "hit_ids": [hit[0] for hit in hits],
        "hit_terms": [hit[1] for hit in hits],
        "hit_counts": [hit[2] for hit in hits],
        "hit_lengths": [hit[3] for hit in hits],
    }


def _as_text(vector: Sequence[float]) -> str:
    return "[" + ",".join(f"{value:.5g}" for value in vector) + "]"


@lru_cache(maxsize=64)
def _of_policy(policy: Policy) -> Mapping[str, Any]:
    total = sum(policy.number(key) for key in WEIGHTS)
    weights = {f"w_{key.rsplit('.', 1)[1]}": policy.number(key) / total for key in WEIGHTS}
    kinds: dict[str, float | None] = {kind.value: half_life_days(policy, kind.value) for kind in Kind}
    kinds[""] = half_life_days(policy, "")
    levels = {level.value: half_life_days(policy, "", level.value) for level in Level}
    return {
        **weights,
        "kind_days": json.dumps(kinds),
        "level_days": json.dumps(levels),
        "turn_days": half_life_days(policy, "turn"),
        "cap": policy.number("strength.cap"),
        "hit_bonus": policy.number("reinforce.retrieved"),
        "credibilities": json.dumps(
            {source.value: policy.number(f"credibility.{source.value}") for source in Source}
        ),
        "candidates": policy.integer("recall.candidates"),
        "first_pass": policy.integer("recall.first_pass"),
        "neighbours_of": policy.integer("recall.neighbours_of"),
        "context_rank": policy.integer("recall.context_rank") - 1,
        **{
            name: policy.number(f"recall.{name}")
            for name in (
                "scale_low",
                "scale_high",
                "lexical_weight",
                "lexical_alone",
                "context_before",
                "context_after",
                "context_far",
                "context_gain",
                "context_floor",
                "speaker_weight",
                "recency_days",
                "pin_bonus",
            )
        },
    }


def _candidates(rows: Sequence[Sequence[Any]]) -> list[Candidate]:
    near = near_among([row[_VECTOR] for row in rows])
    return [_candidate(row, beside) for row, beside in zip(rows, near, strict=True)]


def _candidate(row: Sequence[Any], near: dict[int, float]) -> Candidate:
    values = list(row)
    values[24] = list(values[24] or ())
    values[_VECTOR] = near
    values[33] = list(values[33] or ())
    values[34] = [
        FactPart(entity, attribute, value, negated=negated)
        for entity, attribute, value, negated in (values[34] or ())
    ]
    return Candidate(*values)
