"""REST: subjects by their external ids: list, create, read, change, pause, erase with a receipt."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import ClassVar

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import ActorView, NewestFirst
from accounts.api.parameters import KINDS, PAGE, short_text
from accounts.api.permissions import Required
from accounts.api.strict import StrictSerializer, query_flag, query_one_of, query_text
from accounts.models import Subject, SubjectKind
from accounts.permissions import Capability
from accounts.services.change_subject import MAX_LOCALE, MAX_NAME, change_subject
from accounts.services.ensure_subject import make_subject
from accounts.services.list_subjects import get_subject, subjects_by_name
from memories.models import Erasure
from memories.services.erase_subject import erase_subject, get_erasure, subject_to_erase
from memories.services.list_runs import erasures
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid

_READ, _WRITE = Capability.OWN_MEMORY_READ, Capability.OWN_MEMORY_WRITE
_ERASE = frozenset({Capability.OWN_MEMORY_WRITE, Capability.ERASE})


class ErasureSerializer(serializers.ModelSerializer[Erasure]):
    """`receipt` is signed; keep it as it is, byte for byte in its fields, and verify it with `manage.py verify_receipt`."""

    subject = serializers.UUIDField(source="subject_ref")

    class Meta:
        model = Erasure
        fields = ["id", "subject", "state", "requested_at", "finished_at", "receipt"]
        read_only_fields = fields


class SubjectSerializer(serializers.ModelSerializer[Subject]):
    """Whose memory it is. While `memory_paused` nothing new is kept of what it says."""

    class Meta:
        model = Subject
        fields = [
            "id",
            "kind",
            "external_id",
            "display_name",
            "time_zone",
            "locale",
            "memory_paused",
            "created_at",
        ]
        read_only_fields = fields


class _Settings(StrictSerializer):
    display_name = serializers.CharField(max_length=MAX_NAME, required=False, allow_blank=True)
    time_zone = serializers.CharField(
        max_length=64, required=False, help_text="A name like Asia/Shanghai, by which its times are read."
    )
    locale = serializers.CharField(max_length=MAX_LOCALE, required=False, allow_blank=True)
    memory_paused = serializers.BooleanField(required=False)


class CreateSubjectSerializer(_Settings):
    """`external_id` is any text of 1 to 512 characters, taken literally: nothing in it is a wildcard or is trimmed."""

    external_id = serializers.CharField(max_length=512, trim_whitespace=False)
    kind = serializers.ChoiceField(choices=KINDS, default=SubjectKind.USER.value)


class ChangeSubjectSerializer(_Settings):
    """Only what is given changes."""


class ByName(NewestFirst):
    """Pages by external id, which is unique among the subjects of a kind."""

    ordering = "name"

    def is_position(self, text: str) -> bool:
        return "\x00" not in text


class _Erases(ActorView):
    def _erase(self, subject_id: uuid.UUID) -> Response:
        erasure = erase_subject(actor=self.actor, subject_id=subject_id)
        done = erasure.state == Erasure.State.DONE
        code = status.HTTP_200_OK if done else status.HTTP_202_ACCEPTED
        return Response(ErasureSerializer(erasure).data, status=code)


class SubjectList(_Erases):
    """Subjects by their external id."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {
        "GET": _READ,
        "POST": Capability.MEMORY_WRITE,
        "DELETE": _ERASE,
    }
    pagination_class = ByName

    @extend_schema(
        operation_id="subjects_list",
        parameters=[
            OpenApiParameter("kind", str, enum=KINDS, description="`user`, when left out."),
            short_text("prefix", 512, "The beginning of the external ids, taken literally."),
            OpenApiParameter("memory_paused", bool),
            *PAGE,
        ],
        responses=SubjectSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        kind = query_one_of(request, "kind", KINDS) or SubjectKind.USER.value
        prefix, paused = query_text(request, "prefix"), query_flag(request, "memory_paused")
        return self.page(
            lambda: subjects_by_name(actor=self.actor, kind=kind, prefix=prefix, paused=paused),
            SubjectSerializer,
        )

    @extend_schema(
        operation_id="subjects_create",
        request=CreateSubjectSerializer,
        responses={200: SubjectSerializer, 201: SubjectSerializer},
        examples=[
            OpenApiExample(
                "A person with a time zone",
                value={"external_id": "ada@example.org", "time_zone": "Europe/London"},
                request_only=True,
            )
        ],
    )
    def post(self, request: Request) -> Response:
        """200 where it was there already, with what is given changed."""
        body = CreateSubjectSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        fields = dict(body.validated_data)
        kind, external_id = fields.pop("kind"), fields.pop("external_id")
        with tenant_transaction(self.actor.tenant_id):
            made, created = make_subject(actor=self.actor, kind=kind, external_id=external_id)
            found = change_subject(actor=self.actor, subject_id=made.pk, **fields)
        self._meant = made.pk
        code = status.HTTP_201_CREATED if created else status.HTTP_200_OK
        return Response(SubjectSerializer(found).data, status=code)

    @extend_schema(
        operation_id="subjects_erase_by_external_id",
        parameters=[
            OpenApiParameter("subject", str, required=True, description="External id, taken literally."),
            OpenApiParameter("kind", str, enum=KINDS),
        ],
        responses={200: ErasureSerializer, 202: ErasureSerializer},
    )
    def delete(self, request: Request) -> Response:
        external_id = request.query_params.get("subject")
        if not external_id:
            # Never one's own by silence: a missing parameter must not erase anybody.
            hint = "Name who is to be erased by the external id: ?subject=…"
            raise Invalid("no subject is named", hint=hint, fields={"subject": "required"})
        kind = query_one_of(request, "kind", KINDS) or SubjectKind.USER.value
        return self._erase(subject_to_erase(actor=self.actor, kind=kind, external_id=external_id))


class SubjectDetail(_Erases):
    """A subject by its internal id."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {
        "GET": _READ,
        "PATCH": _WRITE,
        "DELETE": _ERASE,
    }

    @extend_schema(operation_id="subjects_read", responses=SubjectSerializer)
    def get(self, request: Request, subject_id: uuid.UUID) -> Response:
        return Response(SubjectSerializer(get_subject(actor=self.actor, subject_id=subject_id)).data)

    @extend_schema(
        operation_id="subjects_update",
        request=ChangeSubjectSerializer,
        responses=SubjectSerializer,
        examples=[OpenApiExample("Pause", value={"memory_paused": True}, request_only=True)],
    )
    def patch(self, request: Request, subject_id: uuid.UUID) -> Response:
        body = ChangeSubjectSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        found = change_subject(actor=self.actor, subject_id=subject_id, **body.validated_data)
        return Response(SubjectSerializer(found).data)

    @extend_schema(operation_id="subjects_erase", responses={200: ErasureSerializer, 202: ErasureSerializer})
    def delete(self, request: Request, subject_id: uuid.UUID) -> Response:
        """All that is known of the subject is removed for good; 202 while it goes on, then read the erasure."""
        return self._erase(subject_id)


class ErasureList(ActorView):
    """All erasures of the tenant, the newest first."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {"GET": Capability.ERASE}

    @extend_schema(
        operation_id="erasures_list", parameters=list(PAGE), responses=ErasureSerializer(many=True)
    )
    def get(self, request: Request) -> Response:
        return self.page(lambda: erasures(actor=self.actor), ErasureSerializer)


class ErasureDetail(ActorView):
    """An erasure and, once it is done, its receipt."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {
        "GET": frozenset({Capability.OWN_MEMORY_READ, Capability.ERASE})
    }

    @extend_schema(operation_id="erasures_read", responses=ErasureSerializer)
    def get(self, request: Request, erasure_id: uuid.UUID) -> Response:
        return Response(ErasureSerializer(get_erasure(actor=self.actor, erasure_id=erasure_id)).data)
