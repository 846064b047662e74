"""Makes rows of a line of an export: screened by the policy, with the prints of this tenant, and ids that fit it."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from memories.core.policy import Policy
from memories.core.statement import FactPart, Statement
from memories.core.transfer.ids import Move, moved_tree
from memories.models import Evidence, Fact, Memory, MemoryVersion, Status
from memories.services.fingerprints import claim_print, text_print, time_of
from memories.services.merge_memories import KEPT as MERGE_RECORD
from memories.services.screen import screen, screen_values
from memories.services.transfer.reading import Line

_OF_IDS = ("superseded_by_id", MERGE_RECORD)
"""Keys of a version's state that hold ids of memories, facts and quotes."""


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a line is not taken: a code, and words for whoever reads the report."""

    code: str
    reason: str


@dataclass(frozen=True, slots=True)
class Prepared:
    """Rows that are ready to be stored; `statement` is what rules are asked about."""

    line: int
    memory: Memory
    statement: Statement
    versions: list[MemoryVersion]
    evidence: list[Evidence]
    facts: list[Fact]


class _Masks:
    """Screens one text after another, and remembers whether any of them must not stand here in the clear."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self.refused = False

    def text(self, text: str) -> str:
        found = screen(text, self._policy)
        self.refused |= found.blocked or found.needs_encryption or found.needs_consent
        return found.text_masked

    def values(self, value: Any) -> Any:
        masked, types = screen_values(value, self._policy)
        self.refused |= bool(types)
        return masked


def prepare(
    tenant_id: uuid.UUID,
    subject_id: uuid.UUID,
    agent_id: uuid.UUID | None,
    line: Line,
    policy: Policy,
    move: Move,
) -> Prepared | Refused:
    """The rows of a memory's line; Refused where the policy lets some of its texts not stand in the clear."""
    masks = _Masks(policy)
    data = dict(line.data)
    parts = {name: data.pop(name) for name in ("versions", "evidence", "facts")}
    data.pop("agent")
    data.pop("superseded_by_id")
    data |= {name: masks.text(data[name]) for name in ("content", "key", "speaker")}
    data |= {name: masks.values(data[name]) for name in ("tags", "metadata")}
    memory = Memory(
        tenant_id=tenant_id, subject_id=subject_id, agent_id=agent_id, **{**data, "id": move(data["id"])}
    )
    versions = [_version(memory, one, masks, move) for one in parts["versions"]]
    evidence = [
        Evidence(tenant_id=tenant_id, memory=memory, **_masked(one, masks.text, ("quote", "speaker"), move))
        for one in parts["evidence"]
    ]
    facts = [
        Fact(
            tenant_id=tenant_id,
            memory=memory,
            subject_id=subject_id,
            **_masked(one, masks.text, ("entity", "value"), move),
        )
        for one in parts["facts"]
    ]
    if masks.refused:
        return Refused("blocked_sensitive", "the policy does not let it stand in the clear")
    statement = _statement(memory, facts)
    memory.fingerprint = text_print(tenant_id, subject_id, memory.content, when=time_of(memory))
    memory.claim = claim_print(tenant_id, subject_id, statement) if memory.status == Status.CURRENT else None
    return Prepared(line.number, memory, statement, versions, evidence, facts)


def _version(memory: Memory, data: dict[str, Any], masks: _Masks, move: Move) -> MemoryVersion:
    state = {
        key: moved_tree(value, move)
        if key in _OF_IDS
        else masks.values(value)
        if key in {"tags", "metadata", "speaker", "key"}
        else value
        for key, value in data["state"].items()
    }
    fields = _masked(data, masks.text, ("content", "reason"), move)
    return MemoryVersion(tenant_id=memory.tenant_id, memory=memory, **{**fields, "state": state})


def _masked(
    data: dict[str, Any], mask: Callable[[str], str], names: tuple[str, ...], move: Move
) -> dict[str, Any]:
    return {**data, "id": move(data["id"]), **{name: mask(data[name]) for name in names}}


def _statement(memory: Memory, facts: list[Fact]) -> Statement:
    parts = [FactPart(one.entity, one.attribute, one.value, one.single_valued, one.negated) for one in facts]
    return Statement(
        content=memory.content,
        kind=memory.kind,
        source=memory.source,
        said_at=memory.said_at,
        language=memory.language,
        speaker=memory.speaker,
        quote=memory.content,
        fact=parts[0] if parts else None,
        more=tuple(parts[1:]),
        key=memory.key,
        scope=memory.scope,
        agent_id=memory.agent_id,
        session_id=memory.session_id,
        valid_from=memory.valid_from,
        event_start=memory.event_start,
    )
