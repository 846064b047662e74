"""Pages of accounts that allauth does not have: invitations, the choice of a tenant, one-time password links."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import PasswordResetConfirmView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.forms import ChooseTenantForm, JoinForm
from accounts.members import TENANT_SESSION_KEY
from accounts.services.accept_invitation import OpenInvitation, accept_invitation, open_invitation
from accounts.services.choose_tenant import choose_tenant, tenants_to_choose
from accounts.services.leave_tenant import leave_tenant
from accounts.sockets import close_sockets
from memoryhub.common.errors import Invalid

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """/invite/<token>/: a new person signs up, a signed-in one joins, a known one signs in first."""
    found = open_invitation(token)
    user = request.user
    if user.is_authenticated:
        if request.method == "POST":
            membership = accept_invitation(token=token, user=user)
            return _welcome(request, membership.tenant_id)
        fits = user.email.lower() == found.email
        return render(request, "accounts/invitation_join.html", {"invitation": found, "fits": fits})
    if found.has_account:
        return render(request, "accounts/invitation_known.html", {"invitation": found})
    return _sign_up(request, token, found)


def _sign_up(request: HttpRequest, token: str, found: OpenInvitation) -> HttpResponse:
    form = JoinForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            membership = accept_invitation(
                token=token, password=form.cleaned_data["password1"], name=form.cleaned_data["name"]
            )
        except Invalid as weak:
            form.add_error("password1", weak.fields.get("password", weak.message))
        else:
            login(request, membership.user, backend=BACKEND)
            return _welcome(request, membership.tenant_id)
    return render(request, "accounts/invitation_sign_up.html", {"invitation": found, "form": form})


def _welcome(request: HttpRequest, tenant_id: object) -> HttpResponse:
    request.session[TENANT_SESSION_KEY] = str(tenant_id)
    return redirect("/")


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def tenant(request: HttpRequest) -> HttpResponse:
    """/tenant/: the tenants that the person may work in; POST {tenant, next} chooses one."""
    if request.method == "POST":
        form = ChooseTenantForm(request.POST)
        if not form.is_valid():
            raise Invalid("choose one of your tenants", fields={"tenant": "not a tenant"})
        actor = choose_tenant(user=request.user, tenant_id=form.cleaned_data["tenant"])
        request.session[TENANT_SESSION_KEY] = str(actor.tenant_id)
        return redirect(_safe(request, form.cleaned_data["next"]) or ("/" if actor.subject_id else "/admin/"))
    context = {
        "tenants": tenants_to_choose(request.user),
        "next": _safe(request, request.GET.get("next", "")),
    }
    return render(request, "accounts/choose_tenant.html", context)


@never_cache
@login_required
@require_POST
def leave(request: HttpRequest) -> HttpResponse:
    """/tenant/leave/: no tenant is chosen any more; platform staff are in none then, and choose anew."""
    member = request.member  # type: ignore[attr-defined]
    if member is not None:
        leave_tenant(actor=member)
    request.session.pop(TENANT_SESSION_KEY, None)
    return redirect("choose_tenant")


def _safe(request: HttpRequest, url: str) -> str:
    own = url_has_allowed_host_and_scheme(url, {request.get_host()}, require_https=request.is_secure())
    return url if url and own else ""


@require_safe
def forgotten(request: HttpRequest) -> HttpResponse:
    """No mail is sent, so the page tells whom to ask; it says nothing about any address."""
    return render(request, "accounts/forgotten.html")


class ResetPasswordView(PasswordResetConfirmView):
    """/reset/<uid>/<token>/: the one-time link; Django keeps the token in the session, off the Referer."""

    template_name = "accounts/reset_password.html"
    success_url = reverse_lazy("account_login")
    post_reset_login = False

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        close_sockets(form.user.pk, "password")
        messages.success(self.request, _("Your password is set. Please sign in."))
        return response
