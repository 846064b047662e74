"""REST: sweeps (plan, start, pause, reports) and experiments (read), for who runs a tenant."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import ActorView
from accounts.api.parameters import PAGE
from accounts.api.permissions import Required
from accounts.api.strict import no_body, query_number
from accounts.permissions import Capability
from memories.api.operations import OperationSerializer, operation_data
from memories.models import Experiment, SweepPause, SweepRun
from memories.services.experiments.results import experiment_results
from memories.services.list_runs import experiments, get_sweep_run, sweep_runs
from memories.services.operations import get_operation
from memories.services.pause_sweeps import pause_sweeps, resume_sweeps
from memories.services.start_sweep import start_sweep
from memories.services.sweep import plan_sweep

_SWEEP: Required = Capability.SWEEP
_METRICS: Required = Capability.METRICS_READ
MOST_PLANNED = 1_000


class SweepRunSerializer(serializers.ModelSerializer[SweepRun]):
    """The report of a sweep: how many went, by rule and kind."""

    counts = serializers.DictField(read_only=True)

    class Meta:
        model = SweepRun
        fields = [
            "id",
            "dry_run",
            "state",
            "counts",
            "policy_version",
            "actor_kind",
            "started_at",
            "finished_at",
            "error_code",
        ]
        read_only_fields = fields


class PlannedSerializer(serializers.Serializer[Any]):
    """A memory that a sweep would take now, by which rule and why, in numbers."""

    memory_id = serializers.UUIDField()
    subject_id = serializers.UUIDField()
    kind = serializers.CharField()
    rule = serializers.CharField()
    why = serializers.CharField()


class PlanSerializer(serializers.Serializer[Any]):
    """What would go, at most `limit`."""

    results = PlannedSerializer(many=True)


class SweepPauseSerializer(serializers.ModelSerializer[SweepPause]):
    """Since when sweeps are paused."""

    class Meta:
        model = SweepPause
        fields = ["paused_at", "paused_by_kind"]
        read_only_fields = fields


class ResumedSerializer(serializers.Serializer[Any]):
    """Whether sweeps were paused."""

    resumed = serializers.BooleanField()


class ExperimentSerializer(serializers.ModelSerializer[Experiment]):
    """A comparison of the policy in force (A) with a variant of it (B) on a share of the sessions."""

    overrides = serializers.DictField(read_only=True)

    class Meta:
        model = Experiment
        fields = [
            "id",
            "name",
            "hypothesis",
            "overrides",
            "share",
            "state",
            "base_version",
            "ended_by_version",
            "note",
            "created_at",
            "started_at",
            "stopped_at",
        ]
        read_only_fields = fields


class EstimateSerializer(serializers.Serializer[Any]):
    """A number with its interval, which is null where there is too little to tell one."""

    value = serializers.FloatField()
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)


class MeasureSerializer(serializers.Serializer[Any]):
    """One number of both arms, and b - a; `share` is 0..1. `wanted`: 1 where more is better, -1 where less is. `counts`: sessions of A and B."""

    name = serializers.CharField()
    share = serializers.BooleanField()
    wanted = serializers.IntegerField()
    counts = serializers.ListField(child=serializers.IntegerField())
    a = EstimateSerializer(allow_null=True)
    b = EstimateSerializer(allow_null=True)
    difference = EstimateSerializer(allow_null=True)
    early = serializers.BooleanField()


class ExperimentResultsSerializer(serializers.Serializer[Any]):
    """The experiment with what it has shown so far; `early` while an arm has too few sessions to tell."""

    experiment = ExperimentSerializer()
    early = serializers.BooleanField()
    sessions_a = serializers.IntegerField(source="a.sessions")
    sessions_b = serializers.IntegerField(source="b.sessions")
    measures = MeasureSerializer(many=True)


class SweepList(ActorView):
    """The reports, the newest first."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {"GET": _SWEEP, "POST": _SWEEP}

    @extend_schema(operation_id="sweeps_list", parameters=list(PAGE), responses=SweepRunSerializer(many=True))
    def get(self, request: Request) -> Response:
        return self.page(lambda: sweep_runs(actor=self.actor), SweepRunSerializer)

    @extend_schema(operation_id="sweeps_start", request=None, responses={202: OperationSerializer})
    def post(self, request: Request) -> Response:
        """A worker sweeps; poll the operation, then read the newest report."""
        no_body(request)
        job_id = start_sweep(actor=self.actor)
        found = get_operation(actor=self.actor, operation_id=job_id)
        return Response(operation_data(found), status=status.HTTP_202_ACCEPTED)


class SweepDetail(ActorView):
    """One report."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {"GET": _SWEEP}

    @extend_schema(operation_id="sweeps_read", responses=SweepRunSerializer)
    def get(self, request: Request, run_id: uuid.UUID) -> Response:
        return Response(SweepRunSerializer(get_sweep_run(actor=self.actor, run_id=run_id)).data)


class SweepPlan(ActorView):
    """What a sweep would take now; nothing is changed."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {"GET": _SWEEP}

    @extend_schema(
        operation_id="sweeps_plan",
        parameters=[
            OpenApiParameter(
                "limit", {"type": "integer", "minimum": 1, "maximum": MOST_PLANNED, "default": 200}
            )
        ],
        responses=PlanSerializer,
    )
    def get(self, request: Request) -> Response:
        limit = query_number(request, "limit", 200, 1, MOST_PLANNED)
        rows = [
            {
                "memory_id": one.memory_id,
                "subject_id": one.subject_id,
                "kind": one.kind,
                "rule": one.rule,
                "why": why,
            }
            for one, why in plan_sweep(actor=self.actor, limit=limit)
        ]
        return Response(PlanSerializer({"results": rows}).data)


class SweepPauseView(ActorView):
    """Pause the tenant's sweeps, and let them go on."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {"POST": _SWEEP, "DELETE": _SWEEP}

    @extend_schema(operation_id="sweeps_pause", request=None, responses=SweepPauseSerializer)
    def post(self, request: Request) -> Response:
        no_body(request)
        return Response(SweepPauseSerializer(pause_sweeps(actor=self.actor)).data)

    @extend_schema(operation_id="sweeps_resume", responses={200: ResumedSerializer})
    def delete(self, request: Request) -> Response:
        return Response(ResumedSerializer({"resumed": resume_sweeps(actor=self.actor)}).data)


class ExperimentList(ActorView):
    """The tenant's experiments, the newest first."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {"GET": _METRICS}

    @extend_schema(
        operation_id="experiments_list", parameters=list(PAGE), responses=ExperimentSerializer(many=True)
    )
    def get(self, request: Request) -> Response:
        return self.page(lambda: experiments(actor=self.actor), ExperimentSerializer)


class ExperimentDetail(ActorView):
    """One experiment with the numbers of both arms."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {"GET": _METRICS}

    @extend_schema(operation_id="experiments_read", responses=ExperimentResultsSerializer)
    def get(self, request: Request, experiment_id: uuid.UUID) -> Response:
        found = experiment_results(actor=self.actor, experiment_id=experiment_id)
        return Response(ExperimentResultsSerializer(found).data)
