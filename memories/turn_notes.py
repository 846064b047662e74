"""Where outcomes that come after a turn was learnt from are kept: the app that owns turns registers what writes them down."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence

from memories.services.outcome import Outcome

Note = Callable[[uuid.UUID, Sequence[Outcome]], None]
"""Takes the turn's id and its later outcomes, in the open tenant transaction; a turn that is not there is none of its business."""

_NOTES: list[Note] = []


def register(note: Note) -> None:
    """Called once, when Django is ready."""
    if note not in _NOTES:
        _NOTES.append(note)


def note(turn_id: uuid.UUID, outcomes: Sequence[Outcome]) -> None:
    """Hands the outcomes to whoever keeps turns."""
    for one in _NOTES:
        one(turn_id, outcomes)
