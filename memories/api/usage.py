"""REST: what a tenant's calls to models cost this month, against its budget, and in the months before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import ActorView
from accounts.api.permissions import Required
from accounts.permissions import Capability
from memories.services.model_usage import model_usage


class UsageRowSerializer(serializers.Serializer[Any]):
    """One month and use. Of `estimated` of the `calls` the endpoint told no tokens: they were counted here."""

    month = serializers.DateField(help_text="Its first day, in UTC.")
    use = serializers.CharField()
    prompt_tokens = serializers.IntegerField()
    completion_tokens = serializers.IntegerField()
    calls = serializers.IntegerField()
    estimated = serializers.IntegerField()


class UsageSerializer(serializers.Serializer[Any]):
    """`limit_tokens` is the month's budget (0: none); `level` how this month stands to it. Set it by the policy's `budget.*`."""

    month = serializers.DateField()
    limit_tokens = serializers.IntegerField()
    used_tokens = serializers.IntegerField()
    level = serializers.CharField()
    results = UsageRowSerializer(many=True)


class Usage(ActorView):
    """Tokens of models, by month and use; numbers only."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {"GET": Capability.METRICS_READ}

    @extend_schema(operation_id="usage_read", responses=UsageSerializer)
    def get(self, request: Request) -> Response:
        standing, months = model_usage(actor=self.actor)
        rows = [
            {
                "month": month,
                "use": use.value,
                **{
                    name: getattr(spent, name)
                    for name in ("prompt_tokens", "completion_tokens", "calls", "estimated")
                },
            }
            for month, uses in months.items()
            for use, spent in uses.items()
        ]
        data = {
            "month": standing.month,
            "limit_tokens": standing.limit,
            "used_tokens": standing.total.tokens,
            "level": standing.level.value,
            "results": rows,
        }
        return Response(UsageSerializer(data).data)
