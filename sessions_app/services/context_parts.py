"""Turns what was read and recalled into the parts of a context, and the assembled context into the model's request."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from django.conf import settings

from accounts.actor import Actor
from memories.adapters.factory import get_chat_model
from memories.core.policy import Policy
from memories.core.profile import assemble, line
from memories.core.text.language import Language
from memories.core.text.lexical import query_terms
from memories.core.text.tokens import count
from memories.ports import ChatMessage, ChatRequest, RecalledForAnswer
from memories.services.recall_result import RecallItem, RecallResult
from memories.services.screen import for_model
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid
from sessions_app.core.context import MIN_BUDGET
from sessions_app.core.outdated import Outdated, read
from sessions_app.core.pieces import Assembled, Entry, Limits, Parts, TurnPiece
from sessions_app.core.selection import ENDED, SUPERSEDED, Found, select
from sessions_app.core.wording import HEADINGS
from sessions_app.models import Turn
from sessions_app.services.context_rows import Known
from sessions_app.services.read_outdated import read_outdated
from sessions_app.services.slots import rendered


def checked_budget(budget: int | None, policy: Policy) -> int:
    """The budget asked for, or the policy's: its own number, else a share of the model's window up to the cap."""
    if budget is not None:
        if budget < MIN_BUDGET:
            raise Invalid(
                f"a context needs at least {MIN_BUDGET} tokens",
                hint="Raise the budget.",
                fields={"budget": "too small"},
            )
        return budget
    fixed = policy.integer("context.budget_tokens")
    if fixed:
        return max(MIN_BUDGET, fixed)
    # A tenant may say how large its model's window is; otherwise the installation's setting knows.
    named = "context.model_window" in policy.overrides()
    window = policy.integer("context.model_window") if named else int(settings.CHAT_CONTEXT_TOKENS)
    share = int(window * policy.number("context.share"))
    return max(MIN_BUDGET, min(share, policy.integer("context.cap_tokens")))


def limits_of(budget: int, policy: Policy) -> Limits:
    """One recalled entry may take a twelfth of the budget, so that six take half of it at most."""
    return Limits(
        budget=budget,
        margin=policy.number("context.margin"),
        constraint_cap=min(policy.integer("constraint.cap_tokens"), budget // 2),
        memory_cap=policy.integer("context.memory_tokens"),
        entry_cap=max(40, min(300, budget // (2 * policy.integer("recall.k")))),
    )


def parts_of(
    known: Known,
    found: RecallResult | None,
    outdated: Outdated,
    turns: list[Turn],
    question: str,
    question_turn_id: uuid.UUID | None,
    language: Language,
    now: datetime,
    policy: Policy,
) -> Parts:
    """R6's parts. What is in already (as a constraint, a digest) does not come a second time, but keeps its score."""
    items = [] if found is None else found.items
    scores = {item.id: item.score for item in items}
    fixed = {entry.id for entry in (*known.constraints, *known.digests)}
    return Parts(
        language=language,
        today=now.astimezone(known.zone),
        constraints=[_scored(entry, scores) for entry in known.constraints],
        memories=select(
            [Found(item_entry(item, known.zone), tuple(item.source_ids)) for item in items],
            k=policy.integer("context.depth"),
            outdated=outdated,
            fixed=fixed,
            question=question_turn_id,
            past=found is not None and found.past,
        ),
        slots=rendered(known.slots, language, policy, now),
        digests=[_fresh(_scored(entry, scores), outdated) for entry in known.digests],
        turns=[TurnPiece(turn.pk, turn.role, turn.content, turn.speaker) for turn in turns],
        message=question,
        terms=frozenset(query_terms(question)),
        profile=_profile(known, language, policy),
        constraints_beyond=known.constraints_beyond,
    )


def _profile(known: Known, language: Language, policy: Policy) -> str:
    """The line about the person; a turn that needs no memory gets it, too: an answer may always call somebody by name."""
    cap = policy.integer("profile.context_tokens")
    said = line(assemble(known.profile, language), language, cap, count)
    return HEADINGS["profile"][language].format(line=said) if said else ""


def for_the_model(parts: Parts, policy: Policy) -> Parts:
    """The parts without what the policy keeps from models (`pii.model.*`); a no-op while no model is configured, unless the
    context is for another program's.

    Before anything is counted and fitted, so that the budget holds and the stored context is what was sent.
    """
    if not (parts.aside or get_chat_model().is_model):
        return parts

    def entry(one: Entry) -> Entry:
        return replace(one, text=for_model(one.text, policy), speaker=for_model(one.speaker, policy))

    return replace(
        parts,
        constraints=[entry(one) for one in parts.constraints],
        memories=[entry(one) for one in parts.memories],
        digests=[entry(one) for one in parts.digests],
        slots=for_model(parts.slots, policy),
        turns=[
            replace(turn, text=for_model(turn.text, policy), speaker=for_model(turn.speaker, policy))
            for turn in parts.turns
        ],
        message=for_model(parts.message, policy),
    )


def outdated_of(actor: Actor, known: Known, found: RecallResult | None) -> Outdated:
    """What of the recalled is outdated; asks only where anything of the subject was ever superseded."""
    if found is None or not found.items or not known.replaced:
        return Outdated()
    with tenant_transaction(actor.tenant_id):
        return read_outdated(known.session.subject_id, found.items)


def _fresh(digest: Entry, outdated: Outdated) -> Entry:
    """The digest without sentences that were replaced since; it is never left out altogether."""
    if digest.said_at is None:
        return digest
    reading = read(digest.text, digest.said_at, (), "memory", outdated)
    return replace(digest, text=reading.text) if reading.text else digest


def _scored(entry: Entry, scores: dict[uuid.UUID, float]) -> Entry:
    return replace(entry, score=scores.get(entry.id, 0.0))


def item_entry(item: RecallItem, zone: ZoneInfo) -> Entry:
    return Entry(
        id=item.id,
        item_kind=item.item_kind,
        kind=item.kind,
        text=item.text,
        said_at=item.said_at.astimezone(zone),
        source=item.source or item.role,
        speaker=item.speaker,
        confidence=item.confidence,
        contradicted=item.contradicted,
        score=item.score,
        holding=item.holding,
        since=item.valid_from.astimezone(zone) if item.valid_from else None,
        until=item.valid_to.astimezone(zone) if item.valid_to else None,
        contradicts=tuple(item.contradicts),
    )


def used_of(assembled: Assembled) -> list[dict[str, object]]:
    return [
        {
            "id": str(numbered.entry.id),
            "item_kind": numbered.entry.item_kind,
            "number": numbered.number,
            "section": numbered.section,
            "score": round(numbered.entry.score, 4),
            "cited": False,
        }
        for numbered in assembled.numbered
    ]


def request_of(assembled: Assembled, language: Language, *, past: bool = False) -> ChatRequest:
    """For the model the messages; for the offline responder what was recalled, in rank order, same numbers.

    What does not hold any more is for questions about the `past` only.
    """
    recalled = sorted(
        (
            one
            for one in assembled.numbered
            if one.entry.score > 0 and (past or one.entry.holding not in (SUPERSEDED, ENDED))
        ),
        key=lambda numbered: -numbered.entry.score,
    )
    return ChatRequest(
        messages=[ChatMessage(message["role"], message["content"]) for message in assembled.messages],
        memories=[
            RecalledForAnswer(
                number=numbered.number,
                id=numbered.entry.id,
                text=numbered.text,
                said_at=numbered.entry.said_at,
                speaker=numbered.entry.speaker,
                kind=numbered.entry.kind,
                note=numbered.entry.holding or ("contradicted" if numbered.entry.contradicted else ""),
            )
            for numbered in recalled
        ],
        language=language,
    )
