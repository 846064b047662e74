"""Standing rules: "never remember anything about …", laid, listed and removed (R26)."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass
from datetime import datetime

from accounts import audit
from accounts.actor import Actor
from accounts.reading import note_reading
from memories.adapters.factory import get_clock
from memories.core.forgetting.reach import Reach, name_in
from memories.core.forgetting.target import Scope, Target
from memories.core.values.normalise import canonical
from memories.models import ForgetRequest, ForgetRule
from memories.services import fingerprints
from memories.services.forget_rules import EVERYTHING, STANDING
from memories.services.redact_prints import REDACTED
from memories.services.rule_names import bind_names, name_print, target_of
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import NotFound


@dataclass(frozen=True, slots=True)
class StandingRule:
    """One "do not remember" that lasts: what it is about, as it was asked."""

    id: uuid.UUID
    label: str
    scope: str
    created_at: datetime


def stand(
    actor: Actor, subject_id: uuid.UUID, reach: Reach, now: datetime, request: ForgetRequest
) -> ForgetRule:
    """Lay a standing rule, in the open transaction; the same one is not laid twice.

    It binds every name of whom it is about: those that the person did not use to ask stay in it as keyed prints only.
    """
    target = reach.target
    names = {
        name_print(actor.tenant_id, subject_id, name) for key in reach.entities if (name := name_in(key))
    }
    data = {**target.as_data(), "names": sorted(names)}
    form = json.dumps(data, ensure_ascii=False, sort_keys=True)
    fingerprint = fingerprints.keyed(STANDING, actor.tenant_id, subject_id, _form(target))
    known: ForgetRule | None = ForgetRule.objects.filter(
        subject_id=subject_id, kind=STANDING, fingerprint=fingerprint, removed_at__isnull=True
    ).first()
    if known is not None:
        bind_names(known, names)
        return known
    rule: ForgetRule = ForgetRule.objects.create(
        subject_id=subject_id,
        kind=STANDING,
        fingerprint=fingerprint,
        label=target.words or target.entity,
        target=form,
        request=request,
        created_at=now,
    )
    audit.record(
        actor, "forget_rule.laid", target_kind="forget_rule", target_id=rule.id, subject_id=subject_id
    )
    return rule


def _form(target: Target) -> str:
    if target.scope is Scope.EVERYTHING:
        return EVERYTHING
    return f"{canonical(target.entity or target.words)}|{','.join(sorted(target.attributes))}|{target.value}"


def list_rules(*, actor: Actor, subject_id: uuid.UUID) -> list[StandingRule]:
    """The subject's standing rules, the newest first."""
    actor.require_subject(subject_id, write=False)
    with tenant_transaction(actor.tenant_id):
        note_reading(actor, subject_id, "forget_rules.list")
        rows = ForgetRule.objects.filter(
            subject_id=subject_id, removed_at__isnull=True, binds_before__isnull=True
        ).exclude(kind=REDACTED)
        return [
            StandingRule(
                row.id,
                row.label or "",
                target_of(row).scope.value if row.target else EVERYTHING,
                row.created_at,
            )
            for row in rows.order_by("-created_at", "-id")
        ]


def remove_rule(*, actor: Actor, rule_id: uuid.UUID) -> None:
    """From now on it is learnt again. Removing twice changes nothing; NotFound for a rule that is not the actor's."""
    now = get_clock().now()
    with tenant_transaction(actor.tenant_id):
        rule: ForgetRule | None = (
            ForgetRule.objects.select_for_update(of=("self",))
            .filter(id=rule_id, binds_before__isnull=True)
            .exclude(kind=REDACTED)
            .first()
        )
        if rule is None:
            raise NotFound("no such rule")
        try:
            actor.require_subject(rule.subject_id, write=True)
        except NotFound:
            raise NotFound("no such rule") from None
        if rule.removed_at is not None:
            return
        # What it was about need not be known any more.
        rule.removed_at, rule.label, rule.target = now, None, None
        rule.save(update_fields=["removed_at", "label", "target"])
        audit.record(
            actor,
            "forget_rule.removed",
            target_kind="forget_rule",
            target_id=rule.id,
            subject_id=rule.subject_id,
        )
