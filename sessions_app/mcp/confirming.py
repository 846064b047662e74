"""The two steps of a destructive call: a short-lived signed token says what was shown, and is used once."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import redis
import structlog
from django.conf import settings
from django.core import signing

from accounts.actor import Actor
from memoryhub.common.errors import Conflict, Invalid
from memoryhub.common.valkey import valkey

log = structlog.get_logger(__name__)

LIVES_SECONDS = 300
_SALT = "memoryhub.mcp.confirmation"
_USED = "memoryhub:mcp:confirmed:"


class BadConfirmation(Invalid):
    """No token of ours, or not for this key and this call."""

    code = "confirmation_invalid"


class ConfirmationExpired(Invalid):
    """It is older than LIVES_SECONDS."""

    code = "confirmation_expired"


class ConfirmationUsed(Conflict):
    """What it stood for was done."""

    code = "confirmation_used"


class ConfirmationOutdated(Conflict):
    """What would go is not what was shown."""

    code = "confirmation_outdated"


_AGAIN = "Call the tool again without `confirmation`, show the person what would go, then repeat the call with the new one."


def token_of(actor: Actor, tool: str, arguments: Mapping[str, Any], shown: str) -> str:
    """A token for this key, tool and arguments, and for what was `shown` as going (ids and versions, say).

    It holds digests only; whoever reads it learns nothing.
    """
    body = [secrets.token_urlsafe(12), _call_print(actor, tool, arguments), _print(shown)]
    return signing.dumps(body, key=settings.SECRET_KEY, salt=_SALT)


@contextmanager
def confirmed(
    token: str, *, actor: Actor, tool: str, arguments: Mapping[str, Any], shown: str
) -> Iterator[None]:
    """Run what was confirmed. The token is used up by it, but not where it fails: then it may be sent again.

    Raises BadConfirmation, ConfirmationExpired, ConfirmationUsed and ConfirmationOutdated before anything is done.
    """
    try:
        nonce, call, seen = signing.loads(token, key=settings.SECRET_KEY, salt=_SALT, max_age=LIVES_SECONDS)
    except signing.SignatureExpired:
        raise ConfirmationExpired(
            f"the confirmation is older than {LIVES_SECONDS} seconds", hint=_AGAIN
        ) from None
    except (signing.BadSignature, ValueError, TypeError):
        raise _bad() from None
    if not hmac.compare_digest(str(call), _call_print(actor, tool, arguments)):
        raise _bad()
    mark = f"{_USED}{nonce}"
    if _is_used(mark):
        raise _used()
    if not hmac.compare_digest(str(seen), _print(shown)):
        raise ConfirmationOutdated("what would go has changed since it was shown", hint=_AGAIN)
    # Of two calls at once one goes on.
    if not _use(mark):
        raise _used()
    try:
        yield
    except BaseException:
        _release(mark)
        raise


def _bad() -> BadConfirmation:
    return BadConfirmation(
        "the confirmation is not for this call",
        hint=f"It must be what this tool answered to the same key and the same other arguments. {_AGAIN}",
        fields={"confirmation": "not for this call"},
    )


def _used() -> ConfirmationUsed:
    return ConfirmationUsed(
        "this confirmation was used: what it stood for was done, or is being done",
        hint="Nothing is left to do.",
    )


def _call_print(actor: Actor, tool: str, arguments: Mapping[str, Any]) -> str:
    caller = [str(actor.tenant_id), actor.kind, actor.id, tool]
    return _print(json.dumps([caller, dict(arguments)], sort_keys=True, default=str))


def _print(text: str) -> str:
    key = hashlib.sha256(f"{_SALT}\n{settings.SECRET_KEY}".encode()).digest()
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()[:32]


def _is_used(mark: str) -> bool:
    try:
        return bool(valkey().exists(mark))
    except redis.RedisError:
        return False


def _use(mark: str) -> bool:
    try:
        return bool(valkey().set(mark, 1, nx=True, ex=LIVES_SECONDS * 2))
    except redis.RedisError as error:
        # Then what was shown still binds it: once that is gone, the token is outdated.
        log.warning("mcp.confirmation_unmarked", error=type(error).__name__)
        return True


def _release(mark: str) -> None:
    try:
        valkey().delete(mark)
    except redis.RedisError as error:
        log.warning("mcp.confirmation_kept", error=type(error).__name__)
