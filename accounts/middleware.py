"""Finds the tenant a signed-in person works in, before any view: `request.member` is their actor or None."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from accounts.members import active_member


class ActiveTenantMiddleware:
    """Sets `request.member` (an Actor) lazily from the session's chosen tenant and the user's memberships."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        from django.utils.functional import SimpleLazyObject

        request.member = SimpleLazyObject(lambda: active_member(request))  # type: ignore[attr-defined]
        return self.get_response(request)
