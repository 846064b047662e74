"""REST: search of a whole tenant, for operators."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import ActorView
from accounts.permissions import Capability
from memories.api.serializers import StrictSerializer
from memories.services.search_tenant import MAX_QUERY, search_tenant


class SearchRequestSerializer(StrictSerializer):
    """A question about anybody in the tenant."""

    query = serializers.CharField(max_length=MAX_QUERY)
    k = serializers.IntegerField(min_value=1, max_value=100, default=20)


class SearchHitSerializer(serializers.Serializer[Any]):
    """A memory and whose it is."""

    id = serializers.UUIDField()
    subject_id = serializers.UUIDField()
    kind = serializers.CharField()
    text = serializers.CharField()
    said_at = serializers.DateTimeField()
    cosine = serializers.FloatField()


class SearchResponseSerializer(serializers.Serializer[Any]):
    """Best first."""

    items = SearchHitSerializer(many=True)


class Search(ActorView):
    """The memories of anybody in the tenant that are nearest to a question; each search is audited."""

    required_capabilities: ClassVar[dict[str, Capability]] = {"POST": Capability.MEMORY_READ}

    @extend_schema(operation_id="search", request=SearchRequestSerializer, responses=SearchResponseSerializer)
    def post(self, request: Request) -> Response:
        body = SearchRequestSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        hits = search_tenant(actor=self.actor, **body.validated_data)
        return Response(SearchResponseSerializer({"items": hits}).data)
