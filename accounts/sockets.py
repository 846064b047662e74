"""Closing a person's open websockets from synchronous code: each consumer joins the group of its user."""

from __future__ import annotations

import logging
import uuid

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)


def user_group(user_id: uuid.UUID | str) -> str:
    """The channel-layer group that all sockets of a person join."""
    return f"user.{user_id}"


def close_sockets(user_id: uuid.UUID | str, reason: str) -> None:
    """After the commit, send {"type": "account.closed", "reason"} to the group: handler `account_closed` closes with 4401.

    `reason` is logout, password, role or deactivated. A socket that misses it is found out at its next frame, since
    consumers look the member up afresh (members.actor_of_scope).
    """
    transaction.on_commit(lambda: _send(user_id, reason), robust=True)


def _send(user_id: uuid.UUID | str, reason: str) -> None:
    layer = get_channel_layer()
    if layer is None:
        return
    try:
        async_to_sync(layer.group_send)(user_group(user_id), {"type": "account.closed", "reason": reason})
    except (RedisError, OSError):
        logger.warning("sockets_not_told", extra={"user_id": str(user_id), "reason": reason})
