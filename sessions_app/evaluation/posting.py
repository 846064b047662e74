"""Posts conversations turn by turn through the session services, with the jobs of each turn run in place, and asks them."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from accounts.actor import Actor, system_actor
from accounts.models import Tenant
from accounts.services.ensure_subject import ensure_subject
from memories.adapters.factory import override
from memories.evaluation.datasets import Conversation, Question, SaidTurn
from memories.evaluation.metrics import source_turns
from memories.evaluation.suites import SuiteOptions, SuiteResult
from memories.models import Contradiction, Job
from memories.ports import FixedClock
from memories.services.jobs import run_due
from memories.services.recall import RecallItem, recall
from memoryhub.common.db import tenant_transaction
from sessions_app.core.limits import MAX_MESSAGE_CHARS
from sessions_app.models import Turn
from sessions_app.services.end_session import end_session
from sessions_app.services.open_session import open_session
from sessions_app.services.record_turn import record_turn

DEPTH = 30
"""Items asked for: several may point at one turn, and turns are what is scored."""
FLAGS = frozenset({"superseded", "contradiction"})
"""Outcomes that say: this does not agree with what was stored."""


@dataclass
class Posted:
    """One conversation after it was posted; `ids` maps stored turns back to the set's ids.

    `failed` counts jobs not done, `cut` turns that were longer than a message may be.
    """

    actor: Actor
    subject_id: uuid.UUID
    session_id: uuid.UUID
    ends: datetime
    ids: dict[uuid.UUID, str] = field(default_factory=dict)
    seconds: float = 0.0
    failed: int = 0
    cut: int = 0

    @property
    def turns(self) -> int:
        """How many turns were stored."""
        return len(self.ids)


@dataclass(frozen=True, slots=True)
class Answer:
    """What recall gave for a question: the items, and the turns that they point at, in rank order."""

    items: list[RecallItem]
    ranking: list[str]


Send = Callable[[Posted, SaidTurn, FixedClock], uuid.UUID]


def new_tenant(name: str) -> Actor:
    """MemoryHub itself in a tenant that nobody else uses."""
    tenant = Tenant.objects.create(slug=f"evaluation-{uuid.uuid4().hex[:12]}", name=name)
    return system_actor(tenant.pk, door="command", name="evaluate")


def record(posted: Posted, turn: SaidTurn, clock: FixedClock) -> uuid.UUID:
    """Store a turn as said: by a role, or by a named person; the id of the stored turn.

    A turn longer than any message may be is cut at that length, and counted.
    """
    text = turn.text[:MAX_MESSAGE_CHARS]
    posted.cut += text != turn.text
    return record_turn(
        actor=posted.actor,
        session_id=posted.session_id,
        role=turn.role,
        content=text,
        speaker=turn.name,
        at=turn.time,
    ).turn.pk


def post(
    turns: Iterable[SaidTurn], clock: FixedClock, *, actor: Actor, name: str, send: Send = record
) -> Posted:
    """Send the turns in order to a subject of the tenant, a session for each `session` value, at their own times.

    After each turn its due jobs run (learning, compaction, what a closed session still teaches), as a worker would run them. The
    last session stays open. The clock must be the process's, and never goes back.
    """
    started = time.perf_counter()
    subject_id = ensure_subject(actor=actor, kind="user", external_id=name).pk
    posted = Posted(actor, subject_id, uuid.UUID(int=0), clock.now())
    current: str | None = None
    for turn in turns:
        clock.at = max(clock.at, turn.time)
        if turn.session != current:
            if current is not None:
                end_session(actor=actor, session_id=posted.session_id, now=clock.now())
            posted.session_id = open_session(actor=actor, subject_id=subject_id, now=clock.now()).pk
            current = turn.session
        posted.ids[send(posted, turn, clock)] = turn.id
        run_due(actor.tenant_id, now=clock.now())
    posted.ends = clock.now() + timedelta(days=1)
    posted.seconds = time.perf_counter() - started
    return posted


def post_conversation(
    options: SuiteOptions, set_name: str, conversation: Conversation, leave_out: Collection[str] = ()
) -> Posted:
    """The conversation in a tenant of its own, without the turns to leave out; posted once a run, whatever suite asks."""
    key = ("posted", set_name, conversation.id, frozenset(leave_out))
    if key not in options.shared:
        clock = FixedClock(conversation.turns[0].time)
        with override(clock=clock):
            turns = [turn for turn in conversation.turns if turn.id not in leave_out]
            posted = post(turns, clock, actor=new_tenant("Evaluation"), name=conversation.id)
        posted.failed = undone_jobs(posted.actor)
        options.shared[key] = posted
    found: Posted = options.shared[key]
    return found


def undone_jobs(actor: Actor) -> int:
    """Jobs of the tenant that failed: what they should have done is missing from what is measured."""
    with tenant_transaction(actor.tenant_id):
        return Job.objects.exclude(state=Job.State.DONE).count()


def note_failed_jobs(result: SuiteResult, prefix: str, failed: int) -> None:
    """Say it in the information and, when there are any, in the table: the figures beside it are not to be trusted."""
    result.info[f"{prefix}.failed_jobs"] = failed
    if failed:
        result.table.append((f"{prefix}: {failed} JOBS FAILED, the log says why", ()))


def ask(posted: Posted, question: Question) -> Answer:
    """Recall after the last turn; it reinforces nothing and leaves no trace."""
    at = max(question.asked_at or posted.ends, posted.ends)
    with override(clock=FixedClock(at)):
        found = recall(
            actor=posted.actor,
            subject_id=posted.subject_id,
            query=question.text,
            k=DEPTH,
            reinforce=False,
            trace=False,
            now=at,
        )
    return Answer(found.items, source_turns(found.items, posted.ids))


def flagged_turns(posted: Posted) -> set[str]:
    """The turns, by the set's ids, whose statement superseded or contradicted something."""
    with tenant_transaction(posted.actor.tenant_id):
        rows = list(Turn.objects.filter(session__subject_id=posted.subject_id).values_list("id", "outcomes"))
    return {
        posted.ids[turn_id]
        for turn_id, outcomes in rows
        if turn_id in posted.ids and any(outcome["code"] in FLAGS for outcome in outcomes)
    }


def open_contradictions(posted: Posted) -> int:
    """How many contradictions of the subject wait for somebody."""
    with tenant_transaction(posted.actor.tenant_id):
        return Contradiction.objects.filter(
            subject_id=posted.subject_id, state=Contradiction.State.OPEN
        ).count()


def shown(answer: Answer, posted: Posted, first: int = 5) -> list[dict[str, object]]:
    """The first items with texts, for a developer's local file."""
    return [
        {
            "turns": [posted.ids[source] for source in item.source_ids if source in posted.ids],
            "item": item.item_kind,
            "kind": item.kind,
            "text": item.text,
            "score": round(item.score, 4),
            "contradicted": item.contradicted,
        }
        for item in answer.items[:first]
    ]
