"""Reads what one sentence asks of the assistant or of somebody: rules, tasks and decisions."""

from __future__ import annotations

import re
from dataclasses import replace

from memories.core.extraction import directives
from memories.core.extraction.building import SentenceBuilder
from memories.core.extraction.candidate import Candidate
from memories.core.extraction.constraint_keys import constraint_key
from memories.core.extraction.en import constraints as en_constraints
from memories.core.extraction.sentences import Clause
from memories.core.extraction.signals import FIRST_PERSON
from memories.core.extraction.temporal import read_times
from memories.core.extraction.zh import constraints as zh_constraints
from memories.core.kinds import Kind


class DirectiveReader(SentenceBuilder):
    """The sentence as directives: the first that a clause is."""

    def _directive(self, clause: Clause, spoken: str) -> Candidate | None:
        times = read_times(spoken, self.said_at, self.tz)
        lift = (zh_constraints.lift if self.chinese else en_constraints.lift)(spoken)
        if lift:
            return replace(self._build(
                Kind.DECISION, clause, lift, content=spoken, subject="user", key=constraint_key(spoken),
            ), lifts=True)  # fmt: skip
        rule = (zh_constraints.constraint if self.chinese else en_constraints.constraint)(
            spoken, explicit=self.explicit
        )
        if self.chinese and rule and zh_constraints.tells_of_the_past(self.sentence):
            rule = None
        if not self.chinese and self.turn.speaker != "user" and self.role not in {"assistant", "tool"}:
            rule = None  # What one of two people tells the other to do is no rule for us
        if rule:
            if not self.chinese:
                spoken = en_constraints.plain(spoken)
            return self._build(
                Kind.CONSTRAINT, clause, rule, content=spoken, subject="user", key=constraint_key(spoken),
                expires_at=times.expires_at,
            )  # fmt: skip
        timed = bool(times.spans)
        todo = (
            directives.todo_zh(spoken, timed=timed)
            if self.chinese
            else directives.todo_en(spoken, timed=timed)
        )
        if (
            todo
            and not self.chinese
            and self.turn.speaker != "user"
            and not directives.asks_reminder_en(spoken)
        ):
            todo = None if todo.endswith("reminder") else todo
        if todo:
            owner, spoken = self._todo_owner(spoken)
            due = times.spans[-1].end if times.spans else None
            return self._build(
                Kind.TODO, clause, todo, content=spoken, subject=owner or self.turn.speaker, owner=owner or self.turn.speaker, due=due,
            )  # fmt: skip
        decided = directives.decision(spoken)
        if decided and times.spans and directives.is_past_deed(spoken):
            return self._build(
                Kind.EVENT, clause, decided, content=spoken, subject=self.turn.speaker,
                valid_from=times.spans[-1].start, valid_to=times.spans[-1].end,
            )  # fmt: skip
        if decided:
            return self._build(Kind.DECISION, clause, decided, content=spoken, subject=self.turn.speaker)
        return None

    def for_a_while(self) -> list[Candidate]:
        """How to behave for the while that the sentence names; its words stand blank in it."""
        clause = self._richest()
        rule = (zh_constraints.for_a_while if self.chinese else en_constraints.for_a_while)(self.sentence)
        if rule is None or clause.asks:
            return []
        content = " ".join(self.sentence.strip(" ，,、:：。.!！").split())
        made = self._build(
            Kind.CONSTRAINT, clause, rule, content=content, subject="user", key=constraint_key(content), whole=True
        )  # fmt: skip
        return [made]

    def _todo_owner(self, spoken: str) -> tuple[str | None, str]:
        """Who is to do it: named in the clause, or the person that the sentence is about; with the task as stated."""
        owner = directives.todo_owner(spoken)
        person = self.turn.subject
        if owner is not None or person is None or not person.person or person.key == self.turn.speaker:
            return owner, spoken
        if FIRST_PERSON.search(spoken) or re.search(r"提醒|remind", spoken, re.IGNORECASE):
            return None, spoken
        return person.key, f"{person.surface}{'' if self.chinese else ' '}{spoken}"
