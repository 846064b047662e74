"""Puts the parts of a context into words: numbered entries inside fences, turns as chat messages."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from memories.core.text.language import Language
from sessions_app.core import wording
from sessions_app.core.pieces import Entry, Numbered, TurnPiece


@dataclass(slots=True)
class Draft:
    """A context on its way into the budget; shrinking changes it in place."""

    language: Language
    today: datetime
    message: str
    slots: str
    profile: str = ""
    aside: bool = False
    constraints: list[Numbered] = field(default_factory=list)
    memories: list[Numbered] = field(default_factory=list)
    digests: list[Numbered] = field(default_factory=list)
    turns: list[TurnPiece] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)

    def entries(self, section: str) -> list[Numbered]:
        """The list behind a section's name."""
        return {"constraints": self.constraints, "memories": self.memories, "summary": self.digests}[section]

    def numbered(self) -> list[Numbered]:
        """All entries that stand in the context, by number."""
        return [*self.memories, *self.constraints, *self.digests]

    def renumber(self) -> None:
        """Memories are 1, 2, … in rank order, so that the best is always [1]; then constraints and digests."""
        number = 0
        for entries in (self.memories, self.constraints, self.digests):
            for index, entry in enumerate(entries):
                number += 1
                entries[index] = replace(entry, number=number)

    def section_text(self, section: str) -> str:
        """A section with its heading and fence; empty when there is nothing in it."""
        numbers = {one.entry.id: one.number for one in self.numbered()}
        lines = [entry_line(entry, self.language, numbers) for entry in self.entries(section)]
        if section == "memories" and self.profile:
            lines.insert(0, wording.as_data(self.profile))
        if section == "summary" and self.slots:
            lines.insert(0, wording.as_data(self.slots))
        if section == "constraints" and self.left_out["constraints"]:
            heading = wording.HEADINGS["left_out"][self.language]
            lines.append(heading.format(count=self.left_out["constraints"]))
        if not lines:
            return ""
        fence = wording.FENCE[section]
        name = section
        if section == "constraints" and any(one.entry.source == "operator" for one in self.constraints):
            name = "operators"
        return "\n".join([wording.HEADINGS[name][self.language], f"<{fence}>", *lines, f"</{fence}>"])


def entry_line(numbered: Numbered, language: Language, numbers: Mapping[uuid.UUID, int] | None = None) -> str:
    """`[1] [preference] 2026-01-05 Mon, user, sure: text`; `[preference, superseded]` for what does not hold now.

    `numbers` are those of all entries, by id: where the other side of a contradiction stands among them, it is named.
    """
    entry = numbered.entry
    about = [wording.day(entry.said_at, language)] if entry.said_at else []
    against = sorted(numbers[one] for one in entry.contradicts if numbers and one in numbers)
    about += [_by(entry, language), wording.how_sure(entry.confidence, entry.contradicted, language, against)]
    if when := wording.held(entry.holding, entry.since, entry.until, language):
        about.append(when)
    if entry.stale:
        about.append(wording.stale(entry.ask, language))
    kind = f"{entry.kind}, {entry.holding}" if entry.holding else entry.kind
    return f"[{numbered.number}] [{kind}] {', '.join(about)}: {wording.as_data(numbered.text)}"


def _by(entry: Entry, language: Language) -> str:
    source = wording.SOURCES.get(entry.source, {}).get(language, entry.source)
    return f"{source} {wording.as_data(entry.speaker)}" if entry.speaker else source


def render(draft: Draft) -> list[dict[str, str]]:
    """One system message with everything known, the newest turns, and the current message."""
    words = wording.ASIDE if draft.aside else wording.PROMPT
    prompt = words[draft.language].format(today=wording.day(draft.today, draft.language))
    sections = (draft.section_text(name) for name in ("constraints", "memories", "summary"))
    system = "\n\n".join([prompt, *(text for text in sections if text)])
    return [
        {"role": "system", "content": system},
        *(turn_message(turn) for turn in draft.turns),
        {"role": "user", "content": draft.message},
    ]


def turn_message(turn: TurnPiece) -> dict[str, str]:
    """A turn as a chat message. Tool and system turns of the conversation are data: fenced, never a role of their own."""
    text = f"{turn.speaker}: {turn.text}" if turn.speaker else turn.text
    if turn.role in {"user", "assistant"}:
        return {"role": turn.role, "content": text}
    return {"role": "user", "content": f"<tool_result>{wording.as_data(text)}</tool_result>"}
