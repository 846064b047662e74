"""The operators' pages of long-term memory."""

from memories.admin import (  # noqa: F401  (importing registers)
    budget,
    contradictions,
    control,
    experiments,
    health,
    index,
    jobs,
    memory,
    policies,
    records,
    redaction,
    sweeps,
    tombstones,
    webhooks,
    work_rows,
)
