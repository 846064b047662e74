"""What an endpoint may be: its address, its events, and whether it may be sent what people said."""

from __future__ import annotations

from collections.abc import Sequence

from accounts.actor import Actor
from accounts.permissions import Capability
from memories.adapters.webhook_http import AddressRefusedError, checked_url, resolved
from memories.core.webhooks import Event
from memories.services.policies import stored_policy
from memories.services.webhooks.deliver import rules
from memories.services.webhooks.payload import RULE
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid, PermissionDenied
from memoryhub.common.texts import storable

MAX_URL = 2_000
MAX_NAME = 100
WHY = {
    "bad_url": "a URL with a host, without a user, a password, a fragment or spaces, in ASCII",
    "not_https": "must begin with https://",
    "private_address": "stands for an address that is not on the public internet",
    "no_such_host": "its name stands for no address",
    "no_public_address": "its name stands for no address on the public internet, or for another one, too",
}


def check_url(url: str) -> str:
    """The URL; Invalid with what is wrong. Its name is looked up now, and again at each delivery: outside of any transaction."""
    if not 1 <= len(url) <= MAX_URL:
        raise Invalid("the URL is not usable", fields={"url": f"1 to {MAX_URL} characters"})
    allowed = rules()
    try:
        parts = checked_url(url, allowed)
        resolved(str(parts.hostname), parts.port or 443, allowed)
    except AddressRefusedError as error:
        raise Invalid(
            "the URL is not usable",
            hint="Give the https address of your own receiver.",
            fields={"url": WHY[error.code]},
        ) from None
    return url


def check_name(name: str) -> str:
    """The name; Invalid when it is too long or no text."""
    if len(name) > MAX_NAME or not storable(name):
        raise Invalid("the name is not usable", fields={"name": f"a text of at most {MAX_NAME} characters"})
    return name.strip()


def check_events(events: Sequence[str]) -> list[str]:
    """The events without repeats, in the order of the table; Invalid for unknown ones."""
    unknown = set(events) - set(Event)
    if unknown:
        raise Invalid("there is no such event", fields={"events": f"of {', '.join(Event)}"})
    return [str(one) for one in Event if one in events]


def check_content(actor: Actor, with_content: bool) -> bool:
    """Whether what people said is sent along: only who reads everybody's memories may ask for it, and only where the policy allows it."""
    if not with_content:
        return False
    if Capability.MEMORY_READ not in actor.capabilities:
        raise PermissionDenied(
            "content needs the right to read everybody's memories",
            hint="Use a key with the scope read, too, or leave with_content out.",
        )
    with tenant_transaction(actor.tenant_id):
        allowed = stored_policy()[0].flag(RULE)
    if not allowed:
        raise Invalid(
            "the policy does not let webhooks send content",
            hint=f"Set {RULE} to on in the policy first.",
            fields={"with_content": f"{RULE} is off"},
        )
    return True
