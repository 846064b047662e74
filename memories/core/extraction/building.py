"""Builds what one sentence states into candidates: their kind, times, importance and words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, tzinfo

from memories.core.extraction import directives
from memories.core.extraction.attributes import BY_NAME, attribute_of, is_single, kind_of
from memories.core.extraction.candidate import Candidate
from memories.core.extraction.en import moods as en_moods
from memories.core.extraction.en.measures import only_names_own
from memories.core.extraction.happenings import ahead, happens, on_another_day, stands_alone
from memories.core.extraction.raw import UNSAID, Raw, Turn
from memories.core.extraction.sentences import (
    Clause,
    is_small_talk,
)
from memories.core.extraction.signals import CONFIRMS, LONG_VALUES, UPDATES
from memories.core.extraction.temporal import read_times
from memories.core.importance import importance_of, is_weighty
from memories.core.kinds import Kind
from memories.core.text.language import cjk_share
from memories.core.times.chinese import from_then_on
from memories.core.times.parsing import TimeSpan
from memories.core.values.keyvalues import key_values

CLAUSE_ZH, CLAUSE_EN = 120, 400
"""Characters that a clause has at most: what runs on for longer is none, and the grammar is not tried on it."""


def _says_more(text: str, spans: Sequence[TimeSpan]) -> bool:
    """Whether a clause says more than when ("上个周末的时候", "On Sunday")."""
    for span in spans:
        text = text.replace(span.span, "", 1)
    return len(re.findall(r"[\u3400-\u9fff]|[A-Za-z]+|\d+", re.sub("的时候|[的在于从时里]", "", text))) > 2


class SentenceBuilder:
    """One sentence of the turn with what is known about it, and how what is read in it becomes a candidate."""

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
        return (
            replace(made, open=raw.open, delta=raw.delta, around=self.bare) if raw.open or raw.delta else made
        )

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
