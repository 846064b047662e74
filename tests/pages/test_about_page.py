"""The page about oneself: the profile with its sources, and the rules with who set them and what does not fit."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from memories.models import Memory
from memories.services.declare_constraint import declare_constraint, declare_tenant_constraint
from memories.services.learn import learn
from memories.services.policies import forget_cached, set_policy
from memoryhub.common.db import tenant_transaction
from tests.support.factories import NOW
from tests.support.people import House

pytestmark = pytest.mark.django_db


def teach(house: House, text: str) -> None:
    actor = house.actor()
    assert actor.subject_id is not None
    learn(
        actor=actor, subject_id=actor.subject_id, text=text, role="user", speaker="", said_at=NOW,
        turn_id=None, session_id=None,
    )  # fmt: skip


def page(house: House, who: str = "user", language: str = "en") -> str:
    response = house.client(who).get(reverse("about_me"), headers={"accept-language": language})
    assert response.status_code == 200
    return re.sub(r"\s+", " ", response.content.decode())


def test_the_profile_is_grouped_and_labelled_in_the_readers_language(acme: House) -> None:
    teach(acme, "My name is Robin Falk. I live in Lisbon.")
    english, chinese = page(acme), page(acme, language="zh-hans")
    assert ">home<" in english and "Lisbon" in english and "Home and contact" in english
    assert "住址" in chinese and "Lisbon" in chinese and "住址和联系方式" in chinese


def test_a_rule_is_added_and_removed_without_script(acme: House) -> None:
    client = acme.client()
    client.post(reverse("lay_down_rule"), {"content": "No tables in my reports."})
    assert "No tables in my reports." in page(acme)
    with tenant_transaction(acme.id):
        rule = Memory.objects.constraints().current().get()
    client.post(reverse("remove_rule", args=[rule.pk]))
    assert '<p class="text" dir="auto">No tables in my reports.' not in page(acme)


def test_an_operators_rule_is_shown_to_everybody_and_removable_by_operators_only(acme: House) -> None:
    acme.client("operator").post(
        reverse("lay_down_rule"), {"content": "Never quote prices.", "for_tenant": "1"}
    )
    with tenant_transaction(acme.id):
        rule = Memory.objects.constraints().current().get()
    remove = reverse("remove_rule", args=[rule.pk])
    assert "Never quote prices." in page(acme) and "by an operator" in page(acme)
    assert remove not in page(acme)
    acme.client("user").post(remove)
    assert "Never quote prices." in page(acme, "other")
    acme.client("operator").post(remove)
    assert "Never quote prices." not in page(acme, "other")


def test_a_person_cannot_set_a_rule_for_everybody(acme: House) -> None:
    response = acme.client().post(reverse("lay_down_rule"), {"content": "All hail me.", "for_tenant": "1"})
    assert response.status_code == 403
    assert "All hail me." not in page(acme, "other")


def test_what_does_not_fit_is_told(acme: House) -> None:
    set_policy(actor=acme.actor("admin", "admin"), overrides={"constraint.cap_tokens": 60})
    forget_cached()
    actor = acme.actor()
    assert actor.subject_id is not None
    for what in ("tables", "emojis", "acronyms", "exclamation marks"):
        declare_constraint(actor=actor, subject_id=actor.subject_id, content=f"Never use {what} in my mails.")
    declare_tenant_constraint(actor=acme.actor("operator"), content="Never quote prices.")
    text = page(acme)
    assert "3 rules do not fit into the 60 tokens" in text
    assert text.index("Never quote prices.") < text.index("Never use tables")
