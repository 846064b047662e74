"""Sets a tenant's budget of model tokens: a version of its policy like any other, with the rest as it was."""

from __future__ import annotations

from accounts.actor import Actor
from accounts.permissions import Capability
from memories.core.budget import KEYS
from memories.core.policy import RULES, Value
from memories.models import PolicyVersion
from memories.services.policies import set_policy
from memories.services.policy_history import policy_version
from memoryhub.common.errors import Invalid


def set_budget(
    *,
    actor: Actor,
    tokens_month: int,
    price_prompt: float,
    price_completion: float,
    note: str = "",
    expected: int | None = None,
) -> PolicyVersion:
    """A new version of the policy; 0 tokens is no limit, prices are per million tokens.

    Invalid when it is so already; `expected` and the other refusals are set_policy's. Holds for this month, too.
    """
    actor.require(Capability.POLICY_WRITE)
    base = policy_version(actor=actor)
    wanted: dict[str, Value] = dict(zip(KEYS, (tokens_month, price_prompt, price_completion), strict=True))
    overrides: dict[str, Value] = dict(base.overrides)
    for key, value in wanted.items():
        # What is at its default and was never laid down stays with the table.
        if key in overrides or value != RULES[key].default:
            overrides[key] = value
    if overrides == base.overrides:
        raise Invalid("the budget is so already", hint="Change a number, or leave it as it is.")
    return set_policy(
        actor=actor,
        overrides=overrides,
        note=note,
        expected=base.number if expected is None else expected,
    )
