"""Operators lay down and withdraw the tenant's rules in the admin, through the services; nobody else does."""

from __future__ import annotations

import pytest
from django.contrib.admin.models import LogEntry
from django.urls import reverse

from accounts.models import AuditEntry
from memories.models import Memory
from memories.services.constraints import list_tenant_constraints
from memories.services.remember import remember
from memoryhub.common.db import tenant_transaction
from tests.support.people import House

pytestmark = pytest.mark.django_db

ADD, LIST = "admin:memories_memory_add", "admin:memories_memory_changelist"


def rules(house: House) -> list[str]:
    return [rule.memory.content for rule in list_tenant_constraints(actor=house.actor())]


def test_an_operator_lays_down_a_rule_for_everybody_and_withdraws_it(acme: House) -> None:
    client = acme.client("operator")
    assert client.get(reverse(ADD)).status_code == 200
    answer = client.post(
        reverse(ADD), {"content": "Never quote prices.", "key": "", "expires_at_0": "", "expires_at_1": ""}
    )
    assert answer.status_code == 302
    assert rules(acme) == ["Never quote prices."]
    with tenant_transaction(acme.id):
        rule = Memory.objects.constraints().current().get()
        assert rule.source == "operator"
        assert AuditEntry.objects.filter(changes__contains=[{"action": "constraint.declared"}]).exists()
    assert client.get(reverse("admin:memories_memory_change", args=[rule.pk])).status_code == 200
    client.post(reverse(LIST), {"action": "withdraw_rules", "_selected_action": [str(rule.pk)]})
    assert rules(acme) == []


@pytest.mark.parametrize(
    "fields",
    [
        {"content": "The password is hunter2-XyZ-99."},
        {"content": "Never quote prices.", "expires_at_0": "2001-01-01", "expires_at_1": "10:00:00"},
    ],
    ids=["refused by the policy", "over before it begins"],
)
def test_a_rule_that_is_refused_is_an_error_of_the_form(acme: House, fields: dict[str, str]) -> None:
    client = acme.client("operator")
    data = {"key": "", "expires_at_0": "", "expires_at_1": "", **fields}
    answer = client.post(reverse(ADD), data, follow=True)
    assert answer.redirect_chain == []
    assert answer.context["adminform"].form.errors
    assert "successfully" not in answer.content.decode()
    assert rules(acme) == [] and not LogEntry.objects.exists()


def test_the_action_takes_no_persons_memory(acme: House) -> None:
    actor = acme.actor()
    assert actor.subject_id is not None
    (made,) = remember(actor=actor, subject_id=actor.subject_id, content="The key is blue.", infer=False)
    acme.client("operator").post(
        reverse(LIST), {"action": "withdraw_rules", "_selected_action": [str(made.memory_id)]}
    )
    with tenant_transaction(acme.id):
        assert Memory.objects.get(pk=made.memory_id).status == "current"


def test_nobody_else_may_add(acme: House) -> None:
    assert acme.client("user").get(reverse(ADD)).status_code in {302, 403}
