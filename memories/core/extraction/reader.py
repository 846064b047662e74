"""Reads one sentence of a turn: its directives, facts and events, each built into a candidate with its times."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, tzinfo

from memories.core.extraction import constraints, directives, elided, repair
from memories.core.extraction.anew import named_in, stated_anew
from memories.core.extraction.attributes import BY_NAME, attribute_of, is_single, kind_of
from memories.core.extraction.candidate import Candidate
from memories.core.extraction.en import clauses as en
from memories.core.extraction.en import moods as en_moods
from memories.core.extraction.en.measures import only_names_own
from memories.core.extraction.happenings import ahead, happens, on_another_day, stands_alone
from memories.core.extraction.raw import MEANT, UNSAID, Raw, Turn
from memories.core.extraction.sentences import (
    Clause,
    asks_to_forget,
    is_guess,
    is_play,
    is_small_talk,
    is_supposition,
)
from memories.core.extraction.signals import CONFIRMS, FIRST_PERSON, LONG_VALUES, TAKES_BACK, UPDATES
from memories.core.extraction.temporal import read_times
from memories.core.extraction.zh import clauses as zh
from memories.core.extraction.zh.plausible import is_entity
from memories.core.importance import importance_of, is_weighty
from memories.core.kinds import Kind
from memories.core.text.language import cjk_share
from memories.core.times.chinese import from_then_on
from memories.core.times.parsing import TimeSpan
from memories.core.values.keyvalues import key_values
from memories.core.values.sorts import is_exact

CLAUSE_ZH, CLAUSE_EN = 120, 400
"""Characters that a clause has at most: what runs on for longer is none, and the grammar is not tried on it."""


def _same_slot(one: Raw, other: Raw) -> bool:
    return (one.who.key, one.attribute) == (other.who.key, other.attribute)


def _says_more(text: str, spans: Sequence[TimeSpan]) -> bool:
    """Whether a clause says more than when ("上个周末的时候", "On Sunday")."""
    for span in spans:
        text = text.replace(span.span, "", 1)
    return len(re.findall(r"[\u3400-\u9fff]|[A-Za-z]+|\d+", re.sub("的时候|[的在于从时里]", "", text))) > 2


class SentenceReader:
    """One sentence of the turn with what is known about it."""

    def __init__(
        self,
        clauses: list[Clause],
        bare: str,
        turn: Turn,
        role: str,
        explicit: bool,
        correcting: bool,
        said_at: datetime,
        tz: tzinfo,
        language: str | None,
    ) -> None:
        self.clauses, self.bare, self.turn, self.role = clauses, bare, turn, role
        self.explicit, self.correcting, self.said_at, self.tz = explicit, correcting, said_at, tz
        self.sentence = clauses[0].sentence
        self.language = language or ("zh" if cjk_share(self.sentence) >= 0.4 else "en")
        self.chinese = self.language == "zh"
        self.slips: list[Raw] = []
        """What was said and put right in the same breath."""
        self.mending: list[str] = []
        """The clauses that did so."""
        self.reach = CLAUSE_ZH if self.chinese else CLAUSE_EN
        self.update = UPDATES.search(self.sentence) is not None and (
            self.chinese or not en_moods.restates(self.sentence)
        )
        if not self.chinese and en_moods.follows_a_change(self.sentence):
            self.update = True

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
            if clause.asks and not (not self.chinese and constraints.asked_to_last_en(spoken)):
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
            raw.attribute not in {"plan", "habit", "skill", "responsibility"} for raw in raws
        ):
            return [directive]
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

    def _directive(self, clause: Clause, spoken: str) -> Candidate | None:
        times = read_times(spoken, self.said_at, self.tz)
        lift = (constraints.lift_zh if self.chinese else constraints.lift_en)(spoken)
        if lift:
            return replace(self._build(
                Kind.DECISION, clause, lift, content=spoken, subject="user", key=constraints.constraint_key(spoken),
            ), lifts=True)  # fmt: skip
        rule = (constraints.constraint_zh if self.chinese else constraints.constraint_en)(
            spoken, explicit=self.explicit
        )
        if self.chinese and rule and constraints.tells_of_the_past(self.sentence):
            rule = None
        if not self.chinese and self.turn.speaker != "user" and self.role not in {"assistant", "tool"}:
            rule = None  # What one of two people tells the other to do is no rule for us
        if rule:
            if not self.chinese:
                spoken = constraints.plain_en(spoken)
            return self._build(
                Kind.CONSTRAINT, clause, rule, content=spoken, subject="user", key=constraints.constraint_key(spoken),
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
        rule = constraints.for_a_while(self.sentence, chinese=self.chinese)
        if rule is None or clause.asks:
            return []
        content = " ".join(self.sentence.strip(" ，,、:：。.!！").split())
        made = self._build(
            Kind.CONSTRAINT, clause, rule, content=content, subject="user", key=constraints.constraint_key(content), whole=True
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

    def _from_raw(self, raw: Raw, clause: Clause) -> Candidate:
        attribute = raw.attribute
        if attribute and raw.value and not raw.delta:
            attribute = attribute_of(attribute, raw.value) or attribute
        row = BY_NAME.get(attribute or "")
        of_user = raw.who.key == self.turn.speaker or raw.who.key.startswith(
            (f"{self.turn.speaker}:", "user")
        )
        kind = (raw.kind if attribute == raw.attribute else None) or (
            kind_of(attribute, of_user=of_user) if attribute else Kind.FACT
        )
        if kind is Kind.PROFILE and not of_user:
            kind = Kind.FACT
        if attribute == "plan":
            kind, attribute = Kind.EVENT, None
        about_value = row is not None and row.dated
        times = read_times(clause.text, self.said_at, self.tz)
        around = (
            None if about_value or attribute == "age" or raw.delta else times.outside(clause.text, raw.value)
        )
        if raw.rule == "en.done" and raw.when == "point" and around is not None:
            kind = Kind.EVENT  # done at a known time, it is an event with what was done to what
        expires = times.expires_at or (
            self._temporary() if attribute == "status" or raw.rule == "en.while" else None
        )
        if around is not None and raw.replaces is not None and around.span in raw.replaces:
            around = None
        until = around is not None and times.expires_at == around.end
        over = self._over(raw, around)
        made = self._build(
            kind, clause, raw.rule, content=self.bare if attribute == UNSAID else raw.stated,
            subject=raw.who.key, attribute=attribute,
            value=raw.value if attribute else None, valid_from=around.start if around and not until else None,
            valid_to=over or (around.end if around and (until or kind is Kind.EVENT) else None), expires_at=expires,
            replaces=raw.replaces,
            confirms=CONFIRMS.search(self.sentence) is not None and not (raw.update or self.correcting),
            correction=raw.correction or self.correcting, update=raw.update or raw.ended or (self.update and attribute is not None),
            negated=raw.negated or raw.ended, single=bool(attribute) and (is_single(attribute or "") if raw.single is None else raw.single),
        )  # fmt: skip
        if raw.attribute == "plan":
            span = (around or self._first_span()) if stands_alone(raw.stated, chinese=self.chinese) else None
            made = replace(made, notable=span is not None and ahead(span, self.said_at, self.tz))
        return replace(made, open=raw.open, delta=raw.delta) if raw.open or raw.delta else made

    def _first_span(self) -> TimeSpan | None:
        return next(iter(read_times(self.sentence, self.said_at, self.tz).spans), None)

    def _over(self, raw: Raw, around: TimeSpan | None) -> datetime | None:
        """When what the clause tells of a past time ended, at the latest; None for what holds still."""
        if raw.when == "past":
            return min(around.end, self.said_at) if around else self.said_at
        if around is None or raw.when not in {"span", "point"}:
            return None
        return around.end if around.end <= self.said_at or raw.when == "span" else None

    def _temporary(self) -> datetime | None:
        return read_times(self.sentence, self.said_at, self.tz).last_end

    def _event(self, clause: Clause, spoken: str) -> Candidate | None:
        """Something that happens at a time to the speaker or to someone named."""
        times = read_times(spoken, self.said_at, self.tz)
        if not self.chinese and en_moods.irreal(spoken):
            return None
        whole = times if times.spans else read_times(self.sentence, self.said_at, self.tz)
        if not whole.spans and not (times.recurring and self.explicit):
            return None
        if whole.recurring and not self.explicit:
            return None
        if not times.spans and (clause is not self._richest() or self._dated_elsewhere(clause)):
            return None
        statement = spoken if times.spans else self.bare
        if not happens(statement, self.sentence) or not stands_alone(statement, chinese=self.chinese):
            return None
        span = whole.spans[0]
        lasts = times.spans and from_then_on(spoken, span.finish)
        made = self._build(
            Kind.EVENT, clause, f"{self.language}.event", content=statement, subject=self.turn.speaker,
            valid_from=span.start, valid_to=None if lasts else span.end, expires_at=times.expires_at,
        )  # fmt: skip
        return replace(made, notable=on_another_day(span, self.said_at, self.tz) or is_weighty(statement))

    def _dated_elsewhere(self, clause: Clause) -> bool:
        """Another clause holds the time: it asks, or says something itself and is the event, or is no event."""
        for other in self.clauses:
            spans = read_times(other.text, self.said_at, self.tz).spans if other is not clause else ()
            if spans and (other.asks or _says_more(other.text, spans)):
                return True
        return False

    def _richest(self) -> Clause:
        return max(
            (clause for clause in self.clauses if not clause.asks),
            key=lambda clause: len(clause.text),
            default=self.clauses[0],
        )

    def _whole(self) -> Candidate | None:
        """What was asked to be remembered, when no rule reads anything out of it: the sentence itself."""
        if len(re.findall(r"\w", self.bare)) < 3 or is_small_talk(self.bare):
            return None
        if any(clause.asks for clause in self.clauses) and len(self.clauses) == 1:
            return None
        if not self.chinese and only_names_own(self.bare):
            return None  # "don't forget my birthday" tells nothing of it
        times = read_times(self.bare, self.said_at, self.tz)
        return self._build(
            Kind.FACT, self.clauses[0], "explicit.statement", content=self.bare, subject=self.turn.speaker, expires_at=times.expires_at, whole=True
        )  # fmt: skip

    def _build(
        self,
        kind: Kind,
        clause: Clause,
        rule: str,
        *,
        content: str,
        subject: str,
        attribute: str | None = None,
        value: str | None = None,
        valid_from: datetime | None = None,
        valid_to: datetime | None = None,
        expires_at: datetime | None = None,
        correction: bool = False,
        confirms: bool = False,
        update: bool = False,
        negated: bool = False,
        single: bool = False,
        key: str | None = None,
        owner: str | None = None,
        due: datetime | None = None,
        whole: bool = False,
        replaces: str | None = None,
    ) -> Candidate:
        start, end = clause.start, clause.end
        if whole:
            start, end = clause.sentence_start, clause.sentence_start + len(clause.sentence)
        content = content.strip(" ，,、;；")
        importance = importance_of(content, kind)
        if self.explicit:
            importance = max(importance, 0.9)
        if self.role == "assistant":
            importance = round(min(importance, 0.5), 3)
        return Candidate(
            kind=kind, content=content, subject=subject, quote=clause.sentence if whole else clause.text, start=start, end=end,
            rule=rule, attribute=attribute, value=value, valid_from=valid_from, valid_to=valid_to, expires_at=expires_at,
            importance=importance, explicit=self.explicit, correction=correction, confirms=confirms, update=update, negated=negated, key=key,
            owner=owner, due=due, single=single, replaces=replaces, language=self.language, source=self.role,
            names=tuple(v.text for v in key_values(content) if v.kind == "name"),
        )  # fmt: skip

    def _with_context(self, candidate: Candidate) -> Candidate:
        """A sentence with one statement and nothing asked is kept whole, so that its circumstances are not lost."""
        if len(self.bare) > 160 or any(clause.asks for clause in self.clauses) or len(self.clauses) == 1:
            return candidate
        original = candidate.quote
        spoken, _ = directives.strip_explicit(original)
        resolved = self.bare.replace(spoken, candidate.content, 1) if spoken in self.bare else None
        if (
            resolved is None
            or candidate.content == self.bare
            or candidate.kind in {Kind.CONSTRAINT, Kind.TODO}
            or candidate.rule.endswith("not_but")
            or candidate.rule.startswith(("en.amount", "en.count"))
        ):
            return candidate
        content = resolved.strip(" ，,、;；")
        value = candidate.value
        if value and candidate.attribute in LONG_VALUES and value in content:
            value = content[content.index(value) :].rstrip("。.!！ ")
            value = re.sub(r",?\s+(?:but|though|although)\s.*", "", value) if not self.chinese else value
        return replace(candidate, content=content, value=value)
