"""Finds the tenant a signed-in person works in, before any view: `request.member` is their actor or None."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse

from accounts.members import active_member

# These answer without a database, or say that it is down; at the OpenAI-compatible door keys are the only credentials.
_OPENAI = ("openai_chat", "openai_models", "openai_model", "openai_not_offered")
_WITHOUT_MEMBER = frozenset({"health", "metrics", "set_language", *_OPENAI})


class ActiveTenantMiddleware:
    """Sets `request.member` (an Actor or None) from the session's chosen tenant and the user's memberships."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.member = None  # type: ignore[attr-defined]
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> None:
        """After the URL is resolved, so that a 404 costs no query."""
        match = request.resolver_match
        if match is None or match.url_name not in _WITHOUT_MEMBER:
            request.member = active_member(request)  # type: ignore[attr-defined]
