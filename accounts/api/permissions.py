"""The permission of every API view: the capability that the view names for the method, or no."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from accounts.actor import Actor
from accounts.permissions import Capability

if TYPE_CHECKING:
    from rest_framework.views import APIView

Required = Capability | Collection[Capability]


class HasCapability(BasePermission):
    """Reads `view.required_capabilities`: {method: capability, or several of which one suffices}; silence denies."""

    message = "this needs a capability that the caller does not have"
    code = "permission_denied"

    def has_permission(self, request: Request, view: APIView) -> bool:
        actor = request.auth
        if not isinstance(actor, Actor):
            return False
        method = "GET" if request.method == "HEAD" else str(request.method)
        # A method that the view does not have is answered by 405, which says what it has.
        if method == "OPTIONS" or not hasattr(view, method.lower()):
            return True
        table: Mapping[str, Required] = getattr(view, "required_capabilities", {})
        return method in table and allows(actor, table[method])


def allows(actor: Any, required: Required) -> bool:
    """Has the actor the capability, or one of them?"""
    wanted = {required} if isinstance(required, Capability) else set(required)
    return bool(wanted & actor.capabilities)
