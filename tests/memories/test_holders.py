"""Every text column of every tenant table is either declared as content, with a way to reach it, or as none."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

import pytest
from django.apps import apps
from django.contrib.postgres.fields import ArrayField
from django.db import connection, models

from accounts.models import Subject
from accounts.tenancy import TenantModel
from memories.holders import declared_plain, find_everywhere, holder, holders
from memories.models import Evidence, Fact, IdempotencyKey, Memory, MemoryVersion, Slot
from memoryhub.common.db import tenant_transaction
from tests.support.factories import make_memory, make_subject, make_tenant

CONTENT_TYPES = ("text", "character varying", "jsonb", "bytea", "ARRAY", "USER-DEFINED")
NOT_OURS = {"accounts_membership", "accounts_apikey", "accounts_invitation"}
"""Tables about members of the tenant, not about subjects' memory; they go with the member."""


def tenant_tables() -> dict[str, type[models.Model]]:
    return {model._meta.db_table: model for model in apps.get_models() if issubclass(model, TenantModel)}


@pytest.mark.django_db
def test_the_registry_names_every_text_column_of_the_schema() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name, column_name FROM information_schema.columns "
            "WHERE table_schema = 'public' AND table_name = ANY(%s) AND data_type = ANY(%s)",
            [list(tenant_tables()), list(CONTENT_TYPES)],
        )
        columns = {(table, column) for table, column in cursor.fetchall() if table not in NOT_OURS}
    chosen = {
        (table, field.column)
        for table, model in tenant_tables().items()
        for field in model._meta.concrete_fields
        if field.choices and not isinstance(field, ArrayField)
    }
    held = {(one.table, column) for one in holders() for column in one.columns}
    plain = {(table, column) for table, names in declared_plain().items() for column in names}
    assert sorted(columns - held - plain - chosen) == [], "say who holds these, or why they are no content"
    assert sorted(held & plain) == []
    assert sorted((held | plain) - columns) == [], "declared, but not in the schema"


def seed(subject_id: uuid.UUID) -> Memory:
    memory = make_memory(subject_id, "Call Tove on 4800 before noon", turn_ids=[uuid.uuid4()])
    at = datetime(2026, 3, 1, tzinfo=UTC)
    MemoryVersion.objects.create(
        memory=memory,
        number=1,
        change="created",
        content=memory.content,
        state={"speaker": "Tove"},
        actor_kind="user",
        at=at,
    )
    Evidence.objects.filter(memory=memory).update(quote="call TOVE on 4800")
    Fact.objects.create(
        memory=memory,
        subject_id=subject_id,
        entity="Tove",
        attribute="phone",
        value="4800",
        slot_key="tove|phone",
    )
    Slot.objects.create(
        subject_id=subject_id,
        kind="entity",
        key="tove",
        value="148003",
        created_at=at,
        updated_at=at,
        expires_at=at,
    )
    return memory


@pytest.mark.django_db
def test_a_word_is_found_masked_and_gone_in_every_place() -> None:
    tenant_id = make_tenant()
    subject_id = make_subject(tenant_id)
    with tenant_transaction(tenant_id):
        memory = seed(subject_id)
        places = {found.holder for found in find_everywhere(subject_id, ["Tove"])}
        assert places >= {"memories", "versions", "evidence", "facts", "slots", "postings"}
        for one in holders():
            if one.name not in {"postings", "vectors"}:
                one.mask(subject_id, ["Tove"], "▇")
        left = {found.holder for found in find_everywhere(subject_id, ["tove"])}
        assert left == {"postings"}
        memory.refresh_from_db()
        assert memory.content == "Call ▇ on 4800 before noon"


@pytest.mark.django_db
def test_a_number_inside_another_number_is_not_taken_for_it() -> None:
    tenant_id = make_tenant()
    subject_id = make_subject(tenant_id)
    with tenant_transaction(tenant_id):
        seed(subject_id)
        assert "slots" not in {found.holder for found in find_everywhere(subject_id, ["4800"])}
        holder("slots").mask(subject_id, ["4800"], "▇")
        assert Slot.objects.get().value == "148003"


@pytest.mark.django_db
def test_erasing_one_subject_leaves_the_other() -> None:
    tenant_id = make_tenant()
    gone, stays = make_subject(tenant_id), make_subject(tenant_id)
    with tenant_transaction(tenant_id):
        seed(gone)
        seed(stays)
        for one in holders():
            if one.name != "subjects":
                one.erase(gone)
        assert {
            one.name: one.count(gone) for one in holders() if one.name != "subjects" and one.count(gone)
        } == {}
        assert holder("memories").count(stays) == 1
        assert holder("evidence").count(stays) == 1


@pytest.mark.django_db
def test_every_subject_can_be_erased_and_takes_only_its_own_kept_answers() -> None:
    tenant_id = make_tenant()
    first, second, stays = (make_subject(tenant_id) for _ in range(3))
    at = datetime(2026, 3, 1, tzinfo=UTC)
    with tenant_transaction(tenant_id):
        for subject_id in (first, second, stays):
            IdempotencyKey.objects.create(
                subject_id=subject_id,
                principal="key",
                key=str(subject_id),
                request_hash=b"",
                response={"content": "Tove"},
                created_at=at,
                expires_at=at,
            )
        assert {found.row_id for found in holder("kept answers").find(first, ["Tove"])} == {
            str(IdempotencyKey.objects.get(subject_id=first).pk)
        }
        for subject_id in (first, second):
            for one in holders():
                one.erase(subject_id)
        assert [answer.subject_id for answer in IdempotencyKey.objects.all()] == [stays]
        names = dict(Subject.objects.values_list("id", "external_id"))
    assert names[first] == f"erased:{first}" and names[second] == f"erased:{second}"
    assert not names[stays].startswith("erased:")
