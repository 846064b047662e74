"""Joining a tenant: by a link, for one address, once, in time."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.actor import system_actor
from accounts.members import memberships
from accounts.models import AuditEntry, Invitation, Membership, Role, Tenant, User
from accounts.services import (
    accept_invitation,
    deactivate_member,
    invite,
    suspend_tenant,
    withdraw_invitation,
)
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict, NotFound, PermissionDenied
from tests.support.people import House

pytestmark = pytest.mark.django_db
NEW = "new@acme.example"


def token_for(house: House, email: str = NEW, role: str = Role.END_USER) -> str:
    return invite(actor=house.actor("admin"), email=email, role=role)[1]


def test_a_new_person_signs_up_behind_the_link_and_is_signed_in(acme: House) -> None:
    token = token_for(acme, role=Role.OPERATOR)
    browser = Client()
    page = browser.get(f"/invite/{token}/")
    assert page.status_code == 200
    assert NEW in page.content.decode()
    answer = browser.post(
        f"/invite/{token}/", {"name": "New", "password1": "a quite long one", "password2": "a quite long one"}
    )
    assert answer.status_code == 302
    user = User.objects.get(email=NEW)
    assert browser.session["_auth_user_id"] == str(user.pk)
    assert browser.session["tenant_id"] == str(acme.id)
    assert memberships(user) == [(acme.id, Role.OPERATOR)]


def test_a_weak_password_is_refused_and_the_link_still_works(acme: House) -> None:
    token = token_for(acme)
    browser = Client()
    answer = browser.post(
        f"/invite/{token}/", {"name": "New", "password1": "12345678901", "password2": "12345678901"}
    )
    assert answer.status_code == 200
    assert not User.objects.filter(email=NEW).exists()
    assert browser.get(f"/invite/{token}/").status_code == 200


def test_the_link_works_once(acme: House) -> None:
    token = token_for(acme)
    accept_invitation(token=token, password="a quite long one")
    with pytest.raises(NotFound):
        accept_invitation(token=token, password="a quite long one")
    assert Client().get(f"/invite/{token}/").status_code == 404


@pytest.mark.parametrize("spoil", ["expired", "withdrawn", "replaced", "suspended", "wrong"])
def test_a_dead_link_says_the_same_whatever_killed_it(acme: House, spoil: str) -> None:
    invitation, token = invite(actor=acme.actor("admin"), email=NEW, role=Role.END_USER)
    if spoil == "expired":
        with tenant_transaction(acme.id):
            Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    elif spoil == "withdrawn":
        withdraw_invitation(actor=acme.actor("admin"), invitation_id=invitation.pk)
    elif spoil == "replaced":
        token_for(acme)
    elif spoil == "suspended":
        suspend_tenant(actor=system_actor(acme.id))
    else:
        token = "no-such-token"
    with pytest.raises(NotFound, match="does not work"):
        accept_invitation(token=token, password="a quite long one")


def test_a_known_person_signs_in_first_and_then_joins(acme: House, globex: House) -> None:
    guest = globex.user_of("user")
    token = token_for(acme, email=guest.email, role=Role.ADMIN)
    assert "Sign in" in Client().get(f"/invite/{token}/").content.decode()
    with pytest.raises(Conflict):
        accept_invitation(token=token, password="a quite long one")
    assert globex.client("user").post(f"/invite/{token}/").status_code == 302
    assert dict(memberships(guest)) == {acme.id: Role.ADMIN, globex.id: Role.END_USER}
    with tenant_transaction(acme.id):
        assert "invitation.accepted" in str(list(AuditEntry.objects.values_list("changes", flat=True)))


def test_another_persons_link_is_refused(acme: House, globex: House) -> None:
    token = token_for(acme)
    with pytest.raises(PermissionDenied):
        accept_invitation(token=token, user=globex.user_of("user"))
    assert globex.client("user").post(f"/invite/{token}/").status_code == 403
    with tenant_transaction(acme.id):
        assert Invitation.objects.get().accepted_at is None


def test_a_member_does_not_join_twice_but_a_deactivated_one_comes_back(acme: House) -> None:
    user = acme.user_of("user")
    with pytest.raises(Conflict):
        accept_invitation(token=token_for(acme, email=user.email), user=user)
    deactivate_member(actor=acme.actor("admin"), user_id=user.pk)
    accept_invitation(token=token_for(acme, email=user.email, role=Role.OPERATOR), user=user)
    assert memberships(user) == [(acme.id, Role.OPERATOR)]
    assert acme.actor("user").subject_id == acme.subjects["user"]


def test_only_a_hash_of_the_token_is_stored(acme: House) -> None:
    token = token_for(acme)
    with tenant_transaction(acme.id):
        row = Invitation.objects.values().get()
    assert token not in str(row)


@pytest.mark.parametrize("who", ["user", "operator"])
def test_only_admins_invite(acme: House, who: str) -> None:
    with pytest.raises(PermissionDenied):
        invite(actor=acme.actor(who), email=NEW, role=Role.END_USER)


def test_nobody_signs_up_without_an_invitation(acme: House) -> None:
    answer = Client().post(
        "/accounts/signup/", {"email": NEW, "password1": "a quite long one", "password2": "a quite long one"}
    )
    assert answer.status_code == 200
    assert not User.objects.filter(email=NEW).exists()
    assert Tenant.objects.count() == 1
    with tenant_transaction(acme.id):
        assert Membership.objects.count() == 4
