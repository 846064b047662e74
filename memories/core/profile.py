"""A person's profile out of the facts that are current: grouped, labelled in the reader's language, without a model."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from memories.core.extraction.attributes import BY_NAME, is_single
from memories.core.labels import attribute_label, relation_label
from memories.core.text.language import Language
from memories.core.values.forms import value_form

MAX_VALUES = 8
"""Values of one attribute that are shown; the rest is counted."""
OTHER, PEOPLE = "other", "people"

_GROUPS: tuple[tuple[str, str, str, str], ...] = (
    ("identity", "About you", "基本情况", "name nickname english_name gender age birthday nationality origin language speaks religion zodiac personality"),
    ("home", "Home and contact", "住址和联系方式", "home phone email wechat qq website car plate"),
    ("work", "Work and education", "工作和学习", "occupation employment_status employer department workplace responsibility school major education grade skill learning"),
    (PEOPLE, "Family and people around you", "家人和身边的人", "marital_status family pet"),
    ("health", "Health and body", "健康和身体", "allergy diet condition medication blood_type height weight clothing_size shoe_size"),
    ("tastes", "Likes and habits", "喜好和习惯", "likes dislikes favorite hobby habit"),
    (OTHER, "More", "其他", ""),
)  # fmt: skip
_PLACE = {name: group for group, _, _, names in _GROUPS for name in names.split()}
_RANK = {name: at for at, name in enumerate(name for _, _, _, names in _GROUPS for name in names.split())}
_PASSING = frozenset({"plan", "attends", "possession"})
"""What somebody plans, goes to or has bought says what happens, not who they are."""
LINE = (
    "name",
    "nickname",
    "home",
    "occupation",
    "employer",
    "school",
    "speaks",
    "allergy",
    "diet",
    "condition",
)
"""What a single line tells first: who it is, and what a wrong answer could harm."""


@dataclass(frozen=True, slots=True)
class ProfileFact:
    """A current fact. `entity` is "user", or "user:boss" for somebody around them; `importance` is 0..1."""

    entity: str
    attribute: str
    value: str
    memory_id: uuid.UUID
    said_at: datetime
    importance: float = 0.5
    contradicted: bool = False


@dataclass(frozen=True, slots=True)
class ProfileValue:
    """One value, with the memory that holds it, when that was said, and whether another current one speaks against it."""

    value: str
    memory_id: uuid.UUID
    said_at: datetime
    contradicted: bool


@dataclass(frozen=True, slots=True)
class ProfileEntry:
    """An attribute of the person, or of somebody around them (`entity`), with its values, newest first; `more` are not shown."""

    entity: str
    attribute: str
    label: str
    values: list[ProfileValue]
    more: int = 0


@dataclass(frozen=True, slots=True)
class ProfileGroup:
    """Entries that belong together."""

    name: str
    label: str
    entries: list[ProfileEntry] = field(default_factory=list)


def assemble(facts: Sequence[ProfileFact], language: Language) -> list[ProfileGroup]:
    """The groups that hold something, in their order; of one value said several times the newest stands."""
    by_entry: dict[tuple[str, str], list[ProfileFact]] = {}
    for fact in sorted(facts, key=lambda one: (one.said_at, one.importance), reverse=True):
        if _belongs(fact):
            by_entry.setdefault((fact.entity, fact.attribute), []).append(fact)
    groups = {name: ProfileGroup(name, zh if language == "zh" else en) for name, en, zh, _ in _GROUPS}
    for (entity, attribute), held in sorted(by_entry.items(), key=lambda item: _order(*item[0])):
        values = _values(held)
        entry = ProfileEntry(
            entity, attribute, _label(entity, attribute, language), values[:MAX_VALUES], max(0, len(values) - MAX_VALUES)
        )  # fmt: skip
        groups[PEOPLE if entity != "user" else _PLACE.get(attribute, OTHER)].entries.append(entry)
    return [group for group in groups.values() if group.entries]


def line(
    groups: Sequence[ProfileGroup], language: Language, max_tokens: int, counter: Callable[[str], int]
) -> str:
    """The profile in one line of at most `max_tokens` tokens, what matters most first; each attribute whole or not at all.

    What is contradicted is left to recall, which shows both sides.
    """
    if max_tokens <= 0:
        return ""
    comma, stop, colon = ("、", "；", "：") if language == "zh" else (", ", "; ", ": ")
    entries = {
        entry.attribute: entry for group in groups for entry in group.entries if entry.entity == "user"
    }
    said = ""
    for name in LINE:
        entry = entries.get(name)
        if entry is None or any(value.contradicted for value in entry.values):
            continue
        part = f"{entry.label}{colon}{comma.join(value.value for value in entry.values[:3])}"
        longer = f"{said}{stop}{part}" if said else part
        if counter(longer) <= max_tokens:
            said = longer
    return said


def _belongs(fact: ProfileFact) -> bool:
    if fact.entity != "user" and not fact.entity.startswith("user:"):
        return False
    row = BY_NAME.get(fact.attribute)
    return row is not None and row.personal and fact.attribute not in _PASSING


def _values(held: Sequence[ProfileFact]) -> list[ProfileValue]:
    """Newest first, each value once. Of a single-valued attribute both stand only while they contradict each other."""
    distinct: dict[str, ProfileFact] = {}
    for fact in held:
        distinct.setdefault(value_form(fact.value), fact)
    kept = list(distinct.values())
    if is_single(held[0].attribute) and not any(fact.contradicted for fact in kept):
        kept = kept[:1]
    return [ProfileValue(fact.value, fact.memory_id, fact.said_at, fact.contradicted) for fact in kept]


def _order(entity: str, attribute: str) -> tuple[bool, str, int, str]:
    return entity != "user", entity, _RANK.get(attribute, len(_RANK)), attribute


def _who(entity: str, language: Language) -> str:
    """The relation in the reader's words; where several share it, with the name that tells them apart."""
    relation, _, name = entity.removeprefix("user:").partition(":")
    said = relation_label(relation, language)
    return f"{said} {name}" if name else said


def _label(entity: str, attribute: str, language: Language) -> str:
    own = attribute_label(attribute, language)
    if entity == "user":
        return own
    who = _who(entity, language)
    if attribute == "name":
        return who
    return f"{who}的{own}" if language == "zh" else f"{who}: {own}"
