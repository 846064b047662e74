"""An experiment's row for the verbs on it: read or locked in the open tenant transaction, and the one way that one ends."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from datetime import datetime

from accounts import audit
from accounts.actor import Actor
from memories.models import Experiment
from memoryhub.common.errors import Conflict, Invalid, NotFound
from memoryhub.common.texts import storable

MAX_NOTE = 200


def running(*, lock: bool = False) -> Experiment | None:
    """The tenant's running experiment."""
    rows = Experiment.objects.filter(state=Experiment.State.RUNNING)
    row: Experiment | None = (rows.select_for_update() if lock else rows).first()
    return row


def locked(experiment_id: uuid.UUID, states: Collection[str]) -> Experiment:
    """The row, locked; NotFound where it is not there, Conflict where it is in none of the states."""
    row: Experiment | None = Experiment.objects.select_for_update().filter(pk=experiment_id).first()
    if row is None:
        raise NotFound("no such experiment")
    if row.state not in states:
        raise Conflict("the experiment is not in a state for this", hint="Read it again.")
    return row


def end(
    row: Experiment,
    actor: Actor,
    *,
    now: datetime,
    note: str = "",
    version: int | None = None,
    state: Experiment.State = Experiment.State.STOPPED,
) -> None:
    """The locked row in its new state, with its entry in the audit; `version` is that of the policy which ended it. When and by whom it was
    stopped first stays."""
    if row.state == Experiment.State.RUNNING:
        row.stopped_at, row.stopped_by = now, actor.id[:64]
    row.state, row.note, row.ended_by_version = state, note, version
    row.save(update_fields=["state", "stopped_at", "stopped_by", "note", "ended_by_version"])
    audit.record(
        actor,
        f"experiment.{state.value}",
        target_kind="experiment",
        target_id=row.pk,
        version=version,
    )


def checked_text(name: str, text: str, most: int, *, needed: bool = True) -> str:
    """The text without blanks around it; Invalid with its field where it is empty, too long, or no text."""
    text = text.strip()
    if needed and not text:
        raise Invalid("a text is missing", fields={name: "must not be empty"})
    if len(text) > most:
        raise Invalid("a text is too long", fields={name: f"at most {most} characters"})
    if not storable(text):
        raise Invalid("this is no text", fields={name: "must hold no NUL and no lone surrogate"})
    return text
