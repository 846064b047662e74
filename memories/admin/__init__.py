"""The operators' pages of long-term memory."""

from memories.admin import (  # noqa: F401  (importing registers)
    contradictions,
    control,
    index,
    memory,
    policies,
    records,
    redaction,
    sweeps,
    tombstones,
)
