"""The lines of an export: which fields a subject, a memory with all that hangs on it, and a contradiction have."""

from __future__ import annotations

from typing import Final

from memories.core.kinds import Kind, Level, Source
from memories.core.transfer.columns import (
    Column,
    flag,
    identity,
    moment,
    number,
    one_of,
    optional,
    text,
    texts,
    tree,
    whole,
)

FORMAT: Final = "memoryhub"
VERSION: Final = 1
"""A reader refuses a higher one; fields that it does not know it passes over."""
MAX_LINE: Final = 4_000_000
"""Characters of one line: a memory of 200 long versions stays below it."""
MAX_PARTS: Final = 1_000
"""Versions, quotes or facts of one memory."""
STATUSES: Final = frozenset({"current", "superseded", "archived", "expired", "merged"})
"""What is exported. What was forgotten or redacted is gone, and what waits for a yes is not kept yet."""

_YEARS: Final = 2_147_483_647
_CODE: Final = text(64)

SUBJECT: Final = (
    Column("kind", one_of({"user", "agent", "run", "tenant"}), needed=True),
    Column("external_id", text(512, least=1), needed=True),
    Column("display_name", text(200), ""),
    Column("time_zone", text(64), "UTC"),
    Column("locale", text(16), ""),
    Column("memory_paused", flag, False),
)
MEMORY: Final = (
    Column("id", identity, needed=True),
    Column("scope", one_of({"user", "agent", "session"}), "user"),
    Column("session_id", optional(identity)),
    Column("kind", one_of(set(Kind) - {Kind.SENSITIVE}), needed=True),
    Column("content", text(20_000, least=1), needed=True),
    Column("language", text(8), "en"),
    Column("key", text(200), ""),
    Column("tags", texts(20, 64), list),
    Column("metadata", tree(8_000), dict),
    Column("source", one_of(set(Source)), "import"),
    Column("speaker", text(200), ""),
    Column("importance", number(0, 1), 0.5),
    Column("importance_level", one_of({"", *Level}), ""),
    Column("credibility", number(0, 1), 1.0),
    Column("strength", number(0, 1_000_000), 1.0),
    Column("hits", whole(0, _YEARS), 0),
    Column("last_hit_at", optional(moment)),
    Column("pinned", flag, False),
    Column("said_at", moment, needed=True),
    Column("event_start", optional(moment)),
    Column("event_end", optional(moment)),
    Column("valid_from", optional(moment)),
    Column("valid_to", optional(moment)),
    Column("expires_at", optional(moment)),
    Column("expires_after_turns", optional(whole(1, 1_000))),
    Column("expires_with_session", flag, False),
    Column("status", one_of(STATUSES), "current"),
    Column("superseded_by_id", optional(identity)),
    Column("rule", _CODE, ""),
    Column("reasons", tree(8_000, list), list),
    Column("version", whole(1, _YEARS), 1),
    Column("created_at", moment, needed=True),
    Column("updated_at", moment, needed=True),
)
VERSION_OF: Final = (
    Column("id", identity, needed=True),
    Column("number", whole(1, _YEARS), needed=True),
    Column("change", text(32), needed=True),
    Column("content", text(20_000), ""),
    Column("state", tree(64_000), dict),
    Column("actor_kind", text(16), ""),
    Column("rule", _CODE, ""),
    Column("reason", text(200), ""),
    Column("turn_id", optional(identity)),
    Column("at", moment, needed=True),
    Column("redacted_at", optional(moment)),
)
EVIDENCE: Final = (
    Column("id", identity, needed=True),
    Column("turn_id", optional(identity)),
    Column("session_id", optional(identity)),
    Column("quote", text(20_000), ""),
    Column("role", text(16), "user"),
    Column("speaker", text(200), ""),
    Column("said_at", moment, needed=True),
    Column("created_at", moment, needed=True),
)
FACT: Final = (
    Column("id", identity, needed=True),
    Column("entity", text(200, least=1), needed=True),
    Column("entity_kind", text(16), ""),
    Column("attribute", text(100, least=1), needed=True),
    Column("value", text(20_000), ""),
    Column("slot_key", text(320), ""),
    Column("single_valued", flag, False),
    Column("negated", flag, False),
    Column("valid_from", optional(moment)),
    Column("valid_to", optional(moment)),
)
CONTRADICTION: Final = (
    Column("id", identity, needed=True),
    Column("older_id", identity, needed=True),
    Column("newer_id", identity, needed=True),
    Column("slot_key", text(320), ""),
    Column("state", one_of({"open", "resolved"}), "open"),
    Column("resolution", one_of({"", "keep_new", "keep_old", "keep_both", "merge"}), ""),
    Column("undo", tree(64_000), dict),
    Column("rule", _CODE, ""),
    Column("opened_at", moment, needed=True),
    Column("resolved_at", optional(moment)),
)
