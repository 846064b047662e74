"""What every REST view shares: the actor, the subject that is meant, and pages in id order."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any, ClassVar

from django.db import models
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.views import APIView

from accounts.actor import Actor
from accounts.api.permissions import Required
from accounts.models import Subject
from accounts.services.ensure_subject import ensure_subject
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid, NotFound


class NewestFirst(CursorPagination):
    """Pages by id: UUIDv7 is unique and in time order, so that no row is skipped or shown twice."""

    ordering = "-id"
    page_size = 50
    page_size_query_param = "limit"
    max_page_size = 200


class OldestFirst(NewestFirst):
    """The same, from the first."""

    ordering = "id"


class ActorView(APIView):
    """A view whose `request.auth` is an Actor; `required_capabilities` says what each method needs."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {}
    pagination_class: type[CursorPagination] = NewestFirst

    @property
    def actor(self) -> Actor:
        actor = self.request.auth
        assert isinstance(actor, Actor)
        return actor

    def subject_id(self, request: Request, *, create: bool) -> uuid.UUID:
        """The subject that the request names by `subject` (an external id, taken literally), else the actor's own.

        With `create` an unknown external id becomes a subject; without it, NotFound. Invalid when none is named and the
        actor has none of its own.
        """
        source: Any = request.query_params if request.method in {"GET", "DELETE"} else request.data
        external_id = source.get("subject") if hasattr(source, "get") else None
        if external_id is None:
            if self.actor.subject_id is None:
                hint = "Name whose memory is meant by its external id, in the field `subject`."
                raise Invalid("no subject is named", hint=hint, fields={"subject": "required"})
            return self.actor.subject_id
        if (
            not isinstance(external_id, str)
            or not external_id
            or len(external_id) > 512
            or "\x00" in external_id
        ):
            raise Invalid("the subject is not usable", fields={"subject": "a text of 1 to 512 characters"})
        if create:
            subject = ensure_subject(actor=self.actor, kind="user", external_id=external_id)
        else:
            with tenant_transaction(self.actor.tenant_id):
                found = Subject.objects.filter(kind="user", external_id=external_id, erased_at=None).first()
            if found is None:
                raise NotFound("no such subject")
            subject = found
        self.actor.require_subject(subject.pk, write=create)
        return subject.pk

    def page(self, queryset: models.QuerySet[Any], serializer: type[BaseSerializer[Any]]) -> Response:
        """One page of a queryset; evaluated inside the tenant's transaction."""
        paginator = self.pagination_class()
        with tenant_transaction(self.actor.tenant_id):
            rows = paginator.paginate_queryset(queryset, self.request, view=self)
            data = serializer(rows, many=True, context={"actor": self.actor}).data
        return paginator.get_paginated_response(data)
