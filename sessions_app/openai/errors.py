"""Errors of our own in OpenAI's form, the same shape whoever raised them; never content."""

from __future__ import annotations

from typing import Any

from django.http import JsonResponse
from rest_framework import exceptions

from memoryhub.common.errors import DomainError

_TYPES = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}
_CODES = {"rate_limited": "rate_limit_exceeded", "throttled": "rate_limit_exceeded"}
"""Where OpenAI has a word of its own for it."""
NO_RETRY = {"x-should-retry": "false"}
"""Read by OpenAI's clients: trying again changes nothing."""


class NoUpstream(DomainError):
    """There is no model endpoint that this request could go to."""

    code = "no_upstream"
    status = 503


class BudgetSpent(DomainError):
    """The tenant's month of model tokens is spent."""

    code = "insufficient_quota"
    status = 429


class UpstreamUnreachable(DomainError):
    """The model endpoint does not answer."""

    code = "upstream_unreachable"
    status = 502


class UpstreamSilent(UpstreamUnreachable):
    """The model endpoint took too long."""

    code = "upstream_timeout"
    status = 504


class Busy(DomainError):
    """This process streams as many answers as it may."""

    code = "overloaded"
    status = 503


class BodyTooLarge(DomainError):
    """The request's body is larger than one may be."""

    code = "request_too_large"
    status = 413


class WrongMethod(DomainError):
    """The address is there, the method is not."""

    code = "method_not_allowed"
    status = 405


def error_response(
    *, status: int, code: str, message: str, param: str | None = None, headers: dict[str, str] | None = None
) -> JsonResponse:
    """{"error": {"message", "type", "param", "code"}}, as OpenAI's clients read it."""
    kind = _TYPES.get(status, "server_error" if status >= 500 else "invalid_request_error")
    if code == BudgetSpent.code:
        kind = code
    body = {"error": {"message": message, "type": kind, "param": param, "code": code}}
    return JsonResponse(body, status=status, headers=headers)


def of_domain_error(error: DomainError) -> JsonResponse:
    """A domain error: what is wrong, and what to do."""
    message = f"{error.message[:1].upper()}{error.message[1:]}.".replace("..", ".")
    fields = [f"{name}: {text}." for name, text in error.fields.items()]
    return error_response(
        status=error.status,
        code=_CODES.get(error.code, error.code),
        message=" ".join([message, *fields, *([error.hint] if error.hint else [])]),
        param=next(iter(error.fields), None),
        headers=NO_RETRY if isinstance(error, NoUpstream | BudgetSpent) else None,
    )


def of_api_exception(error: exceptions.APIException) -> JsonResponse:
    """What REST's authentication and throttles raise."""
    # DRF hangs the wait on the exception.
    wait: Any = getattr(error, "wait", None)
    headers = {"Retry-After": str(int(wait))} if wait else {}
    if error.status_code == 401:
        headers["WWW-Authenticate"] = 'Bearer realm="memoryhub"'
        hint = (
            "Send a MemoryHub API key that is in force as the client's api_key: Authorization: Bearer mh_..."
        )
        return error_response(
            status=401,
            code="invalid_api_key",
            message=f"The credentials are not accepted. {hint}",
            headers=headers,
        )
    if error.status_code == 429:
        hint = "Wait as long as Retry-After says, then try again."
        return error_response(
            status=429,
            code="rate_limit_exceeded",
            message=f"Too many requests. {hint}",
            headers=headers,
        )
    return error_response(status=error.status_code, code="error", message=str(error.detail), headers=headers)
