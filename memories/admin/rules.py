"""Rules for a whole tenant in the admin: laid down in the place of "add a memory", and withdrawn by an action."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.actor import Actor
from accounts.admin_base import TenantModelAdmin
from accounts.permissions import Capability
from memories.models import Memory
from memories.services.declare_constraint import MAX_CHARS, declare_tenant_constraint
from memories.services.limits import MAX_KEY
from memories.services.outcome import Outcome
from memories.services.withdraw_constraint import withdraw_constraint
from memoryhub.common.errors import DomainError


class RuleForm(forms.ModelForm):
    """What a rule needs; its key is read out of the words where none is given.

    A form that is valid has been laid down: what the service refuses is an error of the form, and nothing was added.
    """

    actor: Actor
    outcome: Outcome | None = None

    content = forms.CharField(
        max_length=MAX_CHARS,
        widget=forms.Textarea(attrs={"rows": 3}),
        label=_("Rule"),
        help_text=_("It holds for everybody in the tenant, and stands above what a person asks for."),
    )
    key = forms.CharField(
        max_length=MAX_KEY, required=False, help_text=_("A later rule of this key replaces it.")
    )

    class Meta:
        model = Memory
        fields = ["content", "key", "expires_at"]

    def _post_clean(self) -> None:
        super()._post_clean()  # type: ignore[misc]  # Django has it; the stubs leave it out.
        if self.errors:
            return
        fields = self.cleaned_data
        try:
            (outcome,) = declare_tenant_constraint(
                actor=self.actor,
                content=fields["content"],
                key=fields["key"],
                expires_at=fields["expires_at"],
            )
        except DomainError as error:
            self.add_error(None, f"{error.message}. {error.hint}".strip())
            return
        if outcome.memory_id is None:
            self.add_error("content", f"{outcome.code}: {', '.join(outcome.reasons) or outcome.rule}")
        else:
            self.outcome = outcome


class RulesMixin(TenantModelAdmin):
    """What an operator may write among the memories: the tenant's own rules, through their services."""

    add_capability = Capability.CONSTRAINTS_WRITE
    actions = ["withdraw_rules"]

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        if obj is None:
            kwargs["form"] = type("BoundRuleForm", (RuleForm,), {"actor": self.actor(request)})
        return super().get_form(request, obj, change=change, **kwargs)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return RuleForm.Meta.fields if obj is None else super().get_fields(request, obj)

    def get_inlines(self, request: HttpRequest, obj: Any = None) -> Any:
        return [] if obj is None else super().get_inlines(request, obj)

    def has_rules_permission(self, request: HttpRequest) -> bool:
        return self._may(request, Capability.CONSTRAINTS_WRITE)

    def save_model(self, request: HttpRequest, obj: Memory, form: Any, change: bool) -> None:
        """The form laid it down; Django goes on with the memory that holds it."""
        obj.pk = form.outcome.memory_id

    @admin.action(description=_("Withdraw rules of the tenant"), permissions=["rules"])
    def withdraw_rules(self, request: HttpRequest, rows: QuerySet[Memory]) -> None:
        for row in rows:
            try:
                withdraw_constraint(actor=self.actor(request), memory_id=row.pk, reason="admin")
            except DomainError as error:
                self.message_user(request, f"{row.pk}: {error.message}", messages.ERROR)
