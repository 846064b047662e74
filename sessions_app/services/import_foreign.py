"""Import foreign: what somebody takes along from another product, kept as memories and as conversations (R35)."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from datetime import datetime, tzinfo
from typing import Final

from django.db import transaction

from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.core.extraction import extract
from memories.core.gate import judge
from memories.core.outcomes import Reason
from memories.core.transfer.columns import NotTaken
from memories.core.transfer.foreign import Conversation, Kept, Said, read_foreign
from memories.services.policies import policy_of
from memories.services.remember import remember
from memories.services.screen import screen
from memories.services.subjects import subject_to_write, zone_of
from memories.services.transfer.take_in import Report
from memories.store.locks import lock_subject
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import DomainError, Invalid
from sessions_app.models import ChatSession
from sessions_app.services.end_session import end_session
from sessions_app.services.find_conversation import conversation_print
from sessions_app.services.open_session import open_session
from sessions_app.services.record_turn import record_turn

MAX_CHARS = 50_000_000
"""Of a file: it is held at once, as its forms can be told from the whole only."""

_KEPT: Final = frozenset({Reason.STORED, Reason.SUPERSEDED, Reason.CONTRADICTION})


class _RollBack(Exception):
    """Ends what was only tried."""


def import_foreign(*, actor: Actor, subject_id: uuid.UUID, text: str, dry_run: bool = False) -> Report:
    """What became of a file's entries: memories as they are, conversations turn by turn, learnt from as if they were said here.

    Counts are by code: those of memories, `turns` and `conversations`, and `known` for what was taken in before. A `dry_run` stores
    nothing and says what would be: of conversations, what rules would keep of them, and why not. Invalid for a form that is not known;
    nothing is stored then.
    """
    subject = subject_to_write(actor, subject_id)
    if len(text) > MAX_CHARS:
        raise Invalid("the file is too long", fields={"file": f"at most {MAX_CHARS} characters; split it"})
    try:
        pieces = list(read_foreign(text))
    except NotTaken as problem:
        raise Invalid("the file is not understood", fields={"file": str(problem)}) from None
    report = Report(subjects=1, complete=True)
    for number, piece in enumerate(pieces, 1):
        try:
            if isinstance(piece, Kept):
                _keep(actor, subject_id, number, piece, report, dry_run)
            elif dry_run:
                _read_only(actor, zone_of(subject), number, piece, report)
            else:
                _record(actor, subject_id, number, piece, report)
        except DomainError as problem:
            report.count(problem.code, number, ", ".join(problem.fields.values()) or problem.message)
    return report


def _keep(
    actor: Actor, subject_id: uuid.UUID, number: int, piece: Kept, report: Report, dry_run: bool
) -> None:
    with _tried(actor.tenant_id) if dry_run else nullcontext():
        outcomes = remember(
            actor=actor,
            subject_id=subject_id,
            content=piece.text,
            source="import",
            said_at=piece.said_at,
            tags=[tag[:64] for tag in piece.tags[:20]],
            metadata=piece.metadata,
            infer=False,
        )
    for one in outcomes:
        report.count(one.code.value, 0 if one.code in _KEPT else number, "; ".join(one.reasons))


@contextmanager
def _tried(tenant_id: uuid.UUID) -> Iterator[None]:
    """What is done inside leaves nothing behind; it alone may embed while a transaction is open."""
    try:
        with tenant_transaction(tenant_id), transaction.atomic():
            yield
            raise _RollBack
    except _RollBack:
        pass


def _read_only(actor: Actor, zone: tzinfo, number: int, piece: Conversation, report: Report) -> None:
    """What the rules would keep of a conversation, by itself; what is known already they would not keep twice."""
    policy, _ = policy_of(actor.tenant_id)
    now = get_clock().now()
    report.count("conversations")
    for said, at in _timed(piece.said, now):
        found = screen(said.text, policy)
        report.count("turns")
        if found.blocked:
            report.count(Reason.BLOCKED_SENSITIVE.value, number, ", ".join(sorted(found.types)))
            continue
        if said.role == "tool":
            continue
        for candidate in extract(found.text_masked, role=said.role, speaker=said.name, said_at=at, tz=zone):
            decision = judge(candidate, policy)
            kept = decision.outcome == Reason.STORED
            report.count(decision.outcome, 0 if kept else number, "; ".join(decision.reasons))


def _record(actor: Actor, subject_id: uuid.UUID, number: int, piece: Conversation, report: Report) -> None:
    if not piece.said:
        report.count("empty", number, "there is no message with words in it")
        return
    now = get_clock().now()
    session = _session(actor, subject_id, piece, now)
    report.count("conversations")
    if session.state == ChatSession.State.ENDED:
        report.counts["known"] = report.counts.get("known", 0) + len(piece.said)
        return
    for at, (said, when) in enumerate(_timed(piece.said, now), 1):
        try:
            record_turn(
                actor=actor,
                session_id=session.pk,
                role=said.role,
                content=said.text,
                speaker=said.name,
                at=when,
                client_msg_id=f"import-{at}",
            )
            report.count("turns")
        except DomainError as problem:
            report.count(problem.code, number, f"message {at}: {problem.message}")
    end_session(actor=actor, session_id=session.pk)


def _session(actor: Actor, subject_id: uuid.UUID, piece: Conversation, now: datetime) -> ChatSession:
    """The session of the conversation: one that an import broken off has begun, or that a former one ended."""
    mark = conversation_print(actor.tenant_id, subject_id, f"import {piece.id}")
    with tenant_transaction(actor.tenant_id):
        lock_subject(subject_id)
        rows = ChatSession.objects.filter(subject_id=subject_id, conversation=mark).order_by("-pk")
        found: ChatSession | None = rows.first()
        if found is not None:
            return found
        title = piece.title[:200]
        return open_session(actor=actor, subject_id=subject_id, title=title, conversation=mark, now=now)


def _timed(said: Sequence[Said], now: datetime) -> Iterator[tuple[Said, datetime]]:
    """Each message with its time, never before the one in front of it; one without takes that one's, or now."""
    last = min((one.at for one in said if one.at is not None), default=now)
    for one in said:
        last = min(now, max(last, one.at or last))
        yield one, last
