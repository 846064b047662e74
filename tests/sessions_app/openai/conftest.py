"""Fixtures of the OpenAI door's tests: the real server with a model endpoint behind it, and real OpenAI clients before it."""

from __future__ import annotations

import itertools
import os
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import httpx
import openai
import pytest
from django.utils import timezone

from memories.models import Memory
from memories.services import embedding_space, policies
from memories.services.jobs import run_due
from memoryhub.common.db import tenant_transaction
from sessions_app.models import ChatSession, Turn
from tests.support.model_server import ModelServer, model_server
from tests.support.people import House
from tests.support.site import Site, SiteDatabase, owner_of, site_database

MODEL = "test-model"
_numbers = itertools.count(1)


@pytest.fixture
def clock() -> None:
    """The machine's own, as the server has it."""
    policies.forget_cached()
    embedding_space.forget_cached()


@pytest.fixture
def _light_embedder() -> None:
    """The default one, as the server has it."""


@pytest.fixture(scope="session")
def database(django_db_setup: None, django_db_blocker: Any) -> Iterator[SiteDatabase]:
    """One database for all sites of this folder."""
    with django_db_blocker.unblock(), site_database() as found:
        yield found


@pytest.fixture(scope="session")
def _endpoints() -> Iterator[tuple[ModelServer, ModelServer]]:
    with model_server() as first, model_server() as second:
        yield first, second


@pytest.fixture
def model(_endpoints: tuple[ModelServer, ModelServer]) -> ModelServer:
    """The deployment's endpoint; forgets what it was asked before."""
    _endpoints[0].forget()
    return _endpoints[0]


@pytest.fixture
def listed(_endpoints: tuple[ModelServer, ModelServer]) -> ModelServer:
    """Another endpoint that the operators list for callers' own keys."""
    _endpoints[1].forget()
    return _endpoints[1]


@contextmanager
def running(site: Site, **variables: str) -> Iterator[Site]:
    """The site with these settings, until the block ends."""
    before = dict(os.environ)
    os.environ.update(variables)
    try:
        site.start()
    finally:
        os.environ.clear()
        os.environ.update(before)
    try:
        yield site
    finally:
        site.stop()


@pytest.fixture(scope="session")
def site(
    database: SiteDatabase,
    _endpoints: tuple[ModelServer, ModelServer],
    tmp_path_factory: pytest.TempPathFactory,
    django_db_blocker: Any,
) -> Iterator[Site]:
    """The site with the deployment's endpoint."""
    first, second = _endpoints
    home = tmp_path_factory.mktemp("openai-site")
    made = Site(database, home, model_url=first.base_url)
    with running(made, OPENAI_UPSTREAMS=second.base_url, OPENAI_MEMORY_SECONDS="8") as started:
        # Its embedder is loaded by the first question, which on a busy machine may take longer than memory has.
        first_door = _door(started, django_db_blocker)
        while first_door.say("Who are you?").headers["x-memoryhub-memory"] != "full":
            pass
        yield started


@dataclass
class Door:
    """One tenant at the door: clients with a key of it, and what stands in its database."""

    site: Site
    house: House
    key: str
    _unblock: Callable[[], Any]

    def client(self, **options: Any) -> openai.OpenAI:
        return openai.OpenAI(
            base_url=f"{self.site.url}/v1",
            **{"api_key": self.key, "max_retries": 0, "timeout": 60, **options},
        )

    def asynchronous(self, **options: Any) -> openai.AsyncOpenAI:
        return openai.AsyncOpenAI(
            base_url=f"{self.site.url}/v1",
            **{"api_key": self.key, "max_retries": 0, "timeout": 60, **options},
        )

    def post(self, body: Any, key: str | None = None, **headers: str | bytes) -> httpx.Response:
        """A bare request; header names with _ for -."""
        sent: dict[str, str | bytes] = {"authorization": f"Bearer {key or self.key}"} if key != "" else {}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        kind = {"content": body} if isinstance(body, bytes) else {"json": body}
        return httpx.post(f"{self.site.url}/v1/chat/completions", headers=sent, timeout=60, **kind)

    def say(self, *said: str, user: str = "ann", **headers: str | bytes) -> httpx.Response:
        """The person's and the assistant's words in turn, the person's last."""
        roles = itertools.cycle(["user", "assistant"])
        messages = [{"role": role, "content": text} for role, text in zip(roles, said, strict=False)]
        return self.post({"model": MODEL, "messages": messages, "user": user}, **headers)

    @contextmanager
    def data(self) -> Iterator[None]:
        """The tenant's transaction in the site's database."""
        with self._unblock(), self.site.database.in_use(), tenant_transaction(self.house.id):
            yield

    def learn(self) -> None:
        """Do what the worker would."""
        with self._unblock(), self.site.database.in_use():
            while run_due(self.house.id, now=timezone.now() + timedelta(seconds=1)):
                pass

    def turns(self) -> list[tuple[str, str, str]]:
        """(role, words, state) of all turns, in the order of storing, replaced ones too."""
        with self.data():
            return list(Turn.objects.order_by("id").values_list("role", "content", "state"))

    def rows(self) -> list[Turn]:
        with self.data():
            return list(Turn.objects.order_by("id"))

    def sessions(self) -> list[ChatSession]:
        with self.data():
            return list(ChatSession.objects.order_by("id"))

    def memories(self) -> list[Memory]:
        with self.data():
            return list(Memory.objects.order_by("id"))

    def wait_for_turns(self, number: int) -> list[tuple[str, str, str]]:
        """Once so many are stored: who left does not wait for it."""
        deadline = timezone.now() + timedelta(seconds=20)
        while len(found := self.turns()) < number:
            assert timezone.now() < deadline, f"{len(found)} turns, {number} expected"
        return found

    def own_key(self, *scopes: str, subject: str | None = None) -> str:
        with self._unblock(), self.site.database.in_use():
            return self.house.key(*scopes, subject=subject)

    @contextmanager
    def as_owner(self) -> Iterator[Any]:
        """A connection of the tables' owner to the site's database."""
        with owner_of(self.site.database.name) as owner:
            yield owner


def _door(site: Site, blocker: Any) -> Door:
    with blocker.unblock():
        house = site.database.house(f"door{next(_numbers)}-{uuid.uuid4().hex[:6]}", "en")
        with site.database.in_use():
            key = house.key("read", "write")
    return Door(site, house, key, blocker.unblock)


@pytest.fixture
def open_door(django_db_blocker: Any) -> Callable[[Site], Door]:
    """Make a tenant with a key (scopes read and write) at a site."""
    return lambda site: _door(site, django_db_blocker)


@pytest.fixture
def door(site: Site, open_door: Callable[[Site], Door]) -> Door:
    """A tenant of the test's own."""
    return open_door(site)
