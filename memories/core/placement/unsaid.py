"""Which known fact a bare value is of: "改到周五了", "不对，是302", "瘦到76公斤了", "摩托车卖了" name neither whose it is nor what (R18).

In order: the fact whose value the words mention, the one whose name they mention, the only one about whoever was spoken of
with a value of the same sort, the only one at all. Words that are no number, date or code have no sort: they need a mention.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from memories.core.extraction.attributes import BY_NAME, accepts, canonical_attribute
from memories.core.extraction.raw import UNSAID
from memories.core.extraction.zh.names import has_family_name, person_name
from memories.core.placement.chains import facts_named
from memories.core.placement.opened import GENERAL, spoken
from memories.core.statement import FactPart
from memories.core.values.forms import measured
from memories.core.values.keyvalues import key_values
from memories.core.values.sorts import EACH_ZH, Takes, sort_of, stands_for

__all__ = ["UNSAID", "exactly_alike", "facts_ended", "facts_renamed", "facts_unsaid"]

_COUNTED = re.compile(
    r"(?:每[^\d]{0,3})?(?:约|第|[$€£¥￥]|[\u4e00-\u9fff])?(?P<n>\d+(?:\.\d+)?)(?P<unit>[^\d，。]{0,6})"
)
_COUNT_WORD = re.compile(
    r"^[一二两三四五六七八九十\d]*(?:个|位|只|条|头|匹|辆|台|部|套|间|栋|架|把|对|双|名|家|份|张|块|本)"
)
_ONE_OF = re.compile(r"^一(?:个|位|只|条|头|匹|辆|台|部|套|间|栋|架|把|双|名|家|份|张|块|本)(?=.{2})")
_PER = re.compile(rf"^{EACH_ZH}[\u4e00-\u9fff]?(?=[\d一二两三四五六七八九十半])")
_DIMENSION = {
    "ms": "秒",
    "s": "秒",
    "毫秒": "秒",
    "分钟": "秒",
    "小时": "秒",
    "克": "公斤",
    "g": "公斤",
    "kg": "公斤",
    "厘米": "米",
    "公里": "米",
}
"""Units that measure one thing: two minutes may take the place of thirty seconds."""
_ACTS = frozenset({"likes", "habit", "hobby", "diet", "skill", "learning", "medication"})
LASTING = frozenset({"name", "birthday", "origin", "surname", "nickname", "age"})
"""What does not end with the thing, or the person, that somebody had."""


def facts_unsaid(
    said: FactPart, words: str, held: Sequence[FactPart], *, mentioned_only: bool = False
) -> list[FactPart]:
    """The known facts, one a slot, that the value in these words may be of; several where it cannot be told.

    With `mentioned_only` none whose value or name the words do not mention.
    """
    known = [
        one
        for one in held
        if not one.negated and one.single and one.attribute != "status" and accepts(one.attribute, said.value)
    ]
    if same := [one for one in known if one.value == said.value and _named(words, one, "")]:
        return same[:1]  # "会议不改了，还是三点": said again
    known = [one for one in known if one.value != said.value]
    sorts = _sorts(said.value)
    alike = [one for one in known if _is_alike(one.value, said.value)]
    nearest = [one for one in alike if _sorts(one.value) == sorts]
    sorted_ = (nearest or alike) if sorts else []
    same_owner = [one for one in sorted_ if one.entity == said.entity]
    mentioned = [
        one for one in alike if any(_mentions(words, core, said.value) for core in _cores(one.value))
    ]
    levels: tuple[tuple[Sequence[FactPart], Callable[[FactPart], bool]], ...] = (
        (mentioned, lambda one: one.value[-1] == said.value[-1]),
        (mentioned, lambda one: True),
        (alike, lambda one: _named(words, one, said.value)),
        (same_owner, lambda one: True),
        (sorted_, lambda one: True),
    )
    for facts, fits in levels[:2] if mentioned_only else levels:
        slots = {one.slot: one for one in facts if fits(one)}
        if slots:
            return list(slots.values())
    if not mentioned_only:
        return []
    whose = [one for one in sorted_ if one.entity == said.entity and ":" in one.entity]
    if has_family_name(said.value) or person_name(said.value) == said.value:
        # 我同桌变成刘思远了: the name went into the key.
        kin = (said.entity, f"{said.entity}:")
        whose = [
            one
            for one in alike
            if one.attribute == "name" and (one.entity == kin[0] or one.entity.startswith(kin[1]))
        ]
    return facts_named(said, words, alike) or _of_one_title(said, alike) or (whose if len(whose) == 1 else [])


def by_unit(said: FactPart, held: Sequence[FactPart]) -> list[FactPart]:
    """The one fact whose value is counted by the unit that the words name: 度数 of 300度."""
    unit = re.fullmatch(r"(?P<u>[\u4e00-\u9fff])数", said.attribute)
    if unit is None or said.entity != GENERAL or not re.match(r"[\d一二两三四五六七八九十百]", said.value):
        return []
    return [
        one
        for one in held
        if one.single
        and not one.negated
        and re.search(rf"[\d一二两三四五六七八九十百千万]{unit['u']}$", one.value)
    ]


_TITLE = re.compile(r"[\u4e00-\u9fff]{1,2}(?P<t>总监|总|工|老师|教授|经理|主任|医生|教练|师傅|律师|阿姨)")


def _of_one_title(said: FactPart, held: Sequence[FactPart]) -> list[FactPart]:
    """Whoever of one title takes another's place: 石总, where 钟总 is the only 总 that is known of the speaker's."""
    title = _TITLE.fullmatch(said.value)
    if title is None:
        return []
    found = [
        one for one in held if (other := _TITLE.fullmatch(one.value)) is not None and other["t"] == title["t"]
    ]
    return found if len({one.slot for one in found}) == 1 and found[0].entity in {"user", said.entity} else []


def same_thing(said: FactPart, held: Sequence[FactPart]) -> list[FactPart]:
    """What is known of the same thing by another verb, with a value of the same sort: 订的 of a dinner that 改在 elsewhere."""
    if said.entity in {"user", GENERAL}:
        return []
    return [
        one
        for one in held
        if one.entity == said.entity
        and one.attribute != said.attribute
        and not one.negated
        and one.single
        and (one.attribute.endswith("的") or one.attribute == "location")
        and (said.attribute.endswith("的") or said.attribute == "location")
        and _is_alike(one.value, said.value)
    ]


def facts_renamed(said: FactPart, words: str, held: Sequence[FactPart]) -> list[FactPart]:
    """The known facts that a changed value may be of, where its own words name none that is known."""
    known = [
        one
        for one in held
        if not one.negated and one.single and one.attribute != "status" and one.value != said.value
    ]
    known = [one for one in known if accepts(one.attribute, said.value)]
    return facts_named(said, words, [one for one in known if _is_alike(one.value, said.value)])


def _is_alike(known: str, said: str) -> bool:
    """Whether both are of one sort, both of none, or end in the same words (三天可见, 半年可见)."""
    one, other = _sorts(known), _sorts(said)
    return (
        bool(one & other)
        or not (one or other)
        or (len(said) > 2 and len(known) > 2 and known[-2:] == said[-2:])
    )


def exactly_alike(known: str, said: str) -> bool:
    """Whether both are of one exact sort, also of one unit or build: an ordinal is no flight number, a weight no money."""
    same = sort_of(known) is sort_of(said) and _sorts(known) == _sorts(said)
    return same and stands_for(known, said)


def facts_ended(said: FactPart, held: Sequence[FactPart], *, parted: bool = False) -> list[FactPart]:
    """The known facts about the thing, the person or the act that is said to be over; with `parted`, who somebody was."""
    thing = said.value
    lasting = LASTING - ({"name"} if parted else set())
    mine = [one for one in held if not one.negated and one.attribute not in lasting and not _is_measure(one)]
    return [one for one in mine if _of_thing(thing, one)]


def _is_measure(one: FactPart) -> bool:
    """A number that the thing's end does not end: the phone is lost, its number is not; what is paid, weighed or dialled."""
    row = BY_NAME.get(one.attribute)
    return row is not None and row.takes not in {None, Takes.NAME, Takes.MOMENT}


def _of_thing(thing: str, one: FactPart) -> bool:
    act = one.attribute in _ACTS or one.attribute.startswith(("does:", "owns:"))
    if one.attribute == canonical_attribute(thing):
        return True
    if len(thing) < 2:
        return act and one.value.endswith(thing)
    return (
        _core(one.value).endswith(thing)
        or thing.endswith(_core(one.value))
        or (
            act and (thing in one.value or (len(_core(one.value)) > 1 and thing.startswith(_core(one.value))))
        )
    )


def _sorts(value: str) -> frozenset[str]:
    """What can stand for one another: two days, two times of day, two amounts of one unit, two codes of one build.

    A day with a time of day ("周四下午三点") is of both sorts; words that are none of these have none.
    """
    value = _ONE_OF.sub("", _PER.sub("", value))
    form = measured(value).strip()
    counted = _COUNTED.fullmatch(form)
    if counted is not None and counted["unit"] and counted["unit"][0] not in "年月日号点周":
        return frozenset({f"unit:{_DIMENSION.get(counted['unit'], counted['unit'])}"})
    if moments := {found.kind for found in key_values(value)} & {"date", "time"}:
        return frozenset(moments)
    if counted is not None:
        digits = len(counted["n"])
        size = "decimal" if "." in counted["n"] else "long" if digits > 6 else "some" if digits > 2 else "few"
        unit = counted["unit"] or size
        return frozenset({f"unit:{unit}"})
    if re.search(r"\d", form) and re.fullmatch(r"[A-Za-z0-9@._/-]+(?:次|号)?", form):
        return frozenset({f"code:{re.sub('[a-z]+', 'a', re.sub('[0-9]+', '9', form.lower()))}"})
    shape = re.sub(r"[0-9]+(?:st|nd|rd|th)\b|[0-9]+", "9", form.removeprefix("the "))
    return frozenset({f"mixed:{shape}"} if re.search(r"\d", form) else ())


def _core(value: str) -> str:
    """老捷达 of "一辆老捷达"."""
    return _COUNT_WORD.sub("", value) or value


def _cores(value: str) -> Iterable[str]:
    """What a value is called in speech: whole, and by its noun (周末班 of 科目二的周末班)."""
    core = _core(value)
    yield core
    if "的" in core[:-2]:
        yield core.rsplit("的", 1)[1]


def _mentions(words: str, name: str, new: str) -> bool:
    return len(name) > 1 and name not in new and name in words.replace(new, "", 1)


def _named(words: str, one: FactPart, new: str) -> bool:
    rest = words.replace(new, " ", 1)
    return any(len(name) > 1 and name in rest for name in _names(one))


def _names(one: FactPart) -> Iterable[str]:
    """What the fact is called: its attribute and its owner, and the beginning of each, as one shortens it in speech."""
    owner = "" if one.entity in {"user", GENERAL} else spoken(one.entity.split(":")[-1])
    row = BY_NAME.get(one.attribute)
    words = [word for word in row.words if not word.isascii()] if row is not None else []
    for name in (*words, spoken(one.attribute), owner):
        yield name
        if re.fullmatch(r"[\u4e00-\u9fff]{3,}", name):
            yield name[:2]
            yield name[-2:]
