"""Recall: what is known about a subject that fits a question, ranked, explained and traced (R21, R22, R23)."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import structlog

from accounts.actor import Actor
from accounts.reading import is_noted, note_reading
from memories.adapters.factory import get_clock, get_reranker
from memories.core.decay import Hit
from memories.core.names import name_candidates, without_names
from memories.core.policy import Policy
from memories.core.questions.focus import focus
from memories.core.questions.past import asks_about_past, holding
from memories.core.text.kept import age_kept
from memories.models import RecallTrace
from memories.ports import EmbedderUnavailable, EmbeddingRefused
from memories.services.abstain import evidence
from memories.services.choose import choose
from memories.services.embed_ahead import Ahead, question_vectors, wordings
from memories.services.meters import RECALL_SECONDS
from memories.services.past_items import past_items
from memories.services.policies import policy_for
from memories.services.recall_result import RecallItem, RecallResult
from memories.services.rerank import rerank
from memories.services.rerank_outside import ask_outside, with_outside
from memories.services.screen import screen
from memories.services.traces import new_trace, parts_of
from memories.store.candidates import Candidate, Form, Search, candidates_alone
from memories.store.speakers import is_spoken_of, speakers_among, was_there
from memories.store.strength import reinforce_rows
from memoryhub.common.db import writing_of_what_was_read
from memoryhub.common.errors import Invalid, NotFound

__all__ = ["RecallItem", "RecallResult", "recall"]

log = structlog.get_logger(__name__)

LOOKED_AT = 30
"""Rows beyond those wanted that are read and ranked again by what they can tell."""
NO_EMBEDDING = "no_embedding"


@dataclass(frozen=True, slots=True)
class _Question:
    """The question as it is searched: its forms with vectors, and the speakers that it names."""

    forms: list[Form]
    speakers: list[str]
    space_id: int | None
    degraded: str


def recall(
    *,
    actor: Actor,
    subject_id: uuid.UUID,
    query: str,
    k: int | None = None,
    session_id: uuid.UUID | None = None,
    agent_id: uuid.UUID | None = None,
    kinds: Collection[str] | None = None,
    tags: Collection[str] | None = None,
    metadata: Mapping[str, Any] | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    as_of: datetime | None = None,
    past: bool | None = None,
    standalone_query: str | None = None,
    turn_id: uuid.UUID | None = None,
    reinforce: bool = True,
    episodes: bool = True,
    exclude_turn_ids: Collection[uuid.UUID] = (),
    trace: bool = True,
    hand_over_trace: bool = False,
    ahead: Ahead | None = None,
    now: datetime | None = None,
) -> RecallResult:
    """The best `k` (default: the policy's) memories and episodes of one subject for a question.

    `query`, where given `standalone_query`, and the question at the end of a long message search; an item counts by the form that it fits best. `session_id`
    and `agent_id` open that session's and that agent's own memories, they do not restrict. `since` and `until` bound
    when it was said, [since, until); `as_of` asks what was believed then, with the words of then. `past` lets what was
    superseded come along, marked; left out, the question decides (core.questions.past): questions of the present get none of it. What went into the result is reinforced, once a
    turn, unless `reinforce` is off. With `hand_over_trace` the trace is not stored but comes along: a caller who adds to it
    stores it once. `ahead` are vectors of the question that a caller who had
    seen to it that the subject is there asked for before; without them nothing is embedded before that is known (or was, a minute ago). While the embedder is down the search is lexical, and `degraded` says so.

    NotFound for a subject that is not there, was erased, or that the actor may not read; Invalid for an empty question, a k outside 1..100, or a time
    without a zone.
    """
    started = time.perf_counter()
    age_kept(time.monotonic())
    actor.require_subject(subject_id, write=False)
    in_force = policy_for(actor.tenant_id, session_id)
    policy = in_force.policy
    wanted = _checked_k(k, policy)
    _check_times(since=since, until=until, as_of=as_of, now=now)
    _check_filters(tags, metadata)
    at = now or get_clock().now()
    # A question is kept in its trace, and may name a secret as well as any statement does.
    query = screen(query, policy).text_masked
    standalone_query = screen(standalone_query, policy).text_masked if standalone_query else None
    texts = wordings(query, standalone_query or "")
    if not texts:
        raise Invalid("the question is empty", hint="Ask something.", fields={"query": "may not be blank"})
    names = list(dict.fromkeys(name for text in texts for name in name_candidates(text)))
    # Few questions name a speaker: where none did so far, that is looked up in the trip of the search.
    # Nothing is embedded, or told to a reranker, for a subject of which it is not known that it is there.
    known = ahead is not None or was_there(subject_id)
    first = not known or is_spoken_of(subject_id) or get_reranker() is not None
    speakers = speakers_among(actor.tenant_id, subject_id, names) if first else []
    if speakers is None:
        raise NotFound("no such subject")
    question = _embedded(texts, speakers, policy, ahead)
    extras = [] if as_of is None else past_items(actor, subject_id, as_of, question.space_id)
    if past is None:
        past = asks_about_past(f"{query}\n{standalone_query or ''}", as_of or at)
    asked = time.perf_counter()
    search = Search(
        subject_id=subject_id,
        forms=question.forms,
        space_id=question.space_id,
        now=at,
        returned=min(wanted + LOOKED_AT, max(wanted, policy.integer("recall.candidates"))),
        speakers=question.speakers,
        session_id=session_id,
        agent_id=agent_id,
        episodes=episodes,
        kinds=kinds,
        tags=tags,
        metadata=metadata,
        since=since,
        until=until,
        as_of=as_of,
        past=past,
        extras=extras,
        excluded_turn_ids=exclude_turn_ids,
    )
    asked_for = f"{focus(query) or query}\n{standalone_query or ''}"
    outside = ask_outside(
        actor=actor, search=search, question=asked_for, policy=policy, now=as_of or at, past=past
    )
    made: RecallTrace | None = None
    rows, speakers = candidates_alone(actor.tenant_id, search, policy, () if first else names)
    if speakers is None:
        raise NotFound("no such subject")
    if speakers:
        question = _embedded(texts, speakers, policy)
        search = replace(search, forms=question.forms, speakers=speakers, space_id=question.space_id)
        rows, _ = candidates_alone(actor.tenant_id, search, policy)
    found = rerank(rows, asked_for, policy, now=as_of or at, past=past)
    searched = time.perf_counter()
    support, seen = evidence(found, asked_for, policy, question.speakers)
    unlikely = support < policy.number("recall.threshold")
    found = with_outside(found, outside, policy)
    chosen = [] if unlikely else choose(found, wanted, policy)
    abstained = not chosen
    chose = time.perf_counter()
    told = _told(found, chosen, 2 * wanted) if trace else chosen
    parts = {row.item_id: parts_of(row) for row in told}
    if trace:
        made = new_trace(
            subject_id=subject_id,
            session_id=session_id,
            turn_id=turn_id,
            query=query,
            standalone_query=standalone_query or "",
            found=told,
            parts=parts,
            used={row.item_id for row in chosen},
            abstained=abstained,
            degraded=question.degraded or outside.missed,
            in_force=in_force,
            space_id=question.space_id,
            milliseconds=1000 * (chose - started),
            at=at,
        )
    stored = made if made is not None and not hand_over_trace else None
    # Asking what was believed once is no use of it now.
    hit = [row.item_id for row in chosen] if reinforce and as_of is None else []
    if stored is not None or hit or is_noted(actor, subject_id):
        with writing_of_what_was_read(actor.tenant_id, NotFound("no such subject")):
            note_reading(actor, subject_id, "memories.recall")
            if stored is not None:
                stored.save(force_insert=True)
            reinforce_rows(
                subject_id=subject_id, ids=hit, event=Hit.RETRIEVED, turn_id=turn_id, policy=policy, now=at
            )
    ended = time.perf_counter()
    RECALL_SECONDS.observe(ended - started)
    return RecallResult(
        items=[_item(row, parts[row.item_id], as_of or at) for row in chosen],
        trace_id=made.id if made else None,
        unstored=made if hand_over_trace else None,
        abstained=abstained,
        degraded=question.degraded,
        milliseconds=1000 * (ended - started),
        considered=found[0].considered if found else 0,
        evidence=support,
        signs=seen,
        past=past,
        steps={
            "ask": 1000 * (asked - started),
            "search": 1000 * (searched - asked),
            "choose": 1000 * (chose - searched),
            "write": 1000 * (ended - chose),
        },
    )


def _told(found: list[Candidate], chosen: list[Candidate], first: int) -> list[Candidate]:
    """What the trace tells of: the first rows, and every chosen one behind them."""
    used = {row.item_id for row in chosen}
    return found[:first] + [row for row in found[first:] if row.item_id in used]


def _embedded(texts: list[str], speakers: list[str], policy: Policy, ahead: Ahead | None = None) -> _Question:
    """Take speakers' names out of the question, and embed it, before any transaction that matters is open."""
    if speakers:
        texts = list(dict.fromkeys(without_names(text, speakers) for text in texts))
    try:
        space_id, vectors = question_vectors(texts, policy, ahead)
    except (EmbedderUnavailable, EmbeddingRefused) as error:
        log.warning("recall.degraded", error=type(error).__name__)
        return _Question([Form(text) for text in texts], speakers, None, NO_EMBEDDING)
    forms = [Form(text, vector.tolist()) for text, vector in zip(texts, vectors, strict=True)]
    return _Question(forms, speakers, space_id, "")


def _checked_k(k: int | None, policy: Policy) -> int:
    if k is None:
        return policy.integer("recall.k")
    if not 1 <= k <= 100:
        raise Invalid(
            "k is out of range", hint="Ask for 1 to 100.", fields={"k": "must lie between 1 and 100"}
        )
    return k


def _check_filters(tags: Collection[str] | None, metadata: Mapping[str, Any] | None) -> None:
    """Invalid for what no stored text can hold, and PostgreSQL does not read: NUL and lone surrogates."""
    given = {"tags": json.dumps(list(tags or ())), "metadata": json.dumps(dict(metadata or {}))}
    for name, text in given.items():
        plain = json.dumps(json.loads(text), ensure_ascii=False)
        if "\\u0000" in plain or plain.encode("utf-8", "ignore").decode() != plain:
            raise Invalid(
                f"{name} holds what is no text", hint="Leave NUL out.", fields={name: "not storable"}
            )


def _check_times(**times: datetime | None) -> None:
    for name, value in times.items():
        if value is not None and value.tzinfo is None:
            raise Invalid(
                f"{name} has no time zone", hint="Give an offset, or Z.", fields={name: "needs a time zone"}
            )


def _item(row: Candidate, parts: dict[str, float], at: datetime) -> RecallItem:
    return RecallItem(
        id=row.item_id,
        item_kind=row.item_kind,
        kind=row.kind,
        text=row.text,
        said_at=row.said_at,
        speaker=row.speaker,
        role=row.role,
        source=row.source,
        importance=row.importance,
        pinned=row.pinned,
        strength=row.strength,
        score=row.score,
        parts=parts,
        session_id=row.session_id,
        source_ids=row.source_ids,
        contradicted=row.contradicted,
        contradicts=row.contradicts,
        superseded=row.superseded,
        valid_from=row.valid_from,
        valid_to=row.valid_to,
        holding=holding(row.superseded, row.valid_from, row.valid_to, at),
        confidence=row.confidence * (0.5 if row.contradicted else 1.0),
        seq=row.seq,
    )
