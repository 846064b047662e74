"""Which of the things said a moment ago a new value takes the place of, where its words do not name it: the one of its sort (R18).

"We're at 45 people" after "30 people signed up": both count people. Of what was just said in the same session one fact must hold a
value that this one can stand for; where several do, the one whose words the new statement shares most, else none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from memories.core.extraction.attributes import BY_NAME
from memories.core.extraction.en.bare import SOMEBODY
from memories.core.extraction.en.plurals import singular
from memories.core.extraction.en.told_values import values_in
from memories.core.extraction.en.verbs import lemma
from memories.core.extraction.raw import BARE, TOLD
from memories.core.placement.alike import COUNT, another_of_kind, is_name, kinds_of, replaceable
from memories.core.placement.named import name_words, words_of
from memories.core.placement.unsaid import LASTING
from memories.core.statement import FactPart, Statement
from memories.core.text.stopwords import CLOSED_CLASS, word_set
from memories.core.values.compare import names, same, with_unit
from memories.core.values.forms import amount_of
from memories.core.values.normalise import canonical


def in_place_of(
    said: FactPart, statement: Statement, recent: Sequence[FactPart], *, sharing: int = 0
) -> list[FactPart]:
    """The recent facts, one a slot, that the value may replace; the newest of a slot. `sharing` words both must have."""
    old = statement.replaces
    fits: dict[str, FactPart] = {}
    for one in recent:
        many = not one.single and one.attribute in BY_NAME and one.attribute != "time"
        if one.negated or many or one.attribute in LASTING or one.attribute.startswith("done_"):
            continue
        if not _whose(said, one):
            continue
        if one.slot not in fits and _stands_for(said, statement, one) and (old is None or _holds(one, old)):
            fits[one.slot] = one
    if len(fits) < 2 and not sharing:
        return list(fits.values())
    spoken = words_of(statement.content)
    shares = {slot: len(spoken & (name_words(one) | words_of(one.value))) for slot, one in fits.items()}
    most = max(shares.values(), default=0)
    return [one for slot, one in fits.items() if shares[slot] == most and most >= max(sharing, 1)]


def told_before(said: FactPart, statement: Statement, recent: Sequence[FactPart]) -> FactPart | None:
    """The recent note that a later one says anew: about the same, by half of its words, with another value of the sort."""
    topic = name_words(said)
    found = []
    for one in recent:
        if one.slot == said.slot or not one.told or one.negated or one.value == said.value:
            continue
        if one.entity != said.entity and not {one.entity, said.entity} <= {"user", "general"}:
            continue
        values = [
            value
            for value in values_in(said.value)
            if (known := replaceable(one, value.text)) is not None and not same(known, value.text)
        ]
        shared = topic & (name_words(one) | words_of(one.value))
        # A second value that is the same in both tells that both are about one thing.
        again = {value.text for value in values_in(said.value)} & {
            value.text for value in values_in(one.value)
        }
        enough = len(shared) > 1 or again or (shared and not all(value.named for value in values))
        if values and enough and 2 * (len(shared) + len(again)) >= min(len(topic), len(name_words(one))):
            found.append(one)
    return found[0] if len({one.slot for one in found}) == 1 else None


def _stands_for(said: FactPart, statement: Statement, one: FactPart) -> bool:
    """Whether the value may stand there; without words of change a name only beside the old one, a number only of the same things."""
    known = replaceable(one, said.value)
    if statement.rule == BARE and not statement.update:
        if known is None:
            return False
        follows = rf"(?<!\w){re.escape(known)}\b.*\bso\b.*(?<!\w){re.escape(said.value)}"
        named = is_name(said.value) and re.search(follows, statement.content, re.DOTALL) is not None
        return named or any(kind.startswith("count:") for kind in kinds_of(said.value) & kinds_of(known))
    return known is not None or (statement.rule == BARE and another_of_kind(one, said.value))


def _whose(said: FactPart, one: FactPart) -> bool:
    """Nobody's value stands in the place of another's; "she" is any one person but the speaker."""
    person = ":" in one.entity
    if said.entity == SOMEBODY:
        return person or one.entity[:1].isupper()
    if said.entity in {"user", "general"}:
        return not person or one.told
    return said.entity == one.entity or (
        one.told and canonical(said.entity.split(":")[-1]) in canonical(one.value)
    )


def _holds(one: FactPart, old: str) -> bool:
    return canonical(old) in canonical(one.value)


def was_worth(said: FactPart, statement: Statement, held: Sequence[FactPart]) -> list[FactPart]:
    """The known facts, one a slot, whose value is the one that the words say it was before."""
    old = statement.replaces
    if old is None:
        return []
    found: dict[str, FactPart] = {}
    for one in held:
        if (
            one.negated
            or one.attribute in LASTING
            or one.attribute.startswith("done_")
            or not _whose(said, one)
        ):
            continue
        if names(one.value, old) or ((one.told or " " in one.value) and _holds(one, old)):
            found.setdefault(one.slot, one)
    return list(found.values())


def notes_about(said: FactPart, statement: Statement, held: Sequence[FactPart]) -> list[FactPart]:
    """The notes, one a slot, of whose words the statement has most, at least half, with a value of its sort, or a name."""
    spoken = words_of(statement.content)
    shares: dict[str, tuple[float, FactPart]] = {}
    for one in held:
        if not one.told or one.slot in shares or not _whose(said, one):
            continue
        topic = name_words(one)
        share = len(topic & spoken) / len(topic) if topic else 0.0
        fits = replaceable(one, said.value) is not None or (statement.update and is_name(said.value))
        if share >= 0.5 and fits:
            shares[one.slot] = (share, one)
    most = max((share for share, _ in shares.values()), default=0.0)
    return [one for share, one in shares.values() if share == most]


def standing_in(one: FactPart, statement: Statement) -> Statement:
    """The statement about the known fact, with its value; of a note the new words as a whole."""
    said = statement.fact
    assert said is not None
    if said.negated:
        return replace(statement, fact=replace(one, negated=True), open=False)
    known = replaceable(one, said.value) if one.told and statement.rule != TOLD else None
    if statement.replaces is not None and statement.replaces in one.value:
        known = statement.replaces
    if one.told and known is not None:
        value = one.value.replace(known, said.value, 1)
    elif one.told:
        value = statement.quote.strip(" ,.;")
    else:
        value = with_unit(_like(said.value, one.value), one.value)
    return replace(
        statement, fact=replace(one, value=value or statement.content, single=True), update=True, open=False
    )


def number_alone(said: FactPart) -> FactPart:
    """The fact with the number of what it counts: a known fact's attribute says of what it is."""
    return replace(said, value=_like(said.value, "1"))


def denied_before(statement: Statement, held: Sequence[FactPart]) -> FactPart | None:
    """The note that says no to what this one says, or yes to what it denies; the newest."""
    said = _NO.search(statement.content)
    for one in held:
        if not one.told or one.negated or ":" in one.entity:
            continue
        known = _NO.search(one.value)
        if (said is None) == (known is None):
            continue
        no, yes = (statement.content, one.value) if said else (one.value, statement.content)
        match = said or known
        assert match is not None
        denied = _bases(no[match.end() :])
        first = next(iter(denied), "")
        verb = match[0].split()[-1] in {"not", "never", "cannot", "can't", "don't", "doesn't"} or match[
            0
        ].endswith("n't")
        there = set(_bases(yes))
        if denied and (
            set(denied) <= there
            or (verb and first in there and re.search(r"can(?:not|'t)", match[0]) is not None)
        ):
            return one
    return None


_NO = re.compile(r"\b(?:not|never|no|cannot)\b|\b[a-z]+n['’]t\b", re.IGNORECASE)


def _bases(text: str) -> list[str]:
    """The words that carry something, as bases of verbs and singulars, in order."""
    words = (singular(word) for word in re.findall(r"[a-z][a-z+#-]*", text.lower()))
    return [lemma(word) for word in words if word not in CLOSED_CLASS and word not in _SLIGHT]


_SLIGHT = word_set("single any ever even at all really a an the this that my our")


def ended(said: FactPart, recent: Sequence[FactPart]) -> list[FactPart]:
    """The recent notes, one a slot, that tell of the thing that is said to be over: its noun, with all that is said of it."""
    gone = words_of(said.value)
    head = re.escape(said.value.split()[-1])
    return list(
        {
            one.slot: one
            for one in recent
            if one.told
            and not one.negated
            and gone
            and gone <= words_of(one.value)
            and re.search(
                rf"\b{head}(?!['’\w])(?=\W|$)(?!\s+(?!(?:on|in|at|for|with|of|and|to|from|every|each)\b)[a-z])",
                one.value,
                re.IGNORECASE,
            )
        }.values()
    )


def _like(value: str, known: str) -> str:
    """The number of so many things alone, where the known value is one: its attribute says what they are."""
    counted = COUNT.fullmatch(value)
    unit = (amount_of(value) or ("", ""))[1]
    bare = counted is not None and unit in {"", counted["noun"]} and (amount_of(known) or ("", "?"))[1] == ""
    return counted["n"] if counted and bare else value
