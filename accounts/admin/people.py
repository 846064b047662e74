"""Tenants, people and subjects in the admin: read-only lists of the active tenant."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.admin_base import TenantModelAdmin, named
from accounts.models import Membership, Subject, Tenant, User
from memoryhub.common.db import current_tenant_id


@admin.register(Tenant)
class TenantAdmin(TenantModelAdmin):
    """The active tenant only."""

    holds_content = False
    list_display = ["slug", "name", "locale", "time_zone", "status"]

    @staticmethod
    def scoped(model: Any, rows: QuerySet[Any]) -> QuerySet[Any]:
        return rows.filter(pk=current_tenant_id())


@admin.register(User)
class UserAdmin(TenantModelAdmin):
    """Members of the active tenant, with nothing that belongs to their other tenants."""

    holds_content = False
    list_display = ["email", "name", "is_active"]
    search_fields = ["email", "name"]
    ordering = ["email"]
    fields = ["email", "name", "locale", "time_zone", "is_active", "date_joined"]

    @staticmethod
    def scoped(model: Any, rows: QuerySet[Any]) -> QuerySet[Any]:
        return rows.filter(pk__in=Membership.objects.values("user_id"))


@admin.register(Subject)
class SubjectAdmin(TenantModelAdmin):
    """Whose memory it is."""

    list_display = ["id", "kind", "external_id", "display_name", "memory_paused", "created_at", "erased_at"]
    list_filter = ["kind", "memory_paused"]
    search_fields = ["=id", "=external_id"]
    search_help_text = _("An id, or a whole external id.")
    ordering = ["-id"]

    def matching(self, request: HttpRequest, path: str, term: str) -> Q:
        return named(term) if path == "external_id" else super().matching(request, path, term)
