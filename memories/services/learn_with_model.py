"""Learns once more from a turn with the configured model, after the reply: what the rules did not see (R14)."""

from __future__ import annotations

import uuid
from datetime import timedelta

import structlog

from memories.adapters.factory import get_chat_model
from memories.core.extraction.prompted import PROMPT, SCHEMA, read_answer
from memories.core.extraction.sentences import is_log, is_small_talk
from memories.core.gate import judge
from memories.core.outcomes import Reason
from memories.core.statement import Statement
from memories.models import Episode, Evidence
from memories.ports import ChatMessage
from memories.services.jobs import JobContext, enqueue, handler
from memories.services.outcome import Outcome
from memories.services.policies import policy_of
from memories.services.screen import for_model
from memories.services.statements import Origin, of_candidate, sealed
from memories.services.write_memory import write_statements
from memoryhub.common.db import tenant_transaction

log = structlog.get_logger(__name__)

KIND = "learn_with_model"
TIMEOUT = 60.0
MAX_PARTS = 4
"""Pieces of a long turn that are read; each is one call."""
MIN_CHARS = 8


def ask_later(
    *, tenant_id: uuid.UUID, subject_id: uuid.UUID, turn_id: uuid.UUID | None, text: str, source: str
) -> bool:
    """Enqueue the job where a model is configured and the turn may say something; True when it was.

    Only a person's own or imported words are read: an assistant's are what a model made already. The job reads the turn's
    stored, masked form, so nothing that was masked reaches the model.
    """
    if turn_id is None or source not in {"user", "import"} or not get_chat_model().is_model:
        return False
    if len(text) < MIN_CHARS or is_small_talk(text) or is_log(text):
        return False
    with tenant_transaction(tenant_id):
        enqueue(kind=KIND, key=str(turn_id), payload={"source": source}, subject_id=subject_id)
    return True


@handler(KIND, lease=timedelta(minutes=10), max_attempts=4)
def _job(context: JobContext) -> None:
    learn_with_model(context)


def learn_with_model(context: JobContext) -> list[Outcome]:
    """The outcomes of what the model found and the text proves; a turn that is not indexed (any more) yields none.

    Raises what the model raises, so that the job tries again with back-off.
    """
    if context.subject_id is None:
        return []
    turn_id = uuid.UUID(context.key)
    with tenant_transaction(context.tenant_id):
        rows = Episode.objects.of(context.subject_id).current().filter(source_kind="turn", source_id=turn_id)
        parts = list(rows.order_by("part")[:MAX_PARTS])
        quotes = Evidence.objects.filter(turn_id=turn_id).values_list("quote", flat=True)
        covered: list[str] = list(quotes)
    policy, _ = policy_of(context.tenant_id)
    covered = [form for quote in covered for form in {quote, for_model(quote, policy)}]
    statements: list[Statement] = []
    for part in parts:
        # What the model gets, and so what its quotes are checked against, is without what the policy keeps from models.
        shown = for_model(part.text, policy)
        messages = [ChatMessage("system", PROMPT), ChatMessage("user", shown)]
        answer = get_chat_model().complete_json(messages, SCHEMA, timeout=TIMEOUT)
        candidates = read_answer(answer, shown, speaker=part.speaker, covered=covered)
        source = str(context.payload.get("source", "user"))
        origin = Origin(source, part.said_at, part.speaker, turn_id, part.session_id, part.agent_id)
        for candidate in candidates:
            covered.append(candidate.quote)  # The pieces of a long turn overlap.
            decision = judge(candidate, policy)
            if decision.outcome == Reason.STORED:
                statements.append(sealed(of_candidate(candidate, origin), policy))
        log.info("turn.read_by_model", turn_id=str(turn_id), part=part.part, found=len(candidates))
    return write_statements(
        actor=context.actor,
        subject_id=context.subject_id,
        statements=statements,
        policy=policy,
        now=context.now,
    )
