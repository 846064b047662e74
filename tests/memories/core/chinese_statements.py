"""A small store for Chinese statements: reads, ties names together, finds what is meant and places it, without a database."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from memories.core.entities import Entities
from memories.core.extraction import extract
from memories.core.gate import judge
from memories.core.placement.anchoring import anchor
from memories.core.placement.placing import Known, Place, place
from memories.core.policy import Policy
from memories.core.statement import FactPart, Statement
from memories.core.values.normalise import canonical
from memories.services.statements import Origin, of_candidate

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 3, 2, 9, tzinfo=ZONE)
CHANGES = frozenset({Place.SUPERSEDE, Place.CONTRADICT})


def kept(text: str, at: datetime = NOW) -> list[Statement]:
    """What the gate lets through of what a person says."""
    found = extract(text, role="user", speaker="", said_at=at, tz=ZONE)
    origin = Origin("user", at)
    return [of_candidate(one, origin) for one in found if judge(one, Policy.default()).outcome == "stored"]


@dataclass
class Store:
    """What was said, three days apart."""

    known: list[Known] = field(default_factory=list)
    days: int = 0

    def say(self, text: str) -> set[Place]:
        """Reads and places a message; the places of its statements."""
        self.days += 3
        statements = kept(text, NOW + timedelta(days=self.days))
        facts = [fact for one in (*self.known, *statements) for fact in one.facts]
        named = [(one.entity, one.attribute if one.attribute == "name" else "", one.value) for one in facts]
        entities = Entities(named)
        for one in self.known:
            one.facts = tuple(replace(fact, entity=entities.key(fact.entity)) for fact in one.facts)
        return {found for one in statements if (found := self._put(one, entities)) is not None}

    def _put(self, statement: Statement, entities: Entities) -> Place | None:
        fact = statement.fact
        if fact is not None:
            statement = replace(statement, fact=replace(fact, entity=entities.key(fact.entity)))
        meant = anchor(statement, self.held()).statement
        if meant is None:
            return None
        print_of = canonical(meant.content).encode()
        placement = place(meant, print_of, self.known)
        if placement.place is Place.SUPERSEDE:
            for old in placement.targets:
                old.status = "superseded"
        if placement.place in {Place.NEW, Place.SUPERSEDE, Place.CONTRADICT, Place.PLAN}:
            self.known.append(
                Known(
                    id=uuid.uuid4(), status="current", kind=meant.kind, source="user", said_at=meant.said_at, fingerprint=print_of,
                    reach=("user", None, None), key=meant.key, valid_from=meant.valid_from, valid_to=meant.valid_to,
                    expires_at=meant.expires_at, content=meant.content, facts=meant.facts,
                )
            )  # fmt: skip
        return placement.place

    def held(self) -> list[FactPart]:
        """The facts that hold."""
        return [fact for one in self.known if one.current and one.valid_to is None for fact in one.facts]

    def holds(self, value: str) -> bool:
        """Whether a fact that holds has the words in its value, and is not denied."""
        return any(value in fact.value and not fact.negated for fact in self.held())
