"""Limits of what a write may hold, checked together so that one error names every offending field."""

from __future__ import annotations

import json
import math
import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from memories.core.kinds import Kind, Level, Source
from memories.core.text.signs import without_invisible
from memories.models.memory import Scope
from memoryhub.common.errors import Invalid
from memoryhub.common.texts import storable_tree

MAX_CONTENT = 20_000
MAX_TAGS = 20
MAX_TAG = 64
MAX_KEY = 200
MAX_SPEAKER = 200
MAX_METADATA = 8_000
AT_ONCE = 200
"""Rows of one bulk decision of an operator."""
MAX_PASSING_TURNS = 1_000
MAX_STATEMENTS = 50
"""Statements kept of one text; the rest is answered with `budget`."""


def clean(text: str) -> str:
    """Without NUL, which PostgreSQL cannot store, lone surrogates, which are no text, and what nobody sees; trimmed."""
    return without_invisible(text.replace("\0", "").encode("utf-8", "ignore").decode("utf-8")).strip()


class Checks:
    """Collects what is wrong with the fields of one call; `done` raises Invalid with all of it."""

    def __init__(self) -> None:
        self.problems: dict[str, str] = {}

    def done(self) -> None:
        """Invalid when anything was wrong."""
        if self.problems:
            raise Invalid(f"{', '.join(self.problems)}: not as expected", fields=self.problems)

    def content(self, text: str) -> None:
        if not text:
            self.problems["content"] = "must not be empty"
        elif len(text) > MAX_CONTENT:
            self.problems["content"] = f"at most {MAX_CONTENT} characters; index longer texts as documents"

    def kind(self, kind: str | None) -> None:
        if kind is not None and kind not in list(Kind):
            self.problems["kind"] = f"must be one of {', '.join(Kind)}"

    def source(self, source: str) -> None:
        if source not in list(Source):
            self.problems["source"] = f"must be one of {', '.join(Source)}"

    def importance(self, importance: float | None) -> None:
        if importance is not None and not (math.isfinite(importance) and 0 <= importance <= 1):
            self.problems["importance"] = "must lie between 0 and 1"

    def level(self, level: str | None) -> None:
        if level and level not in list(Level):
            self.problems["importance_level"] = f"must be empty or one of {', '.join(Level)}"

    def tags(self, tags: Sequence[str] | None) -> None:
        if tags is not None and (
            len(tags) > MAX_TAGS or any(not tag.strip() or len(tag) > MAX_TAG for tag in tags)
        ):
            self.problems["tags"] = f"at most {MAX_TAGS}, each of 1 to {MAX_TAG} characters"

    def metadata(self, metadata: Mapping[str, Any] | None) -> None:
        if not metadata:
            return
        try:
            size = len(json.dumps(dict(metadata), ensure_ascii=False, allow_nan=False))
        except (TypeError, ValueError, RecursionError):
            self.problems["metadata"] = "must be plain JSON"
            return
        if not storable_tree(metadata):
            self.problems["metadata"] = "must hold no NUL and no lone surrogate, in no key and no value"
            return
        if size > MAX_METADATA:
            self.problems["metadata"] = f"at most {MAX_METADATA} characters as JSON"

    def time(self, name: str, at: datetime | None) -> None:
        if at is not None and at.tzinfo is None:
            self.problems[name] = "must have a time zone"

    def future(self, name: str, at: datetime | None, now: datetime) -> None:
        self.time(name, at)
        if name not in self.problems and at is not None and at <= now:
            self.problems[name] = "must lie in the future"

    def passing(
        self, scope: str, session_id: uuid.UUID | None, turns: int | None, expires_at: datetime | None
    ) -> None:
        """What ends with a session, or after some of its rounds, belongs to that session."""
        if turns is not None and expires_at is not None:
            self.problems["expires_at"] = "give either a number of turns or a time, not both"
        if session_id is None:
            self.problems["session_id"] = "needed for what ends with a session or after some turns of it"
        if scope == Scope.AGENT:
            self.problems["scope"] = "an agent's memory cannot end with a session; use the scope session"
        if turns is not None and not 1 <= turns <= MAX_PASSING_TURNS:
            self.problems["expires_after_turns"] = f"must lie between 1 and {MAX_PASSING_TURNS}"

    def short(self, name: str, text: str, limit: int) -> None:
        if len(text) > limit:
            self.problems[name] = f"at most {limit} characters"

    def scope(self, scope: str, agent_id: uuid.UUID | None, session_id: uuid.UUID | None) -> None:
        if scope not in Scope.values:
            self.problems["scope"] = f"must be one of {', '.join(Scope.values)}"
        elif scope == Scope.AGENT and agent_id is None:
            self.problems["agent_id"] = "needed for the scope agent"
        elif scope == Scope.SESSION and session_id is None:
            self.problems["session_id"] = "needed for the scope session"
