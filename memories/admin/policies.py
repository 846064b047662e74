"""The policy in the admin: its versions."""

from __future__ import annotations

from django.contrib import admin

from accounts.admin_base import TenantModelAdmin
from memories.models import PolicyVersion


@admin.register(PolicyVersion)
class PolicyVersionAdmin(TenantModelAdmin):
    holds_content = False
    list_display = ["id", "number", "note", "created_by", "created_at"]
    ordering = ["-number"]
