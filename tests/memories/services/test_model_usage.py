"""A tenant's month of model tokens: added up by many at once, read by its own people only, and ended by its limit."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from functools import partial

import pytest

from accounts.models import AuditEntry
from memories.adapters.factory import override
from memories.core.budget import Level, Spent, Use
from memories.models import PolicyVersion
from memories.ports import FixedClock
from memories.services.model_usage import charge, charge_alone, model_usage, spent_until, standing_of
from memories.services.policies import forget_cached, set_policy
from memories.services.set_budget import set_budget
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict, Invalid, PermissionDenied
from tests.support.people import House, make_house
from tests.support.threads import all_at_once

pytestmark = pytest.mark.django_db

JANUARY = date(2026, 1, 1)


@pytest.fixture
def clock() -> Iterator[FixedClock]:
    forget_cached()
    fixed = FixedClock(datetime(2026, 1, 31, 23, 0, tzinfo=UTC))
    with override(clock=fixed):
        yield fixed


def limit(house: House, tokens: int) -> None:
    set_budget(actor=house.actor("admin"), tokens_month=tokens, price_prompt=0, price_completion=0)
    forget_cached(house.id)


def test_calls_add_up_by_month_and_use_and_a_new_month_begins_anew(acme: House, clock: FixedClock) -> None:
    charge_alone(acme.id, Use.ANSWER, Spent(100, 20, 1, 1))
    charge_alone(acme.id, Use.ANSWER, Spent(5, 1, 2))
    charge_alone(acme.id, Use.DIGEST, Spent(7, 3, 1))
    charge_alone(acme.id, Use.LEARNING, Spent())
    assert standing_of(acme.id).uses == {Use.ANSWER: Spent(105, 21, 3, 1), Use.DIGEST: Spent(7, 3, 1)}
    clock.advance(hours=2)
    assert standing_of(acme.id).total == Spent()
    standing, months = model_usage(actor=acme.actor("operator"))
    assert standing.month == date(2026, 2, 1)
    assert next(iter(months)) == date(2025, 3, 1) and len(months) == 12
    assert months[JANUARY][Use.ANSWER].tokens == 126


def test_what_is_not_stored_is_not_charged(acme: House, clock: FixedClock) -> None:
    with pytest.raises(RuntimeError), tenant_transaction(acme.id):
        charge(Use.ANSWER, Spent(100, 20, 1))
        raise RuntimeError
    assert standing_of(acme.id).total == Spent()


def test_the_month_is_spent_at_its_limit_and_until_the_next_one(acme: House, clock: FixedClock) -> None:
    charge_alone(acme.id, Use.ANSWER, Spent(900, 99, 1))
    assert spent_until(acme.id, Use.LEARNING) is None
    limit(acme, 1000)
    assert standing_of(acme.id).level == Level.NEAR and spent_until(acme.id, Use.ANSWER) is None
    charge_alone(acme.id, Use.LEARNING, Spent(1, 0, 1))
    assert spent_until(acme.id, Use.ANSWER) == datetime(2026, 2, 1, tzinfo=UTC)
    limit(acme, 2000)
    assert spent_until(acme.id, Use.ANSWER) is None
    limit(acme, 0)
    assert standing_of(acme.id).level == Level.FREE
    limit(acme, 10)
    clock.advance(hours=1)
    assert spent_until(acme.id, Use.ANSWER) is None


def test_one_tenants_month_does_not_touch_anothers(acme: House, globex: House, clock: FixedClock) -> None:
    for house in (acme, globex):
        limit(house, 100)
    charge_alone(acme.id, Use.ANSWER, Spent(500, 0, 1))
    assert spent_until(acme.id, Use.ANSWER) is not None
    assert spent_until(globex.id, Use.ANSWER) is None
    standing, months = model_usage(actor=globex.actor("admin"))
    assert standing.total == Spent() and not any(months.values())


def test_a_budget_is_a_version_of_the_policy_with_the_rest_as_it_was(acme: House, clock: FixedClock) -> None:
    admin = acme.actor("admin")
    set_policy(actor=admin, overrides={"recall.k": 9})
    made = set_budget(
        actor=admin, tokens_month=5000, price_prompt=0.5, price_completion=0, note="a quiet month"
    )
    assert made.number == 2
    assert made.overrides == {
        "recall.k": 9,
        "budget.tokens_month": 5000,
        "budget.price_prompt": 0.5,
    }
    with pytest.raises(Invalid):
        set_budget(actor=admin, tokens_month=5000, price_prompt=0.5, price_completion=0)
    with pytest.raises(Conflict):
        set_budget(actor=admin, tokens_month=1, price_prompt=0, price_completion=0, expected=1)
    with pytest.raises(Invalid):
        set_budget(actor=admin, tokens_month=-1, price_prompt=0, price_completion=0)
    for who in ("operator", "user"):
        with pytest.raises(PermissionDenied):
            set_budget(actor=acme.actor(who), tokens_month=1, price_prompt=0, price_completion=0)
    with pytest.raises(PermissionDenied):
        model_usage(actor=acme.actor("user"))
    with tenant_transaction(acme.id):
        assert PolicyVersion.objects.count() == 2
        assert AuditEntry.objects.filter(action="policy.set").count() == 2


@pytest.mark.django_db(transaction=True)
def test_calls_that_end_at_once_all_count(transactional_db: None, clock: FixedClock) -> None:
    house = make_house("acme")

    def work(number: int) -> None:
        for use in (Use.ANSWER, Use.DIGEST, Use.ANSWER):
            charge_alone(house.id, use, Spent(number, 1, 1))

    assert all_at_once([partial(work, number) for number in range(8)]) == [None] * 8
    assert standing_of(house.id).uses == {Use.ANSWER: Spent(56, 16, 16), Use.DIGEST: Spent(28, 8, 8)}
