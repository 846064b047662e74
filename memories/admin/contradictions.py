"""Contradictions in the admin: the list, and the pages where one or many are settled or a decision is taken back."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path, reverse
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _

from accounts.actor import Actor
from accounts.audit_undo import undone_at
from accounts.permissions import Capability
from memories.admin.contradiction_views import SettleManyView, SettleView, UndoView
from memories.admin.packing import MOST, packed
from memories.admin.showing import MaskedColumns, shown
from memories.core.kinds import Kind
from memories.models import Contradiction, Memory

SIDES = ("older", "newer")


@admin.register(Contradiction)
class ContradictionAdmin(MaskedColumns):
    list_display = ["opened_at", "about", "state", "resolution", "subject_id"]
    list_filter = [("state", admin.ChoicesFieldListFilter)]
    list_select_related = ["older", "newer"]
    ordering = ["-id"]
    search_fields = ["=id", "=subject__external_id"]
    search_help_text = _("An id of a contradiction, or the whole external id of its subject.")
    actions = ["settle_chosen"]

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view
        one = "<uuid:object_id>/"
        own = [
            path("settle/", view(SettleManyView.as_view()), name="memories_contradiction_settle"),
            path(f"{one}undo/", view(UndoView.as_view()), name="memories_contradiction_undo"),
            # In the place of Django's form: a contradiction is settled, never edited.
            path(f"{one}change/", view(SettleView.as_view()), name="memories_contradiction_change"),
        ]
        return [*own, *super().get_urls()]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = super().get_queryset(request).annotate(**{f"{side}_sealed": _sealed(side) for side in SIDES})
        return rows.defer("undo", *(f"{side}__content_encrypted" for side in SIDES))

    def get_list_display(self, request: HttpRequest) -> Any:
        """With both sides as this reader may see them."""
        names = list(super().get_list_display(request))
        actor = self.actor(request)
        return [*names[:2], _side(actor, "older", _("older")), _side(actor, "newer", _("newer")), *names[2:]]

    @admin.display(description=_("about"))
    def about(self, row: Contradiction) -> str:
        """What it is about, as far as that is no content: the rule that saw it."""
        return row.rule or "-"

    def has_settle_permission(self, request: HttpRequest) -> bool:
        return self._may(request, Capability.RESOLVE)

    @admin.action(description=_("Settle in one way"), permissions=["settle"])
    def settle_chosen(self, request: HttpRequest, rows: QuerySet[Contradiction]) -> HttpResponse | None:
        """To the page that shows what it would touch."""
        ids = list(rows.values_list("pk", flat=True)[: MOST + 1])
        if len(ids) > MOST:
            self.message_user(request, _t("At most %(most)d at once.") % {"most": MOST}, messages.ERROR)
            return None
        return HttpResponseRedirect(f"{reverse('admin:memories_contradiction_settle')}?ids={packed(ids)}")


def _sealed(side: str) -> Any:
    """Whether the memory on that side is masked until revealed, with nothing decrypted."""
    return Q(**{f"{side}__content_encrypted__isnull": False}) | Q(**{f"{side}__kind": Kind.SENSITIVE})


def _side(actor: Actor, side: str, title: Any) -> Any:
    def display(row: Contradiction) -> str:
        memory: Memory = getattr(row, side)
        return shown(
            memory.content,
            actor=actor,
            sensitive=getattr(row, f"{side}_sealed"),
            kind=memory.kind,
            language=memory.language,
            excerpt=True,
        )

    display.short_description = title  # type: ignore[attr-defined]
    display.__name__ = f"{side}_text"
    return display


undone_at("contradiction.resolved", "memories_contradiction_undo")
