"""REST: the audit, for who may read it: pages, and a file of lines that a verifier can follow."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, ClassVar

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import ActorView
from accounts.api.parameters import PAGE, SINCE, UNTIL, short_text
from accounts.api.permissions import Required
from accounts.api.strict import query_number, query_text, query_time
from accounts.models import AuditEntry
from accounts.permissions import Capability
from accounts.services.read_audit import EXPORTED, audit_entries, export_audit

_AUDIT: Required = Capability.AUDIT_READ
_LINES = "application/x-ndjson"
_TEXTS = {"action": 64, "actor_id": 64, "door": 16}


class ChangeSerializer(serializers.Serializer[Any]):
    """One change of an entry: what was done to what; ids and numbers only."""

    action = serializers.CharField()
    target_kind = serializers.CharField(allow_blank=True)
    target_id = serializers.CharField(allow_blank=True)
    subject_id = serializers.CharField(allow_blank=True)
    detail = serializers.DictField()


class AuditEntrySerializer(serializers.ModelSerializer[AuditEntry]):
    """An entry of the chain; `changes` are all that one transaction did."""

    changes = ChangeSerializer(many=True, read_only=True)

    class Meta:
        model = AuditEntry
        fields = ["id", "seq", "at", "actor_kind", "actor_id", "door", "action", "changes"]
        read_only_fields = fields


class AuditList(ActorView):
    """The entries, the newest first."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {"GET": _AUDIT}

    @extend_schema(
        operation_id="audit_list",
        parameters=[
            short_text("action", 64, 'A whole name, or the beginning of some with its dot: "memory.".'),
            short_text("actor_id", 64, "The id of a person or of an API key."),
            short_text("door", 16, "rest, admin, chat, mcp, openai, task, command."),
            SINCE,
            UNTIL,
            *PAGE,
        ],
        responses=AuditEntrySerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        given: dict[str, Any] = {name: query_text(request, name, most) for name, most in _TEXTS.items()}
        given |= {name: query_time(request, name) for name in ("since", "until")}
        return self.page(lambda: audit_entries(actor=self.actor, **given), AuditEntrySerializer)


class _Lines(BaseRenderer):
    """Says in content negotiation that lines can be had."""

    media_type, format = _LINES, "ndjson"

    def render(self, data: Any, accepted_media_type: Any = None, renderer_context: Any = None) -> Any:
        return JSONRenderer().render(data, accepted_media_type, renderer_context)


class AuditExport(ActorView):
    """Lines of JSON, oldest first, each with its hash and that of the one before."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {"GET": _AUDIT}
    renderer_classes: ClassVar[list[type[BaseRenderer]]] = [JSONRenderer, _Lines]  # type: ignore[misc]

    @extend_schema(
        operation_id="audit_export",
        parameters=[
            OpenApiParameter(
                "after",
                {"type": "integer", "minimum": 0, "maximum": 2**53},
                description="The `seq` of the last line of the file before.",
            ),
            OpenApiParameter(
                "limit", {"type": "integer", "minimum": 1, "maximum": EXPORTED}, description="Lines at most."
            ),
        ],
        responses={(200, _LINES): OpenApiResponse(OpenApiTypes.BINARY, "One entry a line.")},
    )
    def get(self, request: Request) -> HttpResponse:
        after = query_number(request, "after", 0, 0, 2**53)
        limit = query_number(request, "limit", EXPORTED, 1, EXPORTED)
        entries = export_audit(actor=self.actor, after=after, limit=limit)
        lines = "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries)
        answer = HttpResponse(lines, content_type=f"{_LINES}; charset=utf-8")
        answer["Content-Disposition"] = f'attachment; filename="audit-after-{after}.jsonl"'
        answer["Cache-Control"] = "no-store"
        return answer
