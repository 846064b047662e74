"""Reads one sentence of a turn: its directives, facts and events, each built into a candidate with its times."""

from __future__ import annotations

import re
from dataclasses import replace

from memories.core.extraction import directives, elided, repair
from memories.core.extraction.anew import named_in, stated_anew
from memories.core.extraction.attributes import attribute_of
from memories.core.extraction.candidate import Candidate
from memories.core.extraction.directing import DirectiveReader
from memories.core.extraction.en import clauses as en
from memories.core.extraction.en import constraints as en_constraints
from memories.core.extraction.en import moods as en_moods
from memories.core.extraction.neared import only_neared
from memories.core.extraction.raw import MEANT, PLAIN, UNSAID, Raw
from memories.core.extraction.sentences import (
    Clause,
    asks_to_forget,
    is_guess,
    is_play,
    is_small_talk,
    is_supposition,
)
from memories.core.extraction.signals import TAKES_BACK
from memories.core.extraction.temporal import read_times
from memories.core.extraction.zh import clauses as zh
from memories.core.extraction.zh.plausible import is_entity
from memories.core.kinds import Kind
from memories.core.values.keyvalues import key_values
from memories.core.values.sorts import is_exact


def _of_a_course(raw: Raw) -> Raw:
    """Only people are in a class: what is said of one that things have ("the yoga class") is nobody's grade."""
    if raw.attribute != "grade":
        return raw
    thing = not raw.who.person and ":" not in raw.who.key
    held = any(one.start == 0 and one.kind in {"date", "time"} for one in key_values(raw.value or ""))
    return replace(raw, attribute="class") if thing or held else raw


def _same_slot(one: Raw, other: Raw) -> bool:
    return (one.who.key, one.attribute) == (other.who.key, other.attribute)


def _with_day(directive: Candidate, raws: list[Raw]) -> Candidate:
    """What is to be done by a day, with that day as a fact of it: a later word moves it ("截止改成…")."""
    days = [
        raw
        for raw in raws
        if raw.rule == PLAIN and raw.attribute in {"time", "deadline"} and not raw.who.person
    ]
    if directive.kind is not Kind.TODO or len(days) != 1 or directive.attribute:
        return directive
    (day,) = days
    return replace(directive, subject=day.who.key, attribute="deadline", value=day.value, single=True)


class SentenceReader(DirectiveReader):
    """The sentence as all that it states."""

    def candidates(self) -> list[Candidate]:
        """What the sentence states; nothing when it supposes, and what replaces what is forgotten when it asks to forget."""
        if asks_to_forget(self.sentence):
            self.turn.forgotten = named_in(self.sentence)
            return self._stated_anew()
        if self.turn.forgotten and (anew := self._stated_anew(whole=False)):
            return anew
        played = is_play(self.sentence)
        supposed = played or is_supposition(self.sentence)
        self.turn.correcting = self.correcting
        found: list[Candidate] = []
        if not (self.chinese or supposed or self.turn.said or self.role in {"assistant", "tool"}):
            found = self._alone()
            if found:
                return found
        for at, clause in enumerate(self.clauses):
            spoken, _ = directives.strip_explicit(clause.text)
            if repair.breaks_off(clause.text, self.turn, chinese=self.chinese):
                self.turn.taken_back = True
                self.mending.append(clause.text)
                continue
            if not spoken or len(spoken) > self.reach or is_small_talk(spoken):
                continue
            if not self.chinese:
                supposed = played or en_moods.supposed(self.clauses, at)
            if clause.asks and not (not self.chinese and en_constraints.asked_to_last(spoken)):
                found.extend(self._presupposed(clause, spoken, supposed))
            else:
                found.extend(self._of_clause(clause, spoken, supposed))
        unsure = all(one.rule == MEANT for one in found)  # only what is known tells whether anything is meant
        statement = self._whole() if unsure and self.explicit and not supposed else None
        if statement:
            found.append(statement)
        elif (unsure or (not self.chinese and all(one.attribute == UNSAID for one in found))) and (
            not supposed and self.role not in {"assistant", "tool"}
        ):
            found = (
                self._amended() or found
            )  # "it's 700, not 600": the old value tells more than the new one alone
        stated = [one for one in found if one.rule != MEANT]
        if len(stated) == 1:
            found = [self._with_context(one) if one is stated[0] else one for one in found]
        return found

    def _stated_anew(self, *, whole: bool = True) -> list[Candidate]:
        """ "Forget my old address, the new one is …": facts only, and none that only supposes; not `whole`: the latter only."""
        phrase = self.turn.forgotten
        if not whole:
            self.turn.forgotten = ""
        if self.role in {"assistant", "tool"} or is_supposition(self.sentence):
            return []
        return [
            replace(made, quote=clause.text, update=True)
            for clause, said in stated_anew(self.clauses, phrase, chinese=self.chinese)
            if whole or said != clause.text
            for raw in self._raws(said)
            if self._wanted(raw) and (made := self._from_raw(raw, replace(clause, text=said))).attribute
        ]

    def _amended(self) -> list[Candidate]:
        """A correction of a value without a word of what it is the value of."""
        if len(self.bare) > self.reach or any(clause.asks for clause in self.clauses):
            return []
        pair = elided.corrected(self.bare, chinese=self.chinese)
        return [] if pair is None else self._amends(*pair)

    def _alone(self) -> list[Candidate]:
        """A new value behind words of correction, and nothing else: only what was said last tells of what it is the value."""
        if len(self.bare) > 80 or any(clause.asks for clause in self.clauses):
            return []
        found = elided.alone(self.bare)
        return [] if found is None else self._amends(found[0], None, sure=found[1])

    def _amends(self, new: str, old: str | None, *, sure: bool = True) -> list[Candidate]:
        rule = f"{self.language}.amends" if sure else elided.UNSURE
        made = self._build(
            Kind.FACT, self.clauses[0], rule, content=self.bare, subject=self.turn.speaker,
            replaces=old, correction=True, whole=True,
        )  # fmt: skip
        return [replace(made, amends=new)]

    def _of_clause(self, clause: Clause, spoken: str, supposed: bool) -> list[Candidate]:
        directive = None if self.role in {"assistant", "tool"} else self._directive(clause, spoken)
        if directive is not None and directive.kind is Kind.CONSTRAINT:
            rest = self.sentence[clause.start - clause.sentence_start :]
            if en_moods.ordered_by_another(rest):
                return []
        if directive is not None and (directive.kind is Kind.CONSTRAINT or directive.lifts):
            return [directive]
        if supposed or (is_guess(spoken) and not self.explicit):
            return self._presupposed(clause, spoken, supposed)
        raws = self._raws(spoken)
        if directive is not None and directive.kind is Kind.DECISION and raws:
            raws = [replace(raw, kind=Kind.DECISION) for raw in raws]
        if directive is not None and not any(
            raw.attribute not in {"plan", "habit", "skill", "responsibility"} and raw.rule != PLAIN
            for raw in raws
        ):
            return [_with_day(directive, raws)]
        structured = [self._from_raw(raw, clause) for raw in raws if self._wanted(raw)]
        if len(structured) == 1 and structured[0].replaces is None:
            structured = [self._taken_back(structured[0])]
        if any(one.rule != MEANT for one in structured) or self.role in {"assistant", "tool"}:
            return structured
        event = self._event(clause, spoken)
        return [*structured, event] if event else structured

    def _raws(self, spoken: str) -> list[Raw]:
        """The facts of a clause, which may put right what was said just before."""
        turn = self.turn
        kept = None if self.chinese else repair.without_break(spoken)
        instead = repair.mended(spoken, turn, chinese=self.chinese) if turn.taken_back else None
        if instead is not None:
            raws = [instead]
        else:
            said = kept or spoken
            raws = zh.read(said, turn) if self.chinese else en.read(said, turn)
            raws = [_of_a_course(raw) for raw in raws if not only_neared(said, raw.value)]
        slip = turn.said if turn.taken_back else None
        if slip and any(_same_slot(raw, slip) and raw.value != slip.value for raw in raws):
            self.slips.append(slip)
            self.mending.append(spoken)
        turn.taken_back = kept is not None and bool(raws)
        turn.said = raws[-1] if raws else turn.said
        return raws

    def _presupposed(self, clause: Clause, spoken: str, supposed: bool) -> list[Candidate]:
        """What an English clause that asks or guesses takes for granted ("is it enough with my budget of $90?")."""
        if supposed or self.chinese:
            return []
        raws = en.read(spoken, self.turn, held=False)
        return [self._from_raw(raw, clause) for raw in raws if self._wanted(raw)]

    def _old_value(self, value: str | None) -> str | None:
        """The value that the sentence takes back ("不是60岁", "刚才说的60斤不算", "not May 7"), if it takes one back."""
        match = TAKES_BACK.search(self.sentence)
        if match is None or not self.correcting:
            return None
        old = next(group for group in match.groups() if group).strip()
        # "$2" is no part of "$2,000": the digits of a number stand together.
        part = re.compile(
            rf"(?<![\d.,]){re.escape(old)}(?!\d|[.,]\d)" if re.search(r"\d", old) else re.escape(old)
        )
        return old if value is None or part.search(value) is None else None

    def _taken_back(self, candidate: Candidate) -> Candidate:
        """ "X is V, not W": a correction where W is the like of V, though no word says that it is one."""
        old = self._old_value(candidate.value)
        if old is None and not self.chinese and candidate.attribute:
            old = en_moods.contrasted(self.sentence, candidate.value or "")
            if old is not None:
                return replace(candidate, replaces=old, correction=True)
        return replace(candidate, replaces=old)

    def _wanted(self, raw: Raw) -> bool:
        """An assistant's words about itself are nobody's memory; a plan counts only with a time (as an event).

        Nor is what is only said of an attribute ("my phone is dead"): a value has the sort of its attribute.
        """
        if raw.attribute and raw.value and not raw.delta and attribute_of(raw.attribute, raw.value) is None:
            return False
        if self.chinese and not is_entity(raw.who.key, raw.who.surface):
            return False
        if raw.who.key == "assistant" or (
            self.role == "tool" and raw.rule not in {"zh.attribute", "en.attribute"}
        ):
            return False
        if (
            self.role == "assistant"
            and not raw.who.person
            and not raw.who.key.startswith("user")
            and not (raw.value and is_exact(raw.value))
        ):
            return False  # what an assistant explains about the world is nobody's memory
        return (raw.attribute != "plan" and raw.rule != "en.while") or bool(
            read_times(self.sentence, self.said_at, self.tz).spans
        )
