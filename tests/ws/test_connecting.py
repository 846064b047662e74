"""Who may open a socket, and when it is closed again."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from accounts.models import Membership
from accounts.sockets import close_sockets
from memoryhub.common.db import tenant_transaction
from memoryhub.common.executor import run_in_services
from sessions_app import relay
from sessions_app.protocol import CloseCode
from tests.support.people import House
from tests.ws.conftest import Socket, of

pytestmark = pytest.mark.django_db(transaction=True)


async def test_a_person_at_their_own_session_gets_its_state(acme: House, sit: Any) -> None:
    _, session_id, state = await sit(acme)
    assert state["session"]["id"] == str(session_id)
    assert state["turns"] == []


async def test_without_a_cookie_the_socket_closes_as_signed_out(acme: House, open_chat: Any) -> None:
    session = await run_in_services(open_chat, acme)
    for cookie in (None, "nonsense"):
        socket = Socket(cookie, session.pk)
        await socket.connect()
        assert (await socket.closed())[0] == CloseCode.SIGNED_OUT


@pytest.mark.parametrize("who", ["other", "operator", "admin"])
async def test_nobody_else_reaches_the_session_in_the_chat(
    acme: House, open_chat: Any, cookie: Any, who: str
) -> None:
    """Not even an operator, who reads in the admin, with an audit entry."""
    session = await run_in_services(open_chat, acme)
    socket = Socket(await run_in_services(cookie, acme, who), session.pk)
    await socket.connect()
    assert (await socket.closed())[0] == CloseCode.NOT_FOUND


async def test_another_tenant_is_told_the_same_as_for_no_session(
    acme: House, globex: House, open_chat: Any, cookie: Any
) -> None:
    session = await run_in_services(open_chat, acme)
    key = await run_in_services(cookie, globex)
    closes = []
    for session_id in (session.pk, uuid4()):
        socket = Socket(key, session_id)
        await socket.connect()
        closes.append(await socket.closed())
    assert closes[0] == closes[1]
    assert closes[0][0] == CloseCode.NOT_FOUND


async def test_an_address_that_is_no_id_is_a_bad_request(acme: House, cookie: Any) -> None:
    socket = Socket(await run_in_services(cookie, acme), "not-an-id")
    await socket.connect()
    assert (await socket.closed())[0] == CloseCode.BAD_REQUEST


async def test_a_page_of_another_origin_is_refused(acme: House, open_chat: Any, cookie: Any) -> None:
    session = await run_in_services(open_chat, acme)
    socket = Socket(await run_in_services(cookie, acme), session.pk, origin=b"https://elsewhere.example")
    accepted = await socket.connect()
    assert not accepted


async def test_signing_out_closes_the_sockets_at_once(acme: House, sit: Any) -> None:
    socket, _, _ = await sit(acme)
    client: Client = acme.client("user")
    await run_in_services(client.post, "/accounts/logout/")
    assert (await socket.closed())[0] == CloseCode.SIGNED_OUT


async def test_a_session_that_ended_unheard_is_found_out_at_the_next_frame(acme: House, sit: Any) -> None:
    socket, _, _ = await sit(acme)
    await run_in_services(acme.client("user").session.delete)
    await socket.say("ping")
    assert (await socket.closed())[0] == CloseCode.SIGNED_OUT


async def test_a_member_who_is_deactivated_is_out_at_the_next_frame(acme: House, sit: Any) -> None:
    socket, _, _ = await sit(acme)

    def deactivate() -> None:
        with tenant_transaction(acme.id):
            Membership.objects.filter(user=acme.user_of()).update(is_active=False)

    await run_in_services(deactivate)
    await socket.say("ping")
    assert (await socket.closed())[0] == CloseCode.FORBIDDEN


async def test_deactivation_closes_the_sockets_through_their_group(acme: House, sit: Any) -> None:
    mine, _, _ = await sit(acme)
    others, _, _ = await sit(acme, who="other")
    await run_in_services(close_sockets, acme.user_of().pk, "deactivated")
    assert (await mine.closed())[0] == CloseCode.SIGNED_OUT
    await others.say("ping")
    assert of("pong")(await others.hear())


async def test_a_membership_that_ends_while_the_socket_opens_closes_it_once(
    acme: House, open_chat: Any, cookie: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second look finds the person gone, and the message about it arrives as well: one close, not two."""
    session = await run_in_services(open_chat, acme)
    key = await run_in_services(cookie, acme)
    attend = relay.attend

    def leave() -> None:
        with tenant_transaction(acme.id):
            Membership.objects.filter(user=acme.user_of()).update(is_active=False)
        close_sockets(acme.user_of().pk, "deactivated")

    async def attended(*args: Any) -> None:
        await attend(*args)
        await run_in_services(leave)

    monkeypatch.setattr(relay, "attend", attended)
    socket = Socket(key, session.pk)
    await socket.connect()
    assert (await socket.closed())[0] in {CloseCode.FORBIDDEN, CloseCode.SIGNED_OUT}
    assert await socket.receive_nothing(timeout=0.5)
