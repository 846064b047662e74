"""What every REST view shares: the actor, the subject that is meant, answers that are given once, and pages in id order."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ClassVar

from django.db import models
from rest_framework.pagination import CursorPagination
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.views import APIView

from accounts.actor import Actor
from accounts.api.parsers import BoundedJSONParser
from accounts.api.permissions import Required
from accounts.kept_answers import Answer, answers_once, check_key
from accounts.models import Subject, SubjectKind
from accounts.services.checks import EXTERNAL_ID_MAX
from accounts.services.ensure_subject import ensure_subject
from memoryhub.common.db import own_commit, tenant_transaction
from memoryhub.common.errors import Invalid, NotFound
from memoryhub.common.texts import storable

IDEMPOTENCY_HEADER = "Idempotency-Key"
_KEPT_HEADERS = ("ETag", "Location")


class NewestFirst(CursorPagination):
    """Pages by id: UUIDv7 is unique and in time order, so that no row is skipped or shown twice."""

    ordering = "-id"
    page_size = 50
    page_size_query_param = "limit"
    max_page_size = 200

    def get_page_size(self, request: Request) -> int:
        """1 to 200; Invalid for anything else, so that nobody takes a default for what was asked."""
        given = request.query_params.get("limit")
        if given is None:
            return self.page_size
        if not (given.isascii() and given.isdigit() and len(given) < 5 and 1 <= int(given) <= 200):
            raise Invalid("the limit is not usable", fields={"limit": "a number from 1 to 200"})
        return int(given)

    def decode_cursor(self, request: Request) -> Any:
        """Invalid for a cursor that is none of ours."""
        hint = "Use the cursor of `next` or `previous` as it is, or leave it out for the first page."
        wrong = Invalid(
            "the cursor is not usable", hint=hint, fields={"cursor": "not from a page of this list"}
        )
        given = request.query_params.get("cursor")
        if given is not None and not (given and given.isascii() and len(given) < 4096):
            raise wrong
        try:
            cursor = super().decode_cursor(request)
        except Exception:  # noqa: BLE001 - DRF raises what decoding happens to raise.
            raise wrong from None
        if cursor is not None and cursor.position is not None and not self.is_position(str(cursor.position)):
            raise wrong
        return cursor

    def is_position(self, text: str) -> bool:
        """Whether a cursor's position is a value of the column that is ordered by."""
        try:
            uuid.UUID(text)
        except ValueError:
            return False
        return True


class OldestFirst(NewestFirst):
    """The same, from the first."""

    ordering = "id"


class ActorView(APIView):
    """A view whose `request.auth` is an Actor; `required_capabilities` says what each method needs.

    Every POST takes an Idempotency-Key. What the key's first call did and answered is committed in one step, unless the view
    `answers_in_steps`: then its work is repeatable itself (`retry_mark`). `keeps_answers` is off where a POST only reads;
    `seals_answers` is on where the answer holds a secret.
    """

    required_capabilities: ClassVar[Mapping[str, Required]] = {}
    pagination_class: type[CursorPagination] = NewestFirst
    parser_classes = (BoundedJSONParser,)
    keeps_answers: ClassVar[bool] = True
    answers_in_steps: ClassVar[bool] = False
    seals_answers: ClassVar[bool] = False
    retry_mark = ""
    """The same for each call with the same Idempotency-Key; "" without one."""
    _meant: uuid.UUID | None = None

    @property
    def actor(self) -> Actor:
        actor = self.request.auth
        assert isinstance(actor, Actor)
        return actor

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        _check_kind(request.query_params.get("subject_kind"))
        _check_subject(request.query_params.get("subject", "x"))
        key = request.headers.get(IDEMPOTENCY_HEADER)
        handler = getattr(self, "post", None)
        if request.method != "POST" or key is None or handler is None:
            return
        check_key(key)
        if self.keeps_answers:
            # Where dispatch looks for the handler; mypy would take it for the method of every view.
            self.__dict__["post"] = partial(self._once, key, handler)

    def _once(
        self, key: str, handler: Callable[..., Response], request: Request, *args: Any, **kwargs: Any
    ) -> Response:
        def work() -> Answer:
            response = handler(request, *args, **kwargs)
            body = None if response.data is None else json.loads(JSONRenderer().render(response.data))
            headers = {name: str(response[name]) for name in _KEPT_HEADERS if name in response}
            return Answer(response.status_code, body, headers, self._meant, self.seals_answers)

        self.retry_mark = uuid.uuid5(self.actor.tenant_id, f"{self.actor.kind}:{self.actor.id}\n{key}").hex
        # The body is compared as what it says, so that the order of its fields or its spaces make no difference.
        asked = [request.get_full_path(), request.data]
        answer = answers_once()(
            actor=self.actor,
            key=key,
            asked=json.dumps(asked, sort_keys=True).encode(),
            work=work,
            in_steps=self.answers_in_steps,
        )
        headers = {**answer.headers, **({"Idempotent-Replayed": "true"} if answer.replayed else {})}
        return Response(answer.body, status=answer.status, headers=headers)

    def subject_id(self, request: Request, *, create: bool) -> uuid.UUID:
        """The subject that the request names by `subject` (an external id, taken literally) and `subject_kind` (user, when left out),
        else the actor's own.

        With `create` an unknown external id becomes a subject; without it, NotFound. Invalid when none is named and the
        actor has none of its own.
        """
        source: Any = request.query_params if request.method in {"GET", "HEAD", "DELETE"} else request.data
        named = source.get if hasattr(source, "get") else {}.get
        found = self.named_subject(named("subject"), named("subject_kind"), create=create)
        self._meant = found
        return found

    def named_subject(self, external_id: Any, kind: Any = None, *, create: bool) -> uuid.UUID:
        """The same for an external id and a kind from elsewhere in a request."""
        _check_kind(kind)
        if external_id is None:
            if kind is not None:
                raise Invalid("no subject is named", fields={"subject": "required with subject_kind"})
            if self.actor.subject_id is None:
                hint = "Name whose memory is meant by its external id, in the field `subject`."
                raise Invalid("no subject is named", hint=hint, fields={"subject": "required"})
            return self.actor.subject_id
        _check_subject(external_id)
        kind = kind or SubjectKind.USER.value
        if create:
            # On its own: whoever asks again finds it, and what comes next may embed, which no transaction waits for.
            with own_commit():
                subject = ensure_subject(actor=self.actor, kind=kind, external_id=external_id)
        else:
            with tenant_transaction(self.actor.tenant_id):
                found = Subject.objects.filter(kind=kind, external_id=external_id, erased_at=None).first()
            if found is None:
                raise NotFound("no such subject")
            subject = found
        self.actor.require_subject(subject.pk, write=create)
        return subject.pk

    def page(
        self,
        queryset: models.QuerySet[Any] | Callable[[], models.QuerySet[Any]],
        serializer: type[BaseSerializer[Any]],
        **context: Any,
    ) -> Response:
        """One page of a queryset, or of one that is made there; evaluated inside the tenant's transaction."""
        paginator = self.pagination_class()
        with tenant_transaction(self.actor.tenant_id):
            found = queryset if isinstance(queryset, models.QuerySet) else queryset()
            rows = paginator.paginate_queryset(found, self.request, view=self)
            data = serializer(rows, many=True, context={"actor": self.actor, **context}).data
        return paginator.get_paginated_response(data)


def _check_kind(kind: Any) -> None:
    if kind is not None and kind not in SubjectKind.values:
        allowed = f"one of {', '.join(SubjectKind.values)}"
        raise Invalid("there is no such kind of subject", fields={"subject_kind": allowed})


def _check_subject(external_id: Any) -> None:
    fits = isinstance(external_id, str) and 1 <= len(external_id) <= EXTERNAL_ID_MAX
    if not fits or not storable(external_id):
        told = f"a text of 1 to {EXTERNAL_ID_MAX} characters"
        raise Invalid("the subject is not usable", fields={"subject": told})
