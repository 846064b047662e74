"""Finds among what is known the fact that words mean without naming it (R18).

"It's 700, not 600" means the one fact whose value is 600; "I swapped the Volvo for a Tesla" the one that the Volvo is a value
of; a corrected "the codename" the only codename there is. "The wifi password" is "my wifi password" where only that is
known. Where two could be meant, none is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from memories.core.extraction.elided import UNSURE
from memories.core.extraction.en.acts import PRESUPPOSED
from memories.core.placement.acts import is_act, set_against
from memories.core.placement.elsewhere import meant_here
from memories.core.placement.named import names_in_part
from memories.core.placement.opened import GENERAL, by_role
from memories.core.placement.part_named import Anchored, opened, replaced, words_before
from memories.core.placement.unsaid import exactly_alike, facts_renamed
from memories.core.statement import FactPart, Statement
from memories.core.values.compare import names, with_unit
from memories.core.values.normalise import canonical
from memories.core.values.sorts import stands_for

UNNAMED = frozenset({"uses", "possession", "employer", "learning"})
"""Attributes that a verb gives ("switched from A to B"), not a noun: the old value tells better which one it is."""


def needs_values(statement: Statement) -> bool:
    """Whether the facts that could be meant must be looked for among all of the subject's."""
    fact = statement.fact
    if statement.amends is not None or statement.open or statement.delta is not None:
        return True
    if fact is None:
        return False
    if is_act(fact):
        return True
    if (statement.update or statement.correction) and (
        _common(fact.entity) or statement.language == "zh" or fact.single
    ):
        return True
    return (statement.replaces is not None and fact.attribute in UNNAMED) or (
        statement.correction and fact.entity == GENERAL
    )


def other_names(fact: FactPart) -> list[FactPart]:
    """The same fact under the other split of its name: "wifi password" of mine, and the password of "wifi"."""
    if _opposites(fact):
        return _opposites(fact)
    entity, attribute = fact.entity, canonical(fact.attribute).replace(" ", "_")
    if entity in {"user", GENERAL} and "_" in attribute:
        owner, _, rest = attribute.rpartition("_")
        return [replace(fact, entity=owner.replace("_", " "), attribute=rest)]
    name = canonical(entity)
    if (
        ":" in entity
        or entity in {"user", GENERAL}
        or not re.fullmatch(r"[a-z][a-z ]*", name)
        or entity[:1].isupper()
    ):
        return []
    whole = f"{name.replace(' ', '_')}_{attribute}"
    return [replace(fact, entity=owner, attribute=whole) for owner in ("user", GENERAL)]


def _common(entity: str) -> bool:
    """Whether a thing is called by common nouns ("appointment"), of which a longer name may say more ("dentist appointment")."""
    return (
        entity not in {"user", GENERAL}
        and re.fullmatch(r"[a-z][a-z' -]*|[\u4e00-\u9fff]{2,10}", entity) is not None
    )


def _shortened(said: str, known: str) -> bool:
    """ "appointment" for "dentist appointment", 后端 for 项目后端, 团队 for the speaker's."""
    if said.isascii():
        return known.lower().endswith(f" {said}")
    if known != said and known.replace("的", "") == said.replace("的", ""):
        return True
    return known != said and known.split(":")[-1].endswith(said)


def _opposites(fact: FactPart) -> list[FactPart]:
    """Liking and disliking of the same: the one says no to the other."""
    other = {"likes": "dislikes", "dislikes": "likes"}.get(fact.attribute)
    return [replace(fact, attribute=other)] if other else []


def needs_recent(statement: Statement) -> bool:
    """Whether only what was said a moment ago in the same session can be meant."""
    return statement.rule == UNSURE


def anchor(
    statement: Statement, held: Sequence[FactPart], recent: Sequence[FactPart] | None = None
) -> Anchored:
    """The statement with its fact put where the known facts say it belongs. `held` are the subject's current facts.

    Both have the newest first. `recent` are those of them that were said in the statement's session within the time of
    correction; None where nobody knows which, and all may be.
    What names its fact itself, and nothing else fits better, comes back as it is. A statement of two bare values whose fact
    cannot be told comes back without one.
    """
    if statement.amends is not None:
        said = held if recent is None or not needs_recent(statement) else recent
        return _amended(statement, statement.amends, said)
    fact = statement.fact
    if fact is None:
        return Anchored(statement)
    if statement.language == "zh" and (statement.update or statement.open):
        held = meant_here(statement.content, fact.value, held)
    if is_act(fact):
        against = set_against(fact, statement.content, held)
        if against is not None:
            return Anchored(replace(statement, fact=against, open=False))
        if statement.rule == PRESUPPOSED:
            return Anchored(None)
    if statement.open or statement.delta is not None:
        return opened(statement, fact, held)
    opposite = [
        one for one in held if one.slot in {other.slot for other in _opposites(fact)} and not one.negated
    ]
    if not fact.negated and (clash := [one for one in opposite if names(one.value, fact.value)]):
        return Anchored(replace(statement, fact=replace(clash[0], negated=True)))
    if fact.negated:
        standing = [one for one in held if one.slot == fact.slot and not one.negated]
        same = [one for one in standing if names(one.value, fact.value)]
        # "我不住宿舍了": of what is known as 学校宿舍.
        same = same or [one for one in standing if len(fact.value) > 1 and one.value.endswith(fact.value)]
        if not same and fact.attribute.startswith("does:"):
            # "不坐地铁了": of the habit 平时坐地铁上班.
            habits = [
                one
                for one in held
                if one.attribute == "habit" and not one.negated and fact.value in one.value
            ]
            if len(habits) == 1 and habits[0].entity == fact.entity:
                return Anchored(replace(statement, fact=replace(habits[0], negated=True)))
        if len({one.value for one in same}) == 1:
            return Anchored(replace(statement, fact=replace(fact, value=same[0].value)))
        return Anchored(statement)
    if statement.correction and statement.replaces is not None and fact.attribute == "name":
        named = [one for one in held if one.attribute == "name" and names(one.value, statement.replaces)]
        near = {one.entity for one in named if one.entity.startswith(f"{fact.entity}:")}
        if len(near) == 1:
            return Anchored(replace(statement, fact=replace(fact, entity=near.pop())))
    if there := [one for one in held if one.slot == fact.slot]:
        return Anchored(_with_whole_old(statement, there))
    meant: Iterable[FactPart] = ()
    if statement.replaces is not None and fact.attribute in UNNAMED:
        meant = replaced(statement, fact, held)
    elif statement.correction and fact.entity == GENERAL:
        meant = [one for one in held if one.attribute == fact.attribute]
    elif not _opposites(fact):
        slots = {one.slot for one in other_names(fact)}
        meant = [one for one in held if one.slot in slots]
        if not meant and (statement.update or statement.correction) and _common(fact.entity):
            meant = [
                one for one in held if one.attribute == fact.attribute and _shortened(fact.entity, one.entity)
            ]
        if not meant and (statement.update or statement.correction) and statement.language == "zh":
            meant = by_role(fact, held)
    if not meant and _renewed(statement, fact):
        meant = names_in_part(fact, held)
    if (
        not meant
        and (statement.update or statement.correction)
        and statement.language == "zh"
        and not fact.attribute.endswith("_location")  # where the firm is, not which
    ):
        meant = facts_renamed(fact, statement.content, held)
    slots = {one.slot for one in meant}
    if len(slots) != 1:
        return Anchored(statement)
    (slot,) = slots
    known_one = next(one for one in held if one.slot == slot)
    moved = replace(fact, entity=known_one.entity, attribute=known_one.attribute, single=known_one.single)
    known = [
        one.value
        for one in held
        if one.slot == slot and statement.replaces and names(one.value, statement.replaces)
    ]
    return Anchored(replace(statement, fact=moved, replaces=known[0] if known else statement.replaces))


def _amended(statement: Statement, value: str, held: Sequence[FactPart]) -> Anchored:
    old = statement.replaces
    if old is None:
        meant = _last_said(value, held, exact=needs_recent(statement))
    else:
        meant = [one for one in held if not one.negated and names(one.value, old)]
    slots = {one.slot for one in meant}
    if len(slots) != 1:
        return Anchored(None, len(slots))
    there = meant[0]
    whole = with_unit(value, there.value)
    fact = replace(there, value=whole)
    content = f"{words_before(there, statement.language)}{whole}"
    return Anchored(replace(statement, fact=fact, content=content, replaces=there.value, amends=None))


def _with_whole_old(statement: Statement, there: Sequence[FactPart]) -> Statement:
    """The statement with what it replaces as it is known: "the Fabia" is "a Skoda Fabia"."""
    old = statement.replaces
    known = {one.value for one in there if old is not None and not one.negated and names(one.value, old)}
    return replace(statement, replaces=known.pop()) if len(known) == 1 else statement


def _renewed(statement: Statement, fact: FactPart) -> bool:
    """English words of change or correction for what holds one value."""
    return (
        statement.language == "en"
        and (statement.update or statement.correction)
        and fact.single
        and not fact.negated
    )


LAST = 3
"""How many of the newest facts a correction without any word of what it corrects ("sorry, 7:30") may mean."""


def _last_said(value: str, held: Sequence[FactPart], *, exact: bool) -> list[FactPart]:
    """The newest fact whose value is of the sort of this one, with `exact` also of its unit or build; `held` has the newest first."""
    alike = exactly_alike if exact else stands_for
    return [one for one in held[:LAST] if not one.negated and alike(one.value, value)][:1]
