"""What hangs on memories, each with a list of its own: versions, evidence, facts, slots."""

from __future__ import annotations

from django.contrib import admin

from accounts.admin_base import TenantModelAdmin
from accounts.tenancy import NEWEST
from memories.admin.showing import MaskedColumns
from memories.models import Evidence, Fact, MemoryVersion, Slot


@admin.register(MemoryVersion)
class MemoryVersionAdmin(MaskedColumns, TenantModelAdmin):
    list_display = ["id", "memory_id", "number", "change", "actor_kind", "rule", "at"]
    ordering = ["-id"]
    exclude = ["content_encrypted"]
    search_fields = ["=memory__id"]


@admin.register(Evidence)
class EvidenceAdmin(MaskedColumns, TenantModelAdmin):
    list_display = ["id", "memory_id", "role", "speaker", "turn_id", "said_at"]
    ordering = ["-id"]
    search_fields = ["=memory__id", "=turn_id"]


@admin.register(Fact)
class FactAdmin(MaskedColumns, TenantModelAdmin):
    list_display = ["id", "memory_id", "entity", "attribute", "value", "valid_from", "valid_to"]
    ordering = [NEWEST]
    search_fields = ["=memory__id", "=entity", "=attribute"]


@admin.register(Slot)
class SlotAdmin(MaskedColumns, TenantModelAdmin):
    list_display = ["id", "kind", "key", "importance", "subject_id", "expires_at"]
    list_filter = [("kind", admin.ChoicesFieldListFilter)]
    ordering = ["-id"]
