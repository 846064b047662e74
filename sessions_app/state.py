"""What a reader lacks: the turns after the last one it has, and the rest of the answers in the making."""

from __future__ import annotations

import uuid
from typing import Any

from accounts.actor import Actor
from memories.adapters.factory import get_clock
from sessions_app import live
from sessions_app.models import Turn
from sessions_app.pages import Reader, render_turn, session_data
from sessions_app.protocol import Frame, Resume, delta_frame, state_frame
from sessions_app.services.get_turns import get_session, get_turns
from sessions_app.services.mark_interrupted import mark_interrupted_in
from sessions_app.services.turn_data import turn_data

PAGE = 200
SHOWN_AT_FIRST = 60
"""Turns that a page starts with; earlier ones are a link away."""


def turns_after(actor: Actor, session_id: uuid.UUID, after_seq: int) -> list[Turn]:
    """All visible turns after a number, however many; an answer that a retry replaced is not shown."""
    turns: list[Turn] = []
    while True:
        page = get_turns(actor=actor, session_id=session_id, after_seq=after_seq, limit=PAGE)
        turns += [
            turn for turn in page if turn.state != Turn.State.REPLACED and turn.role != Turn.Role.SYSTEM
        ]
        if len(page) < PAGE:
            return turns
        after_seq = page[-1].seq


def state_of(
    *, actor: Actor, session_id: uuid.UUID, resume: Resume, reader: Reader, n: int
) -> tuple[Frame, list[tuple[uuid.UUID, int]]]:
    """The `state` frame, and (answer, offset) of each that another process generates: it has the newest text."""
    session = get_session(actor=actor, session_id=session_id)
    turns = turns_after(actor, session_id, resume.after_seq)
    if any(_lapsed(turn) for turn in turns):
        mark_interrupted_in(actor.tenant_id, get_clock().now())
        turns = turns_after(actor, session_id, resume.after_seq)
    data = turn_data(actor=actor, turns=turns)
    rows: list[dict[str, Any]] = []
    rest: list[Frame] = []
    elsewhere: list[tuple[uuid.UUID, int]] = []
    for turn, row in zip(turns, data, strict=True):
        if turn.state == Turn.State.STREAMING:
            running = live.find(turn.id)
            text = running.text if running is not None else turn.content
            # What the reader claims to have beyond the text known here is kept: it got it from the process that writes it.
            start = resume.answer_offset if turn.id == resume.answer_id else 0
            rest.append(delta_frame(turn.id, start, text[start:]))
            if running is None:
                elsewhere.append((turn.id, max(start, len(text))))
            row = {**row, "content": ""}
        rows.append({"turn": row, "html": render_turn(row, reader)})
    return state_frame(n=n, session=session_data(session), turns=rows, live=rest), elsewhere


def _lapsed(turn: Turn) -> bool:
    """The process that wrote it is dead; beat would say so within a minute, but somebody is looking now."""
    if turn.state != Turn.State.STREAMING or turn.leased_until is None or live.find(turn.id) is not None:
        return False
    return turn.leased_until < get_clock().now()
