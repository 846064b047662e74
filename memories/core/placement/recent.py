"""Which of the things said a moment ago a new value takes the place of, where its words do not name it: the one of its sort (R18).

"We're at 45 people" after "the party has 30 people": both count people. Of what was just said in the same session one fact must hold a
value that this one can stand for; where several do, the one whose words the new statement shares most, else none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from memories.core.extraction.attributes import BY_NAME
from memories.core.extraction.en.bare import SOMEBODY
from memories.core.extraction.en.own_subject import own_subject
from memories.core.extraction.raw import BARE
from memories.core.placement.alike import COUNT, is_name, kinds_of, replaces
from memories.core.placement.named import name_words, words_of
from memories.core.placement.unsaid import LASTING
from memories.core.statement import FactPart, Statement
from memories.core.values.compare import names, with_unit
from memories.core.values.forms import amount_of
from memories.core.values.normalise import canonical


def about(statement: Statement, known: Sequence[FactPart]) -> list[FactPart]:
    """The known facts of which the clause can speak: where it has a noun of its own, those with a word of that.

    "The new phone comes with 256 GB" says nothing of a laptop's memory; "we're at 256 GB" may.
    """
    spoken = own_subject(statement.content, statement.fact.value if statement.fact else "")
    if spoken is None:
        return list(known)
    return [one for one in known if spoken & (name_words(one) | words_of(one.value))]


def in_place_of(said: FactPart, statement: Statement, recent: Sequence[FactPart]) -> list[FactPart]:
    """The recent facts, one a slot, that the value may replace; the newest of a slot."""
    old = statement.replaces
    fits: dict[str, FactPart] = {}
    for one in recent:
        many = not one.single and one.attribute in BY_NAME and one.attribute != "time"
        if many or not _may_change(said, one):
            continue
        if one.slot not in fits and _stands_for(said, statement, one) and (old is None or _holds(one, old)):
            fits[one.slot] = one
    if len(fits) < 2:
        return list(fits.values())
    spoken = words_of(statement.content)
    shares = {slot: len(spoken & (name_words(one) | words_of(one.value))) for slot, one in fits.items()}
    most = max(shares.values())
    return [one for slot, one in fits.items() if shares[slot] == most and most]


def was_worth(said: FactPart, statement: Statement, held: Sequence[FactPart]) -> list[FactPart]:
    """The known facts, one a slot, whose value is the one that the words say it was before."""
    old = statement.replaces
    if old is None:
        return []
    found: dict[str, FactPart] = {}
    for one in held:
        if _may_change(said, one) and (names(one.value, old) or (" " in one.value and _holds(one, old))):
            found.setdefault(one.slot, one)
    return list(found.values())


def standing_in(one: FactPart, statement: Statement) -> Statement:
    """The statement about the known fact, with its value."""
    said = statement.fact
    assert said is not None
    value = with_unit(_like(said.value, one.value), one.value)
    return replace(statement, fact=replace(one, value=value, single=True), update=True, open=False)


def number_alone(said: FactPart) -> FactPart:
    """The fact with the number of what it counts: a known fact's attribute says of what it is."""
    return replace(said, value=_like(said.value, "1"))


def _may_change(said: FactPart, one: FactPart) -> bool:
    lasts = one.attribute in LASTING or one.attribute.startswith("done_")
    return not (one.negated or lasts) and _whose(said, one)


def _stands_for(said: FactPart, statement: Statement, one: FactPart) -> bool:
    """Whether the value may stand there; without words of change a name only beside the old one, a number only of the same things."""
    if not replaces(one, said.value):
        return False
    if statement.rule != BARE or statement.update:
        return True
    follows = rf"(?<!\w){re.escape(one.value)}\b.*\bso\b.*(?<!\w){re.escape(said.value)}"
    named = is_name(said.value) and re.search(follows, statement.content, re.DOTALL) is not None
    return named or any(kind.startswith("count:") for kind in kinds_of(said.value) & kinds_of(one.value))


def _whose(said: FactPart, one: FactPart) -> bool:
    """Nobody's value stands in the place of another's; "she" is any one person but the speaker."""
    person = ":" in one.entity
    if said.entity == SOMEBODY:
        return person or one.entity[:1].isupper()
    if said.entity in {"user", "general"}:
        return not person
    return said.entity == one.entity


def _holds(one: FactPart, old: str) -> bool:
    return canonical(old) in canonical(one.value)


def _like(value: str, known: str) -> str:
    """The number of so many things alone, where the known value is one: its attribute says what they are."""
    counted = COUNT.fullmatch(value)
    unit = (amount_of(value) or ("", ""))[1]
    bare = counted is not None and unit in {"", counted["noun"]} and (amount_of(known) or ("", "?"))[1] == ""
    return counted["n"] if counted and bare else value
