"""What operators see of what people said: in clear or masked, decided in one place for every page of the admin."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from django.contrib.admin.utils import display_for_field
from django.db import models
from django.db.models import Q, QuerySet
from django.db.models.constants import LOOKUP_SEP
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.translation import gettext as _

from accounts.actor import Actor
from accounts.admin_base import TenantModelAdmin
from accounts.permissions import Capability
from memories.core.kinds import Kind
from memories.core.text.language import detect
from memories.holders import holders
from memories.services.policies import policy_of
from memoryhub.common.fields import EncryptedTextField

EXCERPT = 80
RULE = "operators.contents"
SEALED = "admin_sealed"
"""The annotation that says of a row whether it belongs to a sensitive or encrypted memory, without decrypting anything."""


def reads_clear(actor: Actor) -> bool:
    """Whether the actor sees ordinary contents in clear: the policy lets operators, and the actor is one.

    Platform staff have no capability to reveal and see everything masked, whatever the policy.
    """
    policy, _number = policy_of(actor.tenant_id)
    return Capability.REVEAL in actor.capabilities and policy.choice(RULE) == "clear"


def shown(
    text: Any,
    *,
    actor: Actor,
    sensitive: bool = False,
    kind: str = "",
    language: str = "",
    excerpt: bool = False,
) -> str:
    """A content as a page of the admin may show it to the actor: plain text (escape it), or its mask (safe HTML).

    Every page, list, message and chart of operators that would print what a person said, or what is known of one, prints
    this instead. `text` is a text, a list or a mapping; empty ones stay empty. `sensitive` ones (is_sensitive) are always
    masked: the audited reveal of a memory (services/reveal.py) is the only way to them. Others are in clear where
    `reads_clear`. A mask tells kind, length and language only. `excerpt` cuts what is in clear to EXCERPT characters.
    """
    if text in (None, "", [], {}):
        return ""
    plain = text if isinstance(text, str) else json.dumps(text, ensure_ascii=False, default=str)
    if sensitive or not reads_clear(actor):
        return mask(plain, kind=kind, language=language)
    return plain if not excerpt or len(plain) <= EXCERPT else plain[: EXCERPT - 1] + "…"


def mask(text: str, *, kind: str = "", language: str = "") -> str:
    """Kind, length and language in the place of a text, as safe HTML; nothing of the text itself."""
    told = [kind and _(kind), _("%(number)d characters") % {"number": len(text)}, language or detect(text)]
    return format_html(
        '<span class="masked" title="{}">•••• {}</span>',
        _("masked; a reveal is asked for on the page of the memory"),
        " · ".join(filter(None, told)),
    )


def is_sensitive(row: Any) -> bool:
    """Whether a memory, or a row that hangs on one (`memory`), is masked until revealed: of kind sensitive, or encrypted.

    Rows of a MaskedColumns admin carry the answer; for others it is read from the memory.
    """
    found = getattr(row, SEALED, None)
    if found is not None:
        return bool(found)
    if getattr(row, "memory_id", None) is not None and row.memory.kind == Kind.SENSITIVE:
        return True
    owner = row if hasattr(row, "content_encrypted") else getattr(row, "memory", None)
    if owner is None:
        return False
    return getattr(owner, "kind", "") == Kind.SENSITIVE or owner.content_encrypted is not None


def with_sensitivity(rows: QuerySet[Any]) -> QuerySet[Any]:
    """The rows annotated for `is_sensitive`, in the same statement, with no ciphertext fetched."""
    names = {field.name for field in rows.model._meta.concrete_fields}
    sealed = Q(pk__isnull=True)
    if "content_encrypted" in names:
        sealed |= Q(content_encrypted__isnull=False)
    if "content_encrypted" in names and "kind" in names:
        sealed |= Q(kind=Kind.SENSITIVE)
    if "memory" in names:
        sealed |= Q(memory__content_encrypted__isnull=False) | Q(memory__kind=Kind.SENSITIVE)
    encrypted = [f.name for f in rows.model._meta.concrete_fields if isinstance(f, EncryptedTextField)]
    return rows.annotate(**{SEALED: sealed}).defer(*encrypted)


def content_columns(model: type[models.Model]) -> frozenset[str]:
    """The fields of a model that hold what people said, by the registry that erasure goes by (memories/holders.py)."""
    columns = {column for one in holders() if one.table == model._meta.db_table for column in one.columns}
    fields = model._meta.concrete_fields
    return frozenset(f.name for f in fields if f.column in columns and not f.is_relation)


class MaskedColumns(TenantModelAdmin):
    """A model admin whose content columns go through `shown`, in lists and on pages: put it first among the bases.

    Which they are is read from the registry of content, so that a new column is masked before anybody thinks of it.
    Encrypted columns are left out altogether; add them to `exclude` where a form would show them.
    """

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return with_sensitivity(super().get_queryset(request))

    def get_list_display(self, request: HttpRequest) -> Any:
        names = super().get_list_display(request)
        return [self._column(request, name, excerpt=True) for name in names]

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        fields = [name for name in super().get_fields(request, obj) if not self._encrypted(name)]
        return fields if obj is None and self._adds(request) else self._columns(request, fields)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        names = [name for name in super().get_readonly_fields(request, obj) if not self._encrypted(name)]
        return names if obj is None and self._adds(request) else self._columns(request, names)

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        """Not by what is masked: Django filters by any column that an address names, and the rows that stay would spell it out."""
        column = lookup.split(LOOKUP_SEP)[0]
        if column in content_columns(self.model) or self._encrypted(column):
            return False
        return super().lookup_allowed(lookup, value, request)

    def matching(self, request: HttpRequest, path: str, term: str) -> Q:
        """A content is found by whoever would read it on the row."""
        found = super().matching(request, path, term)
        if path not in content_columns(self.model):
            return found
        return found & Q(**{SEALED: False}) if reads_clear(self.actor(request)) else Q(pk__in=[])

    def _adds(self, request: HttpRequest) -> bool:
        """A form for a new row has fields to fill in, and nothing yet to mask."""
        return self.has_add_permission(request)

    def _encrypted(self, name: Any) -> bool:
        return isinstance(name, str) and isinstance(self._field(name), EncryptedTextField)

    def _field(self, name: str) -> Any:
        return next((f for f in self.model._meta.concrete_fields if f.name == name), None)

    def _columns(self, request: HttpRequest, names: Sequence[Any]) -> list[Any]:
        return [self._column(request, name, excerpt=False) for name in names]

    def _column(self, request: HttpRequest, name: Any, *, excerpt: bool) -> Any:
        """The name, or what stands in its place; the same object each time within a request, as Django compares them."""
        if not isinstance(name, str) or name not in content_columns(self.model):
            return name
        made: dict[Any, Any] = request.__dict__.setdefault("_shown_columns", {})
        key = (self.model, name, excerpt)
        if key not in made:
            made[key] = _display(self._field(name), self.actor(request), excerpt=excerpt)
        return made[key]


def _display(field: Any, actor: Actor, *, excerpt: bool) -> Callable[[Any], Any]:
    def display(row: Any) -> Any:
        value = getattr(row, field.name)
        if value in (None, "", [], {}):
            return "-"
        if isinstance(value, str) or is_sensitive(row) or not reads_clear(actor):
            kind = str(getattr(row, "kind", ""))
            return shown(value, actor=actor, sensitive=is_sensitive(row), kind=kind, excerpt=excerpt)
        return display_for_field(value, field, "-")

    display.short_description = field.verbose_name  # type: ignore[attr-defined]
    display.__name__ = f"shown_{field.name}"
    return display
