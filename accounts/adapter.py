"""allauth's hooks: nobody signs up without an invitation, and signing out closes open sockets."""

from __future__ import annotations

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest

from accounts.sockets import close_sockets


class InvitationOnlyAdapter(DefaultAccountAdapter):
    """Sign-up happens at /invite/<token>/ (accounts.views), never through allauth's own form."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def logout(self, request: HttpRequest) -> None:
        user_id = request.user.pk
        super().logout(request)
        if user_id is not None:
            close_sockets(user_id, "logout")

    def can_delete_email(self, email_address: object) -> bool:
        return False
