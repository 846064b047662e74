"""Which known fact words mean that name it only in part, or tell only by how much its value changed (R18).

"会员涨了20块" is the price of the one membership that is known, "婚礼主持人换成大刘" the 主持人 of 婚礼. What fits in a surer way
comes before what fits in another; where two fit in the same way, both come back and none is meant.
"""

from __future__ import annotations

from collections.abc import Sequence

from memories.core.extraction.attributes import BY_NAME, ZH_WORDS, canonical_attribute
from memories.core.extraction.relations import BY_WORD as RELATIONS
from memories.core.statement import FactPart
from memories.core.values.deltas import shifted
from memories.core.values.keyvalues import key_values
from memories.core.values.normalise import canonical

GENERAL = "general"
"""The entity of what is said of nothing in particular."""
_NUMBERS = frozenset({"amount", "number"})
_CODES = _NUMBERS | {"code", "email", "url"}
_SORTS = _CODES | {"date", "time"}
_KIN = {name: word for word, name in reversed(RELATIONS.items()) if not word.isascii()}


def facts_meant(said: FactPart, held: Sequence[FactPart], delta: str | None = None) -> list[FactPart]:
    """The known facts that the words may mean, one a slot; [] for none, several where it cannot be told."""
    found = _meant(said, [one for one in held if not one.negated], delta)
    # "月季死了，阳台改种薄荷": what has just ended still tells the slot.
    return found or _meant(said, [one for one in held if one.negated and delta is None], None)


def _meant(said: FactPart, held: Sequence[FactPart], delta: str | None) -> list[FactPart]:
    fits = [one for one in held if value_in(said, one, delta) is not None]
    for level in (_is_act, _is_it, _is_both, _is_owner, _is_part, _is_owner_in_short):
        sure = level in {_is_act, _is_it, _is_both} and delta is None
        slots = {one.slot: one for one in (held if sure else fits) if level(said, one)}
        if slots:
            return list(slots.values())
    return []


def keeps_alone(said: FactPart) -> bool:
    """Whether the words say enough without a known fact: they name an owner, or an attribute that many things have."""
    return said.entity != GENERAL or said.attribute in BY_NAME


def value_in(said: FactPart, known: FactPart, delta: str | None) -> str | None:
    """The new value in the slot of the known fact; None where it is of another sort than what stands there."""
    if delta is not None:
        return shifted(known.value, delta)
    mine, theirs = ({value.kind for value in key_values(one.value)} & _SORTS for one in (said, known))
    alike = (not mine and not theirs) or bool(mine & theirs) or bool(mine & _CODES and theirs & _CODES)
    return said.value if alike else None


def by_role(fact: FactPart, held: Sequence[FactPart]) -> list[FactPart]:
    """Whoever is known to be what somebody else is now: my 部门经理, my 同桌, whose name went into the key."""
    role = fact.attribute if fact.entity == "user" else fact.entity.removeprefix("user:")
    if ":" in role or (fact.entity != "user" and fact.attribute != "name"):
        return []
    return [
        one
        for one in held
        if one.attribute == "name" and one.entity.startswith(f"user:{role}:") and not one.negated
    ]


def spoken(name: str) -> str:
    """The Chinese word for an attribute or a relation of the tables; any other name as it is."""
    row = BY_NAME.get(name.replace(" ", "_"))
    words = row.words if row is not None else ()
    return next(
        (word for word in words if word and not word.isascii()), _KIN.get(name.replace(" ", "_"), name)
    )


def _is_it(said: FactPart, one: FactPart) -> bool:
    """The same attribute of the one that is named, or of whoever it is when nobody is."""
    return said.attribute == one.attribute and said.entity in {GENERAL, one.entity, one.entity.split(":")[-1]}


def _is_act(said: FactPart, one: FactPart) -> bool:
    """抽烟 for 烟 that somebody quit."""
    kind, _, thing = said.attribute.partition(":")
    return (
        bool(thing)
        and said.entity == one.entity
        and one.attribute.startswith(f"{kind}:")
        and one.attribute.endswith(thing)
    )


def _is_both(said: FactPart, one: FactPart) -> bool:
    """婚礼主持人: the 主持人 of 婚礼."""
    owner = _owner(one)
    rest = said.attribute.removeprefix(owner).removeprefix("的")
    return (
        said.entity == GENERAL
        and said.attribute.startswith(owner)
        and bool(rest)
        and canonical_attribute(rest) == one.attribute
    )


def _is_owner(said: FactPart, one: FactPart) -> bool:
    """婚礼, of which one thing of this sort is known."""
    if not one.single or one.entity == "user":
        return False
    return said.attribute == _owner(one) and said.entity in {GENERAL, one.entity}


def _is_owner_in_short(said: FactPart, one: FactPart) -> bool:
    """发布 for 新版本的发布, of which one thing of this sort is known."""
    short = len(said.attribute) > 1 and said.entity == GENERAL and one.single and one.entity != "user"
    return short and _owner(one).endswith(said.attribute) and bool(key_values(said.value))


def _is_part(said: FactPart, one: FactPart) -> bool:
    """会员 for 爱奇艺会员, 存钱目标 for the goal."""
    name, known = said.attribute, canonical(one.attribute)
    if said.entity not in {GENERAL, one.entity} or len(name) < 2:
        return False
    if known.endswith(name) or (len(known) > 1 and name.endswith(known)):
        return True
    word = next((word for word in ZH_WORDS if len(word) > 1 and name.endswith(word)), None)
    return word is not None and one.entity == "user" and canonical_attribute(word) == one.attribute


def _owner(one: FactPart) -> str:
    return canonical(one.entity.split(":")[-1])
