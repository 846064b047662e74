"""Fixtures of the MCP tests: a running MemoryHub with two tenants, and the protocol's own client."""

from __future__ import annotations

import os
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult

from tests.support.people import House
from tests.support.site import Site, SiteDatabase, site_database


@asynccontextmanager
async def agent(
    url: str, key: str | None, *, mode: str = "auto", transport: Any = None
) -> AsyncIterator[Client]:
    """The official client with an API key."""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=120, transport=transport) as http,
        Client(streamable_http_client(f"{url}/mcp", http_client=http), mode=mode) as client,
    ):
        yield client


@dataclass(frozen=True)
class World:
    """The site, its database and its tenants."""

    site: Site
    database: SiteDatabase
    acme: House
    globex: House

    def key(self, house: House, *scopes: str, subject: str | None = None) -> str:
        with self.database.in_use():
            return house.key(*scopes, subject=subject)

    def agent(self, key: str | None, **options: Any) -> Any:
        return agent(self.site.url, key, **options)


@pytest.fixture(scope="session")
def world(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[World]:
    """One for all tests of this folder; each names subjects of its own."""
    with django_db_blocker.unblock(), site_database() as database:
        houses = database.house("acme", "en"), database.house("globex", "en")
        # The tests ask more than a person's agents would; the limit has a test of its own.
        os.environ["API_REQUESTS_PER_MINUTE"] = "100000"
        site = Site(database, tmp_path_factory.mktemp("mcp"))
        site.start()
        try:
            yield World(site, database, *houses)
        finally:
            site.stop()
            del os.environ["API_REQUESTS_PER_MINUTE"]


@pytest.fixture(autouse=True)
def _unblocked(django_db_blocker: Any) -> Iterator[None]:
    """The houses' keys are made in the site's database, beside pytest-django's own."""
    with django_db_blocker.unblock():
        yield


@pytest.fixture
def key(acme: House) -> str:
    """An API key of a tenant in the test's own database, that reads and writes."""
    return acme.key()


@pytest.fixture
def subject() -> str:
    """An external id that nobody else uses, with all that must be taken literally."""
    return f"用户 100%_*?.{uuid.uuid4().hex}@example.org"


def said(result: CallToolResult) -> dict[str, Any]:
    """The data of an answer that is no error."""
    assert not result.is_error, result.content
    data = result.structured_content
    assert isinstance(data, dict)
    return data


def error(result: CallToolResult) -> dict[str, Any]:
    """The data of an error; its text says the same."""
    assert result.is_error, result.content
    data: dict[str, Any] = result.structured_content["error"]
    assert result.content[0].text.startswith(f"{data['code']}: ")  # type: ignore[union-attr]
    assert data["hint"]
    return data


def text(result: CallToolResult) -> str:
    """The lines that a model reads."""
    return str(result.content[0].text)  # type: ignore[union-attr]
