"""Two demo tenants with their people, so that a first start has something to look at."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import NamedTuple

from accounts.actor import system_actor
from accounts.models import Role, Tenant, User
from accounts.services.create_tenant import create_tenant
from accounts.services.create_user import create_user
from accounts.services.join_tenant import join_tenant
from memoryhub.common.db import tenant_transaction


class DemoPerson(NamedTuple):
    local_part: str
    role: str
    name: str


class DemoTenant(NamedTuple):
    slug: str
    name: str
    locale: str
    time_zone: str
    people: tuple[DemoPerson, ...]


DEMO = (
    DemoTenant(
        "acme",
        "Acme 设计工作室",
        "zh-hans",
        "Asia/Shanghai",
        (
            DemoPerson("admin", Role.ADMIN, "周敏"),
            DemoPerson("operator", Role.OPERATOR, "陈立"),
            DemoPerson("lin", Role.END_USER, "林晓"),
            DemoPerson("wang", Role.END_USER, "王磊"),
        ),
    ),
    DemoTenant(
        "globex",
        "Globex Research",
        "en",
        "Europe/London",
        (
            DemoPerson("admin", Role.ADMIN, "Grace Hill"),
            DemoPerson("operator", Role.OPERATOR, "Oscar Reed"),
            DemoPerson("alice", Role.END_USER, "Alice Martin"),
            DemoPerson("bob", Role.END_USER, "Bob Turner"),
        ),
    ),
)


def seed_demo(*, keep: Callable[[dict[str, str]], None] | None = None) -> list[dict[str, str]]:
    """[{tenant, role, email, password}] of the people created by this call; nothing for those who exist already.

    `keep` is called with each of them before that person is committed: nobody exists whose password was not kept.
    """
    created: list[dict[str, str]] = []
    for demo in DEMO:
        tenant = Tenant.objects.filter(slug=demo.slug).first() or create_tenant(
            slug=demo.slug, name=demo.name, locale=demo.locale, time_zone=demo.time_zone
        )
        actor = system_actor(tenant.pk, door="command", name="seed_demo")
        for person in demo.people:
            email = f"{person.local_part}@{demo.slug}.example"
            # One transaction a person: an interrupted start leaves nobody without a membership.
            with tenant_transaction(tenant.pk):
                if User.objects.filter(email=email).exists():
                    continue
                password = readable_password()
                user = create_user(
                    email=email,
                    password=password,
                    name=person.name,
                    locale=demo.locale,
                    time_zone=demo.time_zone,
                )
                join_tenant(actor=actor, user=user, role=person.role)
                made = {"tenant": demo.slug, "role": str(person.role), "email": email, "password": password}
                if keep is not None:
                    keep(made)
            created.append(made)
    return created


def readable_password() -> str:
    """Four pronounceable syllable pairs and four digits, like `kavo-lumi-tero-pasu-4821`: about 60 random bits."""
    groups = [
        "".join(secrets.choice("bdfghjkmnprstvz") + secrets.choice("aeiou") for _ in range(2))
        for _ in range(4)
    ]
    return "-".join([*groups, f"{secrets.randbelow(10_000):04d}"])
