"""The request of a page that only members see."""

from __future__ import annotations

from django.http import HttpRequest

from accounts.actor import Actor


class MemberRequest(HttpRequest):
    """What `member_required` guarantees: an actor of the tenant that the person works in."""

    member: Actor
