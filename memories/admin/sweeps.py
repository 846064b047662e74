"""Sweeps in the admin: runs and what they took."""

from __future__ import annotations

from django.contrib import admin

from accounts.admin_base import TenantModelAdmin
from memories.models import SweepRun


@admin.register(SweepRun)
class SweepRunAdmin(TenantModelAdmin):
    holds_content = False
    list_display = ["id", "state", "dry_run", "counts", "actor_kind", "started_at", "finished_at"]
    list_filter = [("state", admin.ChoicesFieldListFilter), "dry_run"]
    ordering = ["-id"]
