"""Sessions, turns and digests in the admin: first form, read-only."""

from __future__ import annotations

from django.contrib import admin

from accounts.admin_base import TenantModelAdmin
from memories.admin.showing import MaskedColumns
from sessions_app import admin_links  # noqa: F401  (importing registers)
from sessions_app.models import ChatSession, Digest, Turn


@admin.register(ChatSession)
class ChatSessionAdmin(MaskedColumns, TenantModelAdmin):
    list_display = ["id", "title", "state", "mode", "outcome", "subject_id", "last_activity_at"]
    list_filter = [("state", admin.ChoicesFieldListFilter), ("mode", admin.ChoicesFieldListFilter)]
    ordering = ["-id"]
    search_fields = ["=id", "=subject__external_id"]


@admin.register(Turn)
class TurnAdmin(MaskedColumns, TenantModelAdmin):
    list_display = ["id", "session_id", "seq", "role", "content", "state", "tokens", "said_at"]
    list_filter = [("role", admin.ChoicesFieldListFilter), ("state", admin.ChoicesFieldListFilter)]
    ordering = ["-id"]
    search_fields = ["=id", "=session__id"]


@admin.register(Digest)
class DigestAdmin(MaskedColumns, TenantModelAdmin):
    list_display = [
        "id",
        "session_id",
        "generation",
        "first_seq",
        "last_seq",
        "method",
        "tokens",
        "source_tokens",
    ]
    ordering = ["-id"]
    search_fields = ["=session__id", "=memory__id"]
