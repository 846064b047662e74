"""Errors of the API as application/problem+json (RFC 9457), the same shape whoever raised them; never content."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from django.core.exceptions import PermissionDenied as DjangoPermissionDenied
from django.core.exceptions import RequestDataTooBig
from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from psycopg.errors import DeadlockDetected, SerializationFailure
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from memoryhub.common.errors import Conflict, DomainError

CONTENT_TYPE = "application/problem+json"
TITLES = {
    "authentication_failed": "The credentials are not accepted",
    "conflict": "The object changed meanwhile",
    "idempotency_key_reused": "The Idempotency-Key stands for another request",
    "in_progress": "The first call is still at work",
    "error": "The request failed",
    "internal": "Something broke on our side",
    "invalid": "The request is not valid",
    "method_not_allowed": "The method is not allowed here",
    "not_authenticated": "Credentials are needed",
    "not_found": "Not found",
    "permission_denied": "Not allowed",
    "precondition_failed": "The object is another version",
    "rate_limited": "Too many requests",
    "too_large": "The body is too large",
    "unsupported_media_type": "The body is of another type",
    "unavailable": "A needed part does not answer",
}
_OF_STATUS = {
    400: "invalid",
    401: "not_authenticated",
    403: "permission_denied",
    404: "not_found",
    405: "method_not_allowed",
    409: "conflict",
    412: "precondition_failed",
    413: "too_large",
    415: "unsupported_media_type",
    429: "rate_limited",
    503: "unavailable",
}
_HINTS = {
    400: "Change what `errors` names; /api/v1/docs/ describes what each address takes.",
    401: "Send an API key that is in force, as Authorization: Bearer mh_…, or sign in.",
    403: "Use a key, or a role, that allows it; an admin of the tenant gives both.",
    404: "Check the address and the ids in it, and that the caller may reach them.",
    405: "/api/v1/docs/ lists the methods of each address.",
    406: "Ask for application/json.",
    409: "Read it again, and decide anew.",
    412: "Read it again, decide anew, and send the new ETag.",
    413: "Send less at once.",
    415: "Send application/json.",
    429: "Wait as long as Retry-After says, then try again.",
    503: "Nothing is lost. Try again in a moment.",
}
"""What to do where nobody who knows more has said it."""
_CODES = {"parse_error": "invalid", "throttled": "rate_limited", "not_acceptable": "invalid"}
_CROSSED = (DeadlockDetected, SerializationFailure)
"""What PostgreSQL ends one of two transactions with that wait for each other."""
# DRF's messages quote the refused value, which may be what a person said.
_QUOTED = re.compile(r'".*"', re.DOTALL)
_TYPES = {
    "str": "a text",
    "int": "a number",
    "float": "a number",
    "bool": "true or false",
    "list": "a list",
    "dict": "an object",
    "NoneType": "null",
}
_PYTHON_TYPE = re.compile(rf'(?<=but got )(?:type "({"|".join(_TYPES)})"|({"|".join(_TYPES)}))(?=\.$)')
"""How DRF's messages end that name the type they were given, in Python's words."""


def problem(
    *, status: int, code: str, detail: str = "", hint: str = "", errors: list[dict[str, str]] | None = None
) -> dict[str, Any]:
    """The body; `errors` lists {field, code, message}. Without a hint of its own it has the status's."""
    return {
        "type": f"urn:memoryhub:problem:{code}",
        "title": TITLES.get(code) or TITLES[_OF_STATUS.get(status, "error")],
        "status": status,
        "code": code,
        "detail": detail,
        "hint": hint or _HINTS.get(status, ""),
        "errors": errors or [],
    }


def exception_handler(exc: Exception, context: Mapping[str, Any]) -> Response | None:
    """DRF's EXCEPTION_HANDLER; None (a 500 by Django) for what nobody expected."""
    headers: dict[str, str] = {}
    if isinstance(exc, Http404):
        exc = exceptions.NotFound()
    elif isinstance(exc, DjangoPermissionDenied):
        exc = exceptions.PermissionDenied()
    elif isinstance(exc, OperationalError) and isinstance(exc.__cause__, _CROSSED):
        exc = Conflict("somebody else wrote at the same time", hint="Nothing was changed. Try again.")
        exc.retry_after = 1
    if isinstance(exc, DomainError):
        body = of_domain_error(exc)
        if exc.retry_after:
            headers["Retry-After"] = str(exc.retry_after)
    elif isinstance(exc, exceptions.APIException):
        body = _of_api_exception(exc)
        headers = _headers(exc)
    else:
        return None
    set_rollback()
    return Response(body, status=body["status"], headers=headers, content_type=CONTENT_TYPE)


def of_domain_error(exc: DomainError) -> dict[str, Any]:
    """The problem of a domain error."""
    errors = [{"field": name, "code": exc.code, "message": text} for name, text in exc.fields.items()]
    return problem(status=exc.status, code=exc.code, detail=exc.message, hint=exc.hint, errors=errors)


def _of_api_exception(exc: exceptions.APIException) -> dict[str, Any]:
    if isinstance(exc, exceptions.ValidationError):
        errors = list(_flatten(exc.detail))
        return problem(status=400, code="invalid", detail="some fields are not valid", errors=errors)
    raw = exc.get_codes()
    code = _CODES.get(str(raw), str(raw)) if isinstance(raw, str) else "error"
    if code not in TITLES:
        code = "error"
    detail = _QUOTED.sub("this value", str(exc.detail))
    return problem(status=exc.status_code, code=code, detail=detail)


def _flatten(detail: Any, path: str = "") -> Iterator[dict[str, str]]:
    """{"a": {"b": ["no"]}} -> {"field": "a.b", ...}"""
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            yield from _flatten(inner, f"{path}.{name}" if path else str(name))
    elif isinstance(detail, list):
        for index, inner in enumerate(detail):
            nested = isinstance(inner, Mapping | list)
            yield from _flatten(inner, f"{path}.{index}" if nested else path)
    else:
        code = getattr(detail, "code", "invalid")
        plain = _PYTHON_TYPE.sub(lambda match: _TYPES[match[1] or match[2]], str(detail))
        message = _QUOTED.sub("This value", plain)
        yield {"field": path, "code": str(code), "message": message}


def _headers(exc: exceptions.APIException) -> dict[str, str]:
    headers = {}
    # DRF hangs these on the exception.
    asked, wait = getattr(exc, "auth_header", None), getattr(exc, "wait", None)
    if asked:
        headers["WWW-Authenticate"] = asked
    if wait:
        headers["Retry-After"] = str(int(wait))
    return headers


def problem_response(body: Mapping[str, Any]) -> JsonResponse:
    """For answers outside of DRF."""
    return JsonResponse(body, status=body["status"], content_type=CONTENT_TYPE)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """handler404: a problem below /api/, a page elsewhere; the path is not repeated."""
    return answer(request, problem(status=404, code="not_found", detail="there is nothing at this address"))


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """handler403."""
    return answer(request, problem(status=403, code="permission_denied", detail="you may not see this"))


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """handler400; Django counts a body that is too large among suspicious operations."""
    if isinstance(exception, RequestDataTooBig):
        return answer(request, problem(status=413, code="too_large", detail="the body is too large"))
    return answer(request, problem(status=400, code="invalid", detail="the request cannot be understood"))


def server_error(request: HttpRequest) -> HttpResponse:
    """handler500."""
    detail = "the request was not carried out completely"
    return answer(
        request, problem(status=500, code="internal", detail=detail, hint="Try again; see the server's log.")
    )


def answer(request: HttpRequest, body: dict[str, Any]) -> HttpResponse:
    """A problem as JSON below /api/, as a page elsewhere."""
    if request.path.startswith("/api/"):
        return problem_response(body)
    return render(request, "error.html", {"problem": body}, status=body["status"])
