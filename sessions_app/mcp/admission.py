"""Who calls: an API key, by the same look-up and the same rate limits as REST. Synchronous."""

from __future__ import annotations

from dataclasses import replace

from accounts.actor import Actor
from accounts.api.throttling import Counted, count, limits_of
from accounts.authentication import KEY_SCHEMES, actor_of_key


def admit(authorization: str) -> tuple[Actor, Counted | None]:
    """The actor behind the key, at this door, and what the limits say of it (None while Valkey is down).

    AuthenticationFailed, always the same, for everything that is no key in force.
    """
    scheme, _, credential = authorization.partition(" ")
    if scheme.lower() not in KEY_SCHEMES:
        credential = ""
    actor = replace(actor_of_key(credential.strip()), door="mcp")
    return actor, count(limits_of(actor))
