"""One thing to be forgotten: how far it reaches, and by what it is named."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Scope(StrEnum):
    """How far a request reaches."""

    ATTRIBUTE = "attribute"
    ENTITY = "entity"
    VALUE = "value"
    WORDS = "words"
    LAST = "last"
    EVERYTHING = "everything"


@dataclass(frozen=True, slots=True)
class Target:
    """One thing to be forgotten.

    `entity` is a key as extraction makes them ("user", "user:boss", a name; "" where none is named), `attributes` are
    canonical and any of them is meant, `value` is as said, `words` are the phrase. `context` is what the sentence said
    before: an entity named there is the one that is meant. `third` is "his phone": somebody named before, and never the one
    who asks. `standing` asks that it never be learnt again; `explicit` is
    False where nothing is to be removed by name ("no need to note it"). `past` means what held before only ("my old phone").
    `instead` is the new value beside it: any other is the former one.
    `kept` is what is left out of it and must stay; an `unsure` one may be no request, and is asked about.
    """

    scope: Scope
    entity: str = ""
    attributes: frozenset[str] = frozenset()
    value: str = ""
    words: str = ""
    context: str = ""
    standing: bool = False
    explicit: bool = True
    past: bool = False
    third: bool = False
    language: str = "en"
    instead: str = ""
    kept: tuple[Target, ...] = ()
    unsure: bool = False

    def as_data(self) -> dict[str, object]:
        """Plain data, for a request that waits; it holds what was said, so it is stored encrypted."""
        return {
            "scope": self.scope.value,
            "entity": self.entity,
            "attributes": sorted(self.attributes),
            "value": self.value,
            "words": self.words,
            "context": self.context,
            "standing": self.standing,
            "explicit": self.explicit,
            "past": self.past,
            "third": self.third,
            "language": self.language,
            "instead": self.instead,
            "kept": [one.as_data() for one in self.kept],
            "unsure": self.unsure,
        }

    @classmethod
    def of_data(cls, data: dict[str, object]) -> Target:
        """The reverse of `as_data`."""
        attributes = data.get("attributes")
        names = frozenset(str(one) for one in attributes) if isinstance(attributes, list) else frozenset()
        texts = {
            key: str(data.get(key, ""))
            for key in ("entity", "value", "words", "context", "language", "instead")
        }
        flags = {key: bool(data.get(key)) for key in ("standing", "explicit", "past", "third", "unsure")}
        left = data.get("kept")
        kept = tuple(cls.of_data(one) for one in left) if isinstance(left, list) else ()
        return cls(scope=Scope(str(data["scope"])), attributes=names, kept=kept, **texts, **flags)  # type: ignore[arg-type]


RELATED: tuple[frozenset[str], ...] = (
    frozenset({"workplace", "employer", "employer_location"}),
    frozenset({"home", "home_location"}),
    frozenset({"school", "school_location"}),
)
"""What a question word cannot tell apart: where somebody works is a place or a firm."""


WHEREABOUTS = frozenset({"location", "home", "home_location"})
"""A person's location is where they live, too."""
