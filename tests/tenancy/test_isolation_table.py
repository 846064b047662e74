"""Walks every URL, socket and admin page as the other tenant and as the other user; an endpoint without a row fails."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.admin import site
from django.db import transaction
from django.http import HttpResponse
from django.urls import URLPattern, URLResolver, get_resolver, resolve

from tests.tenancy.rows import ROWS as OWN_ROWS
from tests.tenancy.rows import Row
from tests.tenancy.rows_mem0 import MEM0
from tests.tenancy.world import KEY_PERSONAS, MARKER, PERSONAS, World, build_world

pytestmark = pytest.mark.django_db
MAY_SEE = {"owner", "operator"}


@pytest.fixture
def world(db: None) -> World:
    return build_world()


class _Undo(Exception):
    """Rolls back what one caller did, so that the next one meets the same world."""


def walk(patterns: list[Any], prefix: str = "") -> Iterator[tuple[str, URLPattern]]:
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from walk(pattern.url_patterns, route)
        else:
            yield route, pattern


ROWS = [*OWN_ROWS, *MEM0]
ENDPOINTS = {
    route: pattern for route, pattern in walk(get_resolver().url_patterns) if not route.startswith("admin/")
}


def methods_of(pattern: URLPattern) -> set[str]:
    """The methods of a class-based API view; of any other view one row suffices."""
    view = getattr(pattern.callback, "cls", None)
    if view is None or not hasattr(view, "required_capabilities"):
        return set()
    return {name.upper() for name in ("get", "post", "put", "patch", "delete") if hasattr(view, name)}


def test_every_endpoint_has_a_row(world: World) -> None:
    covered: dict[str, set[str]] = {}
    for row in ROWS:
        match = resolve(row.url(world).split("?")[0])
        assert match.url_name == row.name, f"{row} names another endpoint than its URL: {match.url_name}"
        covered.setdefault(match.route, set()).add(row.method)
    missing = sorted(
        f"{method or 'any method'} {route}"
        for route, pattern in ENDPOINTS.items()
        for method in (methods_of(pattern) or {""})
        if route not in covered or (method and method not in covered[route])
    )
    assert not missing, f"add rows to tests/tenancy/rows.py for: {missing}"


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_each_caller_gets_what_the_table_says(row: Row, world: World) -> None:
    wrong: list[str] = []
    for persona in PERSONAS:
        if persona in KEY_PERSONAS and not row.keys:
            continue
        answer = call(world, persona, row.method, row.url(world), row.body)
        if answer.status_code not in row.expected(persona):
            wrong.append(
                f"{persona}: {answer.status_code}, expected {row.expected(persona)}; {body_of(answer)[:300]!r}"
            )
        if persona not in MAY_SEE and MARKER.lower() in body_of(answer).lower():
            wrong.append(f"{persona} sees what acme's user said")
    assert not wrong, "\n".join(wrong)


def call(world: World, persona: str, method: str, url: str, body: Any) -> HttpResponse:
    client = world.client(persona)
    client.raise_request_exception = False
    data = body(world) if callable(body) else body
    is_api = url.startswith(("/api/", "/v1/", "/v2/", "/v3/"))
    extra = {"content_type": "application/json"} if is_api and method != "GET" else {}
    try:
        with transaction.atomic():
            answer: HttpResponse = getattr(client, method.lower())(
                url, data if data is not None else {}, **extra
            )
            body_of(answer)
            raise _Undo
    except _Undo:
        return answer


def body_of(answer: Any) -> str:
    if getattr(answer, "streaming", False):
        if not hasattr(answer, "_joined"):
            answer._joined = b"".join(answer.streaming_content)
        return answer._joined.decode(errors="replace")
    return answer.content.decode(errors="replace")


def test_the_owner_does_see_the_marker(world: World) -> None:
    """The positive control: without it, an empty page would pass as a safe one."""
    assert MARKER in body_of(world.client("owner").get("/memories/"))
    assert site.is_registered(type(world.acme.tenant))
