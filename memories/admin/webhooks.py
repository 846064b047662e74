"""Webhooks in the admin: which endpoints are told of changes and how it goes; an admin pauses them and sends dead letters again."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.contrib import admin, messages
from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.constants import LOOKUP_SEP
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.actor import Actor
from accounts.admin_base import TenantModelAdmin
from accounts.operator_pages import Told
from accounts.permissions import Capability
from accounts.work_queue import LIMIT, Work, work
from memories.models import Webhook, WebhookDelivery
from memories.services.webhooks.change_webhook import change_webhook
from memories.services.webhooks.send_again import replay_dead

_HIDDEN = frozenset({"url", "secret", "previous_secret"})
"""An address may hold a token; only its host is shown here, and an admin reads the whole over REST."""


@admin.register(Webhook)
class WebhookAdmin(TenantModelAdmin):
    """Made and rotated over REST, where a program's author is; here it is seen, paused and helped on."""

    holds_content = False
    list_display = [
        "name",
        "host",
        "events",
        "with_content",
        "state",
        "disabled_why",
        "failures",
        "last_error",
        "last_success_at",
        "has_dead",
    ]
    list_display_links = ["name", "host"]
    readonly_fields = [
        "name",
        "host",
        "events",
        "with_content",
        "state",
        "disabled_why",
        "failures",
        "next_at",
        "last_error",
        "last_success_at",
        "lost_since",
        "previous_until",
        "created_by",
        "created_at",
        "updated_at",
    ]
    fields = [*readonly_fields]
    ordering = ["-id"]
    actions = ["replay", "enable", "disable"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        dead = WebhookDelivery.objects.filter(webhook=OuterRef("pk"), state=WebhookDelivery.State.DEAD)
        return super().get_queryset(request).defer("secret", "previous_secret").annotate(dead=Exists(dead))

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        """Not by what is not shown: the rows that stay would spell it out."""
        return lookup.split(LOOKUP_SEP)[0] not in _HIDDEN and super().lookup_allowed(lookup, value, request)

    def has_keys_permission(self, request: HttpRequest) -> bool:
        return self._may(request, Capability.KEYS_WRITE)

    @admin.display(description=_("host"))
    def host(self, row: Webhook) -> str:
        return urlsplit(row.url).hostname or "–"

    @admin.display(description=_("dead letters"), boolean=True)
    def has_dead(self, row: Any) -> bool:
        return bool(row.dead)

    @admin.action(description=_("Send dead letters again (a thousand of each at most)"), permissions=["keys"])
    def replay(self, request: HttpRequest, rows: QuerySet[Webhook]) -> None:
        sent = 0
        for row in rows:
            with Told(self, request):
                sent += replay_dead(actor=self.actor(request), webhook_id=row.pk)
        said = ngettext("%(n)d message is on its way again.", "%(n)d messages are on their way again.", sent)
        messages.success(request, said % {"n": sent})

    @admin.action(description=_("Enable"), permissions=["keys"])
    def enable(self, request: HttpRequest, rows: QuerySet[Webhook]) -> None:
        self._turn(request, rows, enabled=True)

    @admin.action(description=_("Disable (nothing is taken in for it meanwhile)"), permissions=["keys"])
    def disable(self, request: HttpRequest, rows: QuerySet[Webhook]) -> None:
        self._turn(request, rows, enabled=False)

    def _turn(self, request: HttpRequest, rows: QuerySet[Webhook], *, enabled: bool) -> None:
        for row in rows:
            with Told(self, request):
                change_webhook(actor=self.actor(request), webhook_id=row.pk, enabled=enabled)


@work
def dead_letters(actor: Actor) -> Work | None:
    """Messages that no attempt brought to their receiver."""
    if Capability.SWEEP not in actor.capabilities:
        return None
    dead = WebhookDelivery.objects.filter(state=WebhookDelivery.State.DEAD)
    oldest = dead.order_by("finished_at").values_list("finished_at", flat=True).first()
    return Work(
        _("Messages of webhooks that nobody took"),
        dead.order_by()[:LIMIT].count() if oldest else 0,
        reverse("admin:memories_webhook_changelist"),
        since=oldest,
        urgent=True,
        note=_("See whether the receiver is well, then send them again.") if oldest else "",
    )
