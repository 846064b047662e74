"""The client that waits for each answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, Self

import httpx

from memoryhub.client import requests
from memoryhub.client.calls import TRIES, Call, may_retry, pause_before, settings
from memoryhub.client.errors import NotReached, problem_of
from memoryhub.client.requests import Id
from memoryhub.client.typing import Context, Memory, Outcomes, Recalled


class MemoryHub:
    """MemoryHub at `url`, as the holder of `api_key`; `subject` is whose memory is meant where a call names nobody.

    What each call takes stands in memoryhub/client/requests.py. They raise MemoryHubError for what the server refuses, and
    NotReached when no answer came after four tries. Close it, or use it in a `with`. Safe to share among threads.
    """

    def __init__(
        self,
        url: str,
        api_key: str,
        *,
        subject: str | None = None,
        timeout: float = 30.0,
        http: httpx.Client | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        chosen = settings(url, api_key, timeout)
        self._http = http or httpx.Client(timeout=chosen["timeout"])
        self._base, self._headers = chosen["base_url"], chosen["headers"]
        self._subject = subject
        self._sleep = sleep

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give the connections back."""
        self._http.close()

    def add(self, content: str, **fields: Any) -> Outcomes:
        """Keep what a text tells; one outcome a statement."""
        found: Outcomes = self.send(requests.add(content, **self._of(fields)))
        return found

    def recall(self, query: str, **fields: Any) -> Recalled:
        """What fits a question, best first."""
        found: Recalled = self.send(requests.recall(query, **self._of(fields)))
        return found

    def context(self, message: str, **fields: Any) -> Context:
        """Messages for a model that is to answer."""
        chosen = fields if "session_id" in fields else self._of(fields)
        found: Context = self.send(requests.context(message, **chosen))
        return found

    def memories(self, **filters: Any) -> Iterator[Memory]:
        """All current memories that fit, the newest first, page by page."""
        cursor: str | None = None
        while True:
            answer = self.send(requests.page(**{**self._of(filters), "cursor": cursor}))
            yield from answer["results"]
            cursor = cursor_of(answer)
            if cursor is None:
                return

    def get(self, memory_id: Id) -> Memory:
        """One memory."""
        found: Memory = self.send(requests.get(memory_id))
        return found

    def update(self, memory_id: Id, **changes: Any) -> Memory:
        """Change fields of a memory; with `version` only if it is still that one."""
        found: Memory = self.send(requests.update(memory_id, **changes))
        return found

    def delete(self, memory_id: Id) -> None:
        """Forget a memory; it can be restored for a while."""
        self.send(requests.delete(memory_id))

    def versions(self, memory_id: Id) -> list[dict[str, Any]]:
        """What it was, the first version first."""
        found: list[dict[str, Any]] = self.send(requests.versions(memory_id))["results"]
        return found

    def forget(self, text: str, **fields: Any) -> dict[str, Any]:
        """Forget what is asked for in words; with `preview` only say what would go."""
        found: dict[str, Any] = self.send(requests.forget(text, **self._of(fields)))
        return found

    def contradictions(self, **fields: Any) -> list[dict[str, Any]]:
        """The first page of pairs that wait to be settled."""
        found: list[dict[str, Any]] = self.send(requests.contradictions(**self._of(fields)))["results"]
        return found

    def resolve(self, contradiction_id: Id, resolution: str, *, content: str | None = None) -> dict[str, Any]:
        """Settle one."""
        found: dict[str, Any] = self.send(requests.resolve(contradiction_id, resolution, content=content))
        return found

    def profile(self, **fields: Any) -> dict[str, Any]:
        """What is known of a person."""
        found: dict[str, Any] = self.send(requests.profile(**self._of(fields)))
        return found

    def send(self, one: Call) -> Any:
        """Any call, with retries: the answer's JSON, None where it has none."""
        for tried in range(1, TRIES + 1):
            response: httpx.Response | None = None
            try:
                response = self._http.request(
                    one.method,
                    self._base + one.path,
                    params=dict(one.query),
                    json=one.body,
                    headers={**self._headers, **one.headers},
                )
            except httpx.TransportError as error:
                if tried == TRIES or not may_retry(one, None):
                    raise NotReached(f"MemoryHub does not answer at {self._base}") from error
            else:
                if response.is_success:
                    return response.json() if response.content else None
                if tried == TRIES or not may_retry(one, response):
                    raise problem_of(response)
            self._sleep(pause_before(tried, response))
        raise AssertionError("unreachable")

    def _of(self, fields: dict[str, Any]) -> dict[str, Any]:
        return {"subject": self._subject, **fields} if self._subject is not None else fields


def cursor_of(answer: dict[str, Any]) -> str | None:
    """The cursor of the next page; None on the last."""
    following = answer.get("next")
    return httpx.URL(following).params.get("cursor") if following else None
