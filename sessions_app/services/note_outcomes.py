"""Writes down on a turn what a model made of it later, beside what the rules made of it at once."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from memories.services.outcome import Outcome
from sessions_app.models import Turn

_BY_MODEL = "model."
"""Begins the rule of every outcome that comes from the model; a later reading takes the place of an earlier one."""


def note_outcomes(turn_id: uuid.UUID, outcomes: Sequence[Outcome]) -> None:
    """Within the open tenant transaction; other outcomes of the turn stay. A turn that is gone, or was forgotten, keeps none."""
    turn = Turn.objects.select_for_update().filter(pk=turn_id, forgotten_at__isnull=True).first()
    if turn is None:
        return
    rules = [row for row in turn.outcomes if row not in by_model(turn.outcomes)]
    turn.outcomes = [*rules, *(outcome.as_data() for outcome in outcomes)]
    turn.save(update_fields=["outcomes"])


def by_model(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those of a turn's outcomes that a model's reading left."""
    return [row for row in rows if str(row.get("rule", "")).startswith(_BY_MODEL)]
