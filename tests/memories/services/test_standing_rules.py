"""A lasting "do not remember" reads who there is, not all that is known, and holds however much that is."""

from __future__ import annotations

import uuid

import pytest

from accounts.actor import Actor
from memories.core.forgetting.target import Scope, Target
from memories.models import Fact
from memories.ports import FixedClock
from memories.services.forget_by_words import forget_by_words
from memories.services.reach_known import called
from memoryhub.common.db import tenant_transaction
from tests.memories.services.helpers import keep, say

pytestmark = pytest.mark.django_db

MANY = 5_200


@pytest.fixture
def well_known(user: Actor, subject_id: uuid.UUID) -> None:
    """Thousands of facts about the person, and some about two others."""
    say(user, subject_id, "My boss Ann lives in Porto.")
    memory_id = keep(user, subject_id, "A long list of likes", kind="fact").memory_id
    with tenant_transaction(user.tenant_id):
        Fact.objects.bulk_create(
            Fact(
                memory_id=memory_id, subject_id=subject_id, entity=entity, entity_kind="user", attribute="likes",
                value=f"thing {number}", slot_key=f"{entity}|likes",
            )
            for entity, amount in (("user", MANY), ("Lee", 50))
            for number in range(amount)
        )  # fmt: skip


@pytest.mark.usefixtures("well_known")
def test_of_each_only_what_tells_who_they_are_is_read(user: Actor, subject_id: uuid.UUID) -> None:
    with tenant_transaction(user.tenant_id):
        found = called(subject_id, [Target(Scope.ENTITY, entity="Lee", words="Lee")])
        assert len(found) == len({entity for entity, _, _ in found}) == 2
        assert called(subject_id, [Target(Scope.EVERYTHING)]) == []


@pytest.mark.usefixtures("well_known")
def test_a_rule_holds_however_much_is_known(user: Actor, subject_id: uuid.UUID, clock: FixedClock) -> None:
    asked = "Never remember anything about my boss again."
    forget_by_words(actor=user, subject_id=subject_id, text=asked, said_at=clock.now(), now=clock.now())
    clock.advance(hours=1)
    [outcome] = say(user, subject_id, "My boss Ann plays chess.")
    assert (outcome.code, outcome.rule.partition(".")[0]) == ("not_worth_keeping", "forget")
