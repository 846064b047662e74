"""Times as people write them, in the reader's language and time zone: the year only when it is another one."""

from __future__ import annotations

from datetime import datetime

from django import template
from django.utils import timezone
from django.utils.dateformat import format as date_format
from django.utils.translation import gettext_lazy as _

register = template.Library()

# Django's own short formats are American in English; these are read the same way everywhere.
_DAY = _("j M")
_DAY_OF_YEAR = _("j M Y")


@register.filter
def day(value: datetime | None) -> str:
    """`27 Nov`, or `27 Nov 2025`."""
    if value is None:
        return ""
    local = timezone.localtime(value)
    known = local.year == timezone.localtime().year
    return date_format(local, str(_DAY if known else _DAY_OF_YEAR))


@register.filter
def moment(value: datetime | None) -> str:
    """`27 Nov 16:26`."""
    return f"{day(value)} {date_format(timezone.localtime(value), 'H:i')}" if value else ""
