"""What a language's rules hand to the engine: facts found in one clause, and what the turn has told so far."""

from __future__ import annotations

from dataclasses import dataclass, field

from memories.core.kinds import Kind

UNSAID = "unsaid"
"""The attribute of a bare value ("改到周五了"): only what is known tells of what it is (core/placement/unsaid.py)."""

MEANT = "zh.meant"
"""The rule of such a value whose words name another thing, or none: only a known fact that the sentence mentions takes it."""

PLAIN = "zh.plain"
"""The rule of a fact that names its own thing, and is kept where its words mean no known fact."""


@dataclass(frozen=True, slots=True)
class Who:
    """A subject: its canonical key ("user", "user:boss" or a name as said) and the words that name it in the text."""

    key: str
    surface: str
    person: bool = True

    @property
    def name(self) -> str:
        """The name in a key of a relation with a name ("user:boss:Ann"); "" where there is none."""
        parts = self.key.split(":")
        return parts[2] if len(parts) == 3 else ""


NOBODY = Who("general", "", person=False)
"""Of whom is said what is said of nothing in particular."""


@dataclass(frozen=True, slots=True)
class Raw:
    """A fact in a clause. `value` stands in the clause; `stated` is the clause with its subject named.

    `when` says how the time of the clause bounds it: "past" (over, nobody says when), "span" (from … to …), "point" (then), "since".
    `single` overrules what the attribute says of how many values it holds. `open` says that the words name the fact only in part,
    `delta` by how much its value changed ("+一周"); both are looked up among what is known.
    """

    who: Who
    attribute: str | None
    value: str | None
    rule: str
    kind: Kind | None
    stated: str
    negated: bool = False
    ended: bool = False
    update: bool = False
    correction: bool = False
    replaces: str | None = None
    when: str = ""
    single: bool | None = None
    open: bool = False
    delta: str | None = None


@dataclass(frozen=True, slots=True)
class Pending:
    """A slot whose value comes in the next clause; `how` is denied ("不是 A"), changed ("换了"), kept ("没变"), over ("以前是 A") or announced ("有一个邮箱")."""

    who: Who
    attribute: str
    kind: Kind | None
    how: str = "denied"
    old: str | None = None
    by: str = "是"
    open: bool = False


@dataclass(slots=True)
class Turn:
    """What a turn has said up to here: whom "he" and "it" mean, and a slot that the next clause may fill."""

    speaker: str
    speaker_surface: str
    listener: str
    person: Who | None = None
    thing: Who | None = None
    subject: Who | None = None
    pending: Pending | None = None
    correcting: bool = False
    """The sentence says that something was wrong."""
    told: bool = False
    """A story, a film or the news is told: what has no subject is not said of the speaker."""
    slot: tuple[Who, str, str] | None = None
    """The attribute that an amount was last given or wished for, with that amount: what "it" may measure."""
    said: Raw | None = None
    """The last fact of the turn: what "no wait" takes back."""
    taken_back: bool = False
    """It was taken back, and the next words say what is right."""
    forgotten: str = ""
    """What the sentence before asked to forget: "the new one" takes its place."""
    people: dict[str, Who] = field(default_factory=dict)

    def mention(self, who: Who) -> None:
        """Remember the subject for what follows."""
        self.subject = who
        if who.key == self.speaker:
            return
        if who.person:
            self.person = who
            self.people[who.surface] = who
        else:
            self.thing = who
