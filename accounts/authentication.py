"""Who calls the API: an API key, or a signed-in person with a CSRF token; `request.auth` is the Actor."""

from __future__ import annotations

import hashlib
import hmac
import uuid
from dataclasses import replace
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.db.models import Q
from django.utils import timezone
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts.actor import Actor
from accounts.models import ApiKey
from accounts.permissions import OWN_CAPABILITIES, SCOPE_CAPABILITIES, Capability
from memoryhub.common.db import tenant_transaction

KEY_SCHEMES = frozenset({"bearer", "token"})
LAST_USED_EVERY = timedelta(minutes=1)
_NO_KEY = hashlib.sha256(b"no such key").digest()


def hash_secret(secret: str) -> bytes:
    """SHA-256; secrets are 190 random bits, so that no salt and no slow hash is needed."""
    return hashlib.sha256(secret.encode()).digest()


class ApiKeyAuthentication(BaseAuthentication):
    """`Authorization: Bearer mh_<prefix>_<secret>`; `Token` instead of `Bearer` is understood too."""

    def authenticate(self, request: Request) -> tuple[Any, Actor] | None:
        scheme, _, credential = request.headers.get("Authorization", "").partition(" ")
        if not scheme:
            return None
        if scheme.lower() not in KEY_SCHEMES:
            raise AuthenticationFailed(
                "this authentication scheme is not known; send Authorization: Bearer mh_..."
            )
        return AnonymousUser(), actor_of_key(credential.strip())

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="memoryhub"'


def actor_of_key(credential: str) -> Actor:
    """The actor of an API key; AuthenticationFailed, always the same, for an unknown, expired or revoked one."""
    mark, _, rest = credential.partition("_")
    prefix, _, secret = rest.partition("_")
    tenant_id = _tenant_of(prefix) if mark == "mh" and prefix.isalnum() and prefix.isascii() else None
    if tenant_id is None:
        hmac.compare_digest(hash_secret(secret), _NO_KEY)
        raise _refused()
    now = timezone.now()
    with tenant_transaction(tenant_id):
        key = ApiKey.objects.filter(prefix=prefix).first()
        expected = bytes(key.key_hash) if key else _NO_KEY
        if not hmac.compare_digest(hash_secret(secret), expected) or key is None:
            raise _refused()
        if key.revoked_at or (key.expires_at and key.expires_at <= now):
            raise _refused()
        if key.last_used_at is None or key.last_used_at < now - LAST_USED_EVERY:
            stale = Q(last_used_at__isnull=True) | Q(last_used_at__lt=now - LAST_USED_EVERY)
            ApiKey.objects.filter(stale, pk=key.pk).update(last_used_at=now)
    return Actor(
        tenant_id=tenant_id,
        kind="api_key",
        id=str(key.pk),
        door="rest",
        capabilities=capabilities_of(key),
        subject_id=key.subject_id,
    )


def capabilities_of(key: ApiKey) -> frozenset[Capability]:
    """The scopes' capabilities; a key bound to a subject never has more than that person would."""
    granted = frozenset[Capability]().union(
        *(SCOPE_CAPABILITIES.get(scope, frozenset()) for scope in key.scopes)
    )
    return granted & OWN_CAPABILITIES if key.subject_id else granted


def _tenant_of(prefix: str) -> uuid.UUID | None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT accounts_tenant_of_key(%s)", [prefix])
        row = cursor.fetchone()
    return row[0] if row else None


def _refused() -> AuthenticationFailed:
    return AuthenticationFailed("the API key is unknown, expired or revoked")


class MemberSessionAuthentication(SessionAuthentication):
    """The browser's session; unsafe methods need the CSRF token. No active membership means: not signed in."""

    def authenticate(self, request: Request) -> tuple[Any, Actor] | None:
        django_request = request._request
        member: Actor | None = getattr(django_request, "member", None)
        user = getattr(django_request, "user", None)
        if member is None or user is None or not user.is_active:
            return None
        self.enforce_csrf(request)
        return user, replace(member, door="rest")
