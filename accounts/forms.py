"""Forms of the account pages."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.password_validation import password_validators_help_texts
from django.utils.translation import gettext_lazy as _


class JoinForm(forms.Form):
    """What a new person fills in behind an invitation; the address stands in the invitation."""

    name = forms.CharField(
        label=_("Name"), max_length=150, widget=forms.TextInput(attrs={"autocomplete": "name"})
    )
    password1 = forms.CharField(
        label=_("Password"), strip=False, widget=forms.PasswordInput(attrs={"autocomplete": "new-password"})
    )
    password2 = forms.CharField(
        label=_("Password again"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password1"].help_text = " ".join(str(text) for text in password_validators_help_texts())

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("password1") != data.get("password2"):
            self.add_error("password2", _("The two passwords differ."))
        return data


class ChooseTenantForm(forms.Form):
    """Which tenant to work in, and where to go then (a path of this site)."""

    tenant = forms.UUIDField()
    next = forms.CharField(required=False)
