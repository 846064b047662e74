"""The suite `junk`: how much of a conversation is remembered, as what, by which rule; and a sample to judge by hand."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memories.core.kinds import Kind
from memories.evaluation.datasets import Conversation, read_set
from memories.evaluation.report import write_lines
from memories.evaluation.sets import sets_there
from memories.evaluation.suites import CannotMeasure, SuiteOptions, SuiteResult
from memories.models import Evidence, Fact, Memory
from memoryhub.common.db import tenant_transaction
from sessions_app.evaluation.posting import Posted, note_failed_jobs, post_conversation
from sessions_app.models import Turn

SETS = ("locomo", "memdaily_pool_zh", "memorybank_zh")
MADE = frozenset({Kind.DIGEST.value, Kind.CHUNK.value})
"""Kinds that are copies of what was said by design: they are counted, and neither sampled nor taken for memories."""
BEFORE = 2
"""Turns before a source that are shown with it: a short answer says nothing without what it answers."""


@dataclass
class Count:
    """What became of a set's turns."""

    turns: int = 0
    kept: int = 0
    memories: int = 0
    failed: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    statuses: Counter[str] = field(default_factory=Counter)
    copies: Counter[str] = field(default_factory=Counter)
    rows: list[dict[str, Any]] = field(default_factory=list)


def run(options: SuiteOptions) -> SuiteResult:
    """junk.<set>.turns_kept (percent of the turns that led to a memory) and memories a hundred turns.

    `sample` memories a set, drawn with the seed, go to `sample_file` with the turns that they come from: what is remembered is
    good or not only for somebody who reads both. CannotMeasure for a sample without a file, or one inside the project.
    """
    if options.sample and options.sample_file is None:
        raise CannotMeasure(
            "a sample holds texts of the data; name a file outside the project (--sample-file)"
        )
    result = SuiteResult(columns=("turns", "kept", "% kept", "memories", "a 100 turns"))
    sampled: list[dict[str, Any]] = []
    for name, folder in sets_there(options, "junk", dict.fromkeys(SETS, "conv")).items():
        count = _count(name, folder, options)
        _report(result, name, count)
        chosen = random.Random(options.seed).sample(count.rows, min(options.sample, len(count.rows)))
        sampled += [{"set": name, "number": at, **row} for at, row in enumerate(chosen, start=1)]
    if options.sample and options.sample_file is not None:
        write_lines(options.sample_file, sampled)
    return result


def _count(name: str, folder: Path, options: SuiteOptions) -> Count:
    count = Count()
    for conversation in read_set(folder, options.split, options.limit):
        posted = post_conversation(options, name, conversation)
        count.failed += posted.failed
        _add(count, conversation, posted)
    if not count.turns:
        raise CannotMeasure(f"{name} holds no turn")
    return count


def _add(count: Count, conversation: Conversation, posted: Posted) -> None:
    places = {turn.id: at for at, turn in enumerate(conversation.turns)}
    with tenant_transaction(posted.actor.tenant_id):
        for outcomes in Turn.objects.filter(pk__in=list(posted.ids)).values_list("outcomes", flat=True):
            count.turns += 1
            count.kept += any(outcome["memory_id"] for outcome in outcomes)
            count.outcomes.update(outcome["code"] for outcome in outcomes)
        memories = list(Memory.objects.of(posted.subject_id).order_by("created_at", "id"))
        evidence: dict[Any, list[str]] = {}
        for memory_id, turn_id in Evidence.objects.filter(memory__in=memories).values_list(
            "memory_id", "turn_id"
        ):
            if turn_id in posted.ids:
                evidence.setdefault(memory_id, []).append(posted.ids[turn_id])
        facts: dict[Any, list[dict[str, Any]]] = {}
        for fact in Fact.objects.filter(memory__in=memories):
            facts.setdefault(fact.memory_id, []).append(
                {
                    "entity": fact.entity,
                    "attribute": fact.attribute,
                    "value": fact.value,
                    "negated": fact.negated,
                }
            )
    for memory in memories:
        if memory.kind in MADE:
            count.copies[memory.kind] += 1
            continue
        count.memories += 1
        count.kinds[memory.kind] += 1
        count.rules[memory.rule or "none"] += 1
        count.statuses[memory.status] += 1
        said = evidence.get(memory.pk, [])
        count.rows.append(
            {
                "conversation": conversation.id,
                "memory": str(memory.pk),
                "kind": memory.kind,
                "rule": memory.rule,
                "status": memory.status,
                "speaker": memory.speaker or memory.source,
                "said_at": memory.said_at.isoformat(),
                "text": memory.content,
                "facts": facts.get(memory.pk, []),
                "valid": [memory.valid_from, memory.valid_to, memory.expires_at],
                "sources": _context(conversation, places, said),
            }
        )


def _context(conversation: Conversation, places: Mapping[str, int], said: list[str]) -> list[dict[str, str]]:
    """Each source turn, marked, with the turns right before it."""
    shown: dict[int, bool] = {}
    for turn in said:
        at = places[turn]
        for near in range(max(0, at - BEFORE), at):
            shown.setdefault(near, False)
        shown[at] = True
    return [
        {
            "source": "yes" if is_source else "",
            "speaker": conversation.turns[at].speaker,
            "text": conversation.turns[at].text,
        }
        for at, is_source in sorted(shown.items())
    ]


def _report(result: SuiteResult, name: str, count: Count) -> None:
    share = round(100 * count.kept / count.turns, 2)
    density = round(100 * count.memories / count.turns, 2)
    result.metrics[f"junk.{name}.turns_kept"] = share
    result.metrics[f"junk.{name}.memories_per_100_turns"] = density
    result.info[f"junk.{name}"] = {
        "turns": count.turns,
        "turns_kept": count.kept,
        "memories": count.memories,
        "by_kind": dict(count.kinds.most_common()),
        "by_rule": dict(count.rules.most_common()),
        "by_outcome": dict(count.outcomes.most_common()),
        "by_status": dict(count.statuses.most_common()),
        "copies": dict(count.copies.most_common()),
    }
    result.table.append(
        (name, (str(count.turns), str(count.kept), f"{share:.1f}", str(count.memories), f"{density:.1f}"))
    )
    for kind, number in count.kinds.most_common():
        result.table.append((f"  kind {kind}", ("", "", "", str(number))))
    for rule, number in count.rules.most_common(15):
        result.table.append((f"  rule {rule}", ("", "", "", str(number))))
    note_failed_jobs(result, f"junk.{name}", count.failed)
