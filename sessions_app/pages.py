"""Turns and sessions as the page shows them: HTML in one reader's language and time zone, for views and sockets alike."""

from __future__ import annotations

import zoneinfo
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import timezone, translation

from memories.core.budget import RULE as MODEL_BUDGET
from memories.core.kinds import NEVER_PINNED
from sessions_app import labels
from sessions_app.models import ChatSession
from sessions_app.protocol import Frame
from sessions_app.rendering import render_markdown

_NOT_KEPT = {"not_worth_keeping", "blocked_sensitive", "budget", "error"}
_MISSED = {"contradiction", "blocked_sensitive", "needs_approval", "budget", "error"}


@dataclass(frozen=True, slots=True)
class Reader:
    """Language and time zone of one page."""

    language: str
    time_zone: str

    @classmethod
    def of(cls, language: str, time_zone: str) -> Reader:
        """From what a browser claims; the defaults where it makes no sense."""
        known = language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
        try:
            zoneinfo.ZoneInfo(time_zone)
        except (ValueError, OSError, zoneinfo.ZoneInfoNotFoundError):
            time_zone = settings.TIME_ZONE
        return cls(known, time_zone)

    @contextmanager
    def active(self) -> Iterator[None]:
        """Translate and show times for this reader."""
        with translation.override(self.language), timezone.override(self.time_zone):
            yield


def session_data(session: ChatSession) -> dict[str, Any]:
    """What the page needs to know of a session."""
    return {
        "id": str(session.pk),
        "title": session.title,
        "state": session.state,
        "ended_reason": session.ended_reason,
        "mode": session.mode,
    }


def with_html(frame: Frame, reader: Reader) -> Frame:
    """The frame with its turn's HTML for this reader."""
    return {**frame, "html": render_turn(frame["turn"], reader)}


def translated(frame: Frame, reader: Reader) -> Frame:
    """An error frame in the reader's language, where its code has words."""
    with reader.active():
        words = labels.error(frame["code"])
    return {**frame, "message": words[0], "hint": words[1]} if words else frame


def render_turn(turn: Mapping[str, Any], reader: Reader) -> str:
    """The turn as an <article>, safe to insert."""
    with reader.active():
        return render_to_string("chat/turn.html", {"turn": turn_view(turn)})


def turn_view(turn: Mapping[str, Any]) -> dict[str, Any]:
    """What the template shows of a turn, in the active language."""
    used = [used_view(item, turn["id"]) for item in turn.get("used") or []]
    numbers = {item["number"] for item in used if item["number"]}
    streaming = turn["state"] == "streaming"
    words = labels.state(turn["state"], turn.get("error_code", ""))
    outcomes = [outcome_view(outcome) for outcome in turn.get("outcomes") or []]
    return {
        **turn,
        "said_at": _time(turn.get("said_at")),
        "who": labels.who(turn["role"], turn.get("speaker", "")),
        "html": ""
        if streaming
        else render_markdown(turn["content"], numbers=numbers, anchor=str(turn["id"])),
        "streaming": streaming,
        "used": used,
        "cited": sum(item["cited"] for item in used),
        "outcomes": [outcome for outcome in outcomes if outcome["code"] != "not_worth_keeping"],
        "nothing_kept": next((o for o in outcomes if o["code"] == "not_worth_keeping"), None),
        "problem": words,
        "retryable": turn["role"] == "assistant" and turn["state"] in {"interrupted", "stopped", "failed"},
    }


def used_view(item: Mapping[str, Any], turn_id: str) -> dict[str, Any]:
    """A memory behind an answer."""
    score = float(item.get("score") or 0)
    is_memory = item.get("item_kind") == "memory"
    return {
        **item,
        "anchor": f"used-{turn_id}-{item.get('number') or 0}",
        "number": item.get("number") or 0,
        # A rule of the tenant is nobody's own: it is neither corrected nor forgotten here.
        "is_memory": is_memory and item.get("source") != "operator",
        "kind_label": labels.kind(item.get("kind") or "episode") if is_memory else labels.kind("episode"),
        "who": labels.speaker(item.get("source") or "", item.get("speaker") or ""),
        "said_at": _time(item.get("said_at")),
        "score": f"{score:.2f}" if score else "",
        "fit": labels.fit(score) if score else "",
        "cited": bool(item.get("cited")),
        "gone": not item.get("text"),
        "superseded": item.get("status") == "superseded",
        "pinnable": item.get("kind") not in NEVER_PINNED,
    }


def outcome_view(outcome: Mapping[str, Any]) -> dict[str, Any]:
    """What became of a user's message: what was replaced or contradicted by it, why it was not kept, and what can be undone."""
    code, rule = str(outcome["code"]), str(outcome.get("rule") or "")
    replaced: Mapping[str, Any] = outcome.get("replaced") or {}
    name, status = code, outcome.get("status")
    if code == "superseded" and not outcome.get("replaced_id"):
        name = "superseded.history"
    elif code == "superseded" and status == "superseded" and replaced.get("status") == "current":
        name = "undone"
    elif rule == "slot.planned":
        name = "stored.planned"
    elif rule == MODEL_BUDGET:
        name = "budget.model"
    return {
        **outcome,
        "label": labels.outcome(name),
        "kind_label": labels.kind(outcome["kind"]) if outcome.get("kind") else "",
        "tone": "warn" if code in _MISSED else "good",
        "replaced_text": replaced.get("text") or "",
        "undoable": code == "superseded" and status == "current" and replaced.get("status") == "superseded",
        "disputed": code == "contradiction" and status == "current" and replaced.get("status") == "current",
        "why": labels.why_not(rule) if code in _NOT_KEPT else "",
    }


def _time(value: Any) -> datetime | None:
    return datetime.fromisoformat(value) if isinstance(value, str) else value
