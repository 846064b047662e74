"""The model endpoint behind the door: which one, with whose key, and the request to it, cancelled when its reader goes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

import httpx
from django.conf import settings

from accounts.actor import Actor
from accounts.permissions import Capability
from memoryhub.common.errors import Invalid, PermissionDenied
from sessions_app.openai.errors import NoUpstream, UpstreamSilent, UpstreamUnreachable
from sessions_app.openai.options import Options

CONNECT_SECONDS = 5.0
_PASSED = frozenset(
    {"content-type", "content-encoding", "retry-after", "retry-after-ms", "x-should-retry", "x-request-id"}
)
_PASSED_STARTS = ("x-ratelimit-", "openai-")
_OURS_ALONE = frozenset({"openai-organization", "openai-project"})
"""Says whose account the deployment's key belongs to."""
_ASKED = ("OpenAI-Organization", "OpenAI-Project", "OpenAI-Beta", "X-Client-Request-Id", "Idempotency-Key")
_OF_ACCOUNT = frozenset({"OpenAI-Organization", "OpenAI-Project"})

_clients: WeakKeyDictionary[asyncio.AbstractEventLoop, httpx.AsyncClient] = WeakKeyDictionary()


class Flight(Protocol):
    """An answer on its way: its status and headers are here, its body comes in pieces."""

    status: int
    headers: Mapping[str, str]

    def chunks(self) -> AsyncIterator[bytes]:
        """The body as it comes, untouched. httpx.HTTPError where it breaks off."""
        ...

    async def aclose(self) -> None:
        """End it, also upstream. May be called again."""
        ...


@dataclass(frozen=True, slots=True)
class Upstream:
    """`base_url` without a slash at its end; `ours` tells that the deployment's key pays."""

    base_url: str
    authorization: str
    ours: bool

    async def open(
        self,
        method: str,
        path: str,
        *,
        body: bytes | None = None,
        query: str = "",
        headers: Mapping[str, str],
    ) -> Flight:
        """Send the request and wait for the answer's head; UpstreamUnreachable, UpstreamSilent."""
        sent = {
            "accept-encoding": "identity",
            "user-agent": "MemoryHub",
            "accept": headers.get("Accept") or "*/*",
        }
        if body is not None:
            sent["content-type"] = "application/json"
        if self.authorization:
            sent["authorization"] = self.authorization
        for name in _ASKED:
            if name in headers and not (self.ours and name in _OF_ACCOUNT):
                sent[name] = headers[name]
        url = f"{self.base_url}{path}{'?' + query if query else ''}"
        client = _client()
        try:
            request = client.build_request(method, url, content=body, headers=sent)
            response = await client.send(request, stream=True)
        except httpx.TimeoutException as error:
            hint = "Try again later, or ask for a shorter answer."
            raise UpstreamSilent("the model endpoint did not answer in time", hint=hint) from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise UpstreamUnreachable(
                "the model endpoint cannot be reached", hint="Try again later."
            ) from error
        return HttpFlight(response, _passed_on(response.headers, ours=self.ours))


class HttpFlight:
    """The answer of an endpoint over HTTP."""

    def __init__(self, response: httpx.Response, headers: Mapping[str, str]) -> None:
        self.status, self.headers, self._response = response.status_code, headers, response

    def chunks(self) -> AsyncIterator[bytes]:
        return self._response.aiter_raw()

    async def aclose(self) -> None:
        await self._response.aclose()


def choose(options: Options, actor: Actor) -> Upstream:
    """The endpoint of a request: the caller's key goes to one that the operators listed, the deployment's only to its own.

    NoUpstream where none is configured, Invalid for an address that is not listed, PermissionDenied for a key that may not
    spend the deployment's.
    """
    own = _tidy(settings.OPENAI_BASE_URL)
    listed = [url for url in map(_tidy, settings.OPENAI_UPSTREAMS) if url]
    wanted = _tidy(options.base_url)
    if wanted and wanted not in {own, *listed}:
        raise Invalid(
            "this model endpoint is not offered",
            hint="Leave X-MemoryHub-Upstream out, or ask the operators to list it in OPENAI_UPSTREAMS.",
            fields={"X-MemoryHub-Upstream": "one of the listed addresses"},
        )
    if options.authorization:
        base_url = wanted or own or next(iter(listed), "")
        if base_url:
            return Upstream(base_url, options.authorization, ours=False)
    elif wanted and wanted != own:
        raise Invalid(
            "this model endpoint needs a key of yours",
            hint="Send it as X-MemoryHub-Upstream-Authorization: Bearer ...",
            fields={"X-MemoryHub-Upstream-Authorization": "required"},
        )
    elif own:
        if Capability.CHAT not in actor.capabilities:
            raise PermissionDenied(
                "this key may not use the deployment's model",
                hint="Use a key with the scope write, or send your own as X-MemoryHub-Upstream-Authorization.",
            )
        key = settings.OPENAI_API_KEY
        return Upstream(own, f"Bearer {key}" if key else "", ours=True)
    raise NoUpstream(
        "no model endpoint is configured",
        hint="Set OPENAI_BASE_URL and OPENAI_API_KEY, or OPENAI_UPSTREAMS for callers' own keys; "
        "the model memoryhub-offline answers without one.",
    )


def _tidy(url: str) -> str:
    """An address as it is compared; "" for what is no http(s) address, or has a user, a query or a fragment."""
    parts = urlsplit(url.strip())
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or parts.fragment:
        return ""
    return "" if "@" in parts.netloc else f"{parts.scheme}://{parts.netloc.lower()}{parts.path.rstrip('/')}"


def _passed_on(headers: httpx.Headers, *, ours: bool) -> dict[str, str]:
    """What of an answer's head is told: what the clients act on, not how the connection was kept."""
    return {
        name: value
        for name, value in headers.items()
        if (name in _PASSED or name.startswith(_PASSED_STARTS)) and not (ours and name in _OURS_ALONE)
    }


def _client() -> httpx.AsyncClient:
    """One a loop: its connections belong to it. Redirects are not followed: an endpoint is where it was said to be."""
    loop = asyncio.get_running_loop()
    client = _clients.get(loop)
    if client is None:
        silence = float(settings.OPENAI_UPSTREAM_SECONDS)
        client = _clients[loop] = httpx.AsyncClient(
            timeout=httpx.Timeout(silence, connect=CONNECT_SECONDS, pool=CONNECT_SECONDS),
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=50),
        )
    return client
