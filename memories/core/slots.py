"""Short-term memory: what a turn leaves in the slots, how long each lives, who goes first, and the summary (R11)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from memories.core.extraction import Candidate
from memories.core.extraction.sentences import is_small_talk, split_clauses
from memories.core.importance import importance_of
from memories.core.kinds import Kind
from memories.core.policy import Policy
from memories.core.topics import topics, without_address
from memories.core.values.keyvalues import key_values
from memories.core.values.normalise import canonical


class SlotKind(StrEnum):
    """What a slot holds; the policy gives each its base TTL."""

    ENTITY = "entity"
    TASK = "task"
    CONCLUSION = "conclusion"


@dataclass(frozen=True, slots=True)
class Slot:
    """One entry: `key` is what a later write of the same thing replaces; `sessions` counts those that brought it up."""

    kind: SlotKind
    key: str
    text: str
    importance: float
    written_at: datetime
    expires_at: datetime
    sessions: int = 1


_ZH_DOES = "查|写|做|改|找|订|买|办|弄|准备|整理|翻译|总结|安排|计划|分析|修|调|部署|学|比较|选|设计|看|算|去|搬|装|申请|预订|预约|复习|调试|处理|完成|续|交|报|试|画|排|联系"
_TASK = re.compile(
    rf"(?:帮(?:我|忙)|请你?|麻烦你?|正在|我(?:们)?(?:正在|正|要|想|准备|打算|在|得|需要|必须|还得|还要)|需要|得先)(?:先|再|尽快|赶紧)?(?P<what>(?:(?:把|给|跟|和)[^，。！？?]{{1,16}})?(?:{_ZH_DOES})[^，。！？?]{{2,40}}|把[^，。！？?]{{3,40}})"
    r"|\b(?:help me(?: to)?|(?:can|could|would) you(?: please)?(?: help me(?: to)?)?|please|let me|let's|i(?:'m| am) (?:trying|going|about|planning) to|i (?:want|need|have|would like|plan|intend) to|i'd like to|i must|i should)\s+(?P<en>[a-z][^.!?\n]{3,80})"
    r"|\bi(?:'m| am) (?:still |just |currently )?(?P<doing>(?:working on|writing|preparing|looking for|planning|building|debugging|fixing|studying|learning|designing|drafting|organi[sz]ing|packing|comparing|choosing|moving|renovating|applying)\s[^.!?\n]{2,80})",
    re.IGNORECASE,
)
_NO_TASK = re.compile(
    r"(?:see|tell|hear|help|say|know|do|believe|be|guess|thank|remember|forget|go|think|stop|wait|explain|understand)\b\s*(?:me|it|that|this|you|on|so)?\W*$|(?:remember|forget|tell me|remind me)\b",
    re.IGNORECASE,
)
_CONCLUSION = re.compile(
    r"(?:所以说?|因此|因而|结论(?:就?是|[:：])|看来|看样子|原来|说明|最终|最后发现|总之|由此(?:可见|看来)?|也就是说|这么说来?|结果(?:是|发现)|(?:我|我们)?(?:终于|最后)?发现|查出来|问题(?:出|就)?在于?|原因(?:就)?是|证明)(?P<what>[^。！？?，]{3,60})"
    r"|\b(?:so(?=,?\s+(?:i|you|we|he|she|it|they|the|that|this|there|my|our|your|in\b|all\b|no\b|(?-i:[A-Z])))|therefore|thus|hence|the conclusion is(?: that)?|(?:it )?turn(?:s|ed) out(?: that)?(?: to be)?|which means(?: that)?|that means(?: that)?|this means(?: that)?|as a result|in short|in the end|the (?:reason|cause|problem|issue) (?:is|was)(?: that)?|(?:i|we) (?:found(?: out)?|figured out|worked out|discovered|reali[sz]ed|learned|concluded)(?: that)?)\b,?\s+(?P<en>[^.!?\n]{6,120})",
    re.IGNORECASE,
)
_ENTITY_KINDS = frozenset({"name", "title", "code"})
_MAX_ENTITIES = 4
_MIN_CONCLUSION = 3


def ttl(policy: Policy, kind: SlotKind, importance: float) -> timedelta:
    """How long a slot lives: base x (0.5 + importance), so 12 to 36 hours for an entity."""
    base = policy.number(f"slots.ttl.{kind.value}_minutes")
    factor = policy.number("slots.importance_base") + min(1.0, max(0.0, importance))
    return timedelta(minutes=base * factor)


def entries(text: str, *, now: datetime, policy: Policy, candidates: Sequence[Candidate] = ()) -> list[Slot]:
    """What a turn leaves: the things it is about, the task in hand, and what was found out; [] for small talk.

    `candidates` are the turn's extracted memories; their subjects are entities and their decisions conclusions.
    """
    if is_small_talk(text):
        return []
    found: dict[str, Slot] = {}

    def put(kind: SlotKind, key: str, words: str, importance: float) -> None:
        name = f"{kind}:{canonical(key)[:80]}"
        if canonical(key) and name not in found:
            found[name] = Slot(
                kind, name, words.strip(), importance, now, now + ttl(policy, kind, importance)
            )

    for entity in _entities(text, candidates):
        put(SlotKind.ENTITY, entity, entity, importance_of(entity, "fact"))
    stated = [clause for clause in split_clauses(text) if not clause.asks]
    task = next(iter(_tasks(text)), None)
    if task:
        put(SlotKind.TASK, task, task, importance_of(task, "todo"))
    concluded = [c for c in candidates if c.kind in {Kind.DECISION, Kind.CONCLUSION}]
    for candidate in concluded:
        put(SlotKind.CONCLUSION, candidate.content, candidate.content, candidate.importance)
    for sentence in dict.fromkeys(clause.sentence for clause in stated):
        words = _concluded(sentence)
        if words and not any(words in candidate.content for candidate in concluded):
            put(SlotKind.CONCLUSION, words, words, importance_of(words, "conclusion"))
            break
    return list(found.values())


def _tasks(text: str) -> Iterator[str]:
    """What somebody is doing or asks to be helped with, in the order of the text."""
    for match in _TASK.finditer(text):
        words = (match["what"] or match["en"] or match["doing"]).strip()
        if not _NO_TASK.match(words):
            yield words


def _concluded(sentence: str) -> str | None:
    """What a sentence draws from what came before; None for one that asks."""
    if re.search(r"[?？]\s*$", sentence):
        return None
    match = _CONCLUSION.search(sentence)
    words = (match["what"] or match["en"]).strip(" ：:,，") if match else ""
    return words if len(words) >= _MIN_CONCLUSION else None


def _entities(text: str, candidates: Sequence[Candidate]) -> list[str]:
    """Names, titles, codes and subjects, most telling first; else the nouns of what is talked about."""
    text = without_address(text)
    names = [value.text for value in key_values(text) if value.kind in _ENTITY_KINDS]
    named = [
        c.subject
        for c in candidates
        if c.subject not in {"user", "assistant", "general"} and ":" not in c.subject
    ]
    found = list(dict.fromkeys(names + named)) or topics(text)
    return found[:_MAX_ENTITIES]


def live(slots: Iterable[Slot], now: datetime) -> list[Slot]:
    """The slots that have not run out."""
    return [slot for slot in slots if slot.expires_at > now]


def eviction_order(slots: Iterable[Slot]) -> list[Slot]:
    """Who goes first: least important, then oldest."""
    return sorted(slots, key=lambda slot: (slot.importance, slot.written_at, slot.key))


def kept(slots: Iterable[Slot], *, now: datetime, policy: Policy) -> tuple[list[Slot], list[Slot]]:
    """(stay, go): the live slots within the capacity, and everything else."""
    every = list(slots)
    alive = live(every, now)
    over = max(0, len(alive) - policy.integer("slots.capacity"))
    gone = {slot.key for slot in eviction_order(alive)[:over]} | {
        slot.key for slot in every if slot.expires_at <= now
    }
    return [s for s in alive if s.key not in gone], [s for s in every if s.key in gone]


def promoted(slots: Iterable[Slot], policy: Policy) -> list[Slot]:
    """The topics that came up in enough sessions to become long-term memories."""
    return [slot for slot in slots if slot.sessions >= policy.integer("slots.promote_after")]


_LABEL = {
    "zh": {SlotKind.ENTITY: "提到", SlotKind.TASK: "正在", SlotKind.CONCLUSION: "结论"},
    "en": {SlotKind.ENTITY: "About", SlotKind.TASK: "Doing", SlotKind.CONCLUSION: "Found"},
}


def render(
    slots: Iterable[Slot],
    *,
    now: datetime,
    policy: Policy,
    count_tokens: Callable[[str], int],
    language: str = "en",
) -> str:
    """One summary within `slots.render_tokens` tokens: most important and newest first, each whole or not at all."""
    budget = policy.integer("slots.render_tokens")
    labels = _LABEL["zh" if language == "zh" else "en"]
    ranked = sorted(
        live(slots, now), key=lambda slot: (-slot.importance, -slot.written_at.timestamp(), slot.key)
    )
    chosen: list[Slot] = []
    summary = ""
    for slot in ranked:
        attempt = _joined([*chosen, slot], labels, language)
        if count_tokens(attempt) <= budget:
            chosen.append(slot)
            summary = attempt
    return summary


def _joined(slots: Sequence[Slot], labels: dict[SlotKind, str], language: str) -> str:
    comma, stop = ("、", "。") if language == "zh" else ("; ", ". ")
    colon = "：" if language == "zh" else ": "
    parts = []
    for kind in SlotKind:
        words = [slot.text for slot in slots if slot.kind is kind]
        if words:
            parts.append(labels[kind] + colon + comma.join(words))
    return stop.join(parts)
