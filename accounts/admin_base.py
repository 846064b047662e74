"""The base of every ModelAdmin of tenant data: one tenant's rows through every door, read-only unless it says otherwise."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import admin
from django.contrib.admin.options import BaseModelAdmin
from django.core.exceptions import ImproperlyConfigured
from django.core.paginator import Paginator
from django.db import models
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.functional import cached_property

from accounts.actor import Actor
from accounts.audit import record
from accounts.models import Subject
from accounts.models.subject import OF_TENANT, SubjectKind
from accounts.permissions import Capability
from accounts.tenancy import TenantModel
from memoryhub.common.db import current_tenant_id

COUNT_LIMIT = 1_000


class BoundedPaginator(Paginator):
    """Counts at most 1,000 rows: a full count reads a whole table under row-level security. More pages are found by
    filtering, which is what an operator with a thousand rows wants anyway."""

    @cached_property
    def count(self) -> int:
        rows = self.object_list
        if isinstance(rows, QuerySet):
            return rows.order_by().values("pk")[:COUNT_LIMIT].count()
        return len(rows)


class TenantScoped(BaseModelAdmin):
    """Shared by model admins and inlines: the doors that leak across tenants, closed.

    List and inlines: `get_queryset` filters by the open tenant and raises outside of one. Foreign-key and many-to-many
    fields: their choices are the related model's rows of this tenant. Autocomplete uses `get_queryset` of the related
    admin. Filters: `get_list_filter` gives each related field a filter with the same choices, and refuses paths through
    other models. Below all of them stands PostgreSQL's own wall.
    """

    view_capability: Capability = Capability.MEMORY_READ
    change_capability: Capability | None = None
    add_capability: Capability | None = None
    delete_capability: Capability | None = None

    def actor(self, request: HttpRequest) -> Actor:
        """The active member; has_permission of the site has seen to it that there is one."""
        member: Actor = request.member  # type: ignore[attr-defined]
        return member

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return self.scoped(self.model, super().get_queryset(request))

    @staticmethod
    def scoped(model: type[models.Model], rows: QuerySet[Any]) -> QuerySet[Any]:
        """Tenant rows are filtered twice (manager, here); a global model must override this method or it shows nothing."""
        tenant_id = current_tenant_id()
        if issubclass(model, TenantModel):
            return rows.filter(tenant_id=tenant_id)
        return rows.none()

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        related = db_field.remote_field.model
        kwargs["queryset"] = self._choices(related, request)
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        kwargs["queryset"] = self._choices(db_field.remote_field.model, request)
        return super().formfield_for_manytomany(db_field, request, **kwargs)

    def _choices(self, related: type[models.Model], request: HttpRequest) -> QuerySet[Any]:
        registered = self.admin_site._registry.get(related)
        if registered is not None:
            return registered.get_queryset(request)
        return TenantScoped.scoped(related, related._default_manager.all())

    def _may(self, request: HttpRequest, capability: Capability | None) -> bool:
        member: Actor | None = getattr(request, "member", None)
        return capability is not None and member is not None and capability in member.capabilities

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._may(request, self.view_capability)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._may(request, self.change_capability)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._may(request, self.add_capability)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._may(request, self.delete_capability)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self._may(request, self.view_capability)


class TenantModelAdmin(TenantScoped, admin.ModelAdmin):
    """List and pages of one tenant's rows. Writing goes through services: an admin that offers it calls them."""

    paginator = BoundedPaginator
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    list_per_page = 50
    list_max_show_all = 100
    save_as = False
    actions_on_bottom = False
    holds_content = True
    """Whether its pages show what people said or what is known of them: then who opens one is audited (R31)."""

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """One entry a page, with the ids of the rows on it."""
        answer: HttpResponse = super().changelist_view(request, extra_context)
        shown = (getattr(answer, "context_data", None) or {}).get("cl")
        if self.holds_content and shown is not None:
            self._note(request, "admin.list", None, rows=sorted(str(row.pk) for row in shown.result_list))
        return answer

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: Any = None,
    ) -> HttpResponse:
        """One entry for a row that is shown, with what stands below it; a change is audited by its service."""
        answer: HttpResponse = super().changeform_view(request, object_id, form_url, extra_context)
        shown = (getattr(answer, "context_data", None) or {}).get("original")
        if self.holds_content and shown is not None:
            self._note(request, "admin.read", shown)
        return answer

    def _note(self, request: HttpRequest, action: str, row: Any, **detail: Any) -> None:
        record(
            self.actor(request),
            action,
            target_kind=self.model._meta.model_name or "",
            target_id=row.pk if row is not None else None,
            subject_id=getattr(row, "subject_id", None),
            **detail,
        )

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Where every search field is exact, the whole term as it stands: Django compares without regard to case, which no
        index answers, and reads an id as text."""
        fields, term = self.get_search_fields(request), search_term.strip()
        if not term or not all(str(name).startswith("=") for name in fields):
            return super().get_search_results(request, queryset, search_term)
        found = Q(pk__in=[])
        for name in fields:
            found |= self.matching(request, str(name)[1:], term)
        return queryset.filter(found), False

    def matching(self, request: HttpRequest, path: str, term: str) -> Q:
        """The rows that a search field finds."""
        return _exactly(self.model, path, term)

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        """No column of PostgreSQL holds a NUL, and asking for one is an error of the database."""
        return "\x00" not in str(value) and super().lookup_allowed(lookup, value, request)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Django's bulk delete bypasses services, so it is never offered."""
        actions = super().get_actions(request)
        actions.pop("delete_selected", None)
        return actions

    def get_list_filter(self, request: HttpRequest) -> list[Any]:
        """Django's own related filter would list every row of a global model, a path's values those of all tenants."""
        return [self._closed_filter(item) for item in super().get_list_filter(request)]

    def _closed_filter(self, item: Any) -> Any:
        if not isinstance(item, str):
            return item
        if "__" in item:
            raise ImproperlyConfigured(
                f"{type(self).__name__}: filter {item} through a SimpleListFilter of your own"
            )
        return (item, TenantRelatedFilter) if self.model._meta.get_field(item).is_relation else item

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Everything, unless the admin allows changes and says which fields."""
        if self.change_capability is None and self.add_capability is None:
            return [
                field.name
                for field in self.model._meta.fields
                if field.name not in set(self.get_exclude(request) or ())
            ]
        return super().get_readonly_fields(request, obj)


def named(external_id: str) -> Q:
    """The subjects of that external id: the kind stands before it in the index."""
    return Q(kind__in=[*SubjectKind.values, OF_TENANT], external_id=external_id)


def _exactly(model: type[models.Model], path: str, term: str) -> Q:
    """The condition that an indexed column holds the term; none for what such a column cannot hold."""
    if path == "subject__external_id":
        # Looked up first: joined by an OR, the other side's index would be of no use.
        subjects = Subject.objects.filter(named(term)).values_list("pk", flat=True)
        return Q(subject_id__in=list(subjects[:COUNT_LIMIT]))
    field: Any = model._meta.get_field(path.split("__")[0])
    if field.is_relation:
        field, path = field.remote_field.model._meta.pk, f"{field.name}_id"
    if isinstance(field, models.UUIDField):
        try:
            return Q(**{path: uuid.UUID(term)})
        except ValueError:
            return Q(pk__in=[])
    return Q(**{path: term})


class TenantTabularInline(TenantScoped, admin.TabularInline):
    """Rows of the same tenant below a row; read-only by default."""

    extra = 0
    show_change_link = True
    can_delete = False


class TenantStackedInline(TenantScoped, admin.StackedInline):
    """The same, one field a line."""

    extra = 0
    can_delete = False


class TenantRelatedFilter(admin.RelatedFieldListFilter):
    """Choices come from the related admin's queryset, or from the tenant's rows."""

    def field_choices(self, field: Any, request: HttpRequest, model_admin: Any) -> list[Any]:
        related = field.remote_field.model
        rows = model_admin._choices(related, request)
        return [(row.pk, str(row)) for row in rows[:200]]
