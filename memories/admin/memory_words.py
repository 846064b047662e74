"""Words for what the admin's page of a memory tells: rules, changes, and who did them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _

from accounts.member_names import names_of
from memories.models import MemoryVersion

RULES: dict[str, Any] = {
    "approval": _("It waited for the person's yes, because of what it holds."),
    "compaction": _("It sums up turns that left the window."),
    "constraint": _("A rule of how to answer."),
    "constraint.declared": _("A rule that was laid down on purpose."),
    "constraint.withdrawn": _("The rule was taken back."),
    "contradiction": _("A contradiction was settled."),
    "digest": _("It sums up turns that left the window."),
    "document": _("A piece of a document."),
    "en": _("A pattern of English statements read it."),
    "explicit": _("It was given to be remembered, word for word."),
    "feedback": _("A person judged it."),
    "forget": _("Somebody asked to forget it."),
    "gate": _("It passed the write gate."),
    "gate.amends": _("It changes something that was known."),
    "gate.event": _("It tells of something that happens at a time."),
    "gate.explicit": _("The person asked to remember it."),
    "gate.importance": _("It is important enough to be kept by itself."),
    "gate.kind": _("This kind is always worth keeping."),
    "gate.structured": _("It holds a name, a value or a time that will be asked for again."),
    "gate.temporary": _("It holds for some time only."),
    "gate.trigger": _("Its wording marks what is worth keeping."),
    "given": _("It was given to be remembered, word for word."),
    "import": _("It came with an import."),
    "merge": _("Several memories said the same, and became one."),
    "model": _("A language model found it, and what it found was proven in the text."),
    "pii": _("The policy on sensitive content decided."),
    "restore": _("It was brought back."),
    "slot": _("It says something about what another memory was about."),
    "slot.correction": _("It corrects what was said just before."),
    "slot.later": _("The later word about the same holds."),
    "slot.update": _("Its words say that something changed."),
    "sweep": _("A sweep took it."),
    "sweep.capacity": _("A sweep took it: the person had more memories than the policy keeps, and it was worth least."),
    "sweep.floor": _("A sweep took it: it had faded below the floor."),
    "sweep.ttl": _("A sweep took it: its end had come."),
    "user": _("The person did it themselves."),
    "zh": _("A pattern of Chinese statements read it."),
}  # fmt: skip

CHANGES: dict[str, Any] = {
    "created": _("created"),
    "edited": _("edited"),
    "pinned": _("pinned"),
    "unpinned": _("no longer pinned"),
    "superseded": _("replaced by a newer one"),
    "archived": _("archived"),
    "expired": _("expired"),
    "forgotten": _("forgotten"),
    "restored": _("brought back"),
    "undone": _("undone"),
    "merged": _("merged"),
    "unmerged": _("taken out of a merge"),
    "confirmed": _("confirmed"),
    "approved": _("approved"),
    "refused": _("refused"),
    "redacted": _("redacted"),
    "withdrawn": _("withdrawn"),
    "settled": _("settled"),
    "ended": _("ended"),
}

_CODES = (
    "kind", "status", "scope", "source", "importance", "importance_level", "pinned", "said_at",
    "event_start", "event_end", "valid_from", "valid_to", "expires_at", "superseded_by_id",
)  # fmt: skip
"""Columns of a version's state that hold codes, numbers and times; the others hold words, and only their names are told."""


def explain(rule: str) -> str:
    """What a rule's id means: the longest beginning that is known speaks; "" where none is."""
    parts = rule.split(".")
    for length in range(len(parts), 0, -1):
        if (told := RULES.get(".".join(parts[:length]))) is not None:
            return str(told)
    return ""


def change_of(name: str) -> str:
    return str(CHANGES.get(name, name.replace("_", " ")))


def changed_columns(older: MemoryVersion | None, newer: MemoryVersion) -> list[str]:
    """What changed beside the text: codes, numbers and times with both values, of words only that they changed."""
    if older is None:
        return []
    told = []
    for column, value in newer.state.items():
        was = older.state.get(column)
        if was == value:
            continue
        if column in _CODES:
            told.append(f"{column}: {'–' if was is None else was} → {'–' if value is None else value}")
        else:
            told.append(_t("%(column)s changed") % {"column": column})
    return told


class People:
    """Names of members by their ids as versions and tombstones keep them, looked up in one statement."""

    def __init__(self, actors: Iterable[tuple[str, str]]) -> None:
        self._names = names_of(actor_id for kind, actor_id in actors if kind == "user")

    def name(self, kind: str, actor_id: str) -> str:
        return self._names.get(actor_id) or " ".join(filter(None, (kind, actor_id)))


def link(name: str, *args: Any) -> str:
    """The address of a page of the admin, "" while no such page is there."""
    try:
        return reverse(f"admin:{name}", args=args)
    except NoReverseMatch:
        return ""
