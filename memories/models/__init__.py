"""Long-term memory and what explains it: versions, evidence, facts, index rows, traces, tombstones, jobs."""

from memories.models.control import (
    Approval,
    Feedback,
    ForgetRequest,
    ForgetRule,
    IdempotencyKey,
    Job,
    PolicyVersion,
    SweepRun,
)
from memories.models.erasure import Erasure
from memories.models.experiment import Experiment
from memories.models.index import Embedding, EmbeddingSpace, Posting
from memories.models.memory import Episode, Memory, Status
from memories.models.model_usage import ModelUsage
from memories.models.queued_text import QueuedText
from memories.models.recall import RecallTrace
from memories.models.records import Contradiction, Evidence, Fact, MemoryVersion, Slot, Tombstone
from memories.models.redaction import Redaction
from memories.models.reveal import Reveal
from memories.models.sweep_pause import SweepPause
from memories.models.webhook import Webhook, WebhookDelivery

__all__ = [
    "Approval",
    "Contradiction",
    "Embedding",
    "EmbeddingSpace",
    "Episode",
    "Erasure",
    "Evidence",
    "Experiment",
    "Fact",
    "Feedback",
    "ForgetRequest",
    "ForgetRule",
    "IdempotencyKey",
    "Job",
    "Memory",
    "MemoryVersion",
    "ModelUsage",
    "PolicyVersion",
    "Posting",
    "QueuedText",
    "RecallTrace",
    "Redaction",
    "Reveal",
    "Slot",
    "Status",
    "SweepPause",
    "SweepRun",
    "Tombstone",
    "Webhook",
    "WebhookDelivery",
]
