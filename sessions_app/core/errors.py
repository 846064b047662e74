"""Domain errors of the sessions app; each door maps the base class once."""

from __future__ import annotations

from memoryhub.common.errors import Conflict, DomainError, Invalid, NotFound


class SessionNotFound(NotFound):
    """No such session, or not the caller's to see."""

    code = "session_not_found"


class TurnNotFound(NotFound):
    """No such turn, or not the caller's to see."""

    code = "turn_not_found"


class SessionEnded(Conflict):
    """The session takes no more messages; its turns can still be read and recalled."""

    code = "session_ended"

    def __init__(self, reason: str) -> None:
        why = "it was idle for too long" if reason == "idle" else "it was closed"
        super().__init__(
            f"this session has ended: {why}", hint="Start a new chat; what was said here is remembered."
        )
        self.reason = reason


class MessageEmpty(Invalid):
    """Nothing but white space was sent."""

    code = "message_empty"


class MessageTooLong(DomainError):
    """The message is longer than one message may be."""

    code = "message_too_long"
    status = 413
    close_code = 4413


class MessageIdReused(Conflict):
    """The same client_msg_id came with another text."""

    code = "client_msg_id_reused"


class NotRetryable(Conflict):
    """The answer cannot be generated again; the hint says why."""

    code = "not_retryable"


class NotRunning(Conflict):
    """The answer is not being generated (any more) by the caller: it was stopped, or its lease lapsed."""

    code = "not_running"
