"""Operators need a second factor where others are served: without one the admin leads to setting it up."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.urls import reverse

from tests.support.people import House

pytestmark = pytest.mark.django_db


def test_an_operator_without_one_is_led_to_set_it_up(acme: House, settings: Any) -> None:
    settings.OPERATORS_NEED_MFA = True
    client = acme.client("operator")
    for name in ("admin:index", "admin:store_health", "admin:memories_memory_changelist"):
        answer = client.get(reverse(name))
        assert answer.status_code == 302 and answer.headers["Location"].startswith(reverse("admin:login"))
    led = client.get(reverse("admin:login"))
    assert led.headers["Location"] == reverse("mfa_activate_totp")
    posted = client.post(reverse("admin:memories_sweeprun_pause"), {"do": "pause"})
    assert posted.status_code == 302


def test_with_one_the_admin_opens_and_closes_when_it_is_taken_away(acme: House, settings: Any) -> None:
    settings.OPERATORS_NEED_MFA = True
    one = Authenticator.objects.create(
        user=acme.user_of("operator"), type=Authenticator.Type.TOTP, data={"secret": "x"}
    )
    client = acme.client("operator")
    assert client.get(reverse("admin:index")).status_code == 200
    one.delete()
    assert client.get(reverse("admin:index")).status_code == 302


def test_on_a_machine_of_ones_own_a_password_will_do(acme: House, settings: Any) -> None:
    assert settings.OPERATORS_NEED_MFA is settings.BEHIND_TLS is False
    assert acme.client("operator").get(reverse("admin:index")).status_code == 200
