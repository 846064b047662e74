"""Finds the fact that words name in part or not at all, and puts it where that is: what is opened, left or ended (R18)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from memories.core.extraction.raw import MEANT, PLAIN
from memories.core.placement.named import mentioned_most
from memories.core.placement.opened import GENERAL, by_role, facts_meant, keeps_alone, spoken, value_in
from memories.core.placement.unsaid import LASTING, UNSAID, by_unit, facts_ended, facts_unsaid, same_thing
from memories.core.statement import FactPart, Statement
from memories.core.text.words import tagged
from memories.core.values.compare import names, with_unit
from memories.core.values.sorts import EACH_ZH

_LEAVABLE = frozenset({"employer", "home", "school", "uses"})
"""What is left for another of its kind."""


@dataclass(frozen=True, slots=True)
class Anchored:
    """A statement with the fact that it means, or, without one, how many facts could be meant (0 or several)."""

    statement: Statement | None
    candidates: int = 0


def opened(statement: Statement, fact: FactPart, held: Sequence[FactPart]) -> Anchored:
    """The fact that a part of its name means, with the value that a difference comes to."""
    if fact.attribute == UNSAID and fact.negated:
        return _ended(statement, fact, held)
    if fact.negated and fact.attribute == "employer":
        return _left(statement, fact, held)
    if fact.attribute == UNSAID and statement.language == "en" and statement.replaces is not None:
        return _left_for(statement, fact, held)
    if fact.attribute == UNSAID and statement.language == "en":
        return _bare_english(statement, fact, held)
    found = [] if fact.attribute == UNSAID else facts_meant(fact, held, statement.delta)
    if fact.attribute == UNSAID and statement.replaces is not None:
        found = list(
            {
                one.slot: one
                for one in held
                if not one.negated
                and one.single
                and (names(one.value, statement.replaces) or names(_each(one.value), statement.replaces))
            }.values()
        )
    alone = keeps_alone(fact) and statement.rule != PLAIN
    if not found and statement.delta is None and (fact.attribute == UNSAID or not alone):
        found = facts_unsaid(
            fact,
            statement.around or statement.content,
            held,
            mentioned_only=statement.rule == MEANT or fact.attribute != UNSAID,
        )
    if not found and statement.rule == PLAIN:
        found = same_thing(fact, held)
    if not found and fact.attribute != UNSAID and statement.delta is None and statement.update:
        found = by_unit(fact, held) or by_role(fact, held)
    if len(found) > 1 and statement.rule != PLAIN:
        return Anchored(None, len(found))
    if len(found) == 1:
        shifted = value_in(fact, found[0], statement.delta) if statement.delta is not None else None
        value = shifted or fact.value
        content = statement.content
        if fact.attribute == UNSAID:
            content = f"{words_before(found[0], statement.language)}{value}"
        elif statement.delta is not None:
            content = f"{content}，{words_before(found[0], statement.language)}{value}"
        moved = replace(found[0], value=found[0].value if fact.negated else value, negated=fact.negated)
        return Anchored(replace(statement, fact=moved, content=content, open=False, delta=None))
    told = keeps_alone(fact) or statement.rule == PLAIN or _names_thing(statement, fact)
    if fact.attribute == UNSAID or (not told and statement.update):
        return Anchored(None)
    # A difference from nothing known is kept in its words.
    kept = None if statement.delta is not None else fact
    return Anchored(replace(statement, fact=kept, open=False, delta=None))


def _each(value: str) -> str:
    """两百块 of 一袋两百块."""
    return re.sub(rf"^{EACH_ZH}", "", value)


def _names_thing(statement: Statement, fact: FactPart) -> bool:
    """Whether a changed value of nothing known names at least what has it: 婚礼主色调, not 水烧."""
    if statement.rule != "zh.changed" or fact.attribute == UNSAID:
        return False
    word, tag = tagged(fact.attribute)[-1]
    return len(fact.attribute) > 1 and len(word) > 1 and (tag[:1] in {"n", "j"} or tag == "vn")


def _bare_english(statement: Statement, fact: FactPart, held: Sequence[FactPart]) -> Anchored:
    """The fact whose name the words mention, with the value that they give anew."""
    found = mentioned_most(fact, statement.content, held)
    if len(found) != 1:
        return Anchored(None, len(found))
    value = with_unit(fact.value, found[0].value)
    return Anchored(replace(statement, fact=replace(found[0], value=value), open=False))


def replaced(statement: Statement, fact: FactPart, held: Sequence[FactPart]) -> list[FactPart]:
    """What is known of the same somebody whose value the statement says is replaced; acts are done and stay."""
    old = statement.replaces
    return [
        one
        for one in held
        if old is not None
        and one.entity == fact.entity
        and not one.negated
        and not _stays(one)
        and names(one.value, old)
    ]


def _stays(fact: FactPart) -> bool:
    """What no exchange replaces: what was done, what lasts, and what is liked best."""
    return fact.attribute in LASTING or fact.attribute.startswith(("done_", "favorite_", "least_favorite_"))


def _left_for(statement: Statement, fact: FactPart, held: Sequence[FactPart]) -> Anchored:
    """ "I left A for B": of the one fact whose value A is; nothing where there is none, or A is somebody's name only."""
    meant = [one for one in replaced(statement, fact, held) if one.attribute in _LEAVABLE]
    if len({one.slot for one in meant}) != 1:
        return Anchored(None, len(meant))
    moved = replace(meant[0], value=fact.value)
    return Anchored(replace(statement, fact=moved, replaces=meant[0].value, open=False))


def _left(statement: Statement, fact: FactPart, held: Sequence[FactPart]) -> Anchored:
    """The end of a job where the one that was left is known to be one; else it was a town, or a party."""
    jobs = [one for one in held if one.slot == fact.slot and not one.negated and names(one.value, fact.value)]
    if len({one.value for one in jobs}) != 1:
        return Anchored(None, len(jobs))
    return Anchored(replace(statement, fact=replace(jobs[0], negated=True), open=False))


def _ended(statement: Statement, fact: FactPart, held: Sequence[FactPart]) -> Anchored:
    """The end of what is known of a thing, each of its facts denied."""
    found = facts_ended(fact, held, parted=statement.rule == "zh.parted")
    owners = {one.entity for one in found}
    if len(owners) != 1:
        return Anchored(None, len(owners))
    first, *more = (replace(one, negated=True) for one in found)
    return Anchored(replace(statement, fact=first, more=tuple(more), open=False))


def words_before(fact: FactPart, language: str) -> str:
    """The words before the value: "My budget is ", "sister's age: ", "预算是"."""
    attribute = fact.attribute.replace("_", " ")
    who = fact.entity.split(":")[-1].replace("_", " ")
    if language == "zh":
        who, attribute = spoken(who), spoken(attribute)
        return f"{'我' if fact.entity == 'user' else '' if fact.entity == GENERAL else who}的{attribute}是".lstrip(
            "的"
        )
    if fact.entity == "user":
        return f"My {attribute} is "
    return f"The {attribute} is " if fact.entity == GENERAL else f"{who}'s {attribute} is "
