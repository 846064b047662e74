"""A page for a secret that is shown once: in no message, no session and no cache, since each of those keeps it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib.admin import site
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse


def shown_once(
    request: HttpRequest,
    *,
    title: Any,
    secrets: Sequence[tuple[str, str]],
    parent_url: str,
    parent_title: Any,
) -> HttpResponse:
    """(name, secret) pairs on a page that nothing stores; the way on leads to `parent_url`."""
    context = {
        **site.each_context(request),
        "title": title,
        "secrets": secrets,
        "parent_url": parent_url,
        "parent_title": parent_title,
    }
    answer = TemplateResponse(request, "admin/accounts/shown_once.html", context)
    answer["Cache-Control"] = "no-store"
    return answer
