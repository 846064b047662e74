"""What the door counts: requests by how they ended, how memory took part, and how long it took; no content, no ids."""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

REQUESTS = Counter(
    "memoryhub_openai_requests_total",
    "Requests at the OpenAI-compatible door, by the answer's status and by what memory did",
    ["status", "memory"],
)
MEMORY_SECONDS = Histogram(
    "memoryhub_openai_memory_seconds",
    "What recalling adds before the model is asked",
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
)
ROUNDS = Counter(
    "memoryhub_openai_rounds_total",
    "Answered rounds, by whether they were remembered (stored, nothing, failed)",
    ["outcome"],
)
ANSWERING = Gauge("memoryhub_openai_answers", "Requests that are being answered just now")
