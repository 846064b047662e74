"""Forget by words: carries out "忘掉我的电话号码" and "forget where I live", or asks first where that is wide or unclear (R26)."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.core.forgetting.target import Scope, Target
from memories.core.forgetting.targets import targets
from memories.models import ForgetRequest
from memories.services.forget_carry_out import carry_out
from memories.services.forget_wanted import MAX_TEXT
from memories.services.outcome import Outcome
from memories.services.policies import policy_of
from memories.services.tenant_subject import refuse_tenant_subject
from memories.store.locks import lock_subject
from memoryhub.common.db import tenant_transaction
from memoryhub.common.ids import uuid7

ANSWER_WITHIN = timedelta(days=1)


def forget_by_words(
    *,
    actor: Actor,
    subject_id: uuid.UUID,
    text: str = "",
    wanted: Sequence[Target] | None = None,
    turn_id: uuid.UUID | None = None,
    session_id: uuid.UUID | None = None,
    last_turn_id: uuid.UUID | None = None,
    said_at: datetime | None = None,
    speaker: str = "",
    sure: bool = False,
    now: datetime | None = None,
) -> list[Outcome]:
    """One Outcome a memory that went (`forgotten`), or one that says what became of the request; [] for no request.

    What is meant is read out of the text, or given as `wanted` (from `wanted_of`). `turn_id` is the stored request, `last_turn_id` what was said before it, `said_at` when it was asked (what was said
    before that is not learnt again), `speaker` the name of another human who asks, for what they said of themselves. A clear request is carried out at once;
    a wide or unclear one waits a day for a yes (`needs_approval`, rule forget.ask); one that means nothing stored is
    `not_worth_keeping` with the rule forget.nothing_found, one that leaves out what fits nothing stored with forget.exception. The same turn's requests are carried out once.
    With `sure` the caller has had the yes already, and nothing waits.
    """
    actor.require_subject(subject_id, write=True)
    at = now or get_clock().now()
    policy, _ = policy_of(actor.tenant_id)
    outcomes: list[Outcome] = []
    for number, target in enumerate(
        _meant_by(speaker, targets(text[:MAX_TEXT]) if wanted is None else wanted)
    ):
        with tenant_transaction(actor.tenant_id):
            refuse_tenant_subject(subject_id)
            # Who reads the same turn at the same time waits here, and finds that it was carried out.
            lock_subject(subject_id)
            if turn_id is not None and ForgetRequest.objects.filter(turn_id=turn_id, number=number).exists():
                continue
            request = ForgetRequest(
                id=uuid7(),
                subject_id=subject_id,
                session_id=session_id,
                turn_id=turn_id,
                number=number,
                scope=target.scope.value,
                standing=target.standing,
                asked_at=min(said_at or at, at),
                expires_at=at + ANSWER_WITHIN,
            )
            outcomes += carry_out(
                actor,
                request,
                target,
                policy=policy,
                now=at,
                said_at=said_at or at,
                last_turn=last_turn_id,
                sure=sure,
            )
    return outcomes


def _meant_by(speaker: str, wanted: Sequence[Target]) -> list[Target]:
    """Another human's requests reach what is theirs: "my phone" is that speaker's, and nobody else's goes."""
    if speaker in {"", "user"}:
        return list(wanted)
    mine = []
    for target in wanted:
        if target.entity.partition(":")[0] == "user" and target.scope in {Scope.ATTRIBUTE, Scope.ENTITY}:
            kept = tuple(_told_by(speaker, one) for one in target.kept)
            mine.append(replace(_told_by(speaker, target), kept=kept))
        elif target.scope is Scope.LAST:
            mine.append(target)
    return mine


def _told_by(speaker: str, target: Target) -> Target:
    """The target with the speaker in place of the person whose memory it is."""
    root, _, rest = target.entity.partition(":")
    if root != "user":
        return target
    return replace(target, entity=f"{speaker}:{rest}" if rest else speaker)
