"""What every write answers with: a reason code and the rule behind it, never a silent nothing (R13)."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from memories.core.outcomes import Reason

__all__ = ["Outcome", "Reason"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one statement.

    `memory_id` is the memory that holds it now (None where nothing is kept), `replaced_id` the one that it superseded, or
    contradicts. `rule` names the deciding rule, `reasons` are rule words and numbers without content, so both may be logged.
    """

    code: Reason
    memory_id: UUID | None = None
    kind: str = ""
    rule: str = ""
    reasons: tuple[str, ...] = ()
    replaced_id: UUID | None = None

    @property
    def kept(self) -> bool:
        """True when a memory holds the statement and recall can find it."""
        return self.code in {Reason.STORED, Reason.DUPLICATE, Reason.SUPERSEDED, Reason.CONTRADICTION}

    def as_data(self) -> dict[str, object]:
        """Plain data for a turn's `outcomes`, a response or a frame; ids as text."""
        return {
            "code": self.code.value,
            "memory_id": str(self.memory_id) if self.memory_id else None,
            "kind": self.kind,
            "rule": self.rule,
            "reasons": list(self.reasons),
            "replaced_id": str(self.replaced_id) if self.replaced_id else None,
        }
