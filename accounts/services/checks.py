"""Checks of input that several account services share; each raises Invalid and names the field."""

from __future__ import annotations

from collections.abc import Set
from zoneinfo import available_timezones

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from accounts.actor import Actor
from accounts.models import Role
from accounts.permissions import OWN_CAPABILITIES, Capability
from memoryhub.common.errors import Invalid, PermissionDenied

EXTERNAL_ID_MAX = 512


def check_time_zone(name: str) -> None:
    if name not in available_timezones():
        raise Invalid(
            "unknown time zone", hint="Use a name like Asia/Shanghai.", fields={"time_zone": "unknown"}
        )


def check_role(role: str) -> None:
    if role not in Role.values:
        raise Invalid("unknown role", fields={"role": f"one of {', '.join(Role.values)}"})


def check_grant(actor: Actor, granted: Set[Capability]) -> None:
    """PermissionDenied when the actor would give away, or take over, what they may not do themselves.

    What reaches only the holder's own subject gives nobody anything of others, so it is free.
    """
    if granted - OWN_CAPABILITIES - actor.capabilities:
        raise PermissionDenied(
            "this would grant more than you may do yourself", hint="Ask an admin of the tenant."
        )


def clean_email(email: str) -> str:
    """The address in the form in which users are stored: trimmed, lower case."""
    address = email.strip().lower()
    try:
        validate_email(address)
    except ValidationError:
        raise Invalid("this is not an e-mail address", fields={"email": "not an e-mail address"}) from None
    return address


def check_external_id(external_id: str) -> None:
    """Any string that PostgreSQL can store and index, taken literally; 1 to 512 characters."""
    if not isinstance(external_id, str) or not 1 <= len(external_id) <= EXTERNAL_ID_MAX:
        raise Invalid("bad external id", fields={"external_id": f"1 to {EXTERNAL_ID_MAX} characters"})
    try:
        external_id.encode()
    except UnicodeEncodeError:
        raise Invalid("bad external id", fields={"external_id": "is not valid Unicode"}) from None
    if "\x00" in external_id:
        raise Invalid("bad external id", fields={"external_id": "must not contain NUL"})
