"""What the session services answer with."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memories.ports import ChatRequest
from memories.services.outcome import Outcome
from memories.services.recall_result import RecallResult
from sessions_app.models import Turn


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """A stored turn; `created` is False when its client_msg_id had been stored before."""

    turn: Turn
    created: bool


@dataclass(frozen=True, slots=True)
class AssembledContext:
    """What goes to the model, and what it was made of.

    `messages` are {"role", "content"}. `sections` are tokens by section (system, constraints, memories, summary, turns,
    message) and counts of what was left out. `used` lists what stands in the context under a number:
    {"id", "item_kind", "number", "score", "section"}. `gate` is none, new_topic or continue.
    `turn_ids` are the window's turns that went in, oldest first.
    """

    messages: list[dict[str, str]]
    sections: dict[str, int]
    used_tokens: int
    budget_tokens: int
    recall: RecallResult | None
    used: list[dict[str, Any]]
    trace_id: uuid.UUID | None
    gate: str
    request: ChatRequest
    turn_ids: list[uuid.UUID] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PostedMessage:
    """A stored message and its answer's turn.

    With `created` the answer is streaming under this process's lease: pass it to `generation.generate`. Without, the
    message was sent before: the turns are what became of it, and nothing is to be generated. When assembling failed,
    `answer_turn` is failed with an error code and `context` is None. `replaced_turn` is the answer that a retry replaces.
    `renews` is when the tenant's budget of model tokens begins anew, where it is spent: then the answer goes without a model.
    """

    user_turn: Turn
    answer_turn: Turn
    context: AssembledContext | None
    recall: RecallResult | None
    outcomes: list[Outcome]
    created: bool = True
    replaced_turn: Turn | None = None
    renews: datetime | None = None

    @property
    def to_generate(self) -> bool:
        """True when `generation.generate` is to be called."""
        return self.created and self.context is not None


@dataclass(frozen=True, slots=True)
class CompactionReport:
    """What one compaction did; a no-op has neither digests nor turns.

    `reason` is compacted, not_full, nothing_eligible or done_elsewhere.
    """

    session_id: uuid.UUID
    reason: str
    digest_ids: list[uuid.UUID] = field(default_factory=list)
    turns: int = 0
    merged_digests: int = 0
    learned: int = 0
    source_tokens: int = 0
    tokens: int = 0
