"""The words of a context that stands in front of another program's messages: one text, with what those do not hold already."""

from __future__ import annotations

from collections.abc import Sequence

from memories.core.text.language import Language
from sessions_app.core.wording import FENCE, HEADINGS, SOURCES, as_data


def aside_text(system: str, unsaid: Sequence[tuple[str, str]], language: Language) -> str:
    """The context's system text, then the window's turns that the caller's messages lack, as (role, words), oldest first.

    "" where nothing is known: a line about the day alone would be no memory.
    """
    _, *sections = system.split("\n\n")
    parts = [system] if sections else []
    if unsaid:
        parts = [system, _window(unsaid, language)]
    return "\n\n".join(parts)


def _window(turns: Sequence[tuple[str, str]], language: Language) -> str:
    lines = [f"{SOURCES.get(role, {}).get(language, role)}: {as_data(text)}" for role, text in turns]
    fence = FENCE["summary"]
    return "\n".join([HEADINGS["window"][language], f"<{fence}>", *lines, f"</{fence}>"])
