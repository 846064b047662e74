"""Tombstones in the admin: what was deleted, by whom, and until when it can come back."""

from __future__ import annotations

from django.contrib import admin

from accounts.admin_base import TenantModelAdmin
from memories.admin.showing import MaskedColumns
from memories.models import Tombstone


@admin.register(Tombstone)
class TombstoneAdmin(MaskedColumns, TenantModelAdmin):
    list_display = ["id", "memory_id", "cause", "rule", "actor_kind", "at", "purge_after", "restored_at"]
    ordering = ["-id"]
    search_fields = ["=memory__id"]
