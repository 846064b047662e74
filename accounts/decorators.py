"""Guards of pages: a signed-in person with an active membership, sent where they can get one otherwise."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from accounts.actor import Actor


def member_required(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Call the view with `request.member` set; else sign in, or choose a tenant."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        member: Actor | None = getattr(request, "member", None)
        if member is None:
            return redirect("choose_tenant")
        return view(request, *args, **kwargs)

    return guarded
