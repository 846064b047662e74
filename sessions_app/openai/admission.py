"""Who calls: an API key, by the same authentication and the same rate limits as REST. Synchronous."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from django.http import HttpRequest
from rest_framework.exceptions import NotAuthenticated, Throttled
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.actor import Actor
from accounts.api.throttling import KeyThrottle
from accounts.authentication import ApiKeyAuthentication


def admit(request: HttpRequest) -> Actor:
    """The actor behind the key, at this door. NotAuthenticated, AuthenticationFailed and Throttled as REST raises them."""
    asked = Request(request, authenticators=[ApiKeyAuthentication()])
    actor = asked.auth
    if not isinstance(actor, Actor):
        raise NotAuthenticated
    throttle = KeyThrottle()
    # It looks at the request alone.
    if not throttle.allow_request(asked, cast(APIView, None)):
        raise Throttled(throttle.wait())
    return replace(actor, door="openai")
