"""What a call with the deployment's key takes of the tenant's month of model tokens. Synchronous."""

from __future__ import annotations

import uuid

from memories.core.budget import Spent, Use
from memories.core.text.tokens import count, count_messages
from memories.services.model_usage import charge_alone, spent_until
from sessions_app.openai.body import ChatBody, words_of
from sessions_app.openai.errors import BudgetSpent
from sessions_app.openai.watching import Heard

_CHARACTERS_A_TOKEN = 4
"""For what is no prose: arguments of tools, further answers."""


def check_budget(tenant_id: uuid.UUID) -> None:
    """BudgetSpent where the tenant's month is."""
    renews = spent_until(tenant_id, Use.ANSWER)
    if renews is not None:
        raise BudgetSpent(
            "your organisation's budget of model tokens for this month is spent",
            hint=f"It begins anew on {renews:%Y-%m-%d} (UTC). The model memoryhub-offline, and callers' own keys, cost none of it.",
        )


def charge_call(tenant_id: uuid.UUID, body: ChatBody, memory: str, heard: Heard, *, refused: bool) -> None:
    """Write down one call. Tokens are the endpoint's own, else counted here; one that the endpoint refused takes none."""
    charge_alone(tenant_id, Use.ANSWER, Spent(calls=1) if refused else _spent(body, memory, heard))


def _spent(body: ChatBody, memory: str, heard: Heard) -> Spent:
    prompt, completion = heard.usage.get("prompt_tokens"), heard.usage.get("completion_tokens")
    if isinstance(prompt, int) and isinstance(completion, int):
        return Spent(max(0, prompt), max(0, completion), calls=1)
    messages = body.data.get("messages")
    sent = [{"content": words_of(one)} for one in messages or () if isinstance(one, dict)]
    if memory:
        sent.append({"content": memory})
    said = count(heard.text) + heard.beside // _CHARACTERS_A_TOKEN
    return Spent(count_messages(sent), said, calls=1, estimated=1)
