"""API keys in the admin: made, rotated and revoked by a tenant's admin, the secret shown on one page only."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _

from accounts.admin.shown_once import shown_once
from accounts.admin_base import TenantModelAdmin
from accounts.models import ApiKey
from accounts.operator_pages import Told
from accounts.permissions import SCOPE_CAPABILITIES, Capability
from accounts.services.create_api_key import create_api_key, revoke_api_key, rotate_api_key


class ApiKeyForm(forms.ModelForm):
    """What a new key needs; the secret is made by the service."""

    scopes = forms.MultipleChoiceField(
        label=_("scopes"), choices=[(scope, scope) for scope in SCOPE_CAPABILITIES]
    )

    class Meta:
        model = ApiKey
        fields = ["name", "scopes", "subject", "expires_at"]

    def clean(self) -> dict[str, Any]:
        """What the service would refuse is said at the field."""
        given: dict[str, Any] = super().clean() or self.cleaned_data
        expires_at = given.get("expires_at")
        if expires_at is not None and expires_at <= timezone.now():
            self.add_error("expires_at", _t("The expiry must lie in the future."))
        if given.get("subject") is not None and "admin" in given.get("scopes", []):
            self.add_error("scopes", _t("A key of one person cannot have the scope admin."))
        return given


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
        request.made_key = [(key.name, plaintext)]  # type: ignore[attr-defined]

    def response_add(self, request: HttpRequest, obj: Any, post_url_continue: Any = None) -> HttpResponse:
        return self._show(request, request.made_key)  # type: ignore[attr-defined]

    @admin.action(description=_("Revoke"), permissions=["keys"])
    def revoke(self, request: HttpRequest, rows: QuerySet[ApiKey]) -> None:
        for row in rows:
            with Told(self, request):
                revoke_api_key(actor=self.actor(request), key_id=row.pk)

    @admin.action(description=_("Rotate (the old key works for another day)"), permissions=["keys"])
    def rotate(self, request: HttpRequest, rows: QuerySet[ApiKey]) -> HttpResponse | None:
        made: list[tuple[str, str]] = []
        for row in rows:
            with Told(self, request):
                key, plaintext = rotate_api_key(actor=self.actor(request), key_id=row.pk)
                made.append((key.name, plaintext))
        return self._show(request, made) if made else None

    def _show(self, request: HttpRequest, made: list[tuple[str, str]]) -> HttpResponse:
        return shown_once(
            request,
            title=_("The new API key"),
            secrets=made,
            parent_url=reverse("admin:accounts_apikey_changelist"),
            parent_title=_("API keys"),
        )
