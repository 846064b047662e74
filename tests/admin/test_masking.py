"""What operators see of contents in lists and pages: by policy in clear or masked, sensitive ones masked always, staff nothing."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.admin import site
from django.db import models
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.tenancy import TenantModel
from memories.admin.showing import MaskedColumns, content_columns, shown
from memories.models import Episode, Fact, Memory, MemoryVersion, RecallTrace
from memories.services import policies
from memories.services.policies import set_policy
from memoryhub.common.db import tenant_transaction
from sessions_app.models import Turn
from tests.support.factories import make_memory
from tests.support.people import House
from tests.tenancy.world import World, build_world

pytestmark = pytest.mark.django_db

PAGES = (Memory, MemoryVersion, Fact, Episode, RecallTrace, Turn)


SECRET = "Raspberry4410"


@pytest.fixture
def world(db: None) -> World:
    """A row of every model; what holds contents, and nothing else, holds SECRET."""
    world = build_world()
    with tenant_transaction(world.acme.id):
        for model in PAGES:
            texts = [
                name
                for name in content_columns(model)
                if type(model._meta.get_field(name)) in {models.TextField, models.CharField}
            ]
            assert texts
            model._default_manager.update(**dict.fromkeys(texts, SECRET))
    return world


def opened(client: Client, model: type[models.Model], *args: Any) -> str:
    name = f"admin:{model._meta.app_label}_{model._meta.model_name}_{'change' if args else 'changelist'}"
    answer = client.get(reverse(name, args=args))
    assert answer.status_code == 200
    return answer.content.decode()


def staff_in(house: House) -> Client:
    staff = User.objects.create_superuser("staff@platform.example", "x")
    client = Client()
    client.force_login(staff, backend="allauth.account.auth_backends.AuthenticationBackend")
    client.post("/tenant/", {"tenant": house.id})
    return client


def mask_all(house: House) -> None:
    set_policy(actor=house.actor("admin"), overrides={"operators.contents": "masked"})
    policies.forget_cached()  # The test's transaction never commits.


@pytest.mark.parametrize("model", PAGES, ids=lambda model: model.__name__)
def test_a_tenant_may_mask_every_content(world: World, model: type[models.Model]) -> None:
    mask_all(world.acme)
    client = world.acme.client("operator")
    for page in (opened(client, model), opened(client, model, world[model].pk)):
        assert SECRET not in page
    assert "••••" in page


@pytest.mark.parametrize("model", PAGES, ids=lambda model: model.__name__)
def test_platform_staff_read_nothing_in_clear(world: World, model: type[models.Model]) -> None:
    client = staff_in(world.acme)
    assert SECRET not in opened(client, model) + opened(client, model, world[model].pk)


def test_what_hangs_on_an_encrypted_memory_is_masked_whatever_the_policy_says(world: World) -> None:
    client = world.acme.client("operator")
    for model in (Memory, MemoryVersion, Fact):
        assert SECRET not in opened(client, model) + opened(client, model, world[model].pk)
    assert SECRET in opened(client, Episode)


def test_every_admin_page_of_a_model_with_contents_masks_them() -> None:
    bare = [
        model._meta.label
        for model, model_admin in site._registry.items()
        if issubclass(model, TenantModel)
        and model._meta.app_label in {"memories", "sessions_app"}
        and content_columns(model) - set(model_admin.exclude or ())
        and not isinstance(model_admin, MaskedColumns)
    ]
    assert bare == [], "put MaskedColumns first among the bases"


def test_a_mask_tells_kind_length_and_language_and_cuts_only_what_is_clear(acme: House) -> None:
    operator = acme.actor("operator")
    assert shown("<b>", actor=operator) == "<b>"
    assert len(shown("x" * 200, actor=operator, excerpt=True)) == 80
    told = shown("我的血型是甲", actor=operator, sensitive=True, kind="sensitive")
    assert "血型" not in told
    assert "sensitive · 6 characters · zh" in told
    assert shown("", actor=operator, sensitive=True) == ""


CASES = [
    (model, column)
    for model in PAGES
    for column in sorted(content_columns(model))
    if isinstance(model._meta.get_field(column), (models.TextField, models.CharField))
]


def lists(house: House, model: type[models.Model], who: str, **query: str) -> tuple[int, str]:
    name = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    client = staff_in(house) if who == "staff" else house.client(who)
    answer = client.get(name, query)
    return answer.status_code, answer.content.decode()


@pytest.mark.parametrize("how", ["", "__startswith", "__regex"])
@pytest.mark.parametrize(("model", "column"), CASES, ids=lambda one: getattr(one, "__name__", one))
def test_no_list_is_filtered_by_contents(
    world: World,
    model: type[models.Model],
    column: str,
    how: str,
) -> None:
    for who in ("staff", "operator"):
        assert lists(world.acme, model, who, **{column + how: SECRET[:4]})[0] == 400


def test_a_search_finds_contents_for_whoever_reads_them(acme: House) -> None:
    with tenant_transaction(acme.id):
        for kind in ("fact", "sensitive"):
            memory = make_memory(acme.subjects["user"], f"Rex is ill: {kind}", kind=kind)
            Fact.objects.create(
                memory=memory,
                subject_id=memory.subject_id,
                entity="Rex",
                attribute=kind,
                value="x",
                slot_key=kind,
            )
        facts = {one.attribute: str(one.pk) for one in Fact.objects.all()}
        sealed = Fact.objects.get(attribute="sensitive").memory_id
    found = lists(acme, Fact, "operator", q="Rex")[1]
    assert facts["fact"] in found and facts["sensitive"] not in found
    assert facts["sensitive"] in lists(acme, Fact, "operator", q=str(sealed))[1]
    assert facts["fact"] not in lists(acme, Fact, "staff", q="Rex")[1]
    mask_all(acme)
    assert facts["fact"] not in lists(acme, Fact, "operator", q="Rex")[1]


@pytest.mark.parametrize("name", ["kind", "status__exact", "q"])
def test_a_nul_in_an_address_is_no_error_of_the_database(acme: House, name: str) -> None:
    assert lists(acme, Memory, "operator", **{name: "\x00"})[0] in {200, 400}
