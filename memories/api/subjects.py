"""REST: erase a subject, and read the receipt."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import ClassVar

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import ActorView
from accounts.api.permissions import Required
from accounts.models.subject import SubjectKind
from accounts.permissions import Capability
from memories.models import Erasure
from memories.services.erase_subject import erase_subject, get_erasure, subject_to_erase
from memoryhub.common.errors import Invalid

_ERASE = frozenset({Capability.OWN_MEMORY_WRITE, Capability.ERASE})


class ErasureSerializer(serializers.ModelSerializer[Erasure]):
    """`receipt` is signed; keep it as it is, byte for byte in its fields, and verify it with `manage.py verify_receipt`."""

    subject = serializers.UUIDField(source="subject_ref")

    class Meta:
        model = Erasure
        fields = ["id", "subject", "state", "requested_at", "finished_at", "receipt"]
        read_only_fields = fields


class _Erases(ActorView):
    required_capabilities: ClassVar[Mapping[str, Required]] = {"DELETE": _ERASE}

    def _erase(self, subject_id: uuid.UUID) -> Response:
        erasure = erase_subject(actor=self.actor, subject_id=subject_id)
        done = erasure.state == Erasure.State.DONE
        code = status.HTTP_200_OK if done else status.HTTP_202_ACCEPTED
        return Response(ErasureSerializer(erasure).data, status=code)


class SubjectList(_Erases):
    """Subjects by their external id."""

    @extend_schema(
        operation_id="subjects_erase_by_external_id",
        parameters=[
            OpenApiParameter("subject", str, required=True, description="External id, taken literally."),
            OpenApiParameter("kind", str, enum=list(SubjectKind.values)),
        ],
        responses={200: ErasureSerializer, 202: ErasureSerializer},
    )
    def delete(self, request: Request) -> Response:
        external_id = request.query_params.get("subject")
        if not external_id:
            # Never one's own by silence: a missing parameter must not erase anybody.
            hint = "Name who is to be erased by the external id: ?subject=…"
            raise Invalid("no subject is named", hint=hint, fields={"subject": "required"})
        kind = request.query_params.get("kind", SubjectKind.USER.value)
        if kind not in SubjectKind.values:
            allowed = ", ".join(SubjectKind.values)
            raise Invalid("there is no such kind of subject", fields={"kind": f"one of {allowed}"})
        return self._erase(subject_to_erase(actor=self.actor, kind=kind, external_id=external_id))


class SubjectDetail(_Erases):
    """A subject by its internal id."""

    @extend_schema(operation_id="subjects_erase", responses={200: ErasureSerializer, 202: ErasureSerializer})
    def delete(self, request: Request, subject_id: uuid.UUID) -> Response:
        """All that is known of the subject is removed for good; 202 while it goes on, then read the erasure."""
        return self._erase(subject_id)


class ErasureDetail(ActorView):
    """An erasure and, once it is done, its receipt."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {
        "GET": frozenset({Capability.OWN_MEMORY_READ, Capability.ERASE})
    }

    @extend_schema(operation_id="erasures_read", responses=ErasureSerializer)
    def get(self, request: Request, erasure_id: uuid.UUID) -> Response:
        return Response(ErasureSerializer(get_erasure(actor=self.actor, erasure_id=erasure_id)).data)
