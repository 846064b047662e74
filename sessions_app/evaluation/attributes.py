"""The kinds of fact that generated scripts plant: how each is said, changed, asked in other words, and talked around."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from sessions_app.evaluation.vocabulary import Vocabulary

Draw = Callable[[Vocabulary], str]


@dataclass(frozen=True)
class Attribute:
    """Templates take {e} (what it is about) and {v} (the value).

    `question` avoids the words of `say` where the language allows. `distract` shares the words of the fact and holds no
    value of it; `asked` is a question about it that somebody put on the way, which nobody answered. Without
    a `change` the fact is never updated.
    """

    name: str
    entity: Draw
    value: Draw
    say: tuple[str, ...]
    change: tuple[str, ...]
    question: tuple[str, ...]
    distract: tuple[str, ...]
    asked: tuple[str, ...]


@dataclass(frozen=True)
class Wording:
    """The sentences of one attribute in one language; see Attribute."""

    say: tuple[str, ...]
    change: tuple[str, ...]
    question: tuple[str, ...]
    distract: tuple[str, ...]
    asked: tuple[str, ...]


DRAWS: Final[dict[str, tuple[Draw, Draw]]] = {
    "contract": (Vocabulary.project, Vocabulary.code),
    "budget": (Vocabulary.project, Vocabulary.amount),
    "sync": (Vocabulary.project, Vocabulary.weekly_time),
    "owner": (Vocabulary.project, Vocabulary.person),
    "supplier": (Vocabulary.project, Vocabulary.company),
    "deadline": (Vocabulary.project, Vocabulary.date),
    "decision": (Vocabulary.project, Vocabulary.tool),
    "extension": (Vocabulary.person, Vocabulary.number),
    "office": (Vocabulary.person, Vocabulary.room),
    "drink": (Vocabulary.person, Vocabulary.drink),
    "todo": (Vocabulary.person, Vocabulary.code),
    "boss": (Vocabulary.person, Vocabulary.person),
    "birthday": (Vocabulary.person, Vocabulary.date),
    "stay": (Vocabulary.town, Vocabulary.hotel),
    "constraint": (Vocabulary.client, Vocabulary.length),
}
"""What each attribute is about, and what its value is; the same in every language."""


def attributes(language: str) -> tuple[Attribute, ...]:
    """All attributes in one language ("zh" or "en"), in a fixed order."""
    from sessions_app.evaluation.attributes_en import EN
    from sessions_app.evaluation.attributes_zh import ZH

    words = ZH if language == "zh" else EN
    return tuple(
        Attribute(name, entity, value, one.say, one.change, one.question, one.distract, one.asked)
        for name, (entity, value) in DRAWS.items()
        for one in (words[name],)
    )
