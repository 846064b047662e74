"""Reads the SDK's errors: which may pass, how long to wait, and what they are in the domain's words."""

from __future__ import annotations

import random
from typing import Final

import openai

from memories.adapters.http_retry import RETRIED, retry_after
from memories.ports import ModelMisconfigured, ModelUnavailable

MAX_PAUSE: Final = 8.0
# By name: the SDK's releases differ in whose classes they raise from.
_UNCONNECTED: Final = frozenset({"ConnectError", "ConnectTimeout", "PoolTimeout"})


def is_passing(error: openai.OpenAIError) -> bool:
    """True for what may be better in a moment."""
    if isinstance(error, openai.APIStatusError):
        return error.status_code in RETRIED
    return isinstance(error, openai.APIConnectionError)


def was_sent(error: openai.OpenAIError) -> bool:
    """False where no connection was made, so that the endpoint has nothing of the request."""
    return type(error.__cause__).__name__ not in _UNCONNECTED


def next_pause(pause: float, error: openai.OpenAIError) -> float:
    """The server's Retry-After where it gives one, with a little jitter, at most eight seconds."""
    wanted = pause
    if isinstance(error, openai.APIStatusError):
        wanted = max(pause, retry_after(error.response.headers.get("retry-after")))
    return min(MAX_PAUSE, wanted) * random.uniform(0.9, 1.1)


def domain_error(error: openai.OpenAIError) -> ModelUnavailable | ModelMisconfigured:
    """The domain error, by status alone: a server's own words may repeat what was sent to it."""
    if isinstance(error, openai.APIStatusError) and error.status_code not in RETRIED:
        hints = {
            401: "Check OPENAI_API_KEY.",
            403: "Check OPENAI_API_KEY and its rights.",
            404: "Check OPENAI_BASE_URL (it ends in /v1) and CHAT_MODEL.",
        }
        if error.status_code < 500:
            hint = hints.get(
                error.status_code, "Check CHAT_MODEL and that CHAT_CONTEXT_TOKENS fits its window."
            )
            return ModelMisconfigured(
                f"The model endpoint refuses the request (status {error.status_code}).", hint=hint
            )
    if isinstance(error, openai.APIStatusError):
        return ModelUnavailable(
            f"The model endpoint answers with status {error.status_code}.", hint="Try again later."
        )
    if isinstance(error, openai.APITimeoutError):
        return ModelUnavailable(
            "The model endpoint did not answer in time.", hint="Raise CHAT_TIMEOUT_SECONDS."
        )
    return ModelUnavailable(
        "The model endpoint cannot be reached.", hint="Check OPENAI_BASE_URL, and that it runs."
    )
