"""Define an experiment: what arm B does differently, for which part of the sessions, and what is expected of it."""

from __future__ import annotations

import math
from collections.abc import Mapping

from accounts import audit
from accounts.actor import Actor
from accounts.permissions import Capability
from memories.adapters.factory import get_clock
from memories.core.experiments import HIGHEST_SHARE, LOWEST_SHARE, arm_b
from memories.models import Experiment
from memories.services.experiments.rows import checked_text
from memories.services.policies import stored_policy
from memories.services.screen import screen
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid

MAX_NAME, MAX_HYPOTHESIS = 100, 500


def create_experiment(
    *,
    actor: Actor,
    name: str,
    hypothesis: str,
    overrides: Mapping[str, object],
    share: float = 0.5,
) -> Experiment:
    """A draft; nothing goes by it before it is started.

    PolicyError for a rule that may not differ between sessions, does not fit, or has that value already; Invalid for a share of B
    outside 0.05..0.95, for no difference at all, and for texts that are missing or too long, which are
    screened like a title. Needs the capability to write policies.
    """
    actor.require(Capability.POLICY_WRITE)
    name = checked_text("name", name, MAX_NAME)
    hypothesis = checked_text("hypothesis", hypothesis, MAX_HYPOTHESIS)
    if not math.isfinite(share) or not LOWEST_SHARE <= share <= HIGHEST_SHARE:
        raise Invalid("the share is out of range", fields={"share": "must lie between 0.05 and 0.95"})
    if not overrides:
        raise Invalid("the arms do not differ", fields={"overrides": "change at least one rule in arm B"})
    with tenant_transaction(actor.tenant_id):
        base, _number = stored_policy()
        policy = arm_b(base, overrides)
        row: Experiment = Experiment.objects.create(
            name=screen(name, base).text_masked[:MAX_NAME],
            hypothesis=screen(hypothesis, base).text_masked[:MAX_HYPOTHESIS],
            overrides={key: policy.value(key) for key in overrides},
            share=share,
            created_at=get_clock().now(),
            created_by=actor.id[:64],
        )
        audit.record(
            actor,
            "experiment.created",
            target_kind="experiment",
            target_id=row.pk,
            keys=sorted(row.overrides),
            share=share,
        )
    return row
