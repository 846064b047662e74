"""Members, invitations and keys in the admin: a page asks before, and a secret is shown once."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import ApiKey, AuditEntry, Membership
from memoryhub.common.db import tenant_transaction
from tests.support.people import House

pytestmark = pytest.mark.django_db

MEMBERS, KEYS, NEW_KEY = (
    reverse(f"admin:accounts_{name}") for name in ("membership_changelist", "apikey_changelist", "apikey_add")
)


def membership(house: House, who: str) -> Membership:
    with tenant_transaction(house.id):
        found: Membership = Membership.objects.get(user=house.user_of(who))
        return found


def decide(house: House, verb: str, *people: str, by: House | None = None, who: str = "admin") -> Any:
    ids = ",".join(str(membership(house, one).pk) for one in people)
    url = f"{reverse('admin:accounts_membership_decide', args=[verb])}?ids={ids}"
    return (by or house).client(who).post(url, follow=True)


def test_a_role_is_given_and_a_member_leaves_and_comes_back(acme: House) -> None:
    decide(acme, "operator", "user")
    assert membership(acme, "user").role == "operator"
    decide(acme, "deactivate", "user")
    assert not membership(acme, "user").is_active
    assert acme.client("user").get(MEMBERS).status_code == 302
    decide(acme, "reactivate", "user")
    assert membership(acme, "user").is_active and membership(acme, "user").role == "operator"
    assert acme.client("user").get(MEMBERS).status_code == 200
    with tenant_transaction(acme.id):
        actions = set(AuditEntry.objects.values_list("action", flat=True))
    assert actions >= {"member.role_changed", "member.deactivated", "member.reactivated"}


@pytest.mark.parametrize("verb", ["end_user", "operator", "deactivate"])
def test_the_last_admin_stays_and_the_page_says_so(acme: House, verb: str) -> None:
    assert "last admin" in decide(acme, verb, "admin").content.decode()
    kept = membership(acme, "admin")
    assert kept.is_active and kept.role == "admin"


def test_nobody_else_decides_about_members(acme: House, globex: House) -> None:
    assert decide(acme, "deactivate", "user", who="operator").status_code == 403
    assert decide(acme, "deactivate", "user", by=globex).status_code == 404
    assert decide(acme, "nonsense", "user").status_code == 404
    assert membership(acme, "user").is_active
    url = reverse("admin:accounts_membership_decide", args=["deactivate"])
    assert acme.client("admin").get(url, {"ids": "x"}).status_code == 404


def test_a_key_is_shown_on_one_page_that_nothing_keeps(acme: House) -> None:
    client = acme.client("admin")
    answer = client.post(NEW_KEY, {"name": "ci", "scopes": ["read"], "expires_at_0": "", "expires_at_1": ""})
    assert answer.status_code == 200 and "mh_" in answer.content.decode()
    assert "no-store" in answer["Cache-Control"]
    assert not any("mh_" in cookie.value for cookie in client.cookies.values())
    assert "mh_" not in str(dict(client.session))
    assert "mh_" not in client.get(KEYS).content.decode()
    with tenant_transaction(acme.id):
        old = ApiKey.objects.get(name="ci")
    again = client.post(KEYS, {"action": "rotate", "_selected_action": [old.pk]})
    assert "mh_" in again.content.decode() and "no-store" in again["Cache-Control"]
    with tenant_transaction(acme.id):
        assert ApiKey.objects.filter(name="ci").count() == 2
        assert ApiKey.objects.get(pk=old.pk).expires_at > timezone.now() + timedelta(hours=23)


def test_a_key_that_cannot_be_is_refused_at_its_field(acme: House) -> None:
    past = {"expires_at_0": "2020-01-01", "expires_at_1": "10:00:00"}
    client = acme.client("admin")
    page = client.post(NEW_KEY, {"name": "ci", "scopes": ["read"], **past})
    assert "expires_at" in page.context["adminform"].form.errors
    bound = {"subject": acme.subjects["user"], "expires_at_0": "", "expires_at_1": ""}
    page = client.post(NEW_KEY, {"name": "ci", "scopes": ["admin"], **bound})
    assert "scopes" in page.context["adminform"].form.errors
    with tenant_transaction(acme.id):
        assert not ApiKey.objects.exists()


def test_a_reset_link_is_in_no_message(acme: House) -> None:
    client = acme.client("admin")
    chosen = [membership(acme, "user").pk]
    page = client.post(MEMBERS, {"action": "reset_link", "_selected_action": chosen})
    assert "/reset/" in page.content.decode() and "no-store" in page["Cache-Control"]
    assert not any("reset" in cookie.value for cookie in client.cookies.values())
