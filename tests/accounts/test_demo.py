"""The demo tenants, and tenants in general."""

from __future__ import annotations

import pytest
from allauth.account.models import EmailAddress
from django.core.management import call_command
from django.test import Client

from accounts.members import memberships
from accounts.models import AuditEntry, AuditHead, Tenant, User
from accounts.services import create_tenant, seed_demo
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict, Invalid, PermissionDenied

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_cache")]


def test_the_demo_is_two_tenants_whose_people_can_sign_in() -> None:
    created = seed_demo()
    assert {(row["tenant"], row["role"]) for row in created} == {
        (tenant, role) for tenant in ("acme", "globex") for role in ("admin", "operator", "end_user")
    }
    assert len(created) == 8
    for row in created[:2]:
        answer = Client().post("/accounts/login/", {"login": row["email"], "password": row["password"]})
        assert answer.status_code == 302
    assert len({row["password"] for row in created}) == 8


def test_seeding_again_creates_nobody_and_changes_no_password() -> None:
    created = seed_demo()
    assert seed_demo() == []
    assert User.objects.get(email=created[0]["email"]).check_password(created[0]["password"])
    # As after a start that was interrupted before this person was made.
    User.objects.filter(email=created[0]["email"]).update(email="renamed@acme.example")
    EmailAddress.objects.filter(email=created[0]["email"]).delete()
    assert [row["email"] for row in seed_demo()] == [created[0]["email"]]


def test_a_start_that_ends_in_between_leaves_nobody_whose_password_was_not_kept() -> None:
    kept: list[str] = []

    def disk_full_at_the_third(person: dict[str, str]) -> None:
        if len(kept) == 2:
            raise OSError("no space left")
        kept.append(person["email"])

    with pytest.raises(OSError, match="no space"):
        seed_demo(keep=disk_full_at_the_third)
    assert sorted(User.objects.values_list("email", flat=True)) == sorted(kept)
    assert len(seed_demo(keep=lambda person: kept.append(person["email"]))) == 6
    assert len(set(kept)) == 8


def test_a_new_tenant_begins_its_own_audit_chain() -> None:
    tenant = create_tenant(slug="initech", name="Initech", time_zone="Asia/Shanghai")
    with tenant_transaction(tenant.pk):
        assert AuditEntry.objects.get().action == "tenant.created"
        assert AuditHead.objects.get().seq == 1


def test_bad_tenants_are_refused() -> None:
    create_tenant(slug="initech", name="Initech")
    with pytest.raises(Conflict):
        create_tenant(slug="initech", name="Again")
    for bad in ({"slug": "no spaces"}, {"name": " "}, {"time_zone": "Mars/Base"}):
        with pytest.raises(Invalid):
            create_tenant(**{"slug": "ok", "name": "Ok", **bad})
    with pytest.raises(PermissionDenied):
        create_tenant(slug="ok", name="Ok", user=User.objects.create_user("plain@platform.example", "x"))
    assert Tenant.objects.count() == 1


def test_the_command_hands_out_the_first_admins_invitation(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("create_tenant", "initech", "Initech", "boss@initech.example")
    token = capsys.readouterr().out.strip().rstrip("/").rsplit("/", 1)[1]
    browser = Client()
    browser.post(
        f"/invite/{token}/", {"name": "Boss", "password1": "quite long, yes", "password2": "quite long, yes"}
    )
    assert [role for _, role in memberships(User.objects.get(email="boss@initech.example"))] == ["admin"]
