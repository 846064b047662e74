"""What the admin's page of a memory shows: its text, history, evidence, recalls, strength and relations, all of it bounded."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from accounts.actor import Actor
from accounts.permissions import Capability
from memories.adapters.factory import get_clock
from memories.admin.memory_links import Link, links_of
from memories.admin.memory_strength import strength_of
from memories.admin.memory_words import People, change_of, changed_columns, explain, link
from memories.admin.packing import packed
from memories.admin.showing import is_sensitive, mask, reads_clear, shown, with_sensitivity
from memories.core.kinds import NEVER_PINNED
from memories.core.text.word_diff import word_diff
from memories.models import (
    Contradiction,
    Evidence,
    Fact,
    Memory,
    MemoryVersion,
    Reveal,
    Status,
    Tombstone,
)
from memories.services.policies import policy_of
from memories.services.restore import RESTORABLE
from memories.status_words import STATUSES
from memories.store.considered import LOOKED_THROUGH, Considered, recalls_of

VERSIONS, PARTS, RECALLS, RELATED = 10, 20, 20, 10
"""Of each kind on one page. Two versions without a word in common take 70 ms to compare."""
_TAG = {"same": "span", "ins": "ins", "del": "del"}


class MemoryPage:
    """The page's context for one actor, read in the open tenant transaction."""

    def __init__(self, memory: Memory, actor: Actor, below: int | None = None) -> None:
        """`below`: the versions with a lower number, instead of the newest."""
        self.memory, self.actor, self.below = memory, actor, below
        self.sensitive = is_sensitive(memory)
        self.clear = reads_clear(actor) and not self.sensitive

    def context(self) -> dict[str, Any]:
        memory = self.memory
        policy, _number = policy_of(self.actor.tenant_id)
        versions = list(
            MemoryVersion.objects.filter(
                memory_id=memory.pk, **({} if self.below is None else {"number__lt": self.below})
            )
            .defer("content_encrypted")
            .order_by("-number")[: VERSIONS + 1]
        )
        evidence = list(Evidence.objects.filter(memory_id=memory.pk).order_by("-said_at", "-id")[:PARTS])
        stones = list(Tombstone.objects.filter(memory_id=memory.pk).defer("undo").order_by("-at")[:RELATED])
        reveals = list(Reveal.objects.filter(memory_id=memory.pk).order_by("-at", "-id")[:RELATED])
        recalls = recalls_of(memory.subject_id, memory.pk, limit=RECALLS)
        people = People((row.actor_kind, row.actor_id) for row in (*versions, *stones, *reveals))
        used = [one.at for one in recalls if one.used]
        return {
            "memory": memory,
            "text": self.show(memory.content),
            "masked": not self.clear,
            "sensitive": self.sensitive,
            "status": STATUSES.get(memory.status, memory.status),
            "why": explain(memory.rule),
            "reasons": self.reasons(),
            "tags": self.show(memory.tags),
            "versions": self.timeline(versions, people),
            "older_versions": versions[VERSIONS - 1].number if len(versions) > VERSIONS else None,
            "newest_shown": self.below is None,
            "evidence": [self.quote(one) for one in evidence],
            "facts": [
                self.fact(one) for one in Fact.objects.filter(memory_id=memory.pk).order_by("-id")[:PARTS]
            ],
            "recalls": [self.recall(one) for one in recalls],
            "looked_through": LOOKED_THROUGH,
            "strength": strength_of(memory, policy, get_clock().now(), used),
            "related": self.related([one.turn_id for one in evidence if one.turn_id]),
            "tombstones": [(one, people.name(one.actor_kind, one.actor_id)) for one in stones],
            "reveals": [
                (one.at, people.name(one.actor_kind, one.actor_id), self.reason(one)) for one in reveals
            ],
            **self.offers(stones),
        }

    def show(self, text: Any, **how: Any) -> str:
        return shown(text, actor=self.actor, sensitive=self.sensitive, **how)

    def reasons(self) -> list[str]:
        """Rule words and numbers where the engine wrote them; an import may have put words there."""
        given = self.memory.reasons if isinstance(self.memory.reasons, list) else [self.memory.reasons]
        return [self.show(str(one)) for one in given[:PARTS] if one]

    def reason(self, one: Reveal) -> str:
        """Words of an operator, for operators; a tenant that masks what people said does not mean these."""
        return one.reason if Capability.REVEAL in self.actor.capabilities else mask(one.reason)

    def timeline(self, versions: Sequence[MemoryVersion], people: People) -> list[dict[str, Any]]:
        """The newest first, each with what differs from the one before it."""
        return [
            {
                "row": row,
                "change": change_of(row.change),
                "who": people.name(row.actor_kind, row.actor_id),
                "why": explain(row.rule),
                "reason": self.show(row.reason),
                "text": self.difference(older, row),
                "columns": changed_columns(older, row),
                "turn_url": link("sessions_app_turn_change", row.turn_id) if row.turn_id else "",
            }
            for row, older in zip(versions[:VERSIONS], [*versions[1:], None], strict=False)
        ]

    def difference(self, older: MemoryVersion | None, row: MemoryVersion) -> str:
        """The words that came and went; "" where the text is the same; a mask where the text is masked."""
        if older is not None and older.content == row.content:
            return ""
        if older is None or not self.clear:
            return self.show(row.content)
        return marked(older.content, row.content)

    def quote(self, one: Evidence) -> dict[str, Any]:
        url = link("sessions_app_turn_change", one.turn_id) if one.turn_id else ""
        return {"row": one, "quote": self.show(one.quote), "speaker": self.show(one.speaker), "url": url}

    def fact(self, one: Fact) -> dict[str, Any]:
        return {
            "row": one,
            "slot": " · ".join(filter(None, (self.show(one.entity), self.show(one.attribute))))
            if self.clear
            else self.show(one.slot_key),
            "value": self.show(one.value),
            "url": link("memories_fact_change", one.pk),
        }

    def recall(self, one: Considered) -> dict[str, Any]:
        parts = sorted(one.scores.items(), key=lambda part: -abs(part[1]))
        return {
            "row": one,
            "query": shown(one.query, actor=self.actor, sensitive=self.sensitive, excerpt=True),
            "parts": [(name, value) for name, value in parts if value],
            "url": link("memories_recalltrace_change", one.trace_id),
        }

    def related(self, turn_ids: Sequence[uuid.UUID]) -> list[Link]:
        """Successor, predecessors, contradictions and what other apps have: digests."""
        memory, found = self.memory, []
        page = "memories_memory_change"
        if memory.superseded_by_id:
            found.append(Link(_("Its successor"), link(page, memory.superseded_by_id)))
        before = Memory.objects.filter(superseded_by_id=memory.pk).values_list("pk", flat=True)
        found += [Link(_("It took the place of a memory"), link(page, pk)) for pk in before[:RELATED]]
        for column in ("older", "newer"):
            rows = Contradiction.objects.filter(**{f"{column}_id": memory.pk}).only("pk", "state")
            found += [
                Link(
                    _("An open contradiction") if one.state == "open" else _("A settled contradiction"),
                    link("memories_contradiction_change", one.pk),
                )
                for one in rows.order_by("-id")[:RELATED]
            ]
        return [*found, *links_of(memory, turn_ids)]

    def offers(self, stones: Sequence[Tombstone]) -> dict[str, Any]:
        """The addresses of what this actor may do with this memory; "" for what not."""
        memory, may = self.memory, self.actor.capabilities
        gone = memory.status == Status.REDACTED
        open_stones = [one.pk for one in stones if one.restored_at is None]
        back = Capability.RESTORE in may and memory.status in RESTORABLE and open_stones
        pinnable = memory.status == Status.CURRENT and memory.kind not in NEVER_PINNED
        return {
            "reveal_url": link("memories_memory_reveal", memory.pk)
            if Capability.REVEAL in may and not gone
            else "",
            "redact_url": link("memories_redaction_memory", memory.pk)
            if Capability.REDACT in may and not gone
            else "",
            "pin_url": link("memories_memory_pin", memory.pk)
            if Capability.MEMORY_WRITE in may and pinnable
            else "",
            "restore_url": f"{link('memories_tombstone_restore')}?ids={packed(open_stones)}" if back else "",
            "subject_url": link("accounts_subject_change", memory.subject_id),
        }


def memory_for(pk: Any) -> Memory | None:
    """The memory with its sensitivity, nothing decrypted; None for what is no id, or not of this tenant."""
    try:
        wanted = uuid.UUID(str(pk))
    except ValueError:
        return None
    found: Memory | None = with_sensitivity(Memory.objects.filter(pk=wanted)).first()
    return found


def marked(old: str, new: str) -> SafeString:
    """Both texts as one, with <del> and <ins> around what went and came; escaped."""
    pieces = (
        (SafeString(_TAG[piece.op]), piece.text, SafeString(_TAG[piece.op])) for piece in word_diff(old, new)
    )
    return format_html('<span class="diff">{}</span>', format_html_join("", "<{}>{}</{}>", pieces))
