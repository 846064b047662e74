"""Members and invitations in the admin: invited, given a role, deactivated and taken back, each after a page that says whom it touches."""

from __future__ import annotations

import uuid
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path, reverse
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.admin.shown_once import shown_once
from accounts.admin_base import TenantModelAdmin
from accounts.models import Invitation, Membership
from accounts.operator_pages import DecisionView, Told
from accounts.permissions import Capability
from accounts.services.change_role import change_role, deactivate_member, reactivate_member
from accounts.services.invite import invite, withdraw_invitation
from accounts.services.reset_password import make_reset_link
from memoryhub.common.db import tenant_transaction

MOST = 100
VERBS: dict[str, tuple[Any, Any]] = {
    "end_user": (
        _("Make end users"),
        _("They see their own memories only, and their open connections close at once."),
    ),
    "operator": (
        _("Make operators"),
        _("They see and correct the memories of everybody in this tenant."),
    ),
    "admin": (
        _("Make admins"),
        _("They may do what operators do, and decide about members, keys and the policy."),
    ),
    "deactivate": (
        _("Deactivate"),
        _(
            "Their open connections close at once and the keys bound to them are revoked; their memories stay."
        ),
    ),
    "reactivate": (
        _("Reactivate"),
        _("They come back in the role that they had; keys that were revoked stay revoked."),
    ),
}


class MembersView(DecisionView):
    """One verb of VERBS on the members whose ids stand in the address; 404 where none of them is this tenant's."""

    capability = Capability.MEMBERS_WRITE
    template_name = "admin/accounts/membership/decision.html"

    def members(self) -> list[Membership]:
        """At most MOST of them, by address."""
        try:
            ids = [uuid.UUID(one) for one in self.request.GET.get("ids", "").split(",")[:MOST]]
        except ValueError:
            raise Http404 from None
        with tenant_transaction(self.actor.tenant_id):
            rows = Membership.objects.filter(pk__in=ids).select_related("user")
            found = list(rows.order_by("user__email"))
        if not found or self.kwargs["verb"] not in VERBS:
            raise Http404
        return found

    def decide(self, form: forms.Form) -> str:
        done, verb = 0, self.kwargs["verb"]
        for row in self.members():
            assert self.model_admin is not None
            with Told(self.model_admin, self.request):
                if verb == "deactivate":
                    deactivate_member(actor=self.actor, user_id=row.user_id)
                elif verb == "reactivate":
                    reactivate_member(actor=self.actor, user_id=row.user_id)
                else:
                    change_role(actor=self.actor, user_id=row.user_id, role=verb)
                done += 1
        said = ngettext("Done for %(n)d member.", "Done for %(n)d members.", done) % {"n": done}
        return said if done else ""

    def get_success_url(self) -> str:
        return reverse("admin:accounts_membership_changelist")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        members = self.members()
        title, note = VERBS[self.kwargs["verb"]]
        return super().get_context_data(
            members=members,
            note=note,
            myself=self.actor.id,
            parent_url=self.get_success_url(),
            submit=title,
            dangerous=self.kwargs["verb"] != "reactivate",
            **{**kwargs, "title": title},
        )


@admin.register(Membership)
class MembershipAdmin(TenantModelAdmin):
    """Who may do what here."""

    holds_content = False
    list_display = ["address", "role", "is_active", "created_at"]
    list_filter = ["role", "is_active"]
    search_fields = ["user__email"]
    list_select_related = ["user"]
    actions = ["make_end_user", "make_operator", "make_admin", "deactivate", "reactivate", "reset_link"]

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view(MembersView.as_view(model_admin=self))
        return [path("decide/<str:verb>/", view, name="accounts_membership_decide"), *super().get_urls()]

    @admin.display(description=_("address"), ordering="user__email")
    def address(self, membership: Membership) -> str:
        return membership.user.email

    def has_members_permission(self, request: HttpRequest) -> bool:
        return self._may(request, Capability.MEMBERS_WRITE)

    @admin.action(description=_("Make end users"), permissions=["members"])
    def make_end_user(self, request: HttpRequest, rows: QuerySet[Membership]) -> HttpResponse:
        return self._ask(rows, "end_user")

    @admin.action(description=_("Make operators"), permissions=["members"])
    def make_operator(self, request: HttpRequest, rows: QuerySet[Membership]) -> HttpResponse:
        return self._ask(rows, "operator")

    @admin.action(description=_("Make admins"), permissions=["members"])
    def make_admin(self, request: HttpRequest, rows: QuerySet[Membership]) -> HttpResponse:
        return self._ask(rows, "admin")

    @admin.action(description=_("Deactivate"), permissions=["members"])
    def deactivate(self, request: HttpRequest, rows: QuerySet[Membership]) -> HttpResponse:
        return self._ask(rows, "deactivate")

    @admin.action(description=_("Reactivate"), permissions=["members"])
    def reactivate(self, request: HttpRequest, rows: QuerySet[Membership]) -> HttpResponse:
        return self._ask(rows, "reactivate")

    @admin.action(description=_("Make a one-time password link"), permissions=["members"])
    def reset_link(self, request: HttpRequest, rows: QuerySet[Membership]) -> HttpResponse | None:
        made: list[tuple[str, str]] = []
        for row in rows.select_related("user"):
            with Told(self, request):
                made.append((row.user.email, make_reset_link(actor=self.actor(request), user_id=row.user_id)))
        if not made:
            return None
        back = reverse("admin:accounts_membership_changelist")
        title = _("One-time password links")
        return shown_once(request, title=title, secrets=made, parent_url=back, parent_title=_("Memberships"))

    @staticmethod
    def _ask(rows: QuerySet[Membership], verb: str) -> HttpResponse:
        ids = ",".join(str(pk) for pk in rows.values_list("pk", flat=True)[:MOST])
        return HttpResponseRedirect(f"{reverse('admin:accounts_membership_decide', args=[verb])}?ids={ids}")


@admin.register(Invitation)
class InvitationAdmin(TenantModelAdmin):
    """Open and used invitations; the link is shown once, when it is made."""

    holds_content = False
    view_capability = Capability.MEMBERS_WRITE
    add_capability = Capability.MEMBERS_WRITE
    list_display = ["email", "role", "expires_at", "accepted_at"]
    fields = ["email", "role"]
    search_fields = ["email"]
    actions = ["withdraw"]

    def has_members_permission(self, request: HttpRequest) -> bool:
        return self._may(request, Capability.MEMBERS_WRITE)

    def save_model(self, request: HttpRequest, obj: Invitation, form: Any, change: bool) -> None:
        made, token = invite(actor=self.actor(request), email=obj.email, role=obj.role)
        obj.pk = made.pk
        link = settings.SITE_URL.rstrip("/") + reverse("accept_invitation", args=[token])
        request.made_link = [(made.email, link)]  # type: ignore[attr-defined]

    def response_add(self, request: HttpRequest, obj: Any, post_url_continue: Any = None) -> HttpResponse:
        return shown_once(
            request,
            title=_t("The invitation's link"),
            secrets=request.made_link,  # type: ignore[attr-defined]
            parent_url=reverse("admin:accounts_invitation_changelist"),
            parent_title=_("Invitations"),
        )

    @admin.action(description=_("Withdraw"), permissions=["members"])
    def withdraw(self, request: HttpRequest, rows: QuerySet[Invitation]) -> None:
        for row in rows:
            with Told(self, request):
                withdraw_invitation(actor=self.actor(request), invitation_id=uuid.UUID(str(row.pk)))
