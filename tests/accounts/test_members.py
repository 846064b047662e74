"""Who is an actor where: chosen tenant, roles, deactivation, suspension, platform staff."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import RequestFactory
from rest_framework.exceptions import AuthenticationFailed

from accounts.actor import Actor, system_actor
from accounts.authentication import actor_of_key
from accounts.members import active_member, actor_of_scope, member_of, staff_member
from accounts.models import AuditEntry, Role, Subject, User
from accounts.permissions import ROLE_CAPABILITIES, Capability
from accounts.services import (
    change_role,
    create_api_key,
    deactivate_member,
    ensure_subject,
    find_subject,
    invite,
    join_tenant,
    make_reset_link,
    resume_tenant,
    rotate_api_key,
    suspend_tenant,
)
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict, DomainError, Invalid, NotFound, PermissionDenied
from tests.support.people import House

pytestmark = pytest.mark.django_db


def actor_in_browser(house: House, who: str) -> object:
    """What a request of this browser would find."""
    request = RequestFactory().get("/")
    request.session = house.client(who).session
    request.user = house.user_of(who)
    return active_member(request)


def test_a_role_gives_its_capabilities_and_the_own_subject(acme: House) -> None:
    for who, role in {"admin": Role.ADMIN, "operator": Role.OPERATOR, "user": Role.END_USER}.items():
        actor = acme.actor(who)
        assert actor.capabilities == ROLE_CAPABILITIES[role]
        assert actor.subject_id == acme.subjects[who]
        assert actor.tenant_id == acme.id


def test_nobody_is_a_member_of_another_tenant(acme: House, globex: House) -> None:
    assert member_of(acme.user_of("admin"), globex.id, "admin") is None


def test_the_chosen_tenant_counts_and_never_another_instead(acme: House, globex: House) -> None:
    user = acme.user_of("user")
    join_tenant(actor=system_actor(globex.id), user=user, role=Role.OPERATOR)
    browser = acme.client("user")
    assert actor_in_browser(acme, "user").tenant_id == acme.id
    assert browser.post("/tenant/", {"tenant": globex.id}).status_code == 302
    assert actor_in_browser(acme, "user").tenant_id == globex.id
    deactivate_member(actor=system_actor(globex.id), user_id=user.pk)
    assert actor_in_browser(acme, "user") is None


def test_a_stranger_cannot_choose_a_tenant(acme: House, globex: House) -> None:
    assert acme.client("admin").post("/tenant/", {"tenant": globex.id}).status_code == 404
    assert acme.client("admin").post("/tenant/", {"tenant": "nonsense"}).status_code == 400
    assert actor_in_browser(acme, "admin").tenant_id == acme.id


def test_the_choice_goes_on_to_pages_of_this_site_only(acme: House) -> None:
    browser = acme.client("user")
    there = browser.post("/tenant/", {"tenant": acme.id, "next": "/memories/"})
    assert there.headers["Location"] == "/memories/"
    elsewhere = browser.post("/tenant/", {"tenant": acme.id, "next": "https://evil.example/"})
    assert elsewhere.headers["Location"] == "/"


def test_a_suspended_tenant_has_no_actors_until_it_is_resumed(acme: House) -> None:
    suspend_tenant(actor=system_actor(acme.id), reason="unpaid")
    assert member_of(acme.user_of("admin"), acme.id, "chat") is None
    assert actor_in_browser(acme, "admin") is None
    resume_tenant(actor=system_actor(acme.id))
    assert acme.actor("admin").tenant_id == acme.id


def test_a_tenants_own_admin_cannot_suspend_or_resume_it(acme: House) -> None:
    with pytest.raises(PermissionDenied):
        suspend_tenant(actor=acme.actor("admin"))


def test_a_deactivated_member_is_no_actor_at_once(acme: House) -> None:
    deactivate_member(actor=acme.actor("admin"), user_id=acme.user_of("user").pk)
    assert actor_in_browser(acme, "user") is None


def test_a_deactivated_person_is_no_actor_anywhere(acme: House) -> None:
    User.objects.filter(pk=acme.user_of("user").pk).update(is_active=False)
    assert member_of(acme.user_of("user"), acme.id, "chat") is None


def test_a_websocket_finds_its_actor_until_signed_out(acme: House) -> None:
    browser = acme.client("user")
    scope = {"session": browser.session}
    assert actor_of_scope(scope).subject_id == acme.subjects["user"]
    browser.post("/accounts/logout/")
    assert actor_of_scope(scope) is None
    assert actor_of_scope({}) is None


def test_a_websocket_loses_its_actor_with_the_password(acme: House) -> None:
    scope = {"session": acme.client("user").session}
    user = acme.user_of("user")
    user.set_password("another long password")
    user.save()
    assert actor_of_scope(scope) is None


def test_the_last_admin_stays(acme: House) -> None:
    admin = acme.actor("admin")
    admin_id = acme.user_of("admin").pk
    with pytest.raises(Conflict):
        deactivate_member(actor=admin, user_id=admin_id)
    with pytest.raises(Conflict):
        change_role(actor=admin, user_id=admin_id, role=Role.OPERATOR)
    change_role(actor=admin, user_id=acme.user_of("user").pk, role=Role.ADMIN)
    change_role(actor=admin, user_id=admin_id, role=Role.OPERATOR)
    assert Capability.MEMBERS_WRITE not in acme.actor("admin").capabilities


def test_members_of_another_tenant_are_not_there(acme: House, globex: House) -> None:
    with pytest.raises(NotFound):
        deactivate_member(actor=acme.actor("admin"), user_id=globex.user_of("user").pk)


def test_platform_staff_enter_a_tenant_and_its_audit_says_so(acme: House) -> None:
    staff = User.objects.create_superuser("staff@platform.example", "x")
    house = House(acme.tenant, {"staff": staff}, {})
    assert actor_in_browser(house, "staff") is None
    browser = house.client("staff")
    assert browser.post("/tenant/", {"tenant": acme.id}).headers["Location"] == "/admin/"
    actor = actor_in_browser(house, "staff")
    assert actor.tenant_id == acme.id
    assert not actor.capabilities & {Capability.CHAT, Capability.REVEAL, Capability.MEMORY_WRITE}
    with tenant_transaction(acme.id):
        entry = AuditEntry.objects.get(action="staff.entered")
    assert entry.actor_id == str(staff.pk)


def test_a_subject_is_made_once_and_found_by_its_literal_id(acme: House) -> None:
    admin = acme.actor("admin")
    made = ensure_subject(actor=admin, kind="user", external_id="User%1 ")
    assert ensure_subject(actor=admin, kind="user", external_id="User%1 ").pk == made.pk
    for near in ("user%1 ", "User%1", "UserX1 "):
        with pytest.raises(NotFound):
            find_subject(actor=admin, kind="user", external_id=near)
    assert ensure_subject(actor=admin, kind="agent", external_id="User%1 ").pk != made.pk


@pytest.mark.parametrize("bad", ["", "x" * 513, "a\x00b", "\ud800"])
def test_an_external_id_that_cannot_be_stored_is_refused(acme: House, bad: str) -> None:
    with pytest.raises(Invalid):
        ensure_subject(actor=acme.actor("admin"), kind="user", external_id=bad)


def test_an_end_user_finds_no_subject_but_their_own(acme: House) -> None:
    user = acme.actor("user")
    own = find_subject(actor=user, external_id=str(acme.user_of("user").pk))
    assert own.pk == acme.subjects["user"]
    with pytest.raises(NotFound):
        find_subject(actor=user, external_id=str(acme.user_of("other").pk))
    with tenant_transaction(acme.id):
        assert Subject.objects.count() == 4


def test_an_end_user_cannot_tell_a_strangers_id_from_an_unknown_one(acme: House) -> None:
    ensure_subject(actor=acme.actor("admin"), external_id="mail@customer.example")
    answers = []
    for probed in ("mail@customer.example", "nobody@customer.example"):
        with pytest.raises(DomainError) as refused:
            ensure_subject(actor=acme.actor("user"), external_id=probed)
        answers.append((refused.value.status, refused.value.code, refused.value.message, refused.value.hint))
    assert answers[0] == answers[1]
    assert answers[0][0] == 404


def staff_in(house: House) -> Actor:
    staff = User.objects.create_superuser("staff@platform.example", "x")
    actor = staff_member(staff, house.id, "admin")
    assert actor is not None
    return actor


def test_nobody_grants_more_than_they_may_do(acme: House) -> None:
    staff, user_id = staff_in(acme), acme.user_of("user").pk
    written, _ = create_api_key(actor=acme.actor("admin"), name="writer", scopes=["write"])
    refused: dict[str, Callable[[], object]] = {
        "key": lambda: create_api_key(actor=staff, name="k", scopes=["write"]),
        "admin key": lambda: create_api_key(actor=staff, name="k", scopes=["read", "admin"]),
        "bound key": lambda: create_api_key(
            actor=staff, name="k", scopes=["write"], subject_id=acme.subjects["user"]
        ),
        "rotated key": lambda: rotate_api_key(actor=staff, key_id=written.pk),
        "invitation": lambda: invite(actor=staff, email="me@platform.example", role=Role.ADMIN),
        "role": lambda: change_role(actor=staff, user_id=user_id, role=Role.ADMIN),
        "password": lambda: make_reset_link(actor=staff, user_id=acme.user_of("admin").pk),
    }
    for way, grant in refused.items():
        with pytest.raises(PermissionDenied, match="more than you may do"):
            grant()
            pytest.fail(f"{way} was granted")
    assert create_api_key(actor=staff, name="k", scopes=["read"])[0].scopes == ["read"]
    assert invite(actor=staff, email="new@acme.example", role=Role.END_USER)[0].role == Role.END_USER


def test_with_the_member_go_the_keys_to_their_memory_and_no_others(acme: House) -> None:
    bound, other, whole = (
        acme.key("read", subject="user"),
        acme.key("read", subject="other"),
        acme.key("read"),
    )
    deactivate_member(actor=acme.actor("admin"), user_id=acme.user_of("user").pk)
    with pytest.raises(AuthenticationFailed):
        actor_of_key(bound)
    assert actor_of_key(other).subject_id == acme.subjects["other"]
    assert actor_of_key(whole).subject_id is None
