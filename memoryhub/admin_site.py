"""The operators' site: one tenant at a time, each page inside that tenant's transaction, sign-in (and MFA) by allauth."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin import site
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, resolve_url
from django.template.response import TemplateResponse
from django.urls import path
from django.utils.translation import gettext_lazy as _

from accounts.operator_pages import PAGES
from accounts.permissions import Capability
from accounts.services.choose_tenant import tenants_to_choose
from accounts.services.leave_tenant import visits
from accounts.work_queue import LIMIT, waiting
from memoryhub.common.db import tenant_transaction

__all__ = ["MemoryHubAdminSite", "site"]

View = Callable[..., HttpResponse]


class MemoryHubAdminSite(admin.AdminSite):
    """Django's default site (memoryhub.apps), so that apps register with `@admin.register(Model)`."""

    site_header = "MemoryHub"
    site_title = "MemoryHub"
    index_title = _("Operations")
    site_url = "/"
    # With it, a stranger can tell which addresses exist.
    final_catch_all_view = False

    def has_permission(self, request: HttpRequest) -> bool:
        """An active member who may read the tenant's memories, or platform staff who chose a tenant; with a second factor."""
        return _may_read(request) and _has_second_factor(request)

    def admin_view(self, view: View, cacheable: bool = False) -> View:  # type: ignore[override]
        """Run the whole view, template included, inside the transaction of the active tenant; an OperatorView opens its own."""
        if getattr(view, "own_transactions", False):
            return super().admin_view(view, cacheable)

        @wraps(view)
        def scoped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            with tenant_transaction(request.member.tenant_id):  # type: ignore[attr-defined]
                response = view(request, *args, **kwargs)
                render = getattr(response, "render", None)
                if callable(render):
                    # Querysets are evaluated by the template: outside of the scope they would raise.
                    response = render()
                return response

        return super().admin_view(scoped, cacheable)

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """allauth's page, which asks for the second factor and limits the rate; no form of the admin's own."""
        target = request.GET.get("next") or resolve_url("admin:index")
        if not request.user.is_authenticated:
            return redirect_to_login(target)
        if self.has_permission(request):
            return redirect("admin:index")
        if _may_read(request):
            messages.warning(
                request, _("Operators sign in with a second factor: set one up, then open the admin again.")
            )
            return redirect("mfa_activate_totp")
        if getattr(request, "member", None) is None:
            return redirect(f"{resolve_url('choose_tenant')}?next={resolve_url('admin:index')}")
        raise PermissionDenied

    def logout(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """allauth's page, which also closes open sockets."""
        return redirect("account_logout")

    def get_urls(self) -> list[Any]:
        # view_on_site looks rows up by any content type; the password pages are allauth's.
        closed = {"view_on_site", "password_change", "password_change_done"}
        own = [path(page.route, self.admin_view(page.view), name=page.name) for page in PAGES]
        return own + [url for url in super().get_urls() if getattr(url, "name", None) not in closed]

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """The work queue, the operators' own pages, and below them every list."""
        actor = request.member  # type: ignore[attr-defined]
        pages = [page for page in PAGES if page.capability in actor.capabilities]
        return super().index(
            request, {"work": waiting(actor), "work_limit": LIMIT, "pages": pages, **(extra_context or {})}
        )

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """Adds the active tenant and the ones to switch to."""
        context = super().each_context(request)
        context["is_popup"] = False
        if self.has_permission(request):
            member = request.member  # type: ignore[attr-defined]
            tenants = tenants_to_choose(request.user)
            context["active_tenant"] = next((row for row in tenants if row.pk == member.tenant_id), None)
            context["visits"] = visits(member)
            context["other_tenants"] = [row for row in tenants if row.pk != member.tenant_id]
        return context


def _may_read(request: HttpRequest) -> bool:
    member = getattr(request, "member", None)
    return member is not None and Capability.MEMORY_READ in member.capabilities


def _has_second_factor(request: HttpRequest) -> bool:
    """Asked at each page, so that one that is taken away counts at once."""
    return not settings.OPERATORS_NEED_MFA or is_mfa_enabled(request.user)
