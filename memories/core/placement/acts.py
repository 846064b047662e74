"""Yes and no to one act in other words: "I've never worked with GraphQL" against "the GraphQL resolver I wrote" (R18).

Whoever made, ran or mended something of a kind has had to do with it. An act that is said is set against the known one of the
other polarity that is about the same thing: with the same verb, or where the denied one is of having to do with it at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memories.core.placement.named import words_of
from memories.core.statement import FactPart

ENGAGES = frozenset(
    {"uses", "done_use", "done_work", "done_touch", "done_try", "done_deal", "done_handle", "done_encounter", "done_experiment"}
)  # fmt: skip
"""Acts of having to do with something at all."""


def is_act(fact: FactPart) -> bool:
    """Whether the fact tells what somebody did or uses."""
    return fact.attribute == "uses" or fact.attribute.startswith("done_")


def set_against(said: FactPart, content: str, held: Sequence[FactPart]) -> FactPart | None:
    """The fact as the other side of a known act that it stands against; None where it stands against none."""
    for one in held:
        if one.entity != said.entity or one.negated == said.negated or not is_act(one):
            continue
        denied, done = (one, said) if one.negated else (said, one)
        what, to_what = words_of(denied.value), words_of(done.value)
        same = denied.attribute == done.attribute
        about = what <= to_what or (same and one.negated and what <= words_of(content))
        if what and about and (same or denied.attribute in ENGAGES):
            return replace(one, negated=said.negated)
    return None
