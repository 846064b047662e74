"""REST: the profile of a subject, out of its current facts."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar

from django.utils.translation import get_language
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import ActorView
from accounts.api.parameters import OF_SUBJECT
from accounts.permissions import Capability
from memories.core.text.language import Language
from memories.services.profile import get_profile
from memoryhub.common.errors import Invalid


class ProfileValueSerializer(serializers.Serializer[Any]):
    """One value with the memory that holds it; `contradicted`: another current memory speaks against it."""

    value = serializers.CharField()
    memory_id = serializers.UUIDField()
    said_at = serializers.DateTimeField()
    contradicted = serializers.BooleanField()


class ProfileEntrySerializer(serializers.Serializer[Any]):
    """An attribute: of the person where `entity` is "user", else of somebody around them; `more` values are not listed."""

    entity = serializers.CharField()
    attribute = serializers.CharField()
    # A field may be named as an attribute of the base class is: the metaclass takes it out of the class.
    label = serializers.CharField()  # type: ignore[assignment]
    values = ProfileValueSerializer(many=True)
    more = serializers.IntegerField()


class ProfileGroupSerializer(serializers.Serializer[Any]):
    """Attributes that belong together."""

    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    entries = ProfileEntrySerializer(many=True)


class ProfileSerializer(serializers.Serializer[Any]):
    """Empty groups while nothing is known."""

    facts = serializers.IntegerField()
    groups = ProfileGroupSerializer(many=True)


class ProfileView(ActorView):
    """Who the subject is, as far as it is known now."""

    required_capabilities: ClassVar[dict[str, Capability]] = {"GET": Capability.OWN_MEMORY_READ}

    @extend_schema(
        parameters=[
            *OF_SUBJECT,
            OpenApiParameter(
                "language", str, enum=["en", "zh"], description="Of the labels; else the request's."
            ),
        ],
        responses=ProfileSerializer,
    )
    def get(self, request: Request, subject_id: uuid.UUID | None = None) -> Response:
        whose = subject_id or self.subject_id(request, create=False)
        profile = get_profile(actor=self.actor, subject_id=whose, language=_language(request))
        return Response(ProfileSerializer(profile).data)


def _language(request: Request) -> Language:
    asked = request.query_params.get("language")
    if asked not in {None, "en", "zh"}:
        raise Invalid("there are no labels in this language", fields={"language": "one of en, zh"})
    return "zh" if (asked or get_language() or "en").startswith("zh") else "en"
