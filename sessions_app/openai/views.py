"""POST /v1/chat/completions and GET /v1/models: memory in, the endpoint's own answer out."""

from __future__ import annotations

import asyncio
import json
import weakref
from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from typing import Any
from urllib.parse import quote

import structlog
from django.conf import settings
from django.db import Error as DbError
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.views.decorators.csrf import csrf_exempt
from rest_framework.exceptions import APIException

from memories.adapters.factory import get_clock
from memoryhub.common.errors import DomainError, NotFound, Unavailable
from memoryhub.common.executor import run_in_services
from sessions_app.openai import errors, metrics, offline
from sessions_app.openai.admission import admit
from sessions_app.openai.body import parse
from sessions_app.openai.costs import check_budget
from sessions_app.openai.errors import BodyTooLarge, NoUpstream, UpstreamSilent, WrongMethod
from sessions_app.openai.offline import OfflineFlight
from sessions_app.openai.options import FULL, read_options
from sessions_app.openai.relaying import Passage, Place, extension_event, keep
from sessions_app.openai.remembering import Around
from sessions_app.openai.upstream import Flight, Upstream, choose
from sessions_app.openai.watching import Heard

log = structlog.get_logger(__name__)

Answer = Callable[..., Coroutine[Any, Any, HttpResponseBase]]


def door(method: str) -> Callable[[Answer], Answer]:
    """A view whose every refusal is an OpenAI error object."""

    def of(view: Answer) -> Answer:
        async def answer(request: HttpRequest, **named: str) -> HttpResponseBase:
            try:
                if method and request.method != method:
                    raise WrongMethod("this address takes another method", hint=f"Use {method}.")
                response = await view(request, **named)
            except DomainError as error:
                response = errors.of_domain_error(error)
            except APIException as error:
                response = errors.of_api_exception(error)
            except DbError as error:
                log.warning("openai.no_database", error=type(error).__name__)
                response = errors.of_domain_error(
                    Unavailable("the database does not answer", hint="Try again in a moment.")
                )
            except Exception:
                log.exception("openai.broke")
                response = errors.error_response(
                    status=500, code="internal", message="Something broke on our side. Try again."
                )
            if response.status_code == 405:
                response["Allow"] = method
            memory = response.get("X-MemoryHub-Memory", "none").partition(";")[0]
            metrics.REQUESTS.labels(str(response.status_code), memory).inc()
            return response

        return csrf_exempt(answer)

    return of


@door("POST")
async def chat_completions(request: HttpRequest) -> HttpResponseBase:
    """An answer with memory; see docs/api/openai.md."""
    actor = await run_in_services(admit, request)
    options = read_options(request.headers)
    mode = options.mode_for(actor)
    body = parse(_read(request))
    is_offline = body.model == offline.MODEL
    upstream = None if is_offline else choose(options, actor)
    around = Around.of(actor, options, body, mode, get_clock().now())
    around.pays = upstream is not None and upstream.ours
    if around.pays:
        await run_in_services(check_budget, actor.tenant_id)
    place = Place.take()
    try:
        await around.recollect()
        flight = await _asked(request, upstream, around)
        return await _passed_on(flight, around, place, label=offline.LABEL if is_offline else "")
    except BaseException:
        place.leave()
        raise


@door("GET")
async def models(request: HttpRequest, model: str = "") -> HttpResponseBase:
    """The endpoint's models as it lists them; the offline one where there is no endpoint."""
    actor = await run_in_services(admit, request)
    try:
        upstream = choose(read_options(request.headers), actor)
    except NoUpstream:
        if model not in {"", offline.MODEL}:
            raise NotFound("there is no such model", hint="GET /v1/models lists them.") from None
        known = offline.description()
        return _json(known if model else {"object": "list", "data": [known]})
    path = "/models"
    if model:
        # The key goes to models alone: no way up, and nothing behind a question mark.
        if any(part in {"", ".", ".."} for part in model.split("/")):
            raise NotFound("there is no such model", hint="GET /v1/models lists them.")
        path += f"/{quote(model, safe='/:@')}"
    passage = Passage(await upstream.open("GET", path, headers=request.headers))
    return HttpResponse(
        await passage.whole(), status=passage.flight.status, headers=_told(passage.flight.headers)
    )


@door("")
async def not_offered(request: HttpRequest) -> HttpResponseBase:
    """What OpenAI has and this door has not."""
    raise NotFound(
        "this door does not offer this address", hint="It has /v1/chat/completions and /v1/models."
    )


async def _asked(request: HttpRequest, upstream: Upstream | None, around: Around) -> Flight:
    """The answer's beginning, from the endpoint, or from here where there is none."""
    if upstream is None:
        return OfflineFlight(around.body, around.known.request)
    try:
        return await upstream.open(
            "POST",
            "/chat/completions",
            body=around.body_to_send,
            query=request.META.get("QUERY_STRING", ""),
            headers=request.headers,
        )
    except (asyncio.CancelledError, UpstreamSilent):
        # The endpoint was at work, whoever gave up waiting for it.
        if around.pays:
            keep(around.charge(Heard()))
        raise


async def _passed_on(flight: Flight, around: Around, place: Place, *, label: str) -> HttpResponseBase:
    """The endpoint's answer, with what memory did in headers of our own. What went wrong there is remembered by nobody."""
    encoded = flight.headers.get("content-encoding", "identity") != "identity"
    keeps = flight.status == 200 and around.mode == FULL and not encoded
    finish = partial(around.finish, keeps=keeps, refused=flight.status != 200, label=label)
    passage = Passage(flight, place=place, finish=finish)
    headers = {**_told(flight.headers), **around.headers(unheard=encoded and around.mode == FULL)}
    shows = around.shows_memories and flight.status == 200 and not encoded
    if not passage.streams:
        whole = await passage.whole()
        if shows:
            whole = _with_extension(whole, around.extension())
        return HttpResponse(whole, status=flight.status, headers=headers)
    first = extension_event(around.body.model, around.extension()) if shows else b""
    response = StreamingHttpResponse(passage.stream(first=first), status=flight.status, headers=headers)
    response["X-Accel-Buffering"] = "no"  # A proxy that gathers pieces makes a stream none.
    # A reader may be gone before the first piece; then nobody else ends it.
    response._resource_closers.append(passage.drop)  # type: ignore[attr-defined]
    weakref.finalize(response, passage.drop).atexit = False  # type: ignore[misc]
    return response


def _told(headers: Mapping[str, str]) -> dict[str, str]:
    return {"Content-Type": "application/json", **{name.title(): value for name, value in headers.items()}}


def _with_extension(whole: bytes, found: dict[str, Any]) -> bytes:
    """The answer with the field `memoryhub`; as it is where it is no object."""
    try:
        data = json.loads(whole)
    except ValueError:
        return whole
    return json.dumps({**data, "memoryhub": found}).encode() if isinstance(data, dict) else whole


def _json(data: dict[str, Any]) -> HttpResponse:
    return HttpResponse(json.dumps(data), content_type="application/json")


def _read(request: HttpRequest) -> bytes:
    """The body, pictures and all: larger than a form may be, but bounded."""
    most = int(settings.OPENAI_BODY_BYTES)
    body = request.read(most + 1)
    if len(body) > most:
        raise BodyTooLarge(f"the request has more than {most} bytes", hint="Send less, or smaller pictures.")
    return bytes(body)
