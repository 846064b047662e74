"""Webhooks in the admin: seen by operators without their address, paused and helped on by admins, and on the home."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from memories.models import Webhook, WebhookDelivery
from memories.services.webhooks.create_webhook import create_webhook
from memories.services.webhooks.send_again import send_test
from memoryhub.common.db import tenant_transaction
from tests.support.people import House

pytestmark = pytest.mark.django_db

LIST = "admin:memories_webhook_changelist"
TOKEN = "a-token-in-the-address"


@pytest.fixture
def hook(acme: House, settings: Any) -> Webhook:
    """An endpoint with a dead letter."""
    settings.WEBHOOK_PRIVATE_ADDRESSES = True
    admin = acme.actor("admin", "admin")
    webhook, _ = create_webhook(actor=admin, url=f"https://127.0.0.1/{TOKEN}", name="mirror")
    made = send_test(actor=admin, webhook_id=webhook.pk)
    with tenant_transaction(acme.id):
        WebhookDelivery.objects.filter(pk=made.pk).update(state="dead", attempts=50, finished_at=made.at)
    return webhook


def state_of(house: House, webhook: Webhook) -> tuple[str, str]:
    with tenant_transaction(house.id):
        return (
            Webhook.objects.values_list("state", flat=True).get(pk=webhook.pk),
            WebhookDelivery.objects.values_list("state", flat=True).get(webhook=webhook),
        )


def act(house: House, who: str, action: str, webhook: Webhook) -> Any:
    body = {"action": action, "_selected_action": [str(webhook.pk)]}
    return house.client(who).post(reverse(LIST), body, follow=True)


def test_an_operator_sees_how_it_goes_but_no_address_and_no_secret(acme: House, hook: Webhook) -> None:
    client = acme.client("operator")
    for page in (reverse(LIST), reverse("admin:memories_webhook_change", args=[hook.pk])):
        answer = client.get(page)
        assert answer.status_code == 200
        text = answer.content.decode()
        assert "127.0.0.1" in text
        assert TOKEN not in text
        assert "whsec_" not in text
    asked = client.get(reverse(LIST) + f"?url__contains={TOKEN}")
    assert asked.status_code in {302, 400}
    assert "replay" not in client.get(reverse(LIST)).content.decode()


def test_an_admin_sends_dead_letters_again_and_pauses(acme: House, hook: Webhook) -> None:
    act(acme, "operator", "replay", hook)
    assert state_of(acme, hook) == ("enabled", "dead")
    assert "1 message is on its way again." in act(acme, "admin", "replay", hook).content.decode()
    assert state_of(acme, hook) == ("enabled", "pending")
    act(acme, "admin", "disable", hook)
    assert state_of(acme, hook) == ("disabled", "pending")
    act(acme, "admin", "enable", hook)
    assert state_of(acme, hook) == ("enabled", "pending")


def test_the_home_tells_of_dead_letters_of_this_tenant_alone(
    acme: House, globex: House, hook: Webhook
) -> None:
    title = "Messages of webhooks that nobody took"
    works = {
        house.tenant.slug: next(
            one for one in house.client("operator").get("/admin/").context["work"] if str(one.title) == title
        )
        for house in (acme, globex)
    }
    assert (works["acme"].count, works["acme"].urgent) == (1, True)
    assert works["globex"].count == 0
