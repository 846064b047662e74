"""Assembles a context in R6's order under a hard token budget: counted after assembly, recall shrinks first (R5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from memories.core.text.lexical import terms
from memories.core.text.tokens import (
    MESSAGE_OVERHEAD,
    TokenCounter,
    count,
    count_messages,
    excerpt,
    with_margin,
)
from sessions_app.core.focus import cut_middle, focus
from sessions_app.core.packing import pack
from sessions_app.core.pieces import Assembled, Entry, Limits, Numbered, Parts, TurnPiece
from sessions_app.core.render import Draft, entry_line, render
from sessions_app.core.wording import HEADINGS

MIN_BUDGET = 256
"""Below this not even the prompt and a short question fit."""
FENCE_TOKENS = 16
"""What a section's fence and its joints take, at most."""


def assemble(parts: Parts, limits: Limits, counter: TokenCounter = count) -> Assembled:
    """The context of one question; never above `limits.budget` tokens, margin included.

    ValueError for a budget below MIN_BUDGET. Recalled memories fill what the rest leaves, up to `limits.memory_cap`. What gives
    way, in this order: recalled memories but the best three, the line about the person, the oldest kept turns (shortened,
    then left out, the newest two stay), digests, slots, the best memories, constraints, the newest turns, and last the
    message itself, which keeps its beginning and its end.
    """
    if limits.budget < MIN_BUDGET:
        raise ValueError(f"a context needs a budget of at least {MIN_BUDGET} tokens")
    draft = _first_draft(parts, limits, counter)
    messages = render(draft)
    total = _tokens(messages, limits, counter)
    for shrink in _steps(draft, parts, limits, counter):
        if total <= limits.budget:
            break
        if shrink(total - limits.budget):
            messages = render(draft)
            total = _tokens(messages, limits, counter)
    if total > limits.budget:
        raise AssertionError("the fixed words of a context exceed MIN_BUDGET")
    return Assembled(
        messages=messages,
        tokens=total,
        sections=_sections(draft, messages, counter),
        numbered=draft.numbered(),
        turn_ids=[turn.id for turn in draft.turns],
        left_out={name: number for name, number in draft.left_out.items() if number},
    )


def _tokens(messages: list[dict[str, str]], limits: Limits, counter: TokenCounter) -> int:
    return with_margin(count_messages(messages, counter), limits.margin)


def _first_draft(parts: Parts, limits: Limits, counter: TokenCounter) -> Draft:
    """Everything, long entries focused on the question, and constraints up to their own cap."""
    draft = Draft(parts.language, parts.today, parts.message, parts.slots, parts.profile, parts.aside)
    draft.left_out["constraints"] += parts.constraints_beyond
    # Where not all rules fit, the operators' come first, then those about the question, then those that are merely newer.
    for entry in sorted(
        parts.constraints,
        key=lambda entry: (entry.source != "operator", -len(parts.terms & set(terms(entry.text)))),
    ):
        text = focus(entry.text, parts.terms, limits.entry_cap, counter)
        draft.constraints.append(Numbered(0, "constraints", entry, text))
        if counter(draft.section_text("constraints")) > limits.constraint_cap:
            draft.constraints.pop()
            draft.left_out["constraints"] += 1
    while draft.constraints and counter(draft.section_text("constraints")) > limits.constraint_cap:
        draft.constraints.pop()  # The line that tells how many are missing takes room, too.
        draft.left_out["constraints"] += 1
    order = {entry.id: place for place, entry in enumerate(parts.constraints)}
    draft.constraints.sort(key=lambda numbered: order[numbered.entry.id])
    draft.digests.extend(Numbered(0, "summary", entry, entry.text) for entry in parts.digests)
    draft.turns.extend(parts.turns)
    _pack_memories(draft, parts, limits, counter)
    draft.renumber()
    return draft


def _pack_memories(draft: Draft, parts: Parts, limits: Limits, counter: TokenCounter) -> None:
    """Fill what the other parts leave. Lines are counted one by one, so the whole is counted, and fitted, once more."""

    def cost(entry: Entry, text: str) -> int:
        return counter(entry_line(Numbered(len(parts.memories), "memories", entry, text), parts.language)) + 1

    draft.renumber()
    used = (
        count_messages(render(draft), counter) + counter(HEADINGS["memories"][parts.language]) + FENCE_TOKENS
    )
    packed = pack(
        parts.memories,
        parts.terms,
        room=min(limits.memory_cap, int(limits.budget / (1 + limits.margin)) - used),
        entry_cap=limits.entry_cap,
        least=limits.keep_memories,
        cost=cost,
        counter=counter,
    )
    draft.memories.extend(Numbered(0, "memories", one.entry, one.text) for one in packed)
    draft.left_out["memories"] += len(parts.memories) - len(packed)


def _steps(
    draft: Draft, parts: Parts, limits: Limits, counter: TokenCounter
) -> Iterator[Callable[[int], bool]]:
    """One shrinking step after the other; each is told the tokens above the budget and says whether it changed anything."""

    def drop(section: str, index: int) -> Callable[[int], bool]:
        def step(_: int) -> bool:
            entries = draft.entries(section)
            if not entries:
                return False
            entries.pop(index)
            draft.left_out["digests" if section == "summary" else section] += 1
            draft.renumber()
            return True

        return step

    def shorten(index: int) -> Callable[[int], bool]:
        def step(_: int) -> bool:
            turn = draft.turns[index]
            text = excerpt(turn.text, limits.turn_excerpt, counter)
            if text == turn.text:
                return False
            draft.turns[index] = replace(turn, text=text)
            draft.left_out["excerpts"] += 1
            return True

        return step

    def drop_turn(_: int) -> bool:
        dropped: TurnPiece = draft.turns.pop(0)
        draft.left_out["turns"] += 1
        draft.left_out["excerpts"] -= dropped not in parts.turns
        return True

    def drop_slots(_: int) -> bool:
        draft.left_out["slots"] += bool(draft.slots)
        changed, draft.slots = bool(draft.slots), ""
        return changed

    def cut_message(over: int) -> bool:
        room = counter(draft.message) - int(over / (1 + limits.margin)) - 2
        draft.message = cut_middle(draft.message, max(room, 1), counter) or "…"
        draft.left_out["message"] = 1
        return True

    def drop_profile(_: int) -> bool:
        draft.left_out["profile"] += bool(draft.profile)
        changed, draft.profile = bool(draft.profile), ""
        return changed

    while len(draft.memories) > limits.keep_memories:
        yield drop("memories", -1)
    yield drop_profile
    for index in range(max(0, len(draft.turns) - limits.keep_turns)):
        yield shorten(index)
    while len(draft.turns) > limits.keep_turns:
        yield drop_turn
    while draft.digests:
        yield drop("summary", 0)
    yield drop_slots
    while draft.memories:
        yield drop("memories", -1)
    for index in range(len(draft.turns)):
        yield shorten(index)
    while draft.constraints:
        yield drop("constraints", -1)
    while draft.turns:
        yield drop_turn
    for _ in range(
        20
    ):  # Tokens do not add up exactly over a cut: a second cut is rare, a third was never seen.
        yield cut_message


def _sections(draft: Draft, messages: list[dict[str, str]], counter: TokenCounter) -> dict[str, int]:
    """Tokens by section; the system message's remainder (headings' joints) counts as system."""
    sections = {name: counter(draft.section_text(name)) for name in ("constraints", "memories", "summary")}
    sections["turns"] = sum(counter(message["content"]) + MESSAGE_OVERHEAD for message in messages[1:-1])
    sections["message"] = counter(messages[-1]["content"])
    sections["system"] = count_messages(messages, counter) - sum(sections.values())
    return sections
