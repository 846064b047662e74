"""What a tenant's calls to models cost is written down here, and whether it may still ask one (docs/adr/0035)."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from datetime import date, datetime

from django.db import transaction
from prometheus_client import Counter

from accounts.actor import Actor
from accounts.permissions import Capability
from memories.adapters.factory import get_clock
from memories.core.budget import LIMIT, Level, Spent, Standing, Use, month_of, months_until
from memories.services.policies import policy_of
from memories.store import usage
from memoryhub.common.db import tenant_transaction

MONTHS = 12

# Of the whole installation: a label by tenant would be a series each, and tell outside of the wall who they are.
TOKENS = Counter(
    "memoryhub_model_tokens", "Tokens that calls to chat models cost, counted when stored", ["use", "kind"]
)
CALLS = Counter("memoryhub_model_calls", "Requests to chat models, those that failed included", ["use"])
WITHOUT = Counter(
    "memoryhub_model_budget_spent", "Work done without the model, since the tenant's month is spent", ["use"]
)


def charge(use: Use, spent: Spent) -> None:
    """Add to the tenant's month, in the open transaction that stores what the calls came to.

    Call it last: everybody's calls of a tenant add to one row, which stays locked until the commit.
    """
    if not spent.calls:
        return
    usage.add(month_of(get_clock().now()), use, spent)
    transaction.on_commit(lambda: _count(use, spent))


def charge_alone(tenant_id: uuid.UUID, use: Use, spent: Spent) -> None:
    """The same where nothing came of the calls that would be stored."""
    if spent.calls:
        with tenant_transaction(tenant_id):
            charge(use, spent)


def standing_of(tenant_id: uuid.UUID) -> Standing:
    """How the tenant's month stands now."""
    policy, _number = policy_of(tenant_id)
    month = month_of(get_clock().now())
    with tenant_transaction(tenant_id):
        return Standing.of(policy, month, usage.of_months(month, month).get(month, {}))


def spent_until(tenant_id: uuid.UUID, use: Use) -> datetime | None:
    """When the tenant's budget begins anew, if it is spent; None when a model may be asked.

    Without a limit nothing is read. What runs at once is not reserved for: the limit is overshot by the calls under way.
    """
    policy, _number = policy_of(tenant_id)
    if not policy.integer(LIMIT):
        return None
    standing = standing_of(tenant_id)
    if standing.level != Level.SPENT:
        return None
    WITHOUT.labels(use.value).inc()
    return standing.renews


def model_usage(*, actor: Actor, months: int = MONTHS) -> tuple[Standing, Mapping[date, Mapping[Use, Spent]]]:
    """This month against the budget, and the last months with this one, oldest first. Needs the capability to read metrics."""
    actor.require(Capability.METRICS_READ)
    policy, _number = policy_of(actor.tenant_id)
    wanted = months_until(month_of(get_clock().now()), months)
    with tenant_transaction(actor.tenant_id):
        found = usage.of_months(wanted[0], wanted[-1])
    return Standing.of(policy, wanted[-1], found.get(wanted[-1], {})), {
        month: found.get(month, {}) for month in wanted
    }


def _count(use: Use, spent: Spent) -> None:
    CALLS.labels(use.value).inc(spent.calls)
    TOKENS.labels(use.value, "prompt").inc(spent.prompt_tokens)
    TOKENS.labels(use.value, "completion").inc(spent.completion_tokens)
