"""Domain errors: one base class, mapped once by each door (problem+json, close code, admin message, exit line)."""

from __future__ import annotations

from collections.abc import Mapping


class DomainError(Exception):
    """Something the caller can act on.

    `code` is stable and machine-readable, `message` says what is wrong and `hint` what to do. None of them may hold
    content that a person said: ids and names of fields only.
    """

    code = "error"
    status = 400
    close_code = 4400
    retry_after = 0
    """Seconds after which the same may be asked again; 0 where waiting does not help."""

    def __init__(self, message: str = "", *, hint: str = "", fields: Mapping[str, str] | None = None) -> None:
        super().__init__(message or self.code)
        self.message = message or self.code
        self.hint = hint
        self.fields = dict(fields or {})


class NotFound(DomainError):
    """The object is not there, or not the caller's to see: the two are never told apart."""

    code = "not_found"
    status = 404
    close_code = 4404


class PermissionDenied(DomainError):
    """The actor lacks the capability."""

    code = "permission_denied"
    status = 403
    close_code = 4403


class Invalid(DomainError):
    """Bad input; `fields` names each offending field."""

    code = "invalid"
    status = 400
    close_code = 4400


class Conflict(DomainError):
    """The object changed, or the same key was used for something else."""

    code = "conflict"
    status = 409
    close_code = 4409


class RateLimited(DomainError):
    """Too many requests; try again later."""

    code = "rate_limited"
    status = 429
    close_code = 4429


class Unavailable(DomainError):
    """A part that is needed (model, embedder, broker) does not answer."""

    code = "unavailable"
    status = 503
    close_code = 4503


class TenantNotSet(RuntimeError):
    """A programming error: tenant data was touched outside `tenant_transaction`."""


class TenantMismatch(RuntimeError):
    """A programming error: one tenant's scope was entered inside another's."""
