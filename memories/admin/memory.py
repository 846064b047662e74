"""Memories and episodes in the admin: what is stored, with its versions, evidence and facts beside it."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, Q
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.template.response import TemplateResponse
from django.urls import path
from django.utils.translation import gettext_lazy as _

from accounts.admin_base import TenantModelAdmin
from accounts.tenancy import NEWEST
from memories.adapters.factory import get_clock
from memories.admin.memory_page import MemoryPage, memory_for
from memories.admin.memory_views import PinView, RevealView
from memories.admin.rules import RulesMixin
from memories.admin.showing import MaskedColumns
from memories.admin.work_rows import without_vector
from memories.core.kinds import Kind
from memories.models import Episode, Feedback, Memory
from memories.services.embedding_space import generations
from memories.services.policies import policy_of
from memories.services.stale import stale_newest
from memories.store.health import MEMORIES, SETTLED, near_duplicates

SOURCE_KINDS = ["turn", "tool", "document"]


class KindFilter(admin.SimpleListFilter):
    """The kinds as they stand in the code: a query for distinct values would read every row."""

    title = _("kind")
    parameter_name = "kind"

    def lookups(self, request: Any, model_admin: Any) -> list[tuple[str, str]]:
        return [(kind.value, kind.value) for kind in Kind]

    def queryset(self, request: Any, queryset: Any) -> Any:
        return queryset.filter(kind=self.value()) if self.value() else queryset


class HealthFilter(admin.SimpleListFilter):
    """The rows that the health page counts, over the same newest memories."""

    title = _("health")
    parameter_name = "use"

    def lookups(self, request: Any, model_admin: Any) -> list[tuple[str, Any]]:
        return [
            ("never", _("never recalled")),
            ("junk", _("junk")),
            ("alike", _("near-duplicates")),
            ("stale", _("stale")),
        ]

    def queryset(self, request: Any, queryset: Any) -> Any:
        now = get_clock().now()
        match self.value():
            case "alike":
                live = generations()
                found, _looked_at = near_duplicates(live[0].space_id) if live else ([], 0)
                return queryset.filter(pk__in=found)
            case "stale":
                policy, _number = policy_of(request.member.tenant_id)
                return queryset.filter(pk__in=stale_newest(policy, now, MEMORIES).values("pk"))
            case "never" | "junk" as which:
                newest = Memory.objects.order_by(NEWEST).values("pk")[:MEMORIES]
                rows = queryset.filter(pk__in=newest, hits=0, created_at__lt=now - SETTLED)
                if which == "never":
                    return rows
                bad = Feedback.objects.filter(memory_id=OuterRef("pk"), verdict__in=["wrong", "irrelevant"])
                return rows.filter(Q(status__in=["archived", "expired"]) | Exists(bad))
        return queryset


class VectorFilter(admin.SimpleListFilter):
    """What the home counts: memories that wait for their embedding longer than is normal."""

    title = _("embedding")
    parameter_name = "vector"

    def lookups(self, request: Any, model_admin: Any) -> list[tuple[str, Any]]:
        return [("late", _("waits long"))]

    def queryset(self, request: Any, queryset: Any) -> Any:
        return queryset.filter(pk__in=without_vector().values("pk")) if self.value() == "late" else queryset


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
    list_filter = [KindFilter, ("status", admin.ChoicesFieldListFilter), HealthFilter, VectorFilter, "pinned"]
    ordering = [NEWEST]
    # The clear text of a sensitive memory is for the audited reveal alone.
    exclude = ["content_encrypted", "fingerprint"]
    search_fields = ["=id", "=subject__external_id"]
    search_help_text = _("An id of a memory, or the whole external id of its subject.")

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view
        own = [
            path(
                f"<uuid:object_id>/{verb}/",
                view(page.as_view(model_admin=self)),
                name=f"memories_memory_{verb}",
            )
            for verb, page in (("reveal", RevealView), ("pin", PinView))
        ]
        return [*own, *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """The memory with all that explains it; nothing is changed here, and the reading is audited."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        if request.method not in {"GET", "HEAD"}:
            return HttpResponseNotAllowed(["GET", "HEAD"])
        memory = memory_for(object_id)
        if memory is None:
            raise Http404
        self._note(request, "admin.read", memory)
        context = {
            **self.admin_site.each_context(request),
            "title": _("Memory"),
            "opts": self.opts,
            **MemoryPage(memory, self.actor(request), _number(request.GET.get("before", ""))).context(),
            **(extra_context or {}),
        }
        return TemplateResponse(request, "admin/memories/memory/page.html", context)


@admin.register(Episode)
class EpisodeAdmin(MaskedColumns, TenantModelAdmin):
    list_display = ["id", "role", "speaker", "text", "status", "subject_id", "said_at"]
    list_filter = [("status", admin.ChoicesFieldListFilter)]
    ordering = ["-id"]
    search_fields = ["=id", "=source_id", "=session_id"]

    def matching(self, request: HttpRequest, path: str, term: str) -> Q:
        """The kind of what it was said in stands before its id in the index."""
        found = super().matching(request, path, term)
        return found & Q(source_kind__in=SOURCE_KINDS) if path == "source_id" else found


def _number(text: str) -> int | None:
    """The number of a version, None for what is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
