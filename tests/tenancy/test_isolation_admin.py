"""The admin as an operator of the other tenant: no page, field, filter, inline or autocomplete shows acme's rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin import site
from django.contrib.admin.filters import RelatedFieldListFilter
from django.db import models
from django.test import Client, RequestFactory
from django.urls import URLPattern, URLResolver, reverse

from accounts.actor import Actor
from accounts.admin_base import TenantModelAdmin, TenantRelatedFilter, TenantScoped
from accounts.models import ApiKey, AuditEntry, Invitation, Membership, Tenant, User
from accounts.tenancy import TenantModel
from memories.models import Memory
from memoryhub.common.db import tenant_transaction
from tests.tenancy.rows import ADMIN_PAGES
from tests.tenancy.world import MARKER, World, build_world

pytestmark = pytest.mark.django_db

REGISTERED = sorted(site._registry.items(), key=lambda pair: pair[0]._meta.label)
DJANGOS_PAGES = {"changelist", "add", "history", "delete", "change"}
SITE_PAGES = {"index", "login", "logout", "autocomplete", "jsi18n", "app_list"}
by_model = pytest.mark.parametrize(
    "model", [model for model, _ in REGISTERED], ids=lambda model: model._meta.label
)


@pytest.fixture
def world(db: None) -> World:
    world = build_world()
    world.rows[Tenant] = world.acme.tenant
    world.rows[User] = world.acme.user_of("user")
    User.objects.filter(pk=world.rows[User].pk).update(name=MARKER)
    Tenant.objects.filter(pk=world.acme.id).update(name=MARKER)
    return world


def admin_url(model: type[models.Model], page: str, *args: Any) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)


def an_object(world: World, model: type[models.Model]) -> Any:
    """acme's row; of models that only the chain or nobody fills, an id that acme could have."""
    if model in world.rows:
        return world.rows[model].pk
    if issubclass(model, TenantModel):
        with tenant_transaction(world.acme.id):
            found = model._default_manager.first()
            return found.pk if found else world.acme.id
    return model._default_manager.first().pk if model._default_manager.exists() else 1


def pages(patterns: list[Any]) -> Iterator[str]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from pages(pattern.url_patterns)
        elif isinstance(pattern, URLPattern) and pattern.name:
            yield pattern.name


def test_every_admin_page_is_djangos_own_or_has_a_row() -> None:
    known = set(SITE_PAGES) | set(ADMIN_PAGES)
    for model, _ in REGISTERED:
        known |= {f"{model._meta.app_label}_{model._meta.model_name}_{page}" for page in DJANGOS_PAGES}
    unknown = sorted(set(pages(site.get_urls())) - known)
    assert not unknown, (
        f"add them to ADMIN_PAGES in tests/tenancy/rows.py, with a test of their own: {unknown}"
    )


@by_model
def test_the_other_tenants_admin_sees_none_of_acmes_rows(model: type[models.Model], world: World) -> None:
    client = world.globex.client("admin")
    pk = an_object(world, model)
    secrets = {MARKER.lower(), str(pk).lower()} if not isinstance(pk, int) else {MARKER.lower()}
    for url in (
        admin_url(model, "changelist"),
        admin_url(model, "changelist") + f"?q={MARKER[:5]}",
        admin_url(model, "add"),
    ):
        answer = client.get(url)
        assert answer.status_code in {200, 302, 403}, url
        page = answer.content.decode().lower()
        assert not [secret for secret in secrets if secret in page], url
    if not isinstance(pk, int):
        for page_name in ("change", "history", "delete"):
            answer = client.get(admin_url(model, page_name, pk))
            # Django sends back to the index with "does not exist".
            assert answer.status_code in {302, 403, 404}, page_name
            assert MARKER.lower() not in answer.content.decode().lower()
            posted = client.post(admin_url(model, page_name, pk), {"post": "yes"})
            assert posted.status_code in {302, 403, 404, 405}


@by_model
def test_only_members_who_may_read_reach_a_page(model: type[models.Model], world: World) -> None:
    urls = [admin_url(model, "changelist"), admin_url(model, "change", an_object(world, model))]
    for client in (
        Client(),
        world.acme.client("user"),
        world.acme.client("other"),
        world.globex.client("user"),
    ):
        for url in urls:
            answer = client.get(url)
            assert answer.status_code == 302, url
            assert answer.headers["Location"].startswith("/admin/login/")


@by_model
def test_the_own_admin_sees_the_row(model: type[models.Model], world: World) -> None:
    """The positive control; also: the page renders, read-only, within the tenant's transaction."""
    client = world.acme.client("admin")
    assert client.get(admin_url(model, "changelist")).status_code == 200
    if model in world.rows:
        answer = client.get(admin_url(model, "change", world.rows[model].pk))
        assert answer.status_code == 200
        assert str(world.rows[model].pk) in answer.content.decode()


@by_model
def test_every_model_admin_closes_the_doors(model: type[models.Model]) -> None:
    model_admin = site._registry[model]
    assert isinstance(model_admin, TenantModelAdmin)
    for inline in model_admin.inlines:
        assert issubclass(inline, TenantScoped), inline
    for item in model_admin.list_filter:
        kind = item[1] if isinstance(item, tuple) else item
        if isinstance(kind, type) and issubclass(kind, RelatedFieldListFilter):
            assert issubclass(kind, TenantRelatedFilter), item


def test_no_autocomplete_crosses_the_wall(world: World) -> None:
    client = world.globex.client("admin")
    asked = 0
    for model, _ in REGISTERED:
        for field in model._meta.get_fields():
            if not (isinstance(field, models.ForeignKey) and field.remote_field.model in site._registry):
                continue
            if not site._registry[field.remote_field.model].search_fields:
                continue
            query = {
                "app_label": model._meta.app_label,
                "model_name": model._meta.model_name,
                "field_name": field.name,
            }
            for term in ("", MARKER[:5], "acme"):
                answer = client.get("/admin/autocomplete/", {**query, "term": term})
                assert answer.status_code in {200, 403}
                text = answer.content.decode()
                assert MARKER not in text
                assert not any(str(row.pk) in text for row in world.rows.values())
                asked += answer.status_code == 200
    assert asked


def test_foreign_key_choices_and_filters_offer_own_rows_only(world: World) -> None:
    request = RequestFactory().get("/admin/")
    request.member = world.globex.actor("admin", "admin")
    with tenant_transaction(world.globex.id):
        for model, model_admin in REGISTERED:
            for field in model._meta.concrete_fields:
                if not isinstance(field, models.ForeignKey):
                    continue
                offered = model_admin.formfield_for_foreignkey(field, request).queryset
                ids = {str(pk) for pk in offered.values_list("pk", flat=True)}
                acmes = {str(row.pk) for row in world.rows.values()} | {str(world.acme.id)}
                assert not ids & acmes, f"{model._meta.label}.{field.name}"


def test_the_admin_log_names_ids_only(world: World) -> None:
    assert str(world[Memory]) == f"memory {world[Memory].pk}"
    assert MARKER not in str(world[Invitation])
    assert MARKER.lower() not in str(world[User]).lower()


def test_an_admin_invites_and_makes_keys_and_sees_the_secret_once(world: World) -> None:
    client = world.acme.client("admin")
    answer = client.post(
        admin_url(Invitation, "add"), {"email": "late@acme.example", "role": "end_user"}, follow=True
    )
    assert "/invite/" in answer.content.decode()
    answer = client.post(
        admin_url(ApiKey, "add"),
        {"name": "ci", "scopes": ["read"], "expires_at_0": "", "expires_at_1": ""},
        follow=True,
    )
    assert "mh_" in answer.content.decode()
    assert "mh_" not in client.get(admin_url(ApiKey, "changelist")).content.decode()
    with tenant_transaction(world.acme.id):
        assert set(AuditEntry.objects.values_list("action", flat=True)) >= {"member.invited", "key.created"}


def test_an_admin_deactivates_a_member_through_the_service_but_not_the_last_admin(world: World) -> None:
    client = world.acme.client("admin")
    with tenant_transaction(world.acme.id):
        ids = {row.user_id: row.pk for row in Membership.objects.all()}
    url = admin_url(Membership, "changelist")
    chosen = [ids[world.acme.user_of(who).pk] for who in ("other", "admin")]
    asked = client.post(url, {"action": "deactivate", "_selected_action": chosen}, follow=True)
    assert world.acme.user_of("other").email in asked.content.decode()
    with tenant_transaction(world.acme.id):
        assert not Membership.objects.filter(is_active=False).exists()
    page = client.post(asked.redirect_chain[-1][0], follow=True).content.decode()
    assert "last admin" in page
    with tenant_transaction(world.acme.id):
        inactive = set(Membership.objects.filter(is_active=False).values_list("user_id", flat=True))
    assert inactive == {world.acme.user_of("other").pk}


def test_an_operator_is_offered_no_action_on_members_and_no_keys(world: World) -> None:
    client = world.acme.client("operator")
    assert client.get(admin_url(ApiKey, "changelist")).status_code == 403
    with tenant_transaction(world.acme.id):
        pk = Membership.objects.get(user=world.acme.user_of("other")).pk
    client.post(admin_url(Membership, "changelist"), {"action": "deactivate", "_selected_action": [pk]})
    with tenant_transaction(world.acme.id):
        assert not Membership.objects.filter(is_active=False).exists()


def test_platform_staff_choose_a_tenant_first(world: World) -> None:
    staff = User.objects.create_superuser("staff@platform.example", "x")
    client = Client()
    client.force_login(staff, backend="allauth.account.auth_backends.AuthenticationBackend")
    to_login = client.get("/admin/", follow=False)
    assert client.get(to_login.headers["Location"]).headers["Location"].startswith("/tenant/")
    client.post("/tenant/", {"tenant": world.acme.id})
    page = client.get("/admin/").content.decode()
    assert MARKER in page  # The tenant's name.
    client.post("/tenant/", {"tenant": world.globex.id})
    assert MARKER not in client.get(admin_url(Memory, "changelist")).content.decode()


def test_signing_in_to_the_admin_goes_through_allauth(world: World) -> None:
    answer = Client().get("/admin/login/?next=/admin/")
    assert answer.headers["Location"] == "/accounts/login/?next=/admin/"
    assert world.acme.client("user").get("/admin/login/").status_code == 403


def test_a_long_list_is_not_counted_to_its_end(world: World, django_assert_max_num_queries: Any) -> None:
    actor: Actor = world.acme.actor("operator", "admin")
    with tenant_transaction(actor.tenant_id), django_assert_max_num_queries(1) as queries:
        assert TenantModelAdmin.paginator(Memory.objects.order_by("id"), 50).count == 1
    assert "LIMIT 1000" in queries[0]["sql"]
    assert admin.ModelAdmin.show_full_result_count and not TenantModelAdmin.show_full_result_count
