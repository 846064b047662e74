"""Who is listed to whom, page by page, and what of it is audited."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.utils import timezone

from accounts.authentication import actor_of_key
from accounts.models import AuditEntry, Subject
from memories.services.list_entities import list_entities
from memories.services.remember import remember
from memories.services.tenant_subject import make_tenant_subject
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid, PermissionDenied
from tests.support.people import House

pytestmark = pytest.mark.django_db


def add(house: House, *names: str, kind: str = "user") -> None:
    with tenant_transaction(house.id):
        for name in names:
            Subject.objects.create(kind=kind, external_id=name)


def test_everybody_of_the_tenant_is_listed_once_page_by_page(acme: House, globex: House) -> None:
    add(acme, "a%", "林", "gone")
    add(acme, "bot", kind="agent")
    add(globex, "theirs")
    with tenant_transaction(acme.id):
        make_tenant_subject()
        Subject.objects.filter(external_id="gone").update(erased_at=timezone.now())
        person = Subject.objects.get(external_id="林").pk
    key = actor_of_key(acme.key("read", "write"))
    remember(actor=key, subject_id=person, content="我住在杭州", infer=False)
    seen, cursor = [], ""
    while True:
        page = list_entities(actor=key, cursor=cursor, limit=2)
        seen += page.items
        cursor = page.cursor
        if not cursor:
            break
    own = {str(user.pk) for user in acme.people.values()}
    assert [one.external_id for one in seen if one.external_id not in own] == ["bot", "林", "a%"]
    assert {one.external_id for one in seen} > own
    assert len(seen) == len(own) + 3
    known = {one.external_id: (one.memories, one.last_said_at is not None) for one in seen}
    assert (known["林"], known["a%"]) == ((1, True), (0, False))
    assert [one.external_id for one in list_entities(actor=key, kind="agent").items] == ["bot"]


def test_who_reaches_only_themself_finds_nobody_else(acme: House) -> None:
    add(acme, "somebody")
    for actor in (acme.actor("user"), actor_of_key(acme.key("read", subject="user"))):
        [one] = list_entities(actor=actor).items
        assert one.id == acme.subjects["user"]
    nobody = replace(actor_of_key(acme.key("write")), subject_id=None)
    with pytest.raises(PermissionDenied):
        list_entities(actor=nobody)


def test_a_persons_look_at_everybody_is_audited_and_a_programs_is_not(acme: House) -> None:
    def entries() -> int:
        with tenant_transaction(acme.id):
            return AuditEntry.objects.filter(action="subjects.list").count()

    key = actor_of_key(acme.key("read"))
    list_entities(actor=key)
    assert entries() == 0
    list_entities(actor=acme.actor("operator", "admin"))
    assert entries() == 1


@pytest.mark.parametrize("wrong", [{"kind": "tenant"}, {"kind": "x"}, {"cursor": "x"}, {"cursor": "\x00"}])
def test_what_is_not_usable_is_refused(acme: House, wrong: dict[str, str]) -> None:
    with pytest.raises(Invalid):
        list_entities(actor=acme.actor("admin"), **wrong)
