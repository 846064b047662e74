"""What a reader of either language holds of a predicate: the pattern of a clause after its subject, and what it says."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memories.core.kinds import Kind


@dataclass(frozen=True, slots=True)
class Predicate:
    """A pattern on the clause after its subject (in English with contractions written out), and what it says.

    `elided` allows the subject "I" to be left out, `me_only` takes no other subject, `past` tells what is over.
    """

    rule: str
    attribute: str | None
    pattern: re.Pattern[str]
    kind: Kind | None = None
    negated: bool = False
    ended: bool = False
    update: bool = False
    elided: bool = False
    me_only: bool = False
    past: bool = False
