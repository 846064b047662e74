"""`manage.py sweep`: what it tells, what it leaves alone, and whose memories it touches."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from memories.adapters import factory
from memories.models import Memory
from memories.ports import FixedClock
from memories.services import policies
from memories.services.policies import set_policy
from memoryhub.common.db import tenant_transaction
from tests.support.factories import make_memory
from tests.support.people import House

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 6, 1, 9, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _clock() -> Iterator[None]:
    policies.forget_cached()
    with factory.override(clock=FixedClock(NOW)):
        yield
    policies.forget_cached()


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("sweep", *arguments, stdout=out, skip_checks=True)
    return out.getvalue()


def seed(house: House, content: str, **fields: object) -> uuid.UUID:
    with tenant_transaction(house.id):
        memory = make_memory(house.subjects["user"], content=content, kind="todo", **fields)
        Memory.objects.filter(pk=memory.pk).update(created_at=fields.get("said_at", NOW))
    return memory.pk


def statuses(house: House) -> dict[uuid.UUID, str]:
    with tenant_transaction(house.id):
        return dict(Memory.objects.values_list("id", "status"))


def test_a_dry_run_names_each_memory_with_the_rule_and_the_numbers(acme: House) -> None:
    ended = seed(acme, "Wolpertinger one", expires_at=NOW - timedelta(hours=1))
    faded = seed(acme, "Wolpertinger two", said_at=NOW - timedelta(days=90))
    stays = seed(acme, "Wolpertinger three")
    pinned = seed(acme, "Wolpertinger four", expires_at=NOW - timedelta(hours=1), pinned=True)
    told = run("--tenant", "acme", "--dry-run")
    lines = {line.split()[0]: line for line in told.splitlines() if " of subject " in line}
    assert set(lines) == {str(ended), str(faded)}
    assert "ended 2026-06-01 08:00" in lines[str(ended)]
    assert "strength 0.000 < 0.05, age 90.0 d > 1 d" in lines[str(faded)]
    assert "2 of 4 would go" in told and "sweep.ttl: todo 1" in told
    assert "Wolpertinger" not in told
    assert statuses(acme) == dict.fromkeys((ended, faded, stays, pinned), "current")


def test_what_is_above_the_capacity_is_named_up_to_the_limit(acme: House) -> None:
    set_policy(actor=acme.actor("admin"), overrides={"sweep.capacity": 10})
    for number in range(13):
        seed(acme, f"Shelf {number}", importance=0.1 if number < 3 else 0.9)
    told = run("--dry-run", "--limit", "2")
    assert told.count("3 above 10") == 2
    assert "and 1 more" in told


def test_a_sweep_keeps_to_the_tenant_that_is_named(acme: House, globex: House) -> None:
    mine = seed(acme, "over", expires_at=NOW - timedelta(hours=1))
    theirs = seed(globex, "over", expires_at=NOW - timedelta(hours=1))
    assert "1 of 1 went" in run("--tenant", "acme")
    assert statuses(acme) == {mine: "expired"}
    assert statuses(globex) == {theirs: "current"}
    run()
    assert statuses(globex) == {theirs: "expired"}


def test_an_unknown_tenant_is_an_error() -> None:
    with pytest.raises(CommandError, match="nobody"):
        run("--tenant", "nobody")
