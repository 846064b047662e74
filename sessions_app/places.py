"""What stands about a person's chats outside the tables: frame counters and presence in Valkey, answers being streamed."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from redis.exceptions import RedisError

from memoryhub.common.errors import Unavailable
from memoryhub.common.valkey import valkey
from sessions_app import relay
from sessions_app.models import ChatSession, Turn

_AT_ONCE = 500


class ChatPlace:
    """Keys of Valkey that name the person's sessions; they hold numbers, and names of sockets."""

    name = "valkey: chat keys"

    def begin(self, subject_id: uuid.UUID) -> None:
        """Take answers that are being streamed away from whoever streams them: their next flush finds nothing of theirs."""
        streaming = Turn.objects.filter(session__subject_id=subject_id, state=Turn.State.STREAMING)
        streaming.update(
            state=Turn.State.FAILED, error_code="erased", lease_owner="", leased_until=None, content=""
        )

    def handles(self, subject_id: uuid.UUID) -> list[str]:
        """The keys of each of their sessions."""
        ids = ChatSession.objects.filter(subject_id=subject_id).order_by("pk").values_list("pk", flat=True)
        return [key for session_id in ids for key in relay.keys_of(session_id)]

    def clear(self, handles: Sequence[str]) -> None:
        """Unavailable while Valkey does not answer: the erasure then goes on later."""
        try:
            for at in range(0, len(handles), _AT_ONCE):
                valkey().unlink(*handles[at : at + _AT_ONCE])
        except (RedisError, OSError) as error:
            raise _away() from error

    def left(self, handles: Sequence[str]) -> int:
        """Keys that exist."""
        try:
            return sum(
                int(valkey().exists(*handles[at : at + _AT_ONCE])) for at in range(0, len(handles), _AT_ONCE)
            )
        except (RedisError, OSError) as error:
            raise _away() from error


def _away() -> Unavailable:
    return Unavailable("Valkey does not answer", hint="The erasure goes on by itself when it is back.")
