"""Domain errors of the memories app; each door maps the base class once."""

from __future__ import annotations

from memoryhub.common.errors import Conflict, DomainError, Invalid, NotFound


class PolicyError(Invalid):
    """A policy override that is unknown, of the wrong type, out of range, or at odds with another."""

    code = "policy_invalid"

    def __init__(self, key: str, message: str, *, hint: str = "") -> None:
        super().__init__(f"{key}: {message}", hint=hint, fields={key: message})
        self.key = key


class NaiveTimeError(Invalid):
    """A time without a zone reached the core, where every instant must be unambiguous."""

    code = "naive_time"


class MemoryNotFound(NotFound):
    """No such memory, or not the caller's to see."""

    code = "memory_not_found"


class MemoryGone(DomainError):
    """The memory was forgotten, redacted or purged; what it said cannot be had any more."""

    code = "memory_gone"
    status = 410
    close_code = 4410


class NotPinnable(Conflict):
    """The kind may not be pinned."""

    code = "not_pinnable"


class SensitiveBlocked(Invalid):
    """The text holds something that the tenant's policy refuses to store."""

    code = "blocked_sensitive"


class NotUndoable(Conflict):
    """Something newer stands in the way of an undo; the hint says what."""

    code = "not_undoable"
