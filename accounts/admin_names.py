"""The names of apps, models, fields and choices in the reader's language: said once here, instead of at every field."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.contrib.admin import AdminSite
from django.db import models
from django.utils.translation import gettext_lazy, override

APPS = {"accounts": "Accounts", "memories": "Memory", "sessions_app": "Sessions"}
"""The apps whose lists stand in the admin, and what they are called there; a third party's names are its own."""
NAMES: set[str] = set()
"""Every name as it is written in the code, for the catalogue of messages."""


def translate_names(site: AdminSite) -> None:
    """Let the admin look the names up when it shows them. Migrations read the names as they were written."""
    for label, title in APPS.items():
        apps.get_app_config(label).verbose_name = _lazy(title)
    for model in site._registry:
        if model._meta.app_label in APPS:
            _translate(model)


def _translate(model: type[models.Model]) -> None:
    options: Any = model._meta
    options.verbose_name = _lazy(options.verbose_name)
    options.verbose_name_plural = _lazy(options.verbose_name_plural)
    for field in options.concrete_fields:
        field.verbose_name = _lazy(field.verbose_name)
        if field.choices:
            field.choices = [(value, _lazy(label)) for value, label in field.flatchoices]


def _lazy(name: Any) -> Any:
    # A plural that nobody gave is itself worked out when it is shown.
    with override(None):
        written = str(name)
    NAMES.add(written)
    return gettext_lazy(written)
