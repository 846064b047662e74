"""Lists a tenant's API keys, and finds one: never their secrets, of which only hashes are stored."""

from __future__ import annotations

import uuid

from django.db.models import QuerySet

from accounts.actor import Actor
from accounts.models import ApiKey
from accounts.permissions import Capability
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import NotFound


def api_keys(*, actor: Actor) -> QuerySet[ApiKey]:
    """All keys of the tenant, with their subjects, for a door that pages in the open tenant transaction."""
    actor.require(Capability.KEYS_WRITE)
    rows: QuerySet[ApiKey] = ApiKey.objects.select_related("subject")
    return rows


def get_api_key(*, actor: Actor, key_id: uuid.UUID) -> ApiKey:
    """One key; NotFound when there is none in this tenant."""
    with tenant_transaction(actor.tenant_id):
        key = api_keys(actor=actor).filter(pk=key_id).first()
    if key is None:
        raise NotFound("no such API key")
    return key
