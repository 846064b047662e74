"""How the OpenAPI document names the two ways of signing in, and the shape of errors; imported by the URL table."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension

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
