"""Tombstones in the admin: what was deleted, by whom and until when it can come back; restored or purged, one or many."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _

from accounts.permissions import Capability
from memories.admin.memory_words import People, explain, link
from memories.admin.packing import MOST, packed
from memories.admin.showing import MaskedColumns
from memories.admin.tombstone_views import PurgeView, RestoreView
from memories.models import Tombstone
from memories.services.policies import policy_of

RETENTION = "tombstone.retention_days"


class StateFilter(admin.SimpleListFilter):
    """Open ones can come back; those past their retention wait for the next purge."""

    title = _("state")
    parameter_name = "state"

    def lookups(self, request: Any, model_admin: Any) -> list[tuple[str, Any]]:
        return [("open", _("can come back")), ("over", _("retention ended")), ("restored", _("restored"))]

    def queryset(self, request: Any, queryset: Any) -> Any:
        now = timezone.now()
        match self.value():
            case "open":
                return queryset.filter(restored_at__isnull=True, purge_after__gt=now)
            case "over":
                return queryset.filter(restored_at__isnull=True, purge_after__lte=now)
            case "restored":
                return queryset.filter(restored_at__isnull=False)
        return queryset


@admin.register(Tombstone)
class TombstoneAdmin(MaskedColumns):
    list_display = ["id", "memory_id", "cause", "rule", "who", "at", "purge_after", "restored_at"]
    list_filter = [StateFilter]
    ordering = ["-id"]
    exclude = ["undo"]
    search_fields = ["=id", "=memory__id"]
    actions = ["restore_chosen", "purge_chosen"]
    change_list_template = "admin/memories/tombstone/change_list.html"
    change_form_template = "admin/memories/tombstone/change_form.html"

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view
        own = [
            path(f"{verb}/", view(page.as_view(model_admin=self)), name=f"memories_tombstone_{verb}")
            for verb, page in (("restore", RestoreView), ("purge", PurgeView))
        ]
        return [*own, *super().get_urls()]

    @admin.display(description=_("by"))
    def who(self, stone: Tombstone) -> str:
        return " ".join(filter(None, (stone.actor_kind, stone.actor_id)))

    def has_restore_permission(self, request: HttpRequest) -> bool:
        return self._may(request, Capability.RESTORE)

    def has_purge_permission(self, request: HttpRequest) -> bool:
        return self._may(request, Capability.REDACT)

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        policy, _number = policy_of(self.actor(request).tenant_id)
        entry = link("policy")
        context = {
            "retention_days": policy.number(RETENTION),
            "retention_url": f"{entry}?q={RETENTION}" if entry else "",
            **(extra_context or {}),
        }
        return super().changelist_view(request, context)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        context: dict[str, Any] = {}
        stone = self.get_object(request, object_id)
        if stone is not None:
            ids = f"?ids={packed([stone.pk])}"
            waits = stone.restored_at is None
            context = {
                "memory_url": link("memories_memory_change", stone.memory_id),
                "restore_url": reverse("admin:memories_tombstone_restore") + ids
                if waits and self.has_restore_permission(request)
                else "",
                "purge_url": reverse("admin:memories_tombstone_purge") + ids
                if waits and self.has_purge_permission(request)
                else "",
                "by": People([(stone.actor_kind, stone.actor_id)]).name(stone.actor_kind, stone.actor_id),
                "why": explain(stone.rule or stone.cause),
            }
        return super().change_view(request, object_id, form_url, {**context, **(extra_context or {})})

    @admin.action(description=_("Restore"), permissions=["restore"])
    def restore_chosen(self, request: HttpRequest, rows: QuerySet[Tombstone]) -> HttpResponse | None:
        return self._decide(request, rows, "restore")

    @admin.action(description=_("Purge now, for good"), permissions=["purge"])
    def purge_chosen(self, request: HttpRequest, rows: QuerySet[Tombstone]) -> HttpResponse | None:
        return self._decide(request, rows, "purge")

    def _decide(self, request: HttpRequest, rows: QuerySet[Tombstone], verb: str) -> HttpResponse | None:
        """To the page that shows what it would touch."""
        ids = list(rows.values_list("pk", flat=True)[: MOST + 1])
        if len(ids) > MOST:
            self.message_user(request, _t("At most %(most)d at once.") % {"most": MOST}, messages.ERROR)
            return None
        return HttpResponseRedirect(reverse(f"admin:memories_tombstone_{verb}") + f"?ids={packed(ids)}")
