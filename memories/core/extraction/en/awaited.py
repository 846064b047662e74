"""What an English clause says after one that announced it: "I changed dentists. I see Dr. Li now.", "X is not A, it is B"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memories.core.extraction.attributes import canonical_attribute, lookup
from memories.core.extraction.en.measures import kind_named
from memories.core.extraction.en.parting import taken_up
from memories.core.extraction.en.plurals import singular
from memories.core.extraction.en.rules import NAME, clean_value
from memories.core.extraction.en.subjects import possessive, stated, subject
from memories.core.extraction.raw import Pending, Raw, Turn
from memories.core.kinds import Kind

_THE_NEW_ONE = re.compile(
    r"(?:I|we|he|she|they)\s+(?:(?:am|is|are|now|currently|just|have)\s+)*(?:go|goes|going|see|sees|seeing|use|uses|using|with|have|has|got|picked|chose|found|signed\s+up)\s+(?:(?:now|to|with|at|by|for)\s+)*(?P<v>(?:(?:Dr|Mr|Mrs|Ms)\.?\s+)?[A-Z][\w&'’.-]*(?:\s[A-Z&][\w&'’.-]*){0,3})(?:\s+(?:now|instead|these\s+days|from\s+now\s+on))*"
)
_CHANGED_KIND = re.compile(
    r"(?:(?:have|has|just|recently|finally|also)\s+)*(?:changed|switched|swapped)\s+(?:my\s+|our\s+|his\s+|her\s+)?(?P<a>[a-z]+(?:\s[a-z]+)?s)(?:\s+(?:last|this)\s+\w+|\s+(?:again|recently|too))*",
    re.IGNORECASE,
)
"""One of a kind for another of it ("I changed dentists"): the next clause says which."""
_GOT_NEW = re.compile(
    r"(?:(?:have|has|had|just|finally|recently|now)\s+)*(?:have|has|got|found|started|landed|picked\s+up)\s+(?:myself\s+|himself\s+|herself\s+)?an?\s+(?:brand[- ])?(?:new|different|better)\s+(?P<a>[a-z]+(?:\s[a-z]+)?)(?:\s+(?:now|last\s+\w+|this\s+\w+|yesterday|today))?",
    re.IGNORECASE,
)
_AT_NOW = re.compile(
    rf"(?P<s>I|we|he|she|they|{NAME})\s+(?:am|is|are|work|works|started|will\s+be|start|starts)\s+(?:(?:now|currently|working|starting)\s+)*(?:at|with|for)\s+(?P<v>(?:the\s+)?[A-Z][\w&'.-]*(?:\s[A-Z&][\w&'.-]*){{0,3}})(?:\s+(?:now|instead|these\s+days|from\s+.{{2,20}}|next\s+\w+))*"
)


def correction(work: str, turn: Turn) -> Raw | None:
    """The clause after "X is not A": "it is B"."""
    pending, turn.pending = turn.pending, None
    moved = (
        _AT_NOW.fullmatch(work)
        if pending is not None and pending.attribute in {"employer", "school"}
        else None
    )
    other = _THE_NEW_ONE.fullmatch(work) if pending is not None and pending.how == "changed" else None
    if pending is not None and pending.how == "parted":
        return taken_up(work, pending)
    if pending is not None and other is not None and (value := clean_value(other["v"])) is not None:
        turn.slot = (pending.who, pending.attribute, value)
        return Raw(
            pending.who, pending.attribute, value, "en.new_one", pending.kind, stated(work, pending.who), update=True
        )  # fmt: skip
    if pending is not None and moved is not None and (value := clean_value(moved["v"])) is not None:
        return Raw(
            pending.who,
            pending.attribute,
            value,
            "en.new_job",
            Kind.PROFILE,
            stated(work, pending.who),
            update=True,
        )
    match = re.fullmatch(
        r"(?:it is|it's|but|rather|instead|now|the new one is)\s*(?:it is\s+|now\s+)?(?P<v>.{1,60}?)(?:\s+now)?",
        work,
        re.IGNORECASE,
    )
    if pending is None or match is None or (value := clean_value(match["v"])) is None:
        return None
    who, attribute = pending.who, pending.attribute
    whole = f"{possessive(who)} {attribute.replace('_', ' ')} is {value}".strip()
    return Raw(
        who,
        attribute,
        value,
        "en.not_but",
        pending.kind,
        whole,
        correction=pending.how == "denied",
        update=pending.how != "announced",
        replaces=pending.old,
    )


def announced(work: str, turn: Turn) -> bool:
    """ "I got a new number": the next clause tells which ("it's 555-0199")."""
    found = subject(work, turn)
    match = _GOT_NEW.fullmatch(found[1]) if found else None
    kind = _CHANGED_KIND.fullmatch(found[1]) if found else None
    if found is not None and kind is not None and found[0].key != turn.listener:
        turn.mention(found[0])
        attribute = canonical_attribute(singular(kind["a"].lower()))
        attribute = "employer" if attribute == "occupation" else attribute
        turn.pending = Pending(found[0], attribute, kind_named(attribute), "changed")
        return True
    if found is None or match is None or found[0].key == turn.listener:
        return False
    word = match["a"].lower()
    row = lookup(word)
    if row is None:
        return False
    turn.mention(found[0])
    attribute = "employer" if row.name == "occupation" else row.name
    turn.pending = Pending(found[0], attribute, row.kind, "changed")
    return True


def await_the_next(was: Sequence[Raw], ended: re.Match[str], turn: Turn) -> None:
    """After "no longer goes to A", "she goes to B" tells of the same, whatever B is."""
    if not was or not was[0].ended or not was[0].attribute or not was[0].value:
        return
    words = next(ended[name] for name in ("p", "p2", "p3") if ended[name])
    frame, value, _ = words.partition(was[0].value)
    if value and len(frame.split()) > 1:
        turn.pending = Pending(was[0].who, was[0].attribute, was[0].kind, "over", was[0].value, frame.strip())


def next_of(work: str, waiting: Pending | None, turn: Turn) -> list[Raw]:
    found = subject(work, turn) if waiting is not None and waiting.how == "over" else None
    if waiting is None or found is None or found[0].key != waiting.who.key:
        return []
    verb, _, rest = waiting.by.partition(" ")
    base = re.sub(r"(?<=[oxhs])es$|(?<=[^s])s$", "", verb)
    match = re.fullmatch(
        rf"(?:now\s+|currently\s+)*{re.escape(base)}(?:e?s)?\s+{re.escape(rest)}\s+(?P<v>(?:the\s+)?[A-Z\d].{{1,40}}?)(?:\s+(?:now|instead|these\s+days))*",
        found[1],
    )
    value = clean_value(match["v"]) if match else None
    if value is None:
        return []
    return [
        Raw(found[0], waiting.attribute, value, "en.next", waiting.kind, stated(work, found[0]), update=True)
    ]
