"""Tools about contradictions: list what cannot both hold, and settle it as the person says."""

from __future__ import annotations

import uuid
from typing import Annotated, Any, Literal

from pydantic import Field

from accounts.actor import Actor
from memories.models import Contradiction, Memory
from memories.services.contradictions import contradiction_rows
from memories.services.limits import MAX_CONTENT
from memories.services.resolve import resolve
from memories.store.past_sql import NEVER_AGAIN
from memoryhub.common.db import tenant_transaction
from sessions_app.mcp.common import READ, WRITE, OfSubject, at, one_line
from sessions_app.mcp.tool import Arguments, Said, Tool

MAX_QUOTES = 5
"""Places where a side was said, the first ones."""


class CheckContradictions(OfSubject):
    """A list."""

    state: Annotated[
        Literal["open", "resolved"],
        Field(description="open: those that wait for a decision. resolved: the settled ones."),
    ] = "open"
    limit: Annotated[int, Field(ge=1, le=50, description="At most so many, the newest first.")] = 20


def check_contradictions(actor: Actor, given: CheckContradictions) -> Said:
    """Each with both sides and where they were said."""
    subject_id = given.found(actor)
    with tenant_transaction(actor.tenant_id):
        rows = contradiction_rows(actor=actor, subject_id=subject_id, state=given.state)
        found = list(rows.order_by("-id")[: given.limit + 1])
        shown = [_data(row) for row in found[: given.limit]]
    lines = [line for one in shown for line in _lines(one)]
    if not shown:
        lines = [f"no {given.state} contradictions"]
    return Said("\n".join(lines), {"contradictions": shown, "more": len(found) > given.limit})


class ResolveContradiction(Arguments):
    """A decision."""

    contradiction_id: Annotated[
        uuid.UUID, Field(description="The contradiction's id, from check_contradictions.")
    ]
    resolution: Annotated[
        Literal["keep_new", "keep_old", "keep_both", "merge"],
        Field(
            description="keep_new or keep_old: that side holds, the other one becomes history. keep_both: both hold, and this pair is not disputed "
            "again. merge: `content` takes the place of the two."
        ),
    ]
    content: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=MAX_CONTENT,
            description="The text in the place of both; with merge only.",
        ),
    ] = None
    reason: Annotated[
        str,
        Field(
            max_length=200, description="Why, in a few words; it is kept, so repeat nothing private in it."
        ),
    ] = ""


def resolve_contradiction(actor: Actor, given: ResolveContradiction) -> Said:
    """The settled contradiction."""
    settled = resolve(
        actor=actor,
        contradiction_id=given.contradiction_id,
        resolution=given.resolution,
        content=given.content,
        reason=given.reason,
    )
    with tenant_transaction(actor.tenant_id):
        rows = contradiction_rows(actor=actor, subject_id=settled.subject_id, note=False)
        data = _data(rows.get(pk=settled.pk))
        made = (settled.undo or {}).get("made")
    data = {"code": "resolved", "memory_id": made, "contradiction": data}
    sides = data["contradiction"]
    ends = f"older {sides['older']['id']} is {sides['older']['status']}, newer {sides['newer']['id']} is {sides['newer']['status']}"
    return Said(
        f"resolved ({given.resolution}): {ends}" + (f"; memory {made} takes their place" if made else ""),
        data,
    )


def _data(row: Contradiction) -> dict[str, Any]:
    return {
        "id": str(row.pk),
        "state": row.state,
        "resolution": row.resolution or None,
        "opened_at": at(row.opened_at),
        "resolved_at": at(row.resolved_at),
        "older": _side(row.older),
        "newer": _side(row.newer),
    }


def _side(memory: Memory) -> dict[str, Any]:
    """Without words and evidence where it was forgotten since."""
    gone = memory.status in NEVER_AGAIN
    evidence = [] if gone else list(memory.evidence.all())[:MAX_QUOTES]
    return {
        "id": str(memory.pk),
        "kind": memory.kind,
        "content": "" if gone else memory.content,
        "status": memory.status,
        "said_at": at(memory.said_at),
        "evidence": [
            {
                "quote": one.quote,
                "said_at": at(one.said_at),
                "role": one.role,
                "turn_id": str(one.turn_id) if one.turn_id else None,
            }
            for one in evidence
        ],
    }


def _lines(one: dict[str, Any]) -> list[str]:
    return [
        f"contradiction {one['id']} ({one['state']}{', ' + one['resolution'] if one['resolution'] else ''})",
        *(
            f"  {side}: {one_line(one[side]['content'])} (id {one[side]['id']}, said {one[side]['said_at']})"
            for side in ("older", "newer")
        ),
    ]


SETTLING = (
    Tool(
        name="check_contradictions",
        title="Check contradictions",
        description=(
            "Pairs of a subject's memories that cannot both hold, with both texts and where they were said. Do not choose a side by yourself: ask "
            "the person, then call resolve_contradiction."
        ),
        arguments=CheckContradictions,
        run=check_contradictions,
        needs=READ,
        reads=True,
    ),
    Tool(
        name="resolve_contradiction",
        title="Resolve a contradiction",
        description=(
            "Settle a contradiction as the person decided: keep the new, the old or both, or put one text in the place of the two. Nothing is lost: the side "
            "that does not hold becomes history, and the decision can be undone over REST."
        ),
        arguments=ResolveContradiction,
        run=resolve_contradiction,
        needs=WRITE,
    ),
)
