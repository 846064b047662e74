"""Dates that an English clause gives to meetings, bookings and deadlines, wherever they stand: "rescheduled my call to May 22"."""

from __future__ import annotations

import re
from dataclasses import replace

from memories.core.extraction.attributes import canonical_attribute, lookup
from memories.core.extraction.en import nouns as en_nouns
from memories.core.extraction.en.nouns import NounPhrase
from memories.core.extraction.en.plurals import singular
from memories.core.extraction.en.verbs import is_past, lemma
from memories.core.extraction.raw import Raw, Turn, Who
from memories.core.kinds import Kind
from memories.core.text.stopwords import word_set
from memories.core.times.english import MONTH, WEEKDAY

_DAY = (
    rf"(?:(?:(?:next|this|last|the coming|the following)\s+)?{WEEKDAY}s?|{MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s+(?:19|20)\d\d)?"
    rf"|(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{MONTH}(?:,?\s+(?:19|20)\d\d)?|the\s+\d{{1,2}}(?:st|nd|rd|th)|(?:19|20)\d\d-\d\d-\d\d|tomorrow|tonight|next\s+(?:week|month|year|spring|summer|fall|autumn|winter)|(?:early|mid|late)[\s-]{MONTH})"
)
_CLOCK = r"(?:(?:at|around)\s+)?(?:\d{1,2}(?::\d\d)?\s?(?:[ap]\.m\.|[ap]m\b)|\d{1,2}:\d\d|noon\b|midnight\b)"
TIME = rf"(?:{_DAY}(?:,?\s+(?:morning|afternoon|evening|night))?(?:,?\s+{_CLOCK})?|{_CLOCK}(?:\s+(?:on\s+)?{_DAY})?)"
_FOUND = re.compile(rf"(?<![\w-]){TIME}(?![\w-])", re.IGNORECASE)
_FROM = rf"(?:\s+from\s+(?P<old>{TIME}))?"
_SET = re.compile(rf"{_FROM}\s+(?:back\s+|forward\s+|up\s+|out\s+)?(?:to|until|till|for)\s+$", re.IGNORECASE)
_MOVERS = word_set(
    "moved rescheduled pushed postponed shifted changed brought delayed extended bumped put moves switched set slipped slid pulled dragged scheduled booked planned slated confirmed due targeted fixed arranged"
)
_MOVES = word_set(
    "move reschedule push postpone shift slip slide pull drag change bring delay extend bump switch put"
)
"""Verbs of moving that need no "to": "pushed back until May"."""
_PASSIVE = re.compile(
    rf"(?:,?\s+(?:which|that|and it))?\s+(?P<aux>(?:(?:has|have|had|is|was|are|were|been|got|now|just|already|recently|officially|currently|tentatively|finally|actually|still)\s+)+)?(?P<verb>[a-z]+)\s*(?:back|forward|up|out)?{_FROM}\s+(?:(?P<to>to)|for|on|until|till|at|by)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_IS_ON = re.compile(r"(?:,?\s+which)?\s+(?:is|are)\s+(?:now\s+|still\s+|actually\s+|currently\s+)*(?:on|at|for|set for|due)?\s*$", re.IGNORECASE)  # fmt: skip
_HAVE = re.compile(
    r"\s+(?:(?:scheduled|booked|planned|set|coming up|lined up)\s+)?(?:for|on|at)?\s*$",
    re.IGNORECASE,
)
_HAS_VERB = re.compile(r"\b(?:I|we|he|she|they|[A-Z][a-z]+)\s+(?:(?:have|has|had|just|also|already|now|finally|then)\s+)*(?:have|has|got|booked|scheduled|arranged|made|reserved|set|accepted)\s+(?:up\s+)?(?:got\s+)?$|^(?:have|has|got|booked|scheduled|arranged)\s+(?:up\s+)?$")  # fmt: skip
_OF = re.compile(r"\s+of\s+$", re.IGNORECASE)
_NEGATED = re.compile(
    r"(?:\b(?:not|never|no longer|would|could|should|might|may|to|if|whether|want|wants|can|cannot)|n't)\s+(?:\w+\s+)?$",
    re.IGNORECASE,
)
_NO_THING = word_set(
    "day week month year time today morning afternoon evening night weekend moment date one thing it way while bit lot hour minute"
)
_SUBORDINATE = re.compile(r"^(?:that|this|these|those|each|every|any|some)$")


def read(work: str, turn: Turn, *, held: bool, whole: str = "") -> list[Raw]:
    """The dated things of a clause; none where it asks or guesses (`held` False). `whole` is the clause as said, where it may be kept whole."""
    if not held:
        return []
    found: list[Raw] = []
    for match in _FOUND.finditer(work):
        left = work[max(0, match.start() - 150) : match.start()]
        raw = (
            _moved(left, work, match, turn)
            or _stands(left, work, match, turn)
            or _planned(left, work, match, turn)
        )
        if raw is not None:
            found.append(
                replace(raw, stated=whole)
                if whole and raw.stated[:4].strip(": ").lower() not in {"it", "that"}
                else raw
            )
            turn.mention(raw.who)
    return found


def _moved(left: str, work: str, match: re.Match[str], turn: Turn) -> Raw | None:
    """ "I rescheduled <thing> (from T) to T"."""
    to = _SET.search(left)
    phrase = en_nouns.before(left, to.start()) if to else None
    if to is None or phrase is None:
        return None
    verb = re.search(r"(?P<before>\S+\s+)?(?P<verb>[a-z]+)\s+$", left[: phrase.start])
    if (
        verb is None
        or not is_past(verb["verb"])
        or lemma(verb["verb"]) in {"get", "have"}
        or _NEGATED.search(verb["before"] or "")
    ):
        return None
    if verb["verb"] not in _MOVERS and not to[0].strip().endswith("to"):
        return None  # "baked a cake for Friday" moves nothing
    return _raw(phrase, work, match, turn, "en.date_moved", old=to["old"], update=True)


def _stands(left: str, work: str, match: re.Match[str], turn: Turn) -> Raw | None:
    """ "<thing> (which) has been moved (from T) to T", "<thing> is (now) on T", "a deadline of T"."""
    passive = _PASSIVE.search(left)
    to_a_day = passive is not None and passive["to"] is not None and is_past(passive["verb"])
    if passive and (to_a_day or passive["verb"].lower() in _MOVERS):
        changes = to_a_day or lemma(passive["verb"]) in _MOVES
        bare = passive["aux"] is None and left[: passive.start()].count(" ") > 3
        phrase = _phrase(left, passive.start(), turn)
        if (
            phrase is None
            or (bare and not phrase.determiner and not phrase.owner)
            or _NEGATED.search(left[: phrase.start])
        ):
            return None
        return _raw(phrase, work, match, turn, "en.date_is", old=passive["old"], update=changes)
    of = _OF.search(left)
    if of:
        phrase = en_nouns.before(left, of.start())
        row = lookup(singular(phrase.heads[-1])) if phrase else None
        if phrase is None or row is None or not row.dated or _NEGATED.search(left[: phrase.start]):
            return None
        return _raw(phrase, work, match, turn, "en.date_of")
    is_on = _IS_ON.search(left)
    if is_on:
        phrase = _phrase(left, is_on.start(), turn)
        if (
            phrase is None
            or not (phrase.definite or phrase.heads[0][:1].isupper())
            or _NEGATED.search(left[: phrase.start])
        ):
            return None
        return _raw(
            phrase, work, match, turn, "en.date_is", update=re.search(r"\bnow\b", is_on[0]) is not None
        )
    return None


def _planned(left: str, work: str, match: re.Match[str], turn: Turn) -> Raw | None:
    """ "I have a <thing> on T", "I've booked a <thing> for T"."""
    have = _HAVE.search(left)
    phrase = en_nouns.before(left, have.start()) if have else None
    if phrase is None or phrase.determiner not in {"a", "an", "my", "our", "the"}:
        return None
    if not _HAS_VERB.search(left[: phrase.start]) or _NEGATED.search(left[: phrase.start]):
        return None
    return _raw(phrase, work, match, turn, "en.date_planned")


def _phrase(left: str, end: int, turn: Turn) -> NounPhrase | None:
    pronoun = re.search(r"(?:^|\s)(?P<p>it|that|this)$", left[:end], re.IGNORECASE)
    if pronoun and turn.thing is not None:
        return NounPhrase(pronoun["p"], pronoun.start("p"), "the", "", tuple(turn.thing.key.split()))
    return en_nouns.before(left, end)


def _raw(
    phrase: NounPhrase, work: str, match: re.Match[str], turn: Turn, rule: str, *, old: str | None = None, update: bool = False
) -> Raw | None:  # fmt: skip
    if (
        phrase.heads[-1] in _NO_THING
        or _SUBORDINATE.match(phrase.determiner)
        or phrase.determiner in {"his", "her", "your", "their", "its"}
    ):
        return None
    value = re.sub(r"^(?:at|around)\s+", "", match[0].strip(" ,"))
    who, attribute = _thing(phrase, turn)
    begin = max(0, match.start() - 150) + phrase.start
    stated = work[begin : match.end()].strip(" ,")
    if phrase.text.lower() in {"it", "that", "this"} and turn.thing is not None:
        who, stated = turn.thing, f"{turn.thing.surface}: {value}"
    # A meeting that is only mentioned may be another than the last one with its name.
    one = False if phrase.determiner in {"a", "an", ""} and not update and not phrase.owner else None
    turn.slot = (who, attribute, value)
    return Raw(
        who,
        attribute,
        value,
        rule,
        Kind.FACT,
        stated,
        update=update or old is not None,
        replaces=old,
        single=one,
    )


def _thing(phrase: NounPhrase, turn: Turn) -> tuple[Who, str]:
    """The dated thing, with whom or of what it is, and which of its dates: its deadline, else its time."""
    words = [
        word
        for word in phrase.heads
        if word not in {"new", "rescheduled", "upcoming", "next", "current", "updated", "final"}
    ] or list(phrase.heads[-1:])
    row = lookup(words[-1])
    attribute = "time"
    if row is not None and row.dated:
        attribute, words = canonical_attribute(words[-1]), words[:-1]
    about = re.sub(r"^(?:the|my|our|a|an)\s+", "", phrase.about, flags=re.IGNORECASE)
    if phrase.owner and not words:
        words = [phrase.owner]
    elif phrase.owner:
        owner = re.sub(r"^(?:my|our|the)\s+", "", phrase.owner, flags=re.IGNORECASE)
        words = [f"{owner}'s", *words]
    name = " ".join(words)
    if about:
        name = f"{name} {phrase.preposition} {about}" if name else about
    if not name:
        subject = turn.thing or (Who(turn.speaker, "I") if phrase.mine else Who("general", "", person=False))
        return subject, attribute
    surface = phrase.text if attribute == "time" else name
    surface = re.sub(r"^(?:my|our|the|a|an)\s+", "", surface, flags=re.IGNORECASE)
    return Who(name.lower(), surface, person=False), attribute
