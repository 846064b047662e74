"""Memories and episodes in the admin: what is stored, with its versions, evidence and facts beside it."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from accounts.admin_base import TenantModelAdmin, TenantTabularInline
from memories.admin.rules import RulesMixin
from memories.admin.showing import MaskedColumns
from memories.core.kinds import Kind
from memories.models import Episode, Evidence, Fact, Memory, MemoryVersion


class KindFilter(admin.SimpleListFilter):
    """The kinds as they stand in the code: a query for distinct values would read every row."""

    title = _("kind")
    parameter_name = "kind"

    def lookups(self, request: Any, model_admin: Any) -> list[tuple[str, str]]:
        return [(kind.value, kind.value) for kind in Kind]

    def queryset(self, request: Any, queryset: Any) -> Any:
        return queryset.filter(kind=self.value()) if self.value() else queryset


class VersionInline(MaskedColumns, TenantTabularInline):
    model = MemoryVersion
    fields = readonly_fields = (
        "number",
        "change",
        "content",
        "actor_kind",
        "actor_id",
        "rule",
        "reason",
        "at",
    )
    ordering = ["-number"]


class EvidenceInline(MaskedColumns, TenantTabularInline):
    model = Evidence
    fields = readonly_fields = ("quote", "role", "speaker", "said_at", "turn_id", "session_id")


class FactInline(MaskedColumns, TenantTabularInline):
    model = Fact
    fields = readonly_fields = ("entity", "attribute", "value", "valid_from", "valid_to", "single_valued")


@admin.register(Memory)
class MemoryAdmin(MaskedColumns, RulesMixin):
    list_display = [
        "id",
        "kind",
        "content",
        "status",
        "importance",
        "strength",
        "pinned",
        "subject_id",
        "created_at",
    ]
    list_filter = [KindFilter, ("status", admin.ChoicesFieldListFilter), "pinned"]
    ordering = ["-id"]
    # The clear text of a sensitive memory is for the audited reveal alone.
    exclude = ["content_encrypted", "fingerprint"]
    search_fields = ["=id", "=subject__external_id"]
    search_help_text = _("An id of a memory, or the whole external id of its subject.")
    inlines = [VersionInline, EvidenceInline, FactInline]


@admin.register(Episode)
class EpisodeAdmin(MaskedColumns, TenantModelAdmin):
    list_display = ["id", "role", "speaker", "text", "status", "subject_id", "said_at"]
    list_filter = [("status", admin.ChoicesFieldListFilter)]
    ordering = ["-id"]
    search_fields = ["=id", "=source_id", "=session_id"]
