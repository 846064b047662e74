"""A new value in an English clause that names its fact only in part or not at all: "we're down to 3 open bugs", "it runs at 4am now".

Words that say that something changed must stand there ("now", "down to", "make that"), or what it was before ("from 70%").
Which fact is meant is told by what is known (core/placement/named.py, recent.py); where none fits, nothing is learnt.
"""

from __future__ import annotations

import re
from dataclasses import replace

from memories.core.extraction.en.bare_words import (
    CLAUSE,
    COMPARED,
    ELSEWHERE,
    FINITE,
    INDEFINITE,
    LONGEST,
    NO_VALUE,
    OLD,
    ORDER,
    OTHERS_WORDS,
    OUT_IN,
    OWNED,
    SAYS_NOW,
    SET_FOR,
    SHIFTED,
    SHIFTS,
    THEIRS,
    TIMED,
    TO,
    TO_NAME,
    UNREAL,
    VERSION,
    WILL,
    YOURS,
)
from memories.core.extraction.en.stated_values import Value, exact_values, named_values
from memories.core.extraction.en.subjects import subject
from memories.core.extraction.en.verbs import is_clear_past, is_gerund, is_past, lemma
from memories.core.extraction.raw import BARE, UNSAID, Raw, Turn, Who
from memories.core.extraction.relations import BY_WORD, relation
from memories.core.kinds import Kind
from memories.core.text.stopwords import CLOSED_CLASS, DETERMINERS


def read(text: str, work: str, turn: Turn, known: tuple[str, ...] = ()) -> list[Raw]:
    """The values that the clause gives anew, as facts that only what is known can name; `known` are values read already."""
    if len(work) > LONGEST or is_order(work) or OTHERS_WORDS.search(text):
        return []
    exact = exact_values(work)
    olds = [one for one in [*exact, *named_values(work)] if OLD.search(work[: one.start])]
    old = olds[0].text if len(olds) == 1 else None
    found = [
        raw
        for one in exact
        if one not in olds and (raw := _exact(text, work, one, exact, turn, old)) is not None
    ]
    found = (
        found
        or [
            raw
            for one in named_values(work)
            if one not in olds and (raw := _named(text, work, one, turn, old)) is not None
        ][:1]
    )
    found = found or _in_and_out(text, work)
    return [
        raw
        for raw in found
        if not any((raw.value or "") in value or value in (raw.value or "") for value in known)
    ]


def _exact(text: str, work: str, one: Value, all_: list[Value], turn: Turn, old: str | None) -> Raw | None:
    left, timed = work[: one.start], TIMED.search(one.text) is not None
    if (
        COMPARED.search(left)
        or (NO_VALUE.match(work[one.end :]) and not timed)
        or ELSEWHERE.search(f"{left}\n{one.text}")
    ):
        return None
    near = _near(work, one)
    unreal = UNREAL.search(WILL.sub(" ", near) if timed else near)
    if unreal:
        return None
    changed = _leads_to(left) or old is not None or SAYS_NOW.search(near) is not None
    changed = changed or (turn.correcting and len(all_) == 1) or (timed and SET_FOR.search(near) is not None)
    changed = changed or (
        VERSION.fullmatch(one.text) is not None and any(is_clear_past(word) for word in left.split())
    )
    mine = re.search(r"\b(?:I|we|my|our|me|us|it)\b", near) is not None
    if not changed and (
        not mine
        or re.search(r"\b(?:until|till)\s+$", left)
        or not re.search(r"[a-z%]", one.text)
        or any(is_clear_past(word) for word in near.split())
    ):
        return None
    raw = _raw(text, work, one, turn, old)
    return raw if changed or raw is None else replace(raw, update=False)


def _named(text: str, work: str, one: Value, turn: Turn, old: str | None) -> Raw | None:
    """A name in the place of what was there: behind a verb of exchange, or with words that say that it is so now."""
    left, near = work[: one.start], _near(work, one)
    if UNREAL.search(near) or TO_NAME.search(left) is None or COMPARED.search(left):
        return None
    verb = SHIFTED.search(left)
    word = verb["verb"] if verb else ""
    shifts = lemma(word) in SHIFTS and (is_past(word) or is_gerund(word) or word.endswith("s"))
    raw = _raw(text, work, one, turn, old)
    anew = re.search(r"\b(?:again|anew|from scratch)\s+(?:in|with|on|using)\s+$", left) is not None
    # Without such words only the name of what was there before, in the same sentence, says that something took its place.
    return raw if raw is None or shifts or anew or SAYS_NOW.search(work) else replace(raw, update=False)


def _in_and_out(text: str, work: str) -> list[Raw]:
    """ "Oak is out, birch is in"."""
    match = OUT_IN.search(work)
    if match is None:
        return []
    nobody = Who("general", "", person=False)
    return [
        Raw(
            nobody,
            UNSAID,
            match["v"],
            BARE,
            Kind.FACT,
            text,
            update=True,
            single=True,
            open=True,
            replaces=match["old"],
        )
    ]


def _raw(text: str, work: str, one: Value, turn: Turn, old: str | None) -> Raw | None:
    if _of_somebody(work[: one.start], turn):
        return None
    who = _owner(work[: one.start], turn) or _about(CLAUSE.split(work[: one.end])[-1], turn)
    if who is None:
        return None
    value = re.sub(r"^(?:at|around)\s+", "", one.text, flags=re.IGNORECASE)
    return Raw(who, UNSAID, value, BARE, Kind.FACT, text, update=True, single=True, open=True, replaces=old)


def _near(work: str, one: Value) -> str:
    """The part of the clause in which the value stands, with the one before where it has no verb of its own."""
    begin, end = 0, len(work)
    for cut in CLAUSE.finditer(work):
        if cut.end() <= one.start:
            before, begin = begin, cut.start()
            part = work[cut.end() : one.start]
            has_verb = any(is_clear_past(word) or word in FINITE for word in part.lower().split())
            begin = begin if has_verb or cut[0].strip().endswith(("which", ":")) else before
        elif cut.start() >= one.end:
            end = cut.start()
            break
    return work[begin:end]


def _leads_to(left: str) -> bool:
    """Whether the words before a value say that something came to it: "down to", "cut the load time to"."""
    if TO.search(left):
        return True
    return re.search(r"\sto\s+(?:about\s+|around\s+)?$", left) is not None and any(
        is_past(word) and word not in {"wanted", "needed", "used", "had", "went", "talked"}
        for word in re.findall(r"[a-z]+", left[-60:])
    )


def _of_somebody(words: str, turn: Turn) -> bool:
    """Whether the words before the value tell of another's thing, and it is not known whose: nothing known is theirs."""
    owners = list(OWNED.finditer(words))
    return YOURS.search(words) is not None or (bool(owners) and owners[-1]["o"].lower() in INDEFINITE)


def _owner(words: str, turn: Turn) -> Who | None:
    """The other whose thing they tell of: "Ana's desk", "my sister's desk", "her desk"; None for the speaker's and a thing's."""
    if THEIRS.search(words):
        return turn.person or Who(SOMEBODY, "", person=True)
    owners = list(OWNED.finditer(words))
    if not owners:
        return None
    word = owners[-1]["o"]
    if word.lower() in BY_WORD:
        return Who(f"{turn.speaker}:{relation(word)}", owners[-1][0].strip())
    return Who(word, word) if word[:1].isupper() else None


SOMEBODY = "user:?"
"""Whom "she" means who was not named in this turn: only what was just said can tell."""


def _about(work: str, turn: Turn) -> Who | None:
    """Somebody else whom the clause is about; nobody in particular where it is the speaker or a thing."""
    found = None if re.match(r"it\s", work, re.IGNORECASE) else subject(work, turn)
    if found is None:
        return Who("general", "", person=False)
    who = found[0]
    if who.key == turn.listener:
        return None
    if re.search(r"\b(?:us|me|we|our)\b", found[1]):
        return Who("general", "", person=False)  # "dad got us into X" is ours
    named = ":" in who.key or re.match(r"(?:is|has|was|will|[a-z]+s|[a-z]+ed)\b", found[1]) is not None
    return who if named and who.person and who.key != turn.speaker else Who("general", "", person=False)


def is_order(work: str) -> bool:
    """Whether the words ask for something to be done: "translate this", "please set the limit to 50"; not "make that 5"."""
    if re.match(r"make\s+(?:it|that)\b", work, re.IGNORECASE):
        return False
    if ORDER.match(work):
        return True
    words = re.sub(r"^(?:(?:please|now|just|then|also|ok|okay|and|so),?\s+)+", "", work.lower()).split()[:2]
    first, second = [*words, "", ""][:2]
    plain = first.isalpha() and not (is_past(first) or is_gerund(first) or first.endswith(("ly", "day")))
    return plain and first not in CLOSED_CLASS and second in DETERMINERS


def follows(raw: Raw, sentence: str) -> bool:
    """Whether a name without words of change follows from what the sentence told before ("he left, so the tiling goes to Gus")."""
    value = raw.value or ""
    if value[:1].islower() or any(map(str.isdigit, value)):
        return True
    return re.search(r"\bso\b", sentence.partition(value)[0]) is not None
