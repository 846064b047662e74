"""Each websocket route, opened by every kind of caller through the whole ASGI application."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from asgiref.testing import ApplicationCommunicator
from django.conf import settings

from accounts.actor import Actor
from accounts.services import deactivate_member
from memoryhub.asgi import application
from memoryhub.common.executor import run_in_services
from sessions_app import door
from sessions_app.routing import websocket_urlpatterns
from tests.tenancy.rows import SOCKETS, SocketRow
from tests.tenancy.world import KEY_PERSONAS, MARKER, PERSONAS, World, build_world

ORIGIN = (b"origin", b"http://localhost")
PATIENCE = 30.0
"""Seconds until a test gives up on an event, on a busy machine."""


@pytest.fixture
def world(transactional_db: None) -> World:
    return build_world()


def headers_of(world: World, persona: str) -> list[tuple[bytes, bytes]]:
    cookie = world.client(persona).cookies.get(settings.SESSION_COOKIE_NAME)
    return [(b"cookie", f"{settings.SESSION_COOKIE_NAME}={cookie.value}".encode())] if cookie else []


def dial(path: str, headers: list[tuple[bytes, bytes]]) -> ApplicationCommunicator:
    """A socket of the whole application, not yet connected."""
    scope = {"type": "websocket", "path": path, "query_string": b"", "headers": headers, "subprotocols": []}
    return ApplicationCommunicator(application, scope)


async def connected(socket: ApplicationCommunicator) -> int | None:
    """None when let in, else the close code."""
    await socket.send_input({"type": "websocket.connect"})
    event = await socket.receive_output(timeout=PATIENCE)
    return None if event["type"] == "websocket.accept" else int(event.get("code", 4403))


async def closed(socket: ApplicationCommunicator) -> int:
    """The code with which the server ends the socket."""
    while True:
        event = await socket.receive_output(timeout=PATIENCE)
        if event["type"] == "websocket.close":
            return int(event["code"])


async def knock(path: str, headers: list[tuple[bytes, bytes]]) -> tuple[int | None, str]:
    """(close code, or None when let in and answered; what was sent meanwhile)."""
    socket = dial(path, headers)
    code = await connected(socket)
    if code is not None:
        return code, ""
    said = ""
    await socket.send_input(
        {
            "type": "websocket.receive",
            "text": json.dumps({"type": "resume", "after_seq": 0, "answer_offset": 0}),
        }
    )
    while '"state"' not in said:
        event = await socket.receive_output(timeout=PATIENCE)
        if event["type"] == "websocket.close":
            return int(event["code"]), said
        said += event.get("text") or ""
    await socket.send_input({"type": "websocket.disconnect", "code": 1000})
    await socket.wait(timeout=PATIENCE)
    return None, said


def test_every_route_has_a_row() -> None:
    assert {row.route for row in SOCKETS} == {str(pattern.pattern) for pattern in websocket_urlpatterns}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("row", SOCKETS, ids=lambda row: row.route)
def test_each_caller_gets_in_or_the_close_code_of_the_table(row: SocketRow, world: World) -> None:
    column = {"stranger": "outsider", "foreign_admin": "outsider"}
    for persona in PERSONAS:
        if persona in KEY_PERSONAS:
            continue
        code, said = async_to_sync(knock)(row.path(world), [ORIGIN, *headers_of(world, persona)])
        assert code == getattr(row, column.get(persona, persona)), persona
        assert (MARKER in said) == (persona == "owner"), persona


@pytest.mark.django_db(transaction=True)
def test_another_sites_page_cannot_open_a_socket(world: World) -> None:
    headers = [(b"origin", b"https://evil.example"), *headers_of(world, "owner")]
    code, said = async_to_sync(knock)(SOCKETS[0].path(world), headers)
    assert code is not None
    assert said == ""


@pytest.mark.django_db(transaction=True)
def test_an_open_socket_ends_with_the_membership(world: World) -> None:
    headers = [ORIGIN, *headers_of(world, "owner")]
    admin, user_id = world.acme.actor("admin"), world.acme.user_of("user").pk

    async def talk() -> int:
        socket = dial(SOCKETS[0].path(world), headers)
        assert await connected(socket) is None
        await run_in_services(deactivate_member, actor=admin, user_id=user_id)
        return await closed(socket)

    assert 4400 <= async_to_sync(talk)() < 4500


@pytest.mark.django_db(transaction=True)
def test_a_membership_that_ends_while_the_socket_opens_ends_it_too(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    headers = [ORIGIN, *headers_of(world, "owner")]
    admin, user_id = world.acme.actor("admin"), world.acme.user_of("user").pk
    look_up = door.actor_of
    looked_up: list[Actor] = []

    async def look_up_then_deactivate(scope: Any, session_id: uuid.UUID) -> Actor:
        actor = await look_up(scope, session_id)
        if not looked_up:
            looked_up.append(actor)
            await run_in_services(deactivate_member, actor=admin, user_id=user_id)
        return actor

    monkeypatch.setattr(door, "actor_of", look_up_then_deactivate)

    async def talk() -> int:
        socket = dial(SOCKETS[0].path(world), headers)
        assert await connected(socket) is None
        return await closed(socket)

    assert async_to_sync(talk)() == 4403
