"""schemathesis over the live schema: every check, stateful, with the keys of two tenants."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.test import override_settings

from accounts.models import ApiKey
from memoryhub.common.db import tenant_transaction
from tests.support.api_walk import Walk, ids_of, walk
from tests.support.site import KEYS, Site, site_database
from tests.tenancy.world import MARKER, build_world

EXAMPLES = int(os.environ.get("SCHEMATHESIS_EXAMPLES", "1"))
PHASES = os.environ.get("SCHEMATHESIS_PHASES", "examples,fuzzing,stateful")


@dataclass(frozen=True)
class Live:
    """The site, the secrets and ids of the tenants' keys, and acme's ids by the names of path parameters."""

    site: Site
    keys: dict[str, str]
    own: dict[str, str]
    ids: dict[str, list[str]]


pytestmark = [pytest.mark.slow, pytest.mark.timeout(0)]


@pytest.fixture(scope="module")
def live(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Live]:
    """A site whose tenant acme has a row of everything; the keys of both tenants, and acme's ids."""
    own: dict[str, str] = {}
    with django_db_blocker.unblock(), site_database() as database:
        with database.in_use(), override_settings(**KEYS):
            world = build_world()
            scopes = ("read", "write", "admin")
            keys = {house.tenant.slug: house.key(*scopes) for house in (world.acme, world.globex)}
            ids = ids_of(world)
            for house in (world.acme, world.globex):
                with tenant_transaction(house.id):
                    own[house.tenant.slug] = str(ApiKey.objects.latest("id").pk)
        site = Site(
            database,
            tmp_path_factory.mktemp("site"),
            settings={"API_REQUESTS_PER_MINUTE": "1000000", "API_TENANT_REQUESTS_PER_MINUTE": "1000000"},
        )
        site.start()
        yield Live(site, keys, own, ids)
        site.stop()


def told(name: str, done: Walk) -> None:
    sys.__stdout__.write(f"\n{name}: answers by status {done.responses}\n{done.summary}\n")
    assert not [code for code in done.responses if code >= 500], done.output[-6_000:]
    assert done.code == 0, done.output[-12_000:]


def test_the_schema_holds_for_who_may_everything(live: Live, tmp_path: Path) -> None:
    done = walk(
        live.site.url,
        live.keys["acme"],
        tmp_path,
        examples=EXAMPLES,
        phases=PHASES,
        own_key=live.own["acme"],
    )
    told("acme", done)


def test_the_other_tenant_reads_nothing(live: Live, tmp_path: Path) -> None:
    done = walk(
        live.site.url,
        live.keys["globex"],
        tmp_path,
        examples=EXAMPLES,
        phases=PHASES,
        foreign=live.ids,
        marker=MARKER,
        own_key=live.own["globex"],
    )
    told("globex about acme", done)
