"""The operators' pages of long-term memory: first form, read-only."""

from memories.admin import control, index, memory, records  # noqa: F401  (importing registers)
