"""Create, rotate and revoke API keys: shown once, only a hash is stored."""

from __future__ import annotations

import secrets
import string
import uuid
from collections.abc import Collection
from datetime import datetime, timedelta

from django.utils import timezone

from accounts import audit
from accounts.actor import Actor
from accounts.authentication import hash_secret
from accounts.models import ApiKey, Subject
from accounts.permissions import SCOPE_CAPABILITIES, Capability
from accounts.services.checks import check_grant
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict, Invalid, NotFound

_ALPHABET = string.ascii_letters + string.digits


def create_api_key(
    *,
    actor: Actor,
    name: str,
    scopes: Collection[str] = ("read",),
    subject_id: uuid.UUID | None = None,
    expires_at: datetime | None = None,
) -> tuple[ApiKey, str]:
    """(key, plaintext `mh_<prefix>_<secret>`); the plaintext cannot be had again.

    A key bound to a subject may have the scopes read and write, and reaches that subject only. PermissionDenied for
    a scope that allows more than the actor may do.
    """
    actor.require(Capability.KEYS_WRITE)
    _check(name, scopes, subject_id, expires_at)
    _check_scopes(actor, scopes)
    with tenant_transaction(actor.tenant_id):
        if (
            subject_id is not None
            and not Subject.objects.filter(pk=subject_id, erased_at__isnull=True).exists()
        ):
            raise NotFound("no such subject")
        return _make(actor, name.strip(), sorted(set(scopes)), subject_id, expires_at, "key.created")


def rotate_api_key(
    *, actor: Actor, key_id: uuid.UUID, overlap: timedelta = timedelta(days=1)
) -> tuple[ApiKey, str]:
    """A new key with the same name, scopes, subject and expiry; the old one works for `overlap` (at most 30 days) more."""
    actor.require(Capability.KEYS_WRITE)
    if not timedelta() <= overlap <= timedelta(days=30):
        raise Invalid("the overlap is out of range", fields={"overlap": "0 to 30 days"})
    with tenant_transaction(actor.tenant_id):
        old = _locked(key_id)
        until = timezone.now() + overlap
        if old.revoked_at is not None:
            raise Conflict("a revoked key cannot be rotated", hint="Create a new key.")
        _check_scopes(actor, old.scopes)
        made = _make(
            actor, old.name, old.scopes, old.subject_id, old.expires_at, "key.rotated", replaces=old.pk
        )
        old.expires_at = min(until, old.expires_at) if old.expires_at else until
        old.save(update_fields=["expires_at"])
        return made


def revoke_api_key(*, actor: Actor, key_id: uuid.UUID) -> ApiKey:
    """The key stops working at once; revoking it again changes nothing."""
    actor.require(Capability.KEYS_WRITE)
    with tenant_transaction(actor.tenant_id):
        key = _locked(key_id)
        if key.revoked_at is None:
            key.revoked_at = timezone.now()
            key.save(update_fields=["revoked_at"])
            audit.record(actor, "key.revoked", target_kind="api_key", target_id=key.pk)
        return key


def _make(
    actor: Actor,
    name: str,
    scopes: list[str],
    subject_id: uuid.UUID | None,
    expires_at: datetime | None,
    action: str,
    **detail: object,
) -> tuple[ApiKey, str]:
    prefix = "".join(secrets.choice(string.ascii_lowercase + string.digits) for _ in range(12))
    secret = "".join(secrets.choice(_ALPHABET) for _ in range(32))
    key = ApiKey.objects.create(
        name=name,
        prefix=prefix,
        key_hash=hash_secret(secret),
        scopes=scopes,
        subject_id=subject_id,
        expires_at=expires_at,
        created_by_id=actor.id if actor.kind == "user" else None,
    )
    audit.record(
        actor,
        action,
        target_kind="api_key",
        target_id=key.pk,
        subject_id=subject_id,
        scopes=list(scopes),
        **detail,
    )
    return key, f"mh_{prefix}_{secret}"


def _locked(key_id: uuid.UUID) -> ApiKey:
    key: ApiKey | None = ApiKey.objects.select_for_update().filter(pk=key_id).first()
    if key is None:
        raise NotFound("no such API key")
    return key


def _check_scopes(actor: Actor, scopes: Collection[str]) -> None:
    check_grant(actor, frozenset[Capability]().union(*(SCOPE_CAPABILITIES[scope] for scope in scopes)))


def _check(
    name: str, scopes: Collection[str], subject_id: uuid.UUID | None, expires_at: datetime | None
) -> None:
    fields = {}
    if not 1 <= len(name.strip()) <= 100:
        fields["name"] = "1 to 100 characters"
    if not scopes or not set(scopes) <= set(SCOPE_CAPABILITIES):
        fields["scopes"] = f"one or more of {', '.join(SCOPE_CAPABILITIES)}"
    elif subject_id is not None and "admin" in scopes:
        fields["scopes"] = "a key bound to a subject cannot have the scope admin"
    if expires_at is not None and expires_at <= timezone.now():
        fields["expires_at"] = "must lie in the future"
    if fields:
        raise Invalid("the API key cannot be created", fields=fields)
