"""How the OpenAPI document names the two ways of signing in, and the shape of errors; imported by the URL table."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension

from accounts.kept_answers import KEY_PATTERN

_METHODS = frozenset({"get", "put", "post", "delete", "options", "head", "patch", "trace"})
"""What else a path holds (parameters, a summary) is no operation."""
_TEXT = {"type": "string"}
_PROBLEM = {
    "type": "object",
    "description": "What went wrong (RFC 9457), and in `hint` what to do.",
    "required": ["type", "title", "status", "code", "detail", "hint", "errors"],
    "properties": {
        "type": _TEXT,
        "title": _TEXT,
        "status": {"type": "integer"},
        "code": {**_TEXT, "description": "Stable: to be compared, not shown."},
        "detail": _TEXT,
        "hint": _TEXT,
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["field", "code", "message"],
                "properties": {"field": _TEXT, "code": _TEXT, "message": _TEXT},
            },
        },
    },
}


_IDEMPOTENCY = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "The same key and body get the same answer for a day; another body is 409.",
    "schema": {**_TEXT, "pattern": KEY_PATTERN},
    "example": "0190b6c4-5e0a-7c3e-9f55-5f0c2d1a7b10",
}


def with_problems(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Every operation may answer with a problem: said once, here, for all of them."""
    result.setdefault("components", {}).setdefault("schemas", {})["Problem"] = _PROBLEM
    answer = {
        "description": "Anything else.",
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    for path in result.get("paths", {}).values():
        for name, operation in path.items():
            if name in _METHODS:
                operation.setdefault("responses", {}).setdefault("default", answer)
            if name == "post":
                operation.setdefault("parameters", []).append(_IDEMPOTENCY)
    return result


class ApiKeyScheme(OpenApiAuthenticationExtension):
    """Shown as HTTP bearer."""

    target_class = "accounts.authentication.ApiKeyAuthentication"
    name = "apiKey"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "bearerFormat": "mh_<prefix>_<secret>"}


class MemberSessionScheme(OpenApiAuthenticationExtension):
    """Shown as the session cookie."""

    target_class = "accounts.authentication.MemberSessionAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "apiKey", "in": "cookie", "name": "sessionid"}
