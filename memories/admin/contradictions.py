"""Contradictions in the admin: both sides, and what a decision would touch."""

from __future__ import annotations

from django.contrib import admin
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.actor import Actor
from accounts.admin_base import TenantModelAdmin
from accounts.permissions import Capability
from accounts.work_queue import LIMIT, Work, work
from memories.admin.showing import MaskedColumns
from memories.models import Contradiction


@admin.register(Contradiction)
class ContradictionAdmin(MaskedColumns, TenantModelAdmin):
    list_display = ["id", "state", "older_id", "newer_id", "resolution", "opened_at"]
    list_filter = [("state", admin.ChoicesFieldListFilter)]
    ordering = ["-id"]


@work
def open_contradictions(actor: Actor) -> Work | None:
    """For whoever may settle them."""
    if Capability.RESOLVE not in actor.capabilities:
        return None
    rows = Contradiction.objects.filter(state=Contradiction.State.OPEN)
    oldest = rows.order_by("opened_at").values_list("opened_at", flat=True).first()
    url = reverse("admin:memories_contradiction_changelist") + "?state__exact=open"
    return Work(_("Open contradictions"), rows.order_by()[:LIMIT].count(), url, since=oldest)
