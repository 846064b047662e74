"""What steers memory, in the admin: traces, feedback, approvals, forget rules and requests, idempotency."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from accounts.admin_base import TenantModelAdmin
from memories.admin.showing import MaskedColumns
from memories.models import (
    Approval,
    Feedback,
    ForgetRequest,
    ForgetRule,
    IdempotencyKey,
    RecallTrace,
)
from memories.services.feedback import Verdict


class DegradedFilter(admin.SimpleListFilter):
    """Recalls that went without vectors."""

    title = _("vectors")
    parameter_name = "vectors"

    def lookups(self, request: Any, model_admin: Any) -> list[tuple[str, Any]]:
        return [("none", _("without vectors"))]

    def queryset(self, request: Any, queryset: Any) -> Any:
        return queryset.exclude(degraded="") if self.value() == "none" else queryset


class VerdictFilter(admin.SimpleListFilter):
    """Each verdict, and all that say that a recall was false."""

    title = _("verdict")
    parameter_name = "verdict"

    def lookups(self, request: Any, model_admin: Any) -> list[tuple[str, Any]]:
        return [("false", _("all but right")), *((one.value, one.value) for one in Verdict)]

    def queryset(self, request: Any, queryset: Any) -> Any:
        if self.value() == "false":
            return queryset.exclude(verdict=Verdict.RIGHT)
        return queryset.filter(verdict=self.value()) if self.value() else queryset


@admin.register(RecallTrace)
class RecallTraceAdmin(MaskedColumns, TenantModelAdmin):
    list_display = [
        "id",
        "subject_id",
        "turn_id",
        "used_tokens",
        "abstained",
        "degraded",
        "milliseconds",
        "at",
    ]
    list_filter = ["abstained", DegradedFilter, "at"]
    ordering = ["-id"]
    search_fields = ["=id", "=turn_id", "=session_id"]


@admin.register(Feedback)
class FeedbackAdmin(MaskedColumns, TenantModelAdmin):
    list_display = ["id", "verdict", "memory_id", "turn_id", "at"]
    list_filter = [VerdictFilter, "at"]
    ordering = ["-id"]


@admin.register(Approval)
class ApprovalAdmin(TenantModelAdmin):
    list_display = ["id", "state", "memory_id", "rule", "asked_at", "decided_at"]
    list_filter = [("state", admin.ChoicesFieldListFilter)]
    ordering = ["-id"]


@admin.register(ForgetRule)
class ForgetRuleAdmin(MaskedColumns, TenantModelAdmin):
    list_display = ["id", "kind", "subject_id", "binds_before", "created_at", "removed_at"]
    exclude = ["label", "fingerprint"]
    ordering = ["-id"]


@admin.register(ForgetRequest)
class ForgetRequestAdmin(MaskedColumns, TenantModelAdmin):
    """What was asked to be forgotten, without what was meant: that is encrypted, and destroyed in time."""

    list_display = [
        "id",
        "state",
        "scope",
        "standing",
        "subject_id",
        "memories",
        "texts",
        "asked_at",
        "decided_at",
    ]
    list_filter = [("state", admin.ChoicesFieldListFilter), "standing"]
    exclude = ["target", "undo"]
    ordering = ["-id"]
    search_fields = ["=id", "=subject__external_id"]


@admin.register(IdempotencyKey)
class IdempotencyKeyAdmin(TenantModelAdmin):
    holds_content = False
    list_display = ["id", "principal", "status", "created_at", "expires_at"]
    exclude = ["request_hash", "response"]
    ordering = ["-id"]
