"""What a recall answers with: the items in rank order, each with its score's parts, and what was left out and why."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from datetime import datetime

from memories.core.questions.past import Holding
from memories.models import RecallTrace


@dataclass(frozen=True, slots=True)
class RecallItem:
    """One recalled memory or episode (a turn, or a chunk of one).

    `score` is the rank value: the weighted mean of its terms in 0..1, plus what stands around it and the bonuses, less the
    costs, as the policy sets them (by default about -0.3 to 2). `parts` holds every term in 0..1 before weighting
    (services/traces.PARTS); `cosine` is absent where the item has no vector. `role` is the speaker's role of an episode; a memory has its `source` there too.
    `source_ids` are the turns that it comes from, newest first. `confidence` in 0..1 is how sure the memory itself is
    (credibility, less when contradicted), not how well it fits the question. `contradicts` names the memories on the other
    side of open contradictions; a turn is contradicted by what contradicts the memories that it taught. `superseded` items
    come to questions about the past only; what they say held from `valid_from` until `valid_to`, where those are known.
    `holding` is "" for what holds at the time of the recall, else why it does not: superseded, ended, upcoming.
    """

    id: uuid.UUID
    item_kind: str
    kind: str
    text: str
    said_at: datetime
    speaker: str
    role: str
    source: str
    importance: float
    pinned: bool
    strength: float
    score: float
    parts: dict[str, float]
    session_id: uuid.UUID | None
    source_ids: list[uuid.UUID]
    contradicted: bool
    confidence: float
    seq: int = 0
    contradicts: list[uuid.UUID] = field(default_factory=list)
    superseded: bool = False
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    holding: Holding = ""

    @property
    def relevance(self) -> float:
        """How well it fits the question, 0..1: what the threshold and the abstention look at."""
        return self.parts["relevance"]


@dataclass(frozen=True, slots=True)
class RecallResult:
    """Items best first; `items` is empty when `abstained` (nothing relevant is stored).

    `degraded` is "" or why the search was weaker than usual ("no_embedding": lexical only). `considered` is the number
    of candidates that were ranked, and `evidence` the probability that they hold an answer (0..1; abstained
    below the policy's threshold), `signs` what that was made of; `past` tells whether what was superseded was looked for, too; `milliseconds` the time of the whole call, `steps` the time of its steps.
    `unstored` is the trace that the caller wanted to complete and store itself.
    """

    items: list[RecallItem]
    trace_id: uuid.UUID | None
    abstained: bool
    degraded: str
    milliseconds: float
    considered: int
    evidence: float = 0.0
    signs: dict[str, float] = field(default_factory=dict)
    past: bool = False
    steps: dict[str, float] = field(default_factory=dict)
    unstored: RecallTrace | None = None
