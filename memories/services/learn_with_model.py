"""Learns once more from a turn with the configured model, after the reply: what the rules did not see (R14)."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta, tzinfo
from typing import Any

import structlog

from accounts.models import Subject
from memories import turn_notes
from memories.adapters.factory import get_chat_model
from memories.core.budget import RULE, Spent, Use
from memories.core.extraction.prompted import PROMPT, SCHEMA, Reading, read_answer, shown
from memories.core.extraction.proof import LEAVE_OUT
from memories.core.extraction.sentences import is_log, is_small_talk
from memories.core.gate import judge
from memories.core.outcomes import Reason
from memories.core.policy import Policy
from memories.core.statement import Statement
from memories.core.values.normalise import canonical
from memories.models import Episode, Evidence
from memories.ports import (
    ChatMessage,
    Meter,
    ModelMalformed,
    ModelMisconfigured,
    ModelRefused,
    ModelTruncated,
    ModelUnavailable,
)
from memories.services.jobs import JobContext, enqueue, handler
from memories.services.model_usage import charge, charge_alone, spent_until
from memories.services.outcome import Outcome
from memories.services.policies import policy_of
from memories.services.screen import for_model
from memories.services.statements import Origin, of_candidate, sealed
from memories.services.subjects import zone_of
from memories.services.write_memory import write_statements
from memoryhub.common.db import tenant_transaction

log = structlog.get_logger(__name__)

KIND = "learn_with_model"
TIMEOUT = 60.0
MAX_PARTS = 4
"""Pieces of a long turn that are read; each is one call."""
MIN_CHARS = 8
REPAIRS = 2
"""How often a model is told which of its statements the message does not prove, and asked again."""
FINAL = {
    ModelRefused: "model.refused",
    ModelMalformed: "model.malformed",
    ModelTruncated: "model.truncated",
    ModelMisconfigured: "model.misconfigured",
}
"""What asking again later does not help against: the rules' statements stand, and the turn says why there are no more."""


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
    """The outcomes of what the model found and the text proves; never none for a turn that is indexed (still).

    Each is written down on the turn, too. A model that declines, or answers with what cannot be read, leaves an `error`
    with the rule that says so; one that cannot be reached does as well and raises, so that the job tries again with back-off.
    When the tenant's month of tokens is spent the model is not asked, now or later, and the turn says so.
    """
    meter = Meter()
    try:
        return _learn(context, meter)
    finally:
        # Whatever broke, the calls were made; what was written down with the outcomes is not on the meter any more.
        charge_alone(context.tenant_id, Use.LEARNING, meter.spent)


def _learn(context: JobContext, meter: Meter) -> list[Outcome]:
    if context.subject_id is None:
        return []
    turn_id = uuid.UUID(context.key)
    with tenant_transaction(context.tenant_id):
        subject = Subject.objects.filter(id=context.subject_id, erased_at__isnull=True).first()
        rows = Episode.objects.of(context.subject_id).current().filter(source_kind="turn", source_id=turn_id)
        parts = list(rows.order_by("part")[:MAX_PARTS])
        quotes = Evidence.objects.filter(turn_id=turn_id).values_list("quote", flat=True)
        covered: list[str] = list(quotes)
    if subject is None or not parts:
        return []
    if subject.memory_paused:
        return _noted(context, turn_id, [_nothing("model.paused", "memory is paused")], meter)
    if (until := spent_until(context.tenant_id, Use.LEARNING)) is not None:
        why = ("what the rules found stands", f"the budget of tokens begins anew on {until:%Y-%m-%d}")
        return _noted(context, turn_id, [Outcome(Reason.BUDGET, rule=RULE, reasons=why)], meter)
    policy, _ = policy_of(context.tenant_id)
    covered = [form for quote in covered for form in {quote, for_model(quote, policy)}]
    statements: list[Statement] = []
    others: list[Outcome] = []
    for part in parts:
        # What the model gets, and so what its quotes are checked against, is without what the policy keeps from models.
        text = for_model(part.text, policy)
        try:
            reading = _ask(part, text, covered, zone_of(subject), meter)
        except tuple(FINAL) as error:
            rule = next(rule for kind, rule in FINAL.items() if isinstance(error, kind))
            log.info("turn.model_failed", turn_id=str(turn_id), part=part.part, rule=rule)
            others.append(Outcome(Reason.ERROR, rule=rule, reasons=("what the rules found stands",)))
            continue
        except ModelUnavailable:
            reason = ("what the rules found stands; the model is asked again",)
            down = Outcome(Reason.ERROR, rule="model.unavailable", reasons=reason)
            _noted(context, turn_id, [down], meter)
            raise
        source = str(context.payload.get("source", "user"))
        origin = Origin(source, part.said_at, part.speaker, turn_id, part.session_id, part.agent_id)
        for candidate in reading.candidates:
            covered.append(candidate.quote)  # The pieces of a long turn overlap.
            decision = judge(candidate, policy)
            if decision.outcome == Reason.STORED:
                statements.append(sealed(of_candidate(candidate, origin), policy))
            else:
                kind = candidate.kind.value
                others.append(Outcome(Reason.NOT_WORTH_KEEPING, None, kind, decision.rule, decision.reasons))
        if reading.problems:
            others.append(_nothing("model.unproven", f"{len(reading.problems)} the message does not prove"))
        log.info("turn.read_by_model", turn_id=str(turn_id), part=part.part, found=len(reading.candidates))
    written = write_statements(
        actor=context.actor,
        subject_id=context.subject_id,
        statements=_of_same_words(statements),
        policy=policy,
        now=context.now,
        # The model took its time: words may have been forgotten since they were read.
        unsaid=lambda made: _unsaid(context.subject_id, turn_id, made, policy),
    )
    outcomes = [*written, *others] or [_nothing("model.nothing", "it states nothing more to keep")]
    return _noted(context, turn_id, outcomes, meter)


def _ask(part: Episode, text: str, covered: Sequence[str], tz: tzinfo, meter: Meter) -> Reading:
    """What the model reads in one piece, as it may see it; told what is not proven, it may answer again, within the one time limit."""
    deadline = time.monotonic() + TIMEOUT
    messages = [ChatMessage("system", PROMPT), ChatMessage("user", shown(text))]
    reading = Reading(())
    before: dict[str, Any] | None = None
    for attempt in range(1 + REPAIRS):
        left = deadline - time.monotonic()
        if attempt and left <= 1:
            break
        try:
            answer = get_chat_model().complete_json(messages, SCHEMA, timeout=left, meter=meter)
        except (ModelMalformed, ModelRefused, ModelTruncated, ModelUnavailable):
            if not attempt:
                raise
            break  # What the first answer proved stands.
        reading = read_answer(
            answer, text, speaker=part.speaker, said_at=part.said_at, tz=tz, covered=covered
        )
        # What is only to be left out is left out already, and who answers the same once more has nothing better.
        if all(LEAVE_OUT in one for one in reading.problems) or answer == before:
            break
        before = answer
        wrong = "; ".join(reading.problems)
        messages = [
            *messages,
            ChatMessage("assistant", json.dumps(answer, ensure_ascii=False)),
            ChatMessage("user", f"Not accepted: {wrong}. Answer with the whole corrected list; leave out what the message does not say."),
        ]  # fmt: skip
    return reading


def _of_same_words(statements: Sequence[Statement]) -> list[Statement]:
    """Those of the same words as one with all their facts: a memory's words stand once."""
    found: dict[tuple[str, object, object], Statement] = {}
    for one in statements:
        key = (canonical(one.content), one.event_start or one.valid_from, one.clear)
        first = found.get(key)
        if first is None or not first.facts:
            found[key] = one
        else:
            facts = (*first.more, *(fact for fact in one.facts if fact not in first.facts))
            found[key] = replace(first, more=facts, update=first.update and one.update)
    return list(found.values())


def _unsaid(
    subject_id: uuid.UUID | None, turn_id: uuid.UUID, statements: Sequence[Statement], policy: Policy
) -> frozenset[int]:
    """Those whose quote does not stand in the turn's recallable text any more."""
    assert subject_id is not None
    rows = Episode.objects.of(subject_id).current().filter(source_kind="turn", source_id=turn_id)
    said = [form for text in rows.values_list("text", flat=True) for form in (text, for_model(text, policy))]
    return frozenset(at for at, one in enumerate(statements) if not any(one.quote in text for text in said))


def _nothing(rule: str, reason: str) -> Outcome:
    return Outcome(Reason.NOT_WORTH_KEEPING, rule=rule, reasons=(reason,))


def _noted(
    context: JobContext, turn_id: uuid.UUID, outcomes: Sequence[Outcome], meter: Meter
) -> list[Outcome]:
    """The outcomes, marked as the model's and written down on the turn, together with what they cost."""
    marked = [
        one if one.rule.startswith("model.") else replace(one, rule=f"model.{one.rule}") for one in outcomes
    ]
    with tenant_transaction(context.tenant_id):
        turn_notes.note(turn_id, marked)
        charge(Use.LEARNING, meter.spent)
    meter.spent = Spent()
    return marked
