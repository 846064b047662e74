"""How many rows the next batch takes, so that none of them holds its locks for long, on whatever machine (R24)."""

from __future__ import annotations

from dataclasses import dataclass

TARGET: float = 0.25
"""Seconds that a batch should take."""
BOUND: float = 0.6
"""Seconds after which a batch is given up, and tried again with fewer rows."""
LEAST: int = 10
"""Rows of a batch that is not made smaller any more, and not given up."""
_FIRST: int = 250


@dataclass(slots=True)
class Pace:
    """Rows of the next batch, at most `most`: fewer after a slow one, more after a fast one."""

    most: int
    rows: int = 0

    def __post_init__(self) -> None:
        self.rows = min(self.most, _FIRST)

    @property
    def bounded(self) -> bool:
        """Whether the next batch may still be given up for a smaller one."""
        return self.rows > LEAST

    def took(self, seconds: float) -> None:
        """The last batch was done in that time."""
        if seconds > TARGET:
            # No batch is likely to be slower than the last by more than it was above the target.
            self.rows = max(min(LEAST, self.most), int(self.rows * max(0.25, TARGET / seconds)))
        elif seconds < TARGET / 2:
            self.rows = min(self.most, 2 * self.rows)

    def gave_up(self) -> None:
        """The last batch was stopped at the bound; it goes again with a quarter."""
        self.rows = max(min(LEAST, self.most), self.rows // 4)
