"""What a memory's status is called where people read it: on their own pages and in the operators' admin."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

STATUSES: dict[str, Promise] = {
    "current": _("remembered"),
    "superseded": _("replaced by a newer one"),
    "archived": _("archived: not used for long"),
    "expired": _("expired"),
    "forgotten": _("forgotten"),
    "merged": _("merged into another"),
    "pending": _("waits for approval"),
    "quarantined": _("set aside"),
    "redacted": _("redacted"),
}
