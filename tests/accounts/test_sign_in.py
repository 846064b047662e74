"""Signing in and out, forgotten passwords, the second factor, and what a stranger can learn."""

from __future__ import annotations

import re
from typing import Any
from uuid import uuid4

import pytest
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    generate_totp_secret,
    hotp_value,
    yield_hotp_counters_from_time,
)
from channels.layers import get_channel_layer
from django.core.management import CommandError, call_command
from django.test import Client

from accounts import sockets
from accounts.actor import system_actor
from accounts.models import AuditEntry, Role
from accounts.services import deactivate_member, join_tenant, make_reset_link, suspend_tenant
from memoryhub.common.cache import CACHE_LOCAL
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import NotFound, PermissionDenied
from memoryhub.settings import CACHES
from tests.support.people import PASSWORD, House

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_cache")]
INLINE = re.compile(
    r"<style|\sstyle=|\son[a-z]+=|javascript:|<script(?![^>]*(\ssrc=|application/json))", re.IGNORECASE
)


def confirmed_browser() -> Client:
    """Signed in, and the password said once more, as pages about the second factor demand."""
    browser = Client()
    browser.post("/accounts/login/", {"login": "user@acme.example", "password": PASSWORD})
    page = browser.get("/accounts/2fa/totp/activate/", follow=True)
    assert INLINE.search(page.content.decode()) is None
    assert browser.post("/accounts/reauthenticate/", {"password": PASSWORD}).status_code == 302
    return browser


def sign_in(email: str, password: str) -> Any:
    return Client().post("/accounts/login/", {"login": email, "password": password})


def test_a_member_signs_in_with_the_address_in_any_case(acme: House) -> None:
    assert sign_in("USER@acme.example", PASSWORD).headers["Location"] == "/"


def test_a_wrong_password_and_an_unknown_address_look_the_same(acme: House) -> None:
    known = sign_in("user@acme.example", "wrong password").content.decode()
    unknown = sign_in("nobody@acme.example", "wrong password").content.decode()

    def plain(page: str) -> str:
        return re.sub(r'(value|nonce|name="csrfmiddlewaretoken")="[^"]*"', "", page)

    assert plain(known) == plain(unknown)
    assert "errors" in known


def test_guessing_passwords_is_slowed_down(acme: House) -> None:
    for _ in range(5):
        sign_in("user@acme.example", "wrong password")
    answer = sign_in("user@acme.example", PASSWORD)
    assert answer.status_code == 200
    assert "_auth_user_id" not in answer.wsgi_request.session


@pytest.fixture
def valkey_is_down(own_cache: None, settings: Any) -> None:
    """The cache as in production, at an address where nothing listens."""
    settings.CACHES = {
        "default": {**CACHES["default"], "LOCATION": "redis://127.0.0.1:1/0", "KEY_PREFIX": uuid4().hex}
    }


@pytest.mark.usefixtures("valkey_is_down")
def test_signing_in_works_while_valkey_is_down_and_the_gap_is_counted(acme: House) -> None:
    before = CACHE_LOCAL._value.get()
    assert sign_in("user@acme.example", "wrong password").status_code == 200
    assert sign_in("user@acme.example", PASSWORD).headers["Location"] == "/"
    assert CACHE_LOCAL._value.get() > before


@pytest.mark.usefixtures("valkey_is_down")
def test_guessing_is_slowed_down_even_while_valkey_is_down(acme: House) -> None:
    test_guessing_passwords_is_slowed_down(acme)


def test_signing_out_tells_the_open_sockets(
    acme: House, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    layer = get_channel_layer()
    told: list[tuple[str, dict[str, Any]]] = []

    async def group_send(group: str, message: dict[str, Any]) -> None:
        told.append((group, message))

    monkeypatch.setattr(layer, "group_send", group_send)
    monkeypatch.setattr(sockets, "get_channel_layer", lambda: layer)
    with django_capture_on_commit_callbacks(execute=True):
        acme.client("user").post("/accounts/logout/")
    group = sockets.user_group(acme.user_of("user").pk)
    assert told == [(group, {"type": "account.closed", "reason": "logout"})]


def test_a_reset_link_works_once_and_is_audited(acme: House) -> None:
    link = make_reset_link(actor=acme.actor("admin"), user_id=acme.user_of("user").pk)
    path = "/" + link.split("/", 3)[3]
    browser = Client()
    form = browser.get(path)
    assert form.status_code == 302  # Django moves the token into the session.
    new = {"new_password1": "another long password", "new_password2": "another long password"}
    assert browser.post(form.headers["Location"], new).headers["Location"] == "/accounts/login/"
    assert sign_in("user@acme.example", "another long password").status_code == 302
    assert "used" in Client().get(path, follow=True).content.decode()
    with tenant_transaction(acme.id):
        assert AuditEntry.objects.filter(action="member.reset_link").count() == 1


def test_signing_in_spends_a_reset_link(acme: House) -> None:
    link = make_reset_link(actor=acme.actor("admin"), user_id=acme.user_of("user").pk)
    sign_in("user@acme.example", PASSWORD)
    assert "used" in Client().get("/" + link.split("/", 3)[3], follow=True).content.decode()


def test_an_admin_makes_links_for_own_members_only(acme: House, globex: House) -> None:
    with pytest.raises(NotFound):
        make_reset_link(actor=acme.actor("admin"), user_id=globex.user_of("user").pk)
    with pytest.raises(PermissionDenied):
        make_reset_link(actor=acme.actor("operator"), user_id=acme.user_of("user").pk)
    join_tenant(actor=system_actor(globex.id), user=acme.user_of("user"), role=Role.END_USER)
    with pytest.raises(PermissionDenied, match="another tenant"):
        make_reset_link(actor=acme.actor("admin"), user_id=acme.user_of("user").pk)


@pytest.mark.parametrize("asleep", ["suspended tenant", "deactivated there"])
def test_a_membership_elsewhere_that_may_come_back_forbids_the_link(
    acme: House, globex: House, asleep: str
) -> None:
    person = acme.user_of("user")
    join_tenant(actor=system_actor(globex.id), user=person, role=Role.END_USER)
    if asleep == "suspended tenant":
        suspend_tenant(actor=system_actor(globex.id))
    else:
        deactivate_member(actor=system_actor(globex.id), user_id=person.pk)
    with pytest.raises(PermissionDenied, match="another tenant"):
        make_reset_link(actor=acme.actor("admin"), user_id=person.pk)


def test_the_command_makes_a_link_for_anybody_and_audits_it_in_each_tenant(
    acme: House, globex: House, capsys: Any
) -> None:
    join_tenant(actor=system_actor(globex.id), user=acme.user_of("user"), role=Role.END_USER)
    call_command("reset_link", "user@acme.example")
    assert "/reset/" in capsys.readouterr().out
    for house in (acme, globex):
        with tenant_transaction(house.id):
            assert AuditEntry.objects.filter(action="member.reset_link").count() == 1
    with pytest.raises(CommandError):
        call_command("reset_link", "nobody@acme.example")


def test_with_a_second_factor_the_password_alone_does_not_sign_in(acme: House) -> None:
    secret = generate_totp_secret()
    TOTP.activate(acme.user_of("operator"), secret)
    browser = Client()
    answer = browser.post(
        "/accounts/login/?next=/admin/", {"login": "operator@acme.example", "password": PASSWORD}
    )
    assert answer.headers["Location"].startswith("/accounts/2fa/authenticate/")
    assert "_auth_user_id" not in browser.session
    code = format_hotp_value(hotp_value(secret, next(iter(yield_hotp_counters_from_time()))))
    browser.post("/accounts/2fa/authenticate/", {"code": code})
    assert browser.session["_auth_user_id"] == str(acme.user_of("operator").pk)


@pytest.mark.parametrize(
    "path",
    [
        "/accounts/login/",
        "/accounts/signup/",
        "/accounts/password/reset/",
        "/reset/x/y/",
        "/api/v1/docs/",
        "/nowhere/",
    ],
)
def test_open_pages_keep_to_the_content_security_policy(db: None, path: str) -> None:
    answer = Client().get(path)
    assert INLINE.search(answer.content.decode()) is None
    assert "script-src 'self'" in answer["Content-Security-Policy"]
    assert "unsafe" not in answer["Content-Security-Policy"]


def test_pages_of_ones_account_keep_to_the_content_security_policy(acme: House) -> None:
    browser = confirmed_browser()
    pages = [
        "/tenant/",
        "/accounts/2fa/",
        "/accounts/2fa/totp/activate/",
        "/accounts/password/change/",
        "/accounts/logout/",
    ]
    for path in pages:
        answer = browser.get(path)
        assert answer.status_code == 200, path
        assert INLINE.search(answer.content.decode()) is None, path


def test_a_second_factor_can_be_switched_on_and_its_codes_seen(acme: House) -> None:
    browser = confirmed_browser()
    page = browser.get("/accounts/2fa/totp/activate/")
    secret = page.context["form"].secret
    code = format_hotp_value(hotp_value(secret, next(iter(yield_hotp_counters_from_time()))))
    assert browser.post("/accounts/2fa/totp/activate/", {"code": code}).status_code == 302
    assert get_adapter().is_mfa_enabled(acme.user_of("user"))
    codes = browser.get("/accounts/2fa/recovery-codes/")
    assert codes.status_code == 200
    assert INLINE.search(codes.content.decode()) is None
    assert Authenticator.objects.filter(user=acme.user_of("user")).count() == 2


def test_a_lost_broker_does_not_stop_signing_out(acme: House, monkeypatch: pytest.MonkeyPatch) -> None:
    class Down:
        async def group_send(self, group: str, message: dict[str, Any]) -> None:
            raise ConnectionRefusedError

    monkeypatch.setattr(sockets, "get_channel_layer", Down)
    sockets._send(acme.user_of("user").pk, "logout")
