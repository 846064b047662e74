"""Tenants, people, keys and invitations in the admin: read-only lists, and the verbs of a tenant's admin, which call services."""

from __future__ import annotations

import uuid
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.admin_base import TenantModelAdmin
from accounts.models import ApiKey, Invitation, Membership, Subject, Tenant, User
from accounts.operator_pages import Told
from accounts.permissions import SCOPE_CAPABILITIES, Capability
from accounts.services.change_role import change_role, deactivate_member
from accounts.services.create_api_key import create_api_key, revoke_api_key, rotate_api_key
from accounts.services.invite import invite, withdraw_invitation
from accounts.services.reset_password import make_reset_link
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


@admin.register(Membership)
class MembershipAdmin(TenantModelAdmin):
    """Who may do what here."""

    holds_content = False
    list_display = ["address", "role", "is_active", "created_at"]
    list_filter = ["role", "is_active"]
    search_fields = ["user__email"]
    list_select_related = ["user"]
    actions = ["make_end_user", "make_operator", "make_admin", "deactivate", "reset_link"]

    @admin.display(description=_("address"), ordering="user__email")
    def address(self, membership: Membership) -> str:
        return membership.user.email

    def has_members_permission(self, request: HttpRequest) -> bool:
        return self._may(request, Capability.MEMBERS_WRITE)

    @admin.action(description=_("Make end users"), permissions=["members"])
    def make_end_user(self, request: HttpRequest, rows: QuerySet[Membership]) -> None:
        self._change_role(request, rows, "end_user")

    @admin.action(description=_("Make operators"), permissions=["members"])
    def make_operator(self, request: HttpRequest, rows: QuerySet[Membership]) -> None:
        self._change_role(request, rows, "operator")

    @admin.action(description=_("Make admins"), permissions=["members"])
    def make_admin(self, request: HttpRequest, rows: QuerySet[Membership]) -> None:
        self._change_role(request, rows, "admin")

    @admin.action(description=_("Deactivate"), permissions=["members"])
    def deactivate(self, request: HttpRequest, rows: QuerySet[Membership]) -> None:
        for row in rows:
            with Told(self, request):
                deactivate_member(actor=self.actor(request), user_id=row.user_id)

    @admin.action(description=_("Make a one-time password link"), permissions=["members"])
    def reset_link(self, request: HttpRequest, rows: QuerySet[Membership]) -> None:
        for row in rows.select_related("user"):
            with Told(self, request):
                link = make_reset_link(actor=self.actor(request), user_id=row.user_id)
                self.message_user(request, f"{row.user.email}: {link}", messages.WARNING)

    def _change_role(self, request: HttpRequest, rows: QuerySet[Membership], role: str) -> None:
        for row in rows:
            with Told(self, request):
                change_role(actor=self.actor(request), user_id=row.user_id, role=role)


@admin.register(Subject)
class SubjectAdmin(TenantModelAdmin):
    """Whose memory it is."""

    list_display = ["id", "kind", "external_id", "display_name", "memory_paused", "created_at", "erased_at"]
    list_filter = ["kind", "memory_paused"]
    search_fields = ["=external_id", "display_name"]
    ordering = ["-id"]


class ApiKeyForm(forms.ModelForm):
    """What a new key needs; the secret is made by the service."""

    scopes = forms.MultipleChoiceField(choices=[(scope, scope) for scope in SCOPE_CAPABILITIES])

    class Meta:
        model = ApiKey
        fields = ["name", "scopes", "subject", "expires_at"]


@admin.register(ApiKey)
class ApiKeyAdmin(TenantModelAdmin):
    """Keys without their secrets: the plaintext is shown once, when a key is made."""

    holds_content = False
    form = ApiKeyForm
    view_capability = Capability.KEYS_WRITE
    add_capability = Capability.KEYS_WRITE
    list_display = ["name", "prefix", "scopes", "expires_at", "revoked_at", "last_used_at"]
    readonly_fields = ["prefix", "created_by", "created_at", "revoked_at", "last_used_at"]
    actions = ["revoke", "rotate"]

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        shown = ["name", "scopes", "subject", "expires_at"]
        return shown if obj is None else [*shown, *self.readonly_fields]

    def has_keys_permission(self, request: HttpRequest) -> bool:
        return self._may(request, Capability.KEYS_WRITE)

    def save_model(self, request: HttpRequest, obj: ApiKey, form: Any, change: bool) -> None:
        key, plaintext = create_api_key(
            actor=self.actor(request),
            name=obj.name,
            scopes=form.cleaned_data["scopes"],
            subject_id=obj.subject_id,
            expires_at=obj.expires_at,
        )
        obj.pk = key.pk
        self._show(request, key, plaintext)

    @admin.action(description=_("Revoke"), permissions=["keys"])
    def revoke(self, request: HttpRequest, rows: QuerySet[ApiKey]) -> None:
        for row in rows:
            with Told(self, request):
                revoke_api_key(actor=self.actor(request), key_id=row.pk)

    @admin.action(description=_("Rotate (the old key works for another day)"), permissions=["keys"])
    def rotate(self, request: HttpRequest, rows: QuerySet[ApiKey]) -> None:
        for row in rows:
            with Told(self, request):
                self._show(request, *rotate_api_key(actor=self.actor(request), key_id=row.pk))

    def _show(self, request: HttpRequest, key: ApiKey, plaintext: str) -> None:
        self.message_user(request, f"{key.name}: {plaintext} ({_('shown this once')})", messages.WARNING)


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
        self.message_user(request, f"{made.email}: {link} ({_('shown this once')})", messages.WARNING)

    @admin.action(description=_("Withdraw"), permissions=["members"])
    def withdraw(self, request: HttpRequest, rows: QuerySet[Invitation]) -> None:
        for row in rows:
            with Told(self, request):
                withdraw_invitation(actor=self.actor(request), invitation_id=uuid.UUID(str(row.pk)))
