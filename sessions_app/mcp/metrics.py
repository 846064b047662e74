"""What the door counts: calls by tool and by how they ended, and how long they took; no content, no ids."""

from __future__ import annotations

from prometheus_client import Counter, Histogram

CALLS = Counter(
    "memoryhub_mcp_calls_total",
    "Tool calls at the MCP door, by tool and by ok or the error's code",
    ["tool", "outcome"],
)
SECONDS = Histogram(
    "memoryhub_mcp_seconds",
    "What a tool call takes, waiting for a thread included",
    ["tool"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
)
REFUSED = Counter(
    "memoryhub_mcp_refused_total",
    "Requests at the MCP door that reached no tool, by the answer's status",
    ["status"],
)
