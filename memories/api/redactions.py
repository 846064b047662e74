"""REST: redactions, for who may redact: preview, run, proof. What is redacted is gone for good."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import ActorView
from accounts.api.parameters import PAGE
from accounts.api.permissions import Required
from accounts.permissions import Capability
from memories.api.serializers import OfSubjectSerializer
from memories.core.forgetting.redacting import MAX_CHARS
from memories.models import Redaction
from memories.services.lift_redaction import lift_redaction
from memories.services.list_runs import get_redaction, redactions
from memories.services.preview_redaction import preview_redaction
from memories.services.redact import redact
from memories.services.redact_everywhere import preview_everywhere, redact_everywhere, resume_redaction
from memories.services.redact_wanted import MAX_WORDS

_REDACT: Required = Capability.REDACT


class RedactionSerializer(serializers.ModelSerializer[Redaction]):
    """A redaction without its words. `found` counts rows by place; `proof` counts them again afterwards."""

    memory_id = serializers.UUIDField(source="memory_ref", allow_null=True, read_only=True)
    found = serializers.DictField(child=serializers.IntegerField(), read_only=True)
    proof = serializers.DictField(allow_null=True, read_only=True)

    class Meta:
        model = Redaction
        fields = [
            "id",
            "scope",
            "state",
            "subject_id",
            "memory_id",
            "by_pattern",
            "standing",
            "reason",
            "found",
            "subjects",
            "subjects_done",
            "proof",
            "requested_at",
            "finished_at",
            "lifted_at",
        ]
        read_only_fields = fields


class _Named(OfSubjectSerializer):
    words = serializers.ListField(
        child=serializers.CharField(max_length=MAX_CHARS), max_length=MAX_WORDS, required=False
    )
    pattern = serializers.CharField(max_length=MAX_CHARS, required=False)
    memory_id = serializers.UUIDField(
        required=False, help_text="All of this memory, where no words are given."
    )
    everywhere = serializers.BooleanField(default=False, help_text="In all of the tenant.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        words = [name for name in ("words", "pattern") if attrs.get(name)]
        if len(words) == 2:
            raise serializers.ValidationError({"pattern": "Give either words or a pattern."})
        where = [name for name in ("subject", "memory_id") if name in attrs]
        if attrs["everywhere"] and where:
            raise serializers.ValidationError({"everywhere": "It names no subject and no memory."})
        if len(where) == 2 or not (attrs["everywhere"] or where):
            raise serializers.ValidationError({"subject": "Name a subject, a memory_id, or everywhere."})
        if not words and "memory_id" not in attrs:
            raise serializers.ValidationError({"words": "Give the words to take out."})
        return attrs


class PreviewRedactionSerializer(_Named):
    """What is looked for, and where."""


class RunRedactionSerializer(_Named):
    """The same with why, and the word `redact` to confirm. `standing` keeps it from ever being learnt again."""

    reason = serializers.CharField(max_length=200)
    confirmation = serializers.ChoiceField(choices=["redact", "删除"])
    standing = serializers.BooleanField(default=False)


class RedactionPreviewSerializer(serializers.Serializer[Any]):
    """Rows by place. Over the whole tenant `looked_at` of `subjects` were read: with fewer there may be more."""

    subject_id = serializers.UUIDField(allow_null=True)
    counts = serializers.DictField(child=serializers.IntegerField())
    total = serializers.IntegerField()
    external_ids = serializers.IntegerField()
    subjects = serializers.IntegerField()
    looked_at = serializers.IntegerField()


class RedactionList(ActorView):
    """The tenant's redactions, the newest first."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {"GET": _REDACT, "POST": _REDACT}

    @extend_schema(
        operation_id="redactions_list", parameters=list(PAGE), responses=RedactionSerializer(many=True)
    )
    def get(self, request: Request) -> Response:
        return self.page(lambda: redactions(actor=self.actor), RedactionSerializer)

    @extend_schema(
        operation_id="redactions_run",
        request=RunRedactionSerializer,
        responses={201: RedactionSerializer, 202: RedactionSerializer},
        examples=[
            OpenApiExample(
                "A number that must go",
                value={
                    "subject": "ada@example.org",
                    "words": ["KX-7731"],
                    "reason": "asked for by letter",
                    "confirmation": "redact",
                },
                request_only=True,
            )
        ],
    )
    def post(self, request: Request) -> Response:
        """201 with the proof; 202 for a whole tenant, which a job goes through: read the redaction until it is done."""
        body = RunRedactionSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        fields = body.given
        if fields.pop("everywhere"):
            run = redact_everywhere(actor=self.actor, **fields)
            return Response(RedactionSerializer(run).data, status=status.HTTP_202_ACCEPTED)
        if "subject" in body.validated_data:
            fields["subject_id"] = self.subject_id(request, create=False)
        made = redact(actor=self.actor, **fields)
        return Response(RedactionSerializer(made).data, status=status.HTTP_201_CREATED)


class RedactionPreviewView(ActorView):
    """How many rows hold it, before anything is changed; audited as reading."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {"POST": _REDACT}
    keeps_answers = False

    @extend_schema(
        operation_id="redactions_preview",
        request=PreviewRedactionSerializer,
        responses=RedactionPreviewSerializer,
    )
    def post(self, request: Request) -> Response:
        body = PreviewRedactionSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        fields = body.given
        if fields.pop("everywhere"):
            seen = preview_everywhere(actor=self.actor, **fields)
            total = sum(seen.counts.values())
            data = _told(None, seen.counts, total, 0, seen.subjects, seen.looked_at)
        else:
            if "subject" in body.validated_data:
                fields["subject_id"] = self.subject_id(request, create=False)
            found = preview_redaction(actor=self.actor, **fields)
            data = _told(found.subject_id, found.counts, found.total, found.external_ids, 1, 1)
        return Response(RedactionPreviewSerializer(data).data)


class RedactionDetail(ActorView):
    """One redaction, with how far it came and its proof."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {"GET": _REDACT}

    @extend_schema(operation_id="redactions_read", responses=RedactionSerializer)
    def get(self, request: Request, redaction_id: uuid.UUID) -> Response:
        return Response(RedactionSerializer(get_redaction(actor=self.actor, redaction_id=redaction_id)).data)


class RedactionResume(ActorView):
    """Go on with a run whose job gave up."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {"POST": _REDACT}

    @extend_schema(operation_id="redactions_resume", request=None, responses=RedactionSerializer)
    def post(self, request: Request, redaction_id: uuid.UUID) -> Response:
        return Response(
            RedactionSerializer(resume_redaction(actor=self.actor, redaction_id=redaction_id)).data
        )


class RedactionLift(ActorView):
    """Let the words be learnt again from now on; what was taken out stays out."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {"POST": _REDACT}

    @extend_schema(operation_id="redactions_lift", request=None, responses=RedactionSerializer)
    def post(self, request: Request, redaction_id: uuid.UUID) -> Response:
        return Response(RedactionSerializer(lift_redaction(actor=self.actor, redaction_id=redaction_id)).data)


def _told(
    subject_id: uuid.UUID | None, counts: dict[str, int], total: int, ids: int, subjects: int, looked_at: int
) -> dict[str, Any]:
    return {
        "subject_id": subject_id,
        "counts": counts,
        "total": total,
        "external_ids": ids,
        "subjects": subjects,
        "looked_at": looked_at,
    }
