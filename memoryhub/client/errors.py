"""What a call raises: the server's problem in its own words, or that it was not reached."""

from __future__ import annotations

from typing import Any

import httpx


class MemoryHubError(Exception):
    """The server refused. `code` is stable, `hint` says what to do, `fields` maps a field to what is wrong with it."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        self.status = status
        self.code = str(problem.get("code") or "error")
        self.hint = str(problem.get("hint") or "")
        errors = problem.get("errors")
        self.fields = {
            str(one.get("field")): str(one.get("message"))
            for one in (errors if isinstance(errors, list) else [])
            if isinstance(one, dict)
        }
        detail = str(problem.get("detail") or problem.get("title") or f"status {status}")
        told = "; ".join(f"{name}: {text}" for name, text in self.fields.items())
        super().__init__(f"{self.code}: {detail}{f' ({told})' if told else ''}")


class NotReached(Exception):
    """No answer came, after all tries; what was sent with an idempotency key may be sent again."""


def problem_of(response: httpx.Response) -> MemoryHubError:
    """The error of an answer that is none of success."""
    try:
        data = response.json()
    except ValueError:
        data = {}
    return MemoryHubError(response.status_code, data if isinstance(data, dict) else {})
