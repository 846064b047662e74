"""Names of the places in which words stand, as operators read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _

PLACES: dict[str, Any] = {
    "memories": _("memories and digests"),
    "details": _("tags and metadata"),
    "entries": _("keys of metadata"),
    "versions": _("versions"),
    "version details": _("tags and metadata of versions"),
    "version entries": _("keys of metadata of versions"),
    "evidence": _("evidence"),
    "facts": _("facts"),
    "tombstones": _("tombstones"),
    "tombstones (undo)": _("words kept for a restore"),
    "forget requests": _("requests to forget"),
    "forget requests (undo)": _("words kept for an undo of a request"),
    "forget rules": _("rules of what not to remember"),
    "reveals": _("reasons of reveals"),
    "contradictions": _("contradictions"),
    "episodes": _("recallable pieces of messages"),
    "slots": _("slots"),
    "traces": _("traces: questions and contexts"),
    "turns": _("messages"),
    "sessions": _("titles of chats"),
    "kept answers": _("answers kept for repeated calls"),
    "queued work": _("queued work"),
    "subjects": _("names of persons"),
    "redactions": _("reasons of redactions"),
    "queued texts": _("texts that wait to be remembered"),
    "index": _("rows of the search index"),
}

PROBLEMS = (
    _("Give the words to take out, or a pattern."),
    _("Give the words to take out."),
    _("At most 20 lines at once."),
    _("Two Chinese characters or three others at least, and 500 at most, a line."),
    _(
        "The pattern has to need three characters at least, or two with a Chinese one: else it takes out too much."
    ),
    _("Say why, in 3 to 200 characters."),
    _("Say why without the words themselves: the reason is kept."),
    _("Type the word to confirm."),
    _("It stands nowhere."),
    _("For words only. A pattern of your own in the policy masks what is said later."),
    _("another redaction of the whole tenant is at work. Wait until it is done."),
    _("the memory was redacted. Nothing of it is left."),
    _("the redaction is not done yet. Wait for it, then lift it."),
)
"""What the services refuse, in the words that they use, so that the pages can say it in the reader's language."""


def place_rows(
    counts: Mapping[str, int],
    ids: Mapping[str, Sequence[str]] | None = None,
    after: Mapping[str, int] | None = None,
) -> list[dict[str, Any]]:
    """Rows of a table: the place, how many rows it had, how many it has now, and the first ids."""
    return [
        {
            "name": PLACES.get(name, name),
            "count": number,
            "after": (after or {}).get(name),
            "ids": list((ids or {}).get(name, ()))[:10],
        }
        for name, number in sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    ]
